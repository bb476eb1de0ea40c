package verify

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// A rename asks two questions, and a directory takes along what is in it. What a
// literal rule closes stays where it is because the directories above it are
// pinned, which the comparison of file-write-unlink has proved already, and so
// it is for the directories that lead to a match of a glob. What is left are the
// directories that only a ** leads through. For those it is proved that what
// the glob closes is closed wherever such a directory can come to stand:
// everywhere the same names are closed, or nothing may be made there.
//
// A rule for which that does not hold must be reported as movable.

// roaming are closing globs with the same exceptions.
type roaming struct {
	rules  []int
	except []*glob.Pattern
	reads  bool // they close reading as well
}

// A directory can only come to stand where something may be made, and never in
// /dev, whose file system makes no directories.

// moves looks for closing globs that can be got round by a rename although the
// report does not say so.
func (v *profileProof) moves(p *partProof, questions []question) error {
	read := find(questions, func(x question) bool { return x.name == "file-read-data" && !x.dir })
	write := find(questions, func(x question) bool { return x.name == "file-write-data" && !x.dir })
	create := find(questions, func(x question) bool { return x.creates && x.dir })
	_, writable := create.got.run(denied)
	parents := make(entries, len(writable)) // what moves lies in a directory at least
	for i, e := range writable {
		e.when = children(e.when)
		parents[i] = e
	}
	where := automata.And{p.domain, opened(parents), automata.Not{X: automata.In{Lang: automata.Subtree("/dev")}}}
	unlink := find(questions, func(x question) bool { return x.op == ir.Unlink && x.dir })
	groups := v.roaming()
	holes := make([][]Hole, len(groups))
	err := inParallel(len(groups), func(i int) error {
		g := groups[i]
		var err error
		if g.rules, err = v.moving(p, g.rules, unlink.got); err != nil || len(g.rules) == 0 {
			return err // no directory with a match in it goes anywhere
		}
		open := write
		if g.reads {
			open = read
		}
		hole, err := v.moved(p, g, where, open.got)
		if err != nil {
			return err
		}
		holes[i] = hole
		if len(g.except) > 0 {
			hole, err = v.intoException(p, g, where, create.got)
			holes[i] = append(holes[i], hole...)
		}
		return err
	})
	for _, found := range holes {
		v.proof.Holes = append(v.proof.Holes, found...)
	}
	return err
}

// moving returns the rules of which a directory with a match in it can be moved.
func (v *profileProof) moving(p *partProof, rules []int, unlink entries) (moving []int, err error) {
	for _, i := range rules {
		where, key := v.beneath(i)
		// What can be moved is a gap to a list that closes everything.
		moves, err := p.once("moves\n"+key, func() ([]gap, error) {
			path, found, err := p.open(automata.And{p.domain, where}, unlink, nil)
			if err != nil || !found {
				return nil, err
			}
			return []gap{{path: path, permits: true}}, nil
		})
		if err != nil {
			return nil, err
		}
		if len(moves) > 0 {
			moving = append(moving, i)
		}
	}
	return moving, nil
}

func find(questions []question, is func(question) bool) question {
	i := slices.IndexFunc(questions, is)
	if i < 0 {
		return question{}
	}
	return questions[i]
}

// roaming returns the closing globs that hold beneath some directory, or less
// exceptions, and that no claim calls movable.
func (v *profileProof) roaming() []roaming {
	movable := map[int]bool{}
	for _, c := range v.claims {
		movable[c.Rule] = movable[c.Rule] || c.Code == diag.CodeMovable
	}
	var out []roaming
	at := map[string]int{}
	for i := range v.policy.Files {
		r := &v.policy.Files[i]
		g, ok := r.Match.(ir.Glob)
		if !ok || !r.Write.Closes() || !r.AppliesTo(ir.Darwin) || movable[i] || len(everywhere(g)) == 0 {
			continue
		}
		key := fmt.Sprint(r.Read.Closes(), exceptKey(g))
		n, ok := at[key]
		if !ok {
			n = len(out)
			at[key] = n
			out = append(out, roaming{except: g.Except, reads: r.Read.Closes()})
		}
		out[n].rules = append(out[n].rules, i)
	}
	return out
}

// beneath are the directories that a ** leads to on the way to a match of a rule.
// The key is equal for equal sets.
func (v *profileProof) beneath(rule int) (where automata.Or, key string) {
	m, ok := v.policy.Files[rule].Match.(ir.Glob)
	if !ok {
		return nil, ""
	}
	for _, a := range m.Pattern.Alternatives() {
		n := slices.IndexFunc(a, func(s glob.Segment) bool { return s.Doublestar })
		if q, err := glob.Parse(a[:n+1].String()); n >= 0 && err == nil {
			where = append(where, automata.In{Lang: automata.Glob(q, glob.Darwin, false)})
			key += q.String() + "\n"
		}
	}
	return where, key
}

// everywhere is what the alternatives of a glob match beneath their first **,
// wherever that is.
func everywhere(m ir.Match) []automata.Lang {
	var out []automata.Lang
	g, ok := m.(ir.Glob)
	if !ok {
		return nil
	}
	for _, a := range g.Pattern.Alternatives() {
		n := 0
		for n < len(a) && !a[n].Doublestar {
			if _, literal := a[n].Literal(); !literal {
				n = len(a)
				break
			}
			n++
		}
		if n >= len(a)-1 {
			continue // all that leads to a match has a name, or everything is closed
		}
		if q, err := glob.Parse(a[n:].String()); err == nil {
			out = append(out, automata.Glob(q, glob.Exact, false))
		}
	}
	return out
}

// moved looks for a place where what the rules close would be open.
func (v *profileProof) moved(p *partProof, g roaming, where automata.Expr, list entries) ([]Hole, error) {
	var here automata.Or
	var known []string
	for _, i := range g.rules {
		m := v.policy.Files[i].Match
		for _, l := range everywhere(m) {
			here = append(here, automata.In{Lang: l})
		}
		known = append(known, samples(m)...)
	}
	domain := automata.And{where, here}
	for _, e := range g.except {
		domain = append(domain, automata.Not{X: automata.In{Lang: automata.Glob(e, glob.Exact, true)}})
	}
	path, found, err := p.open(domain, list, known)
	if err != nil || !found {
		return nil, err
	}
	for _, i := range g.rules {
		for _, l := range everywhere(v.policy.Files[i].Match) {
			if l.Contains(path) {
				return v.movable(i, fmt.Sprintf("a directory with what %%s closes in it can be moved so that it is open as %q", path)), nil
			}
		}
	}
	return nil, nil
}

// intoException looks for a directory that can be made where an exception
// leaves everything open.
func (v *profileProof) intoException(p *partProof, g roaming, where automata.Expr, create entries) ([]Hole, error) {
	var here automata.Or
	var known []string
	for _, e := range g.except {
		here = append(here, automata.In{Lang: automata.Glob(e, glob.Exact, true)})
		for _, a := range e.Alternatives() {
			known = append(known, sampleOf(a))
		}
	}
	path, found, err := p.open(automata.And{where, here}, create, known)
	if err != nil || !found {
		return nil, err
	}
	return v.movable(g.rules[0], fmt.Sprintf("a directory can be moved to %q, where an exception of %%s leaves open what it holds", path)), nil
}

// movable is a hole that the report does not declare.
func (v *profileProof) movable(rule int, text string) []Hole {
	return []Hole{{Name: "movable", Line: -1, Text: fmt.Sprintf(text, v.policy.Files[rule].Origin.Address)}}
}

// open returns a path of the domain that a list allows. Of what the list closes
// at its top it looks at some entries alone that hold all of the known paths that
// any hold, and at others as paths ask for them.
func (p *partProof) open(domain automata.Expr, list entries, known []string) (path string, found bool, err error) {
	closed, rest := list.run(denied)
	var use []int
	for _, s := range known {
		if !slices.ContainsFunc(use, func(i int) bool { return closed[i].when.Contains(s) }) {
			use = append(use, holders(closed, s)...)
		}
	}
	for {
		slices.Sort(use)
		use = slices.Compact(use)
		part := append(pick(closed, use), rest...)
		res, err := automata.Explore(domain, []automata.List{part.list()}, automata.Options{MaxStates: p.max, Cache: p.cache})
		if err != nil {
			return "", false, err
		}
		p.states.Add(int64(res.States))
		i := slices.IndexFunc(res.Classes, func(c automata.Class) bool { return c.Labels[0] == allowed })
		if i < 0 {
			return "", false, nil
		}
		path = res.Classes[i].Cases[0].Path
		more := holders(closed, path)
		if len(more) == 0 {
			return path, true, nil
		}
		use = append(use, more...)
	}
}

// children is the set of the paths whose parent is in a set; for "/", which has
// none, it may say anything.
func children(e automata.Expr) automata.Expr {
	all := func(xs []automata.Expr) []automata.Expr {
		out := make([]automata.Expr, len(xs))
		for i, x := range xs {
			out[i] = children(x)
		}
		return out
	}
	switch e := e.(type) {
	case automata.In:
		return automata.In{Lang: automata.Children(e.Lang)}
	case automata.And:
		return automata.And(all(e))
	case automata.Or:
		return automata.Or(all(e))
	case automata.Not:
		return automata.Not{X: children(e.X)}
	case automata.Is:
		l := automata.List{Default: e.List.Default}
		for _, r := range e.List.Rules {
			l.Rules = append(l.Rules, automata.Rule{When: children(r.When), Label: r.Label})
		}
		return automata.Is{List: &l, Label: e.Label}
	case automata.Const:
	}
	return e
}
