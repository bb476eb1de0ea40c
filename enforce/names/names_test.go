package names_test

import (
	"errors"
	"path"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/enforce/names"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
)

func of(p *ir.Policy) *names.Names {
	return names.New(func() (*ir.Policy, error) { return p, nil })
}

// TestDecides holds: for every policy and path the answer is that of the policy.
func TestDecides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		n := of(p)
		for range 8 {
			path := irtest.Paths(p).Draw(t, "path")
			for _, op := range []ir.Op{ir.Read, ir.Write, ir.Unlink} {
				dir := rapid.Bool().Draw(t, "dir")
				want := p.Decide(ir.Query{Target: ir.Linux, Op: op, Path: path, Dir: dir}).Effect == ir.Allow
				if got := n.Decide(op, path, dir); got != want {
					t.Fatalf("%v %q (directory: %t): %t, want %t", op, path, dir, got, want)
				}
			}
		}
	})
}

// TestCarries holds: where a directory is said to carry nothing along, nothing
// beneath it is decided otherwise after the rename.
func TestCarries(t *testing.T) {
	t.Parallel()
	alike := 0
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		n := of(p)
		from, to := irtest.Paths(p).Draw(t, "from"), irtest.Paths(p).Draw(t, "to")
		if n.Carries(from, to) {
			return
		}
		alike++
		for range 8 {
			beneath := irtest.AnyPath().Draw(t, "beneath")
			dir := rapid.Bool().Draw(t, "dir")
			if beneath == "/" {
				continue
			}
			for _, op := range []ir.Op{ir.Read, ir.Write} {
				was, is := n.Decide(op, path.Join(from, beneath), dir), n.Decide(op, path.Join(to, beneath), dir)
				if was != is {
					t.Fatalf("%v of %q in %q: %t, and in %q: %t", op, beneath, from, was, to, is)
				}
			}
		}
	})
	if alike == 0 {
		t.Error("every rename carries something along")
	}
}

func guarded() *ir.Policy {
	return &ir.Policy{Files: []ir.FileRule{
		{Match: ir.Glob{Pattern: glob.MustParse("/w/**/.env")}, Read: ir.Deny, Write: ir.Deny},
		{Match: ir.Glob{Pattern: glob.MustParse("/w/**/.git/hooks/*")}, Write: ir.Deny},
		{Match: ir.Subtree("/w"), Read: ir.Allow, Write: ir.Allow},
		{Match: ir.Subtree("/x"), Read: ir.Allow, Write: ir.Allow},
	}}
}

func TestCarriesWhat(t *testing.T) {
	t.Parallel()
	n := of(guarded())
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"/w/a", "/w/b", false},
		{"/w/a", "/w/a", false},
		{"/w/a", "/w/deep/down/b", false},
		{"/w/a/.git", "/w/b/.git", false},
		{"/w/a", "/w/.git", true},       // a/hooks/x becomes .git/hooks/x
		{"/w/.git", "/w/a", true},       // and the other way round
		{"/x/a", "/w/a", true},          // .env is closed there
		{"/w/a/.git", "/w/b/git", true}, //
		{"/x/a", "/x/b", false},
	} {
		if got := n.Carries(tt.from, tt.to); got != tt.want {
			t.Errorf("%s to %s: %t, want %t", tt.from, tt.to, got, tt.want)
		}
	}
}

func TestWithoutAPolicyEverythingIsClosed(t *testing.T) {
	t.Parallel()
	n := names.New(func() (*ir.Policy, error) { return nil, errors.New("lost") })
	n.Prepare()
	for _, op := range []ir.Op{ir.Read, ir.Write, ir.Unlink} {
		if n.Decide(op, "/w/a", false) {
			t.Errorf("%v is permitted", op)
		}
	}
	if of(guarded()).Decide(ir.Write, "/w/a", false) != true {
		t.Error("control: /w/a is closed")
	}
}

func BenchmarkDecide(b *testing.B) {
	n := of(guarded())
	for _, op := range []ir.Op{ir.Write, ir.Unlink} {
		b.Run(op.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n.Decide(op, "/w/src/deep/down/file.go", false)
			}
		})
	}
}

// TestFree: a rule that leaves names free says nothing, but it is told where it
// would have.
func TestFree(t *testing.T) {
	t.Parallel()
	n := names.New(func() (*ir.Policy, error) { return guarded(), nil }, 1)
	for _, tt := range []struct {
		path    string
		allowed bool
		free    int
	}{
		{"/w/.git/hooks/pre-commit", true, 1},
		{"/w/.git/hooks/deep/down", true, 1},
		{"/w/.env", false, -1},
		{"/w/.git/hooks/.env", false, -1},
		{"/w/a", true, -1},
		{"/elsewhere", false, -1},
	} {
		if got := n.Decide(ir.Write, tt.path, false); got != tt.allowed {
			t.Errorf("%s: permitted: %t", tt.path, got)
		}
		if got := n.Free(tt.path, false); got != tt.free {
			t.Errorf("%s: rule %d, want %d", tt.path, got, tt.free)
		}
	}
}
