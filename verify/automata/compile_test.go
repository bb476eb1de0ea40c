package automata_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// The table of a list decides as the list does.
func TestCompileDecides(t *testing.T) {
	t.Parallel()
	langs := tinyLangs(t)
	all := stringsUpTo("ab./", 5)
	rapid.Check(t, func(t *rapid.T) {
		// Sets of paths say nothing of other strings, so those stay out of it.
		l := genList(langs, 3).Draw(t, "list")
		l.Rules = append([]automata.Rule{{When: automata.Not{X: clean()}, Label: 7}}, l.Rules...)
		d, err := automata.Compile(&l, automata.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			want, rule := l.Decide(s)
			if got := d.Decide(s); got != want {
				t.Fatalf("string %q: the table says %d, the list %d by rule %d", s, got, want, rule)
			}
		}
	})
}

// A table has no two states with the same future.
func TestCompileIsLeast(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		list automata.List
		want int
	}{
		{"one label", automata.List{Rules: []automata.Rule{{When: in(automata.Subtree("/w")), Label: 1}}, Default: 1}, 2},
		// Between segments: at the start, after "/", beneath, elsewhere. Within: at
		// the start, after "w", after anything else.
		{"a subtree", automata.List{Rules: []automata.Rule{{When: in(automata.Subtree("/w")), Label: 1}}}, 7},
		{"twice the same", automata.List{Rules: []automata.Rule{
			{When: in(automata.Subtree("/w")), Label: 1},
			{When: in(automata.Glob(glob.MustParse("/{w,w}"), glob.Exact, true)), Label: 1},
			{When: in(automata.Regex(mustRegex(t, `^/w(/|$)`))), Label: 1},
		}}, 7},
		{"two roads to one end", automata.List{Rules: []automata.Rule{
			{When: in(automata.Regex(mustRegex(t, `^/aac`))), Label: 1},
			{When: in(automata.Regex(mustRegex(t, `^/(ba|a[b-z])c`))), Label: 1},
		}}, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := automata.Compile(&tt.list, automata.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := d.States(); got != tt.want {
				t.Errorf("%d states, want %d", got, tt.want)
			}
		})
	}
}
