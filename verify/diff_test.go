package verify_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
	"github.com/sandboxc/sbc/verify"
)

// file makes a rule with an address.
func file(address string, m ir.Match, read, write ir.Effect) ir.FileRule {
	return ir.FileRule{Match: m, Read: read, Write: write, Origin: ir.Origin{Address: address}}
}

func files(rules ...ir.FileRule) *ir.Policy { return &ir.Policy{Files: rules} }

// shownFile is a change as tests write it: the relation, and for each witness
// "+" or "-", the path, and what decides on both sides.
func shownFile(old, new *ir.Policy, f verify.FileChange) []string {
	name := func(p *ir.Policy, d ir.Decision) string {
		if d.Rule < 0 {
			return "-"
		}
		if d.Pinned {
			return p.Files[d.Rule].Origin.Address + "(pinned)"
		}
		return p.Files[d.Rule].Origin.Address
	}
	out := []string{f.What() + " " + f.Relation.String()}
	for _, w := range f.Witnesses {
		sign := "-"
		if w.Wider {
			sign = "+"
		}
		text := fmt.Sprintf("%s %s %s %s", sign, w.Path, name(old, w.Old), name(new, w.New))
		if w.Dir {
			text += " dir"
		}
		out = append(out, text)
	}
	if f.More {
		out = append(out, "more")
	}
	return out
}

func TestDiffFiles(t *testing.T) {
	t.Parallel()
	root := file("root", ir.Subtree("/w"), ir.Allow, ir.Allow)
	env := file("env", ir.Glob{Pattern: glob.MustParse("/w/**/.env")}, ir.Ask, ir.Ask)
	hooks := file("hooks", ir.Glob{Pattern: glob.MustParse("/w/**/.git/hooks/*"), Except: []*glob.Pattern{glob.MustParse("/**/*.sample")}}, ir.Pass, ir.Deny)
	secret := file("secret", ir.Subtree("/w/s"), ir.Deny, ir.Deny)
	private := root
	private.Private = true
	nonDir := file("pointer", ir.Glob{Pattern: glob.MustParse("/w/**/.git")}, ir.Pass, ir.Deny)
	nonDir.NonDir = true
	own := file("policy-file", ir.Subtree("/w/p.hcl"), ir.Pass, ir.Deny)
	in := func(g ir.Group, r ir.FileRule) ir.FileRule {
		r.Group = g
		return r
	}
	denied := in(ir.GroupDeny, file("denied", ir.Subtree("/w/s"), ir.Deny, ir.Deny))
	deniedEnv := in(ir.GroupDeny, file("denied", ir.Glob{Pattern: glob.MustParse("/w/**/.env")}, ir.Deny, ir.Deny))
	asked := in(ir.GroupAsk, file("asked", ir.Subtree("/w/s"), ir.Ask, ir.Ask))
	storage := file("storage", ir.Subtree("/w"), ir.Allow, ir.Allow)
	storage.Private = true
	for _, tt := range []struct {
		name      string
		old, new  *ir.Policy
		target    string
		witnesses int
		want      []string
	}{
		{
			name: "equal", old: files(env, hooks, root), new: files(env, hooks, root),
			want: []string{"read equivalent", "write equivalent", "unlink equivalent"},
		},
		{
			name: "another order of the same", old: files(env, hooks, root), new: files(hooks, env, root),
			want: []string{"read equivalent", "write equivalent", "unlink equivalent"},
		},
		{
			name: "a glob in two parts",
			old:  files(file("both", ir.Glob{Pattern: glob.MustParse("/w/**/{.env,.key}")}, ir.Ask, ir.Ask), root),
			new:  files(env, file("key", ir.Glob{Pattern: glob.MustParse("/w/**/.key")}, ir.Ask, ir.Ask), root),
			want: []string{"read equivalent", "write equivalent", "unlink equivalent"},
		},
		{
			name: "the same by other patterns",
			old:  files(env, file("more", ir.Glob{Pattern: glob.MustParse("/w/**/.e*")}, ir.Deny, ir.Deny), root),
			new:  files(file("more", ir.Glob{Pattern: glob.MustParse("/w/**/.e*")}, ir.Ask, ir.Ask), root),
			want: []string{"read equivalent", "write equivalent", "unlink equivalent"},
		},
		{
			name: "a deny less", old: files(secret, env, root), new: files(env, root),
			want: []string{
				"read wider", "+ /w/s secret root",
				"write wider", "+ /w/s secret root",
				"unlink wider", "+ /w/s secret root",
			},
		},
		{
			name: "a deny more, in a directory",
			old:  files(root), new: files(file("deep", ir.Subtree("/w/a/b"), ir.Pass, ir.Deny), root),
			want: []string{
				"read equivalent",
				"write narrower", "- /w/a/b root deep",
				// /w/a may not be moved any more.
				"unlink narrower", "- /w/a root root(pinned)", "- /w/a/b root deep",
			},
		},
		{
			name: "an exception more", old: files(file("hooks", ir.Glob{Pattern: hooks.Match.(ir.Glob).Pattern}, ir.Pass, ir.Deny), root), new: files(hooks, root),
			want: []string{
				"read equivalent",
				"write wider", "+ /w/.git/hooks/.sample hooks root",
				"unlink wider", "+ /w/.git/hooks/.sample hooks root",
			},
		},
		{
			name: "two rules, both ways", old: files(secret, root), new: files(env, root),
			want: []string{
				"read incomparable", "+ /w/s secret root", "- /w/.env root env",
				"write incomparable", "+ /w/s secret root", "- /w/.env root env",
				"unlink incomparable", "+ /w/s secret root", "- /w/.env root env",
			},
		},
		{
			name: "the sandbox's own storage becomes the host's", old: files(private), new: files(root),
			want: []string{
				"read wider", "+ /w root root",
				"write wider", "+ /w root root",
				"unlink wider", "+ /w/a root root",
			},
		},
		{
			name: "the host's becomes the sandbox's own storage", old: files(secret, root), new: files(storage),
			want: []string{
				"read narrower", "- /w root storage",
				"write narrower", "- /w root storage",
				"unlink narrower", "- /w/a root storage",
			},
		},
		{
			name: "and the other way round", old: files(storage), new: files(secret, root),
			want: []string{
				"read wider", "+ /w storage root",
				"write wider", "+ /w storage root",
				"unlink wider", "+ /w/a storage root",
			},
		},
		{
			name: "storage where there was nothing", old: files(secret), new: files(storage),
			want: []string{
				"read wider", "+ /w - storage", "+ /w/s secret storage",
				"write wider", "+ /w - storage", "+ /w/s secret storage",
				"unlink wider", "+ /w/s secret storage", "+ /w/a - storage",
			},
		},
		{
			name: "a deny becomes an ask", old: files(denied, root), new: files(asked, root),
			want: []string{
				"read equivalent", "write equivalent", "unlink equivalent",
				"grant read wider", "+ /w/s denied asked",
				"grant write wider", "+ /w/s denied asked",
			},
		},
		{
			name: "an ask becomes a deny", old: files(env, root), new: files(deniedEnv, root),
			want: []string{
				"read equivalent", "write equivalent", "unlink equivalent",
				"grant read narrower", "- /w/.env env denied",
				"grant write narrower", "- /w/.env env denied",
			},
		},
		{
			name: "a deny of what nothing opens", old: files(denied), new: files(),
			want: []string{
				"read equivalent", "write equivalent", "unlink equivalent",
				"grant read wider", "+ /w/s denied -",
				"grant write wider", "+ /w/s denied -",
			},
		},
		{
			name: "a glob goes with its root", old: files(deniedEnv, root), new: files(),
			want: []string{
				"read narrower", "- /w root -",
				"write narrower", "- /w root -",
				"unlink narrower", "- /w/a root -",
			},
		},
		{
			name: "a deny above an ask", old: files(denied, asked, root), new: files(denied, root),
			want: []string{"read equivalent", "write equivalent", "unlink equivalent"},
		},
		{
			name: "other spellings of what is denied on darwin", target: ir.Darwin, old: files(root), new: files(denied, root),
			want: []string{
				"read narrower", "- /w/s root denied",
				"write narrower", "- /w/s root denied",
				"unlink narrower", "- /w/s root denied",
			},
		},
		{
			name: "only where it is no directory", old: files(nonDir, root), new: files(root),
			want: []string{
				"read equivalent",
				"write wider", "+ /w/.git pointer root",
				"unlink wider", "+ /w/.git pointer root",
			},
		},
		{
			name: "one witness", witnesses: 1, old: files(secret, env, root), new: files(root),
			want: []string{
				"read wider", "+ /w/s secret root", "more",
				"write wider", "+ /w/s secret root", "more",
				"unlink wider", "+ /w/s secret root", "more",
			},
		},
		{
			name: "the files of the policies", old: files(own, root), new: files(root),
			want: []string{"read equivalent", "write equivalent", "unlink equivalent"},
		},
		{
			name: "either case on darwin", target: ir.Darwin, old: files(secret, root), new: files(root),
			want: []string{
				"read wider", "+ /w/s secret root",
				"write wider", "+ /w/s secret root",
				"unlink wider", "+ /w/s secret root",
			},
		},
		{
			name: "a path that no Mac has", target: ir.Darwin,
			old: files(root), new: files(file("tmp", ir.Subtree("/tmp/x"), ir.Allow, ir.Allow), root),
			want: []string{"read equivalent", "write equivalent", "unlink equivalent"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.target == "" {
				tt.target = ir.Linux
			}
			c, err := verify.Diff(tt.old, tt.new, tt.target, verify.DiffOptions{Witnesses: tt.witnesses})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range c.Files {
				got = append(got, shownFile(tt.old, tt.new, f)...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("change (-want +got):\n%s", diff)
			}
		})
	}
}

// What a comparison says is so for every path that is asked.
func TestDiffAgreesWithDecide(t *testing.T) {
	t.Parallel()
	seen := map[verify.Relation]int{}
	rapid.Check(t, func(t *rapid.T) {
		old := irtest.Policies().Draw(t, "old")
		changed := *old
		changed.Files = slices.Clone(old.Files)
		if rapid.IntRange(0, 2).Draw(t, "another") == 0 {
			changed.Files = irtest.Policies().Draw(t, "new").Files
		}
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			if len(changed.Files) == 0 {
				break
			}
			i := rapid.IntRange(0, len(changed.Files)-1).Draw(t, "rule")
			switch rapid.IntRange(0, 2).Draw(t, "change") {
			case 0:
				changed.Files = slices.Delete(changed.Files, i, i+1)
			case 1:
				j := rapid.IntRange(0, len(changed.Files)-1).Draw(t, "other")
				changed.Files[i], changed.Files[j] = changed.Files[j], changed.Files[i]
			case 2:
				other := irtest.Policies().Draw(t, "donor")
				if len(other.Files) > 0 {
					changed.Files = slices.Insert(changed.Files, i, other.Files[0])
				}
			}
		}
		target := rapid.SampledFrom([]string{ir.Darwin, ir.Linux}).Draw(t, "target")
		if rapid.Bool().Draw(t, "swap") {
			*old, changed = changed, *old
		}
		c, err := verify.Diff(old, &changed, target, verify.DiffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.Files {
			seen[f.Relation]++
			for range 20 {
				p := old
				if rapid.Bool().Draw(t, "whose") {
					p = &changed
				}
				path := irtest.Paths(p).Draw(t, "path")
				if target == ir.Darwin && slices.ContainsFunc([]string{"/tmp", "/var", "/etc"}, func(l string) bool { return path != l && ir.Beneath(path, l) }) {
					continue
				}
				dir := rapid.Bool().Draw(t, "dir")
				if f.Grants && target == ir.Darwin {
					continue // other spellings are left out
				}
				was, is := ranks(old, &changed, target, f, path, dir)
				wider := f.Relation == verify.Wider || f.Relation == verify.Incomparable
				narrower := f.Relation == verify.Narrower || f.Relation == verify.Incomparable
				if is > was && !wider || is < was && !narrower {
					t.Fatalf("%s is %s, but %q (dir %v) on %s has %d and %d\nold:\n%snew:\n%s", f.Op, f.Relation, path, dir, target, was, is, old.Text(), changed.Text())
				}
			}
			for _, w := range f.Witnesses {
				was, is := ranks(old, &changed, target, f, w.Path, w.Dir)
				if was == is || (is > was) != w.Wider {
					t.Fatalf("%s: the witness %+v has %d and %d", f.Op, w, was, is)
				}
			}
			if (len(f.Witnesses) == 0) != (f.Relation == verify.Equivalent) {
				t.Fatalf("%s is %s with %d witnesses", f.Op, f.Relation, len(f.Witnesses))
			}
		}
	})
	if t.Failed() {
		return
	}
	for _, r := range []verify.Relation{verify.Equivalent, verify.Narrower, verify.Wider, verify.Incomparable} {
		if seen[r] < 2 {
			t.Errorf("%s came up %d times only", r, seen[r])
		}
	}
}

// ranks are those of two policies, alike where the difference does not count.
func ranks(old, new *ir.Policy, target string, f verify.FileChange, path string, dir bool) (was, is int) {
	was, is = rank(old, target, f.Op, path, dir), rank(new, target, f.Op, path, dir)
	if !f.Grants {
		if was < 2 && is < 2 && (replaces(old, new, target, f.Op, path) || replaces(new, old, target, f.Op, path)) {
			return 0, 0
		}
		return was, is
	}
	a, b := denies(old, target, f.Op, path, dir), denies(new, target, f.Op, path, dir)
	ask := func(p *ir.Policy) bool {
		return p.Decide(ir.Query{Target: target, Op: f.Op, Path: path, Dir: dir}).Effect == ir.Ask
	}
	switch {
	case was > 0 || is > 0 || (a >= 0) == (b >= 0):
		return 0, 0
	case a >= 0:
		if target == ir.Linux && globsAlone(old, target, f.Op, path, dir) && !ask(new) {
			return 0, 0
		}
		return 0, 1
	}
	if target == ir.Linux && globsAlone(new, target, f.Op, path, dir) && !ask(old) {
		return 0, 0
	}
	return 1, 0
}

// globsAlone reports whether no deny of a path matches.
func globsAlone(p *ir.Policy, target string, op ir.Op, path string, dir bool) bool {
	return !slices.ContainsFunc(p.Files, func(r ir.FileRule) bool {
		_, isGlob := r.Match.(ir.Glob)
		return !isGlob && r.Group == ir.GroupDeny && r.Effect(op).Closes() && r.Matches(ir.Query{Target: target, Op: op, Path: path, Dir: dir})
	})
}

// denies is the rule that no grant can come by; -1 is none.
func denies(p *ir.Policy, target string, op ir.Op, path string, dir bool) int {
	for i := range p.Files {
		r := &p.Files[i]
		if r.Group != ir.GroupDeny && r.Group != ir.GroupGlob || !r.Effect(op).Closes() || !r.Matches(ir.Query{Target: target, Op: op, Path: path, Dir: dir}) {
			continue
		}
		if r.Group == ir.GroupDeny || r.Effect(op) == ir.Deny {
			return i
		}
		return -1
	}
	return -1
}

// replaces reports whether the path is in a private root of one policy that the
// other one opens of the host.
func replaces(p, host *ir.Policy, target string, op ir.Op, path string) bool {
	if op == ir.Unlink {
		op = ir.Write
	}
	return slices.ContainsFunc(p.Files, func(r ir.FileRule) bool {
		return r.Private && r.AppliesTo(target) && ir.Beneath(path, r.Match.Base()) && rank(host, target, op, r.Match.Base(), true) == 2
	})
}

// rank is 0 for what is closed, 1 for storage of the sandbox's own, 2 for the
// host's.
func rank(p *ir.Policy, target string, op ir.Op, path string, dir bool) int {
	d := p.Decide(ir.Query{Target: target, Op: op, Path: path, Dir: dir})
	switch {
	case d.Effect != ir.Allow:
		return 0
	case p.Files[d.Rule].Private:
		return 1
	}
	return 2
}

// A bound makes an answer undecided, never equivalent.
func TestDiffUndecided(t *testing.T) {
	t.Parallel()
	root := file("root", ir.Subtree("/w"), ir.Allow, ir.Allow)
	old := files(file("a", ir.Glob{Pattern: glob.MustParse("/w/**/a*b")}, ir.Deny, ir.Deny), root)
	c, err := verify.Diff(old, files(root), ir.Linux, verify.DiffOptions{MaxStates: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Relation(); got != verify.Undecided || !c.Undecided() || c.Wider() || !c.Equal() {
		t.Errorf("relation %s, wider %v", got, c.Wider())
	}
}
