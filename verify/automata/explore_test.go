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
			"a domain that is empty in another way",
			automata.And{in(automata.Literal("/w")), automata.Not{X: in(automata.Subtree("/w"))}},
			[]automata.List{subtree},
			0, nil,
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
			"of two that are equally long, the one that reads first", in(automata.Glob(glob.MustParse("/{bbb,a/b}"), glob.Exact, false)),
			[]automata.List{subtree},
			0,
			[]automata.Class{{Labels: []uint8{0}, Cases: []automata.Case{{Path: "/a/b", Rules: []int{-1}}}}},
		},
		{
			"the domain asks for more than what decides", in(automata.Literal("/w/deep/down")),
			[]automata.List{subtree},
			0,
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
		key := string(labels)
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

// What makes another part of a rule superfluous is the smaller one.
func TestExploreOverlap(t *testing.T) {
	t.Parallel()
	const length = 6
	a, b, c := covers("/**/a"), covers("/**/ba"), covers("/**/ab")
	under := in(automata.Subtree("/b"))
	for name, when := range map[string]automata.Expr{
		"or": automata.Or{automata.And{a, c, under}, automata.And{a, b, c}},
		"and": automata.And{
			automata.Or{automata.Not{X: a}, automata.Not{X: c}, automata.Not{X: under}},
			automata.Or{automata.Not{X: a}, automata.Not{X: b}, automata.Not{X: c}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lists := []automata.List{{Rules: []automata.Rule{{When: when, Label: 1}}}}
			domain := automata.And{clean(), in(automata.Regex(mustRegex(t, `^[ab/]*$`)))}
			res, err := automata.Explore(domain, lists, automata.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(bruteForce(domain, lists, stringsUpTo("ab/", length+2), false), res.Classes); diff != "" {
				t.Errorf("(-brute force +explore):\n%s", diff)
			}
		})
	}
}

// What many rules have in common is not remembered for each of them.
func TestStates(t *testing.T) {
	t.Parallel()
	var less, apart, tails automata.List
	for i := range 40 {
		name := fmt.Sprintf("/**/name%d", i)
		except := automata.And{covers(name), automata.Not{X: covers("/**/keep")}}
		less.Rules = append(less.Rules, automata.Rule{When: except, Label: 1})
		apart.Rules = append(apart.Rules, automata.Rule{When: except, Label: uint8(i % 2)})
		tails.Rules = append(tails.Rules, automata.Rule{When: covers(name + "/**/end"), Label: 1})
	}
	apart.Default = 2
	tests := []struct {
		name string
		list automata.List
		most int
	}{
		{"less the same exception", less, 200},
		{"so, with labels in turn", apart, 400},
		{"with the same end", tails, 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := automata.Explore(clean(), []automata.List{tt.list}, automata.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if res.States > tt.most {
				t.Errorf("%d states, want at most %d", res.States, tt.most)
			}
		})
	}
}

func TestWant(t *testing.T) {
	t.Parallel()
	l := automata.List{Rules: []automata.Rule{
		{When: covers("/**/b"), Label: 1},
		{When: in(automata.Subtree("/w")), Label: 1},
		{When: in(automata.Subtree("/v")), Label: 2},
		{When: covers("/*/x"), Label: 2},
	}}
	var asked [][]uint8
	res, err := automata.Explore(clean(), []automata.List{l}, automata.Options{Cases: 5, Want: func(labels []uint8) bool {
		asked = append(asked, labels)
		return labels[0] == 2
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []automata.Class{
		{Labels: []uint8{0}, Cases: []automata.Case{{Path: "/", Rules: []int{-1}}}},
		{Labels: []uint8{1}, Cases: []automata.Case{{Path: "/b", Rules: []int{0}}}},
		{Labels: []uint8{2}, Cases: []automata.Case{{Path: "/v", Rules: []int{2}}, {Path: "/a/x", Rules: []int{3}}}},
	}
	if diff := cmp.Diff(want, res.Classes); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint8{0}, asked[0]); diff != "" {
		t.Errorf("first question (-want +got):\n%s", diff)
	}
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
