package ir_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
)

func targets() []string { return []string{ir.Darwin, ir.Linux} }

// drawQuery draws a question that the policy is likely to have an answer to.
func drawQuery(t *rapid.T, p *ir.Policy) ir.Query {
	return ir.Query{
		Target: rapid.SampledFrom(targets()).Draw(t, "target"),
		Op:     rapid.SampledFrom(ir.Ops()).Draw(t, "op"),
		Path:   irtest.Paths(p).Draw(t, "path"),
		Dir:    rapid.Bool().Draw(t, "dir"),
	}
}

func TestDrawnPoliciesAreValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		if ds := ir.Validate(irtest.Policies().Draw(t, "policy")); ds != nil {
			t.Fatal(ds)
		}
	})
}

// Decider(p) = p.Decide.
func TestDeciderDecidesAsThePolicy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		deciders := map[string]*ir.Decider{}
		for _, target := range targets() {
			deciders[target] = ir.NewDecider(p, target)
		}
		for range 20 {
			q := drawQuery(t, p)
			d := deciders[q.Target]
			got := d.Decide(q.Op, q.Path, q.Dir)
			if want := p.Decide(q); got != want {
				t.Fatalf("%+v: decider says %+v, policy says %+v\n%s", q, got, want, p.Text())
			}
			all := d.Matching(q.Op, q.Path, q.Dir)
			first := -1
			if len(all) > 0 {
				first = all[0]
			}
			if got.Rule != first || !slices.IsSorted(all) {
				t.Fatalf("%+v: matching rules are %v, the deciding one is %d", q, all, got.Rule)
			}
		}
	})
}

// What may be written may be read, and what may be unlinked may be written.
func TestWriteIsWithinRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		for range 20 {
			q := drawQuery(t, p)
			allowed := map[ir.Op]bool{}
			for _, q.Op = range ir.Ops() {
				d := p.Decide(q)
				allowed[q.Op] = d.Effect == ir.Allow
				if d.Effect == ir.Pass {
					t.Fatalf("%+v: the answer is pass", q)
				}
			}
			if allowed[ir.Write] && !allowed[ir.Read] || allowed[ir.Unlink] && !allowed[ir.Write] {
				t.Fatalf("%+v: allowed %v\n%s", q, allowed, p.Text())
			}
		}
	})
}

// A deny rule on top never opens anything, and closes all that it matches.
func TestDenyNeverWidens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		deny := irtest.Rules().Filter(func(r ir.FileRule) bool { return r.Group == ir.GroupDeny }).Draw(t, "deny")
		more := *p
		more.Files = slices.Concat([]ir.FileRule{deny}, p.Files)
		for range 20 {
			q := drawQuery(t, &more)
			before, after := p.Decide(q).Effect, more.Decide(q).Effect
			if after == ir.Allow && before != ir.Allow {
				t.Fatalf("%+v: a deny opened it\n%s", q, more.Text())
			}
			hit := deny.AppliesTo(q.Target) && !deny.NonDir && deny.Effect(q.Op) == ir.Deny && deny.Match.Matches(q.Path, glob.Exact)
			if hit && after == ir.Allow {
				t.Fatalf("%+v: the deny does not hold\n%s", q, more.Text())
			}
		}
	})
}

// A grant on top never closes anything but by pins.
func TestGrantNeverNarrows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		grant := irtest.Rules().Filter(func(r ir.FileRule) bool { return r.Group == ir.GroupGrant }).Draw(t, "grant")
		more := *p
		more.Files = slices.Concat([]ir.FileRule{grant}, p.Files)
		for range 20 {
			q := drawQuery(t, &more)
			before, after := p.Decide(q).Effect, more.Decide(q)
			if before == ir.Allow && after.Effect != ir.Allow && !after.Pinned {
				t.Fatalf("%+v: a grant closed it\n%s", q, more.Text())
			}
		}
	})
}

// A path that is refused only for being pinned is in one of the lists of pins.
func TestPinsAreComplete(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		for range 20 {
			q := drawQuery(t, p)
			d := ir.NewDecider(p, q.Target)
			fold := ir.FoldFor(q.Target, ir.Deny)
			listed := slices.ContainsFunc(d.Pins().Literals, func(pin ir.Pin) bool {
				return ir.Path(pin.Path).Matches(q.Path, fold)
			})
			for _, pin := range slices.Concat(d.Pins().Patterns, d.Pins().Edges) {
				listed = listed || pin.Pattern.Match(q.Path, fold)
			}
			if p.Pinned(q) && !listed {
				t.Fatalf("%+v: pinned, and in no list\n%s", q, p.Text())
			}
			for _, pin := range d.Pins().Literals {
				q.Path, q.Dir, q.Op = pin.Path, true, ir.Write
				if p.Decide(q).Effect == ir.Allow && !p.Pinned(q) {
					t.Fatalf("%+v: listed, and not pinned\n%s", q, p.Text())
				}
			}
		}
	})
}

func diffPolicies(want, got *ir.Policy) string { return cmp.Diff(want, got) }

// decode(encode(p)) = p, and the text says nothing that depends on the run.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		src := ir.Encode(p)
		got, ds := ir.Decode(src, "x.json")
		if ds != nil {
			t.Fatalf("%v\n%s", ds, src)
		}
		if len(p.Files) == 0 {
			p.Files = nil
		}
		if diff := diffPolicies(p, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
		if diff := cmp.Diff(string(src), string(ir.Encode(got))); diff != "" {
			t.Fatalf("encoded again (-want +got):\n%s", diff)
		}
		if a, b := ir.Hash(p), ir.Hash(got); a != b {
			t.Fatalf("hash %s, and %s after a round trip", a, b)
		}
		if a, b := p.Text(), got.Text(); a != b {
			t.Fatalf("text after a round trip:\n%s", cmp.Diff(a, b))
		}
		again, ds := ir.Decode(ir.Canonical(p), "x.json")
		if ds != nil {
			t.Fatal(ds)
		}
		if a, b := ir.Hash(p), ir.Hash(again); a != b {
			t.Fatalf("hash %s, and %s of the canonical form", a, b)
		}
	})
}
