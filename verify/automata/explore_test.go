package automata_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// clean is the domain of most tests.
func clean() automata.Expr { return automata.In{Lang: automata.Clean()} }

func in(l automata.Lang) automata.Expr { return automata.In{Lang: l} }

func covers(pattern string) automata.Expr {
	return in(automata.Glob(glob.MustParse(pattern), glob.Exact, true))
}

func TestExplore(t *testing.T) {
	t.Parallel()
	subtree := automata.List{Rules: []automata.Rule{{When: in(automata.Subtree("/w")), Label: 1}}}
	tests := []struct {
		name   string
		domain automata.Expr
		lists  []automata.List
		cases  int
		want   []automata.Class
	}{
		{"no list", clean(), nil, 0, []automata.Class{{Labels: []uint8{}, Cases: []automata.Case{{Path: "/", Rules: []int{}}}}}},
		{"an empty domain", automata.Const(false), []automata.List{subtree}, 0, nil},
		{
			"a domain that is empty in another way", automata.And{in(automata.Literal("/w")), automata.Not{X: in(automata.Subtree("/w"))}},
			[]automata.List{subtree}, 0, nil,
		},
		{
			"a glob that one side lacks", clean(),
			[]automata.List{
				{Rules: []automata.Rule{{When: covers("/w/**/.env"), Label: 2}, {When: in(automata.Subtree("/w")), Label: 1}}},
				subtree,
			},
			0,
			[]automata.Class{
				{Labels: []uint8{0, 0}, Cases: []automata.Case{{Path: "/", Rules: []int{-1, -1}}}},
				{Labels: []uint8{1, 1}, Cases: []automata.Case{{Path: "/w", Rules: []int{1, 0}}}},
				{Labels: []uint8{2, 1}, Cases: []automata.Case{{Path: "/w/.env", Rules: []int{0, 0}}}},
			},
		},
		{
			"cases by rules", clean(),
			[]automata.List{
				{Rules: []automata.Rule{
					{When: covers("/**/b"), Label: 1}, {When: in(automata.Subtree("/w")), Label: 1}, {When: in(automata.Subtree("/w/v")), Label: 1},
				}},
			},
			2,
			[]automata.Class{
				{Labels: []uint8{0}, Cases: []automata.Case{{Path: "/", Rules: []int{-1}}}},
				{Labels: []uint8{1}, Cases: []automata.Case{{Path: "/b", Rules: []int{0}}, {Path: "/w", Rules: []int{1}}}},
			},
		},
		{
			"a witness that reads well", clean(),
			[]automata.List{{Rules: []automata.Rule{{When: covers("/?"), Label: 1}, {When: covers("/*.key"), Label: 2}}}},
			0,
			[]automata.Class{
				{Labels: []uint8{0}, Cases: []automata.Case{{Path: "/", Rules: []int{-1}}}},
				{Labels: []uint8{1}, Cases: []automata.Case{{Path: "/a", Rules: []int{0}}}},
				{Labels: []uint8{2}, Cases: []automata.Case{{Path: "/.key", Rules: []int{1}}}},
			},
		},
		{
			"the domain asks for more than what decides", in(automata.Literal("/w/deep/down")),
			[]automata.List{subtree}, 0,
			[]automata.Class{{Labels: []uint8{1}, Cases: []automata.Case{{Path: "/w/deep/down", Rules: []int{0}}}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := automata.Explore(tt.domain, tt.lists, automata.Options{Cases: tt.cases})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, res.Classes); diff != "" {
				t.Errorf("classes (-want +got):\n%s", diff)
			}
		})
	}
}

// bruteForce decides every string and returns the classes that Explore should
// find, with the first witness of each in the order of the strings.
func bruteForce(domain automata.Expr, lists []automata.List, all []string, byRule bool) []automata.Class {
	var out []automata.Class
	seen := map[string]bool{}
	for _, s := range all {
		if !domain.Contains(s) {
			continue
		}
		labels, rules := make([]uint8, len(lists)), make([]int, len(lists))
		for i := range lists {
			labels[i], rules[i] = lists[i].Decide(s)
		}
		key := fmt.Sprint(labels)
		if byRule {
			key = fmt.Sprint(rules)
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		i := slices.IndexFunc(out, func(c automata.Class) bool { return slices.Equal(c.Labels, labels) })
		if i < 0 {
			i = len(out)
			out = append(out, automata.Class{Labels: labels})
		}
		out[i].Cases = append(out[i].Cases, automata.Case{Path: s, Rules: rules})
	}
	return out
}

// Explore finds what deciding every string up to a length finds, no shorter and
// no other witness, and what it finds beyond that length holds.
func TestExploreIsBruteForce(t *testing.T) {
	t.Parallel()
	const length = 6
	all := stringsUpTo("ab/", length)
	langs := tinyLangs(t)
	short := automata.In{Lang: automata.Regex(mustRegex(t, `^(a|b|/)*$`))}
	rapid.Check(t, func(t *rapid.T) {
		domain := automata.And{clean(), short, genSet(langs, 1).Draw(t, "domain")}
		lists := rapid.SliceOfN(genList(langs, 3), 1, 3).Draw(t, "lists")
		for _, cases := range []int{0, 1000} {
			res, err := automata.Explore(domain, lists, automata.Options{Cases: cases})
			if err != nil {
				t.Fatal(err)
			}
			got := res.Classes
			for i := range got {
				got[i].Cases = slices.DeleteFunc(got[i].Cases, func(c automata.Case) bool { return len(c.Path) > length })
			}
			got = slices.DeleteFunc(got, func(c automata.Class) bool { return len(c.Cases) == 0 })
			if diff := cmp.Diff(bruteForce(domain, lists, all, cases > 0), got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("with %d cases (-brute force +explore):\n%s", cases, diff)
			}
		}
	})
}

func TestBudget(t *testing.T) {
	t.Parallel()
	// What was seen of 20 names must be remembered: a million states.
	var l automata.List
	for i := range 20 {
		l.Rules = append(l.Rules, automata.Rule{When: covers(fmt.Sprintf("/**/a%d/**/b%d", i, i)), Label: uint8(i % 2)})
	}
	l.Default = 2
	for name, o := range map[string]automata.Options{"default": {}, "small": {MaxStates: 1000}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := automata.Explore(clean(), []automata.List{l}, o)
			var budget *automata.BudgetError
			if !errors.As(err, &budget) {
				t.Fatalf("Explore() = %v, %v; want a budget error", res, err)
			}
			want := o.MaxStates
			if want == 0 {
				want = automata.DefaultMaxStates + 20*20 + 20 // rules of the list, and that of the domain
			}
			if budget.States != want {
				t.Errorf("the error names %d states, want %d", budget.States, want)
			}
			if _, err := automata.Compile(&l, o); !errors.As(err, &budget) {
				t.Errorf("Compile: %v; want a budget error", err)
			}
		})
	}
}
