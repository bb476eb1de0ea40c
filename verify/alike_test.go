package verify_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/regex"
	"github.com/sandboxc/sbc/verify/sbpl"
)

func exprs(t testing.TB, sources ...string) []automata.Expr {
	t.Helper()
	var out []automata.Expr
	for _, src := range sources {
		switch kind, text, _ := strings.Cut(src, " "); kind {
		case "subtree":
			out = append(out, automata.In{Lang: automata.Subtree(text)})
		case "literal":
			out = append(out, automata.In{Lang: automata.Literal(text)})
		case "folded":
			out = append(out, automata.In{Lang: automata.Glob(glob.MustParse(text), glob.Darwin, true)})
		case "regex":
			r, err := regex.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, automata.In{Lang: automata.Regex(r)})
		default:
			t.Fatalf("what is %q?", src)
		}
	}
	return out
}

// What is left out of a comparison is what both lists hold in the same words.
func TestAlike(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		want, got, open []string
		inWant, inGot   []bool
	}{
		{
			name: "one by one", open: []string{"subtree /"}, want: []string{"folded /a", "folded /b"}, got: []string{`regex ^/[bB](/|$)`, `regex ^/[aA](/|$)`},
			inWant: []bool{true, true}, inGot: []bool{true, true},
		},
		{
			name: "two in one", open: []string{"subtree /"}, want: []string{"folded /{a,b}", "folded /c"}, got: []string{`regex ^/[bB](/|$)`, `regex ^/[aA](/|$)`},
			inWant: []bool{true, false}, inGot: []bool{true, true},
		},
		{
			name: "half of one", open: []string{"subtree /"}, want: []string{"folded /{a,b}", "folded /c"}, got: []string{`regex ^/[bB](/|$)`, `regex ^/[cC](/|$)`},
			inWant: []bool{false, true}, inGot: []bool{false, true},
		},
		{
			name: "one after the other", open: []string{"subtree /"}, want: []string{"folded /{a,b}", "folded /{b,c}"}, got: []string{`regex ^/[bB](/|$)`, `regex ^/[aA](/|$)`},
			inWant: []bool{true, false}, inGot: []bool{true, true},
		},
		{
			name: "nothing is open", open: []string{"subtree /x", "literal /y"}, want: []string{"folded /a", "folded /x/a"}, got: []string{`regex ^/x/[aA](/|$)`},
			inWant: []bool{true, true}, inGot: []bool{true},
		},
		{
			name: "one spelling is open", open: []string{"subtree /a"}, want: []string{"folded /a/b"}, got: []string{`regex ^/a/b(/|$)`},
			inWant: []bool{false}, inGot: []bool{false},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inWant, inGot := verify.Alike(exprs(t, tt.want...), exprs(t, tt.got...), exprs(t, tt.open...))
			if !slices.Equal(inWant, tt.inWant) || !slices.Equal(inGot, tt.inGot) {
				t.Errorf("alike are %v and %v, want %v and %v", inWant, inGot, tt.inWant, tt.inGot)
			}
		})
	}
}

// Wherever something is open, what is marked in one list holds what is marked in
// the other one.
func TestAlikeIsEqual(t *testing.T) {
	t.Parallel()
	sets := exprs(t, "subtree /a", "subtree /a/b", "literal /a", "literal /b/a", "folded /a", "folded /a/b", "folded /{a,b}", "folded /{a,b}/a", "folded /**/a",
		"folded /a/**/b", `regex ^/[aA](/|$)`, `regex ^/a/[bB](/|$)`, `regex ^(/[^/]+)*/[aA](/|$)`, `regex ^/[ab](/|$)`, `regex ^/[bB](/|$)`)
	paths := []string{"/"}
	for _, dir := range []string{"", "/a", "/A", "/b", "/B", "/a/b", "/a/a", "/b/a"} {
		for _, name := range []string{"/a", "/A", "/b", "/B"} {
			paths = append(paths, dir+name, dir+name+"/x")
		}
	}
	list := rapid.SliceOfN(rapid.SampledFrom(sets), 0, 5)
	rapid.Check(t, func(t *rapid.T) {
		want, got, open := list.Draw(t, "want"), list.Draw(t, "got"), list.Draw(t, "open")
		inWant, inGot := verify.Alike(want, got, open)
		marked := func(xs []automata.Expr, marks []bool) automata.Or {
			var out automata.Or
			for i, x := range xs {
				if marks[i] {
					out = append(out, x)
				}
			}
			return out
		}
		a, b := marked(want, inWant), marked(got, inGot)
		for _, p := range paths {
			if automata.Or(open).Contains(p) && a.Contains(p) != b.Contains(p) {
				t.Fatalf("%q is held by one of %v and %v alone", p, inWant, inGot)
			}
		}
	})
}

// What is certain of a filter is what its set says, for each kind of file, and a
// kind is told apart from another one where a filter asks about them.
func TestCertain(t *testing.T) {
	t.Parallel()
	leaf := rapid.SampledFrom([]sbpl.Filter{
		sbpl.VnodeType{Type: "DIRECTORY"},
		sbpl.VnodeType{Type: "FIFO"},
		sbpl.UnixSocket{},
		sbpl.Literal{Path: "/a"},
		sbpl.Subpath{Path: "/a"},
		sbpl.Subpath{Path: "/a/"},
		sbpl.Prefix{Text: "/a"},
		sbpl.Target{Who: "self"},
		sbpl.Name{Attr: "global-name", Match: sbpl.NameExact, Text: "a"},
	})
	var filter func(depth int) *rapid.Generator[sbpl.Filter]
	filter = func(depth int) *rapid.Generator[sbpl.Filter] {
		if depth == 0 {
			return leaf
		}
		kids := rapid.SliceOfN(filter(depth-1), 0, 3)
		return rapid.OneOf(leaf,
			rapid.Map(kids, func(k []sbpl.Filter) sbpl.Filter { return sbpl.All(k) }),
			rapid.Map(kids, func(k []sbpl.Filter) sbpl.Filter { return sbpl.Any(k) }),
			rapid.Map(filter(depth-1), func(f sbpl.Filter) sbpl.Filter { return sbpl.Not{Filter: f} }),
		)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := filter(3).Draw(t, "filter")
		parts, sets := map[string]automata.Expr{}, map[string]string{}
		for _, vnode := range []string{"DIRECTORY", "REGULAR-FILE", "FIFO", "SOCKET"} {
			value, ok, set := verify.Certain(f, vnode)
			if c, constant := set.(automata.Const); constant != ok || ok && bool(c) != value {
				t.Fatalf("%s for a %s: %v (%v) is certain, the set is %v", f, vnode, value, ok, set)
			}
			key := verify.CertainParts(f, vnode)
			for _, p := range []string{"/", "/a", "/ab", "/a/b", "/b"} {
				if other := parts[key]; other != nil && other.Contains(p) != set.Contains(p) {
					t.Fatalf("%s: %s and %s have the same parts and differ on %q", f, sets[key], vnode, p)
				}
			}
			parts[key], sets[key] = set, vnode
		}
	})
}
