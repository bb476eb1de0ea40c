package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/verify/automata"
)

// A proof by parts compares two lists without walking all of both at once, which
// many patterns with exceptions make too much: each of them may or may not have
// matched yet, and each exception as well.
//
// Where a list closes first and then goes on, what it closes is a union. Two
// lists are equal if they go on equally and, wherever that allows something, the
// two unions are equal; and unions are equal if their parts are, in pairs. Which
// parts belong together is guessed from sample paths. If a guess is wrong, the
// path that shows it tells which other parts are to be added. So every answer is
// proved, and only its cost depends on the guesses.

// gap is a path on which two lists differ.
type gap struct {
	path    string
	permits bool // the second list allows it, and the first does not
}

// compare returns a shortest path for each way in which two lists differ, as
// far as they can be told apart. What is excused does not count.
func (p *partProof) compare(want, got entries, excused excuses) ([]gap, error) {
	if !want.wild() && !got.wild() {
		return p.whole(want, got, excused)
	}
	closedWant, restWant := want.run(denied)
	closedGot, restGot := got.run(denied)
	openWant, _ := restWant.run(allowed)
	openGot, _ := restGot.run(allowed)
	if len(closedWant) == 0 && len(closedGot) == 0 {
		// Openings that stand above more closings, such as grants.
		if len(openWant) != len(openGot) {
			return p.whole(want, got, excused)
		}
		gaps, err := p.whole(openWant, openGot, excused)
		if err != nil || len(gaps) > 0 {
			return p.whole(want, got, excused)
		}
		gaps, err = p.compare(restWant[len(openWant):], restGot[len(openGot):], excused)
		if err != nil || covered(gaps, want, got) {
			return p.whole(want, got, excused)
		}
		return gaps, nil
	}
	out, err := p.compare(restWant, restGot, excused)
	if err != nil {
		return nil, err
	}
	if covered(out, want, got) {
		return p.whole(want, got, excused)
	}
	where := automata.And{p.domain, opened(restWant)}
	gaps, err := p.unions(closedWant, closedGot, where, restWant, excused)
	if err != nil {
		return nil, err
	}
	if covered(gaps, want, got) {
		return p.whole(want, got, excused) // where the rest is known only roughly
	}
	return append(out, gaps...), nil
}

// covered reports whether two lists decide one of the gaps alike, by what stands
// above the parts in which it was found.
func covered(gaps []gap, want, got entries) bool {
	return slices.ContainsFunc(gaps, func(g gap) bool { return want.allows(g.path) == got.allows(g.path) })
}

// opened is where a list allows something, or perhaps more.
func opened(es entries) automata.Expr {
	if !es.wild() {
		l := es.list()
		return automata.Is{List: &l, Label: allowed}
	}
	var out automata.Or
	for _, e := range es {
		if e.label == allowed {
			out = append(out, e.when)
		}
	}
	return out
}

// whole walks two lists at once.
func (p *partProof) whole(want, got entries, excused excuses) ([]gap, error) {
	key := p.lists("whole", want, got)
	return p.excused(key, p.domain, want.list(), got.list(), excused)
}

// walk returns the gaps between two lists.
func (p *partProof) walk(where automata.Expr, want, got automata.List, excused excuses) ([]gap, error) {
	lists := []automata.List{
		want, got,
		{Rules: []automata.Rule{{When: excused.denies, Label: 1}}},
		{Rules: []automata.Rule{{When: excused.permits, Label: 1}}},
	}
	res, err := automata.Explore(where, lists, automata.Options{MaxStates: p.max, Cache: p.cache})
	if err != nil {
		return nil, err
	}
	p.states.Add(int64(res.States))
	var out []gap
	for _, c := range res.Classes {
		permits := c.Labels[1] == allowed
		if c.Labels[0] == c.Labels[1] || permits && c.Labels[3] == 1 || !permits && c.Labels[2] == 1 {
			continue
		}
		if !slices.ContainsFunc(out, func(o gap) bool { return o.permits == permits }) {
			out = append(out, gap{path: c.Cases[0].Path, permits: permits})
		}
	}
	return out, nil
}

// group is parts that are compared with each other.
type group struct {
	want, got []int
	// whole is set if the group has been taken apart before and put together
	// since. It is not taken apart again.
	whole bool
}

// singles takes a group apart that was too much at once: a group for each part
// of the first list, with those of the second that hold its samples, or whose
// samples it holds.
func (g *group) singles(want, got entries, places placer) []group {
	out := make([]group, len(g.want))
	for n, i := range g.want {
		out[n] = group{want: []int{i}, whole: true}
	}
	holds := func(part, other entry) bool { return slices.ContainsFunc(places.all(part), other.when.Contains) }
	for _, j := range g.got {
		n := slices.IndexFunc(g.want, func(i int) bool { return holds(got[j], want[i]) || holds(want[i], got[j]) })
		if n < 0 {
			out = append(out, group{got: []int{j}, whole: true})
			continue
		}
		out[n].got = append(out[n].got, j)
	}
	return out
}

// unions compares what two lists close, wherever the rest allows it.
func (p *partProof) unions(want, got entries, where automata.Expr, rest entries, excused excuses) ([]gap, error) {
	whereKey := p.key(rest)
	key := excused.key + "\n" + p.lists("unions", want, got) + whereKey
	return p.once(key, func() ([]gap, error) { return p.groups(want, got, where, rest, whereKey, excused) })
}

// groups is unions the first time that it is asked.
func (p *partProof) groups(want, got entries, where automata.Expr, rest entries, whereKey string, excused excuses) ([]gap, error) {
	places := placer{where, rest}
	var out []gap
	alikeWant, alikeGot := p.formsIn(rest, whereKey).alike(want, got)
	for todo := pair(want, got, places, alikeWant, alikeGot); len(todo) > 0; {
		g := todo[0]
		todo = todo[1:]
		gaps, err := p.group(pick(want, g.want), pick(got, g.got), where, whereKey, excused)
		if over := (*automata.BudgetError)(nil); errors.As(err, &over) && !g.whole && len(g.want) > 1 {
			todo = append(g.singles(want, got, places), todo...)
			continue
		}
		if err != nil {
			return nil, err
		}
		shared, merged := false, false
		for _, x := range gaps {
			if want.holds(x.path) != got.holds(x.path) {
				out = append(out, x)
				continue
			}
			// Other parts hold it: they belong to this group too.
			add := group{want: holders(want, x.path), got: holders(got, x.path)}
			shared = true
			merged = g.join(add) || merged // or those of the gap before hold this one too
		}
		if shared && !merged {
			return nil, fmt.Errorf("internal error: the parts that hold %q are not found; please report", gaps[0].path)
		}
		if merged {
			todo = append(absorb(todo, &g), g)
		}
	}
	return out, nil
}

// group compares two unions.
func (p *partProof) group(want, got entries, where automata.Expr, whereKey string, excused excuses) ([]gap, error) {
	key := p.lists("union", want, got) + whereKey
	list := func(es entries) automata.List {
		return automata.List{Rules: []automata.Rule{{When: es.union(), Label: denied}}, Default: allowed}
	}
	pins := func(e entry) bool { return e.group == groupPins }
	if slices.ContainsFunc(want, pins) || slices.ContainsFunc(got, pins) { // no other operation asks that
		return p.once(excused.key+"\n"+key, func() ([]gap, error) { return p.walk(where, list(want), list(got), excused) })
	}
	return p.excused(key, where, list(want), list(got), excused)
}

// excused returns the gaps between two lists that are not excused. Where there is
// no gap there is nothing to be excused: so what several operations ask with
// different excuses is mostly walked once.
func (p *partProof) excused(key string, where automata.Expr, want, got automata.List, by excuses) ([]gap, error) {
	gaps, err := p.once(key, func() ([]gap, error) { return p.walk(where, want, got, excuses{}) })
	if by.key == "" || err != nil || len(gaps) == 0 {
		return gaps, err
	}
	return p.once(by.key+"\n"+key, func() ([]gap, error) { return p.walk(where, want, got, by) })
}

func pick(es entries, indices []int) entries {
	out := make(entries, len(indices))
	for i, n := range indices {
		out[i] = es[n]
	}
	return out
}

func holders(es entries, path string) []int {
	var out []int
	for i, e := range es {
		if e.when.Contains(path) {
			out = append(out, i)
		}
	}
	return out
}

// join adds the parts of another group, and reports whether any is new.
func (g *group) join(o group) bool {
	n := len(g.want) + len(g.got)
	merge := func(a, b []int) []int {
		a = append(a[:len(a):len(a)], b...)
		slices.Sort(a)
		return slices.Compact(a)
	}
	g.want, g.got = merge(g.want, o.want), merge(g.got, o.got)
	return len(g.want)+len(g.got) > n
}

// absorb takes the groups out that share a part with one.
func absorb(todo []group, g *group) []group {
	shares := func(a, b []int) bool {
		return slices.ContainsFunc(a, func(i int) bool { return slices.Contains(b, i) })
	}
	var out []group
	for _, o := range todo {
		if shares(o.want, g.want) || shares(o.got, g.got) {
			g.join(o)
			continue
		}
		out = append(out, o)
	}
	return out
}

// pair guesses which parts belong together: those of the first list that name
// the same group, and a part of the second goes to a group of its sort that holds
// its samples, or whose samples it holds.
func pair(want, got entries, places placer, doneWant, doneGot []bool) []group {
	groups := map[string]*group{groupPlain: {}}
	order := []string{groupPlain}
	for i, e := range want {
		if doneWant[i] {
			continue
		}
		g := groups[e.group]
		if g == nil {
			g = &group{}
			groups[e.group] = g
			order = append(order, e.group)
		}
		g.want = append(g.want, i)
	}
	placed := make([][]string, len(want)) // samples of the parts, when they are first asked for
	partner := func(part entry) string {
		mine := places.all(part)
		for _, name := range order {
			if !strings.HasPrefix(name, part.group) {
				continue
			}
			of := pick(want, groups[name].want)
			if slices.ContainsFunc(mine, of.holds) {
				return name
			}
		}
		for _, name := range order {
			if !strings.HasPrefix(name, part.group) {
				continue
			}
			for _, i := range groups[name].want {
				if placed[i] == nil {
					placed[i] = places.all(want[i])
				}
				if slices.ContainsFunc(placed[i], part.when.Contains) {
					return name
				}
			}
		}
		return groupPlain
	}
	for i, e := range got {
		if doneGot[i] {
			continue
		}
		name := e.group
		switch {
		case name == groupPlain && groups[groupNonDir] != nil:
			e.group = groupNonDir
			name = partner(e)
		case name != groupPlain && (groups[name] == nil || name == groupExcept || name == groupChildren):
			name = partner(e)
		}
		groups[name].got = append(groups[name].got, i)
	}
	var out []group
	for _, name := range order {
		if g := groups[name]; len(g.want)+len(g.got) > 0 {
			out = append(out, *g)
		}
	}
	return out
}

// placer finds for a sample a path where the rest of a list opens something.
type placer struct {
	where automata.Expr
	rest  entries
}

// all returns some of the samples of an entry at places that it holds; it is
// never nil.
func (p placer) all(e entry) []string {
	const most = 4
	out := []string{}
	for _, s := range e.samples[:min(len(e.samples), 3*most)] {
		if s = p.in(s, e); s != "" && len(out) < most {
			out = append(out, s)
		}
	}
	return out
}

// in returns the sample, or the same beneath an opening, if the entry that it
// comes from holds it there; otherwise "".
func (p placer) in(sample string, e entry) string {
	if p.where.Contains(sample) && e.when.Contains(sample) {
		return sample
	}
	for _, r := range p.rest {
		if r.label != allowed || len(r.samples) == 0 {
			continue
		}
		s := strings.TrimSuffix(r.samples[0], "/") + sample
		if p.where.Contains(s) && e.when.Contains(s) {
			return s
		}
	}
	return ""
}
