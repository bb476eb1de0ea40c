package names

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// table is the matches of a policy's rules, walked at once. It may be used from
// several goroutines.
type table struct {
	files   []ir.FileRule
	rules   []int // of the target, in the order of the list
	set     *glob.Set
	meaning []meaning // of the set's patterns
}

// meaning is what it means that one of the patterns matches.
type meaning struct {
	at     int  // index into table.rules
	except bool // an exception of the rule
	alone  bool // what lies beneath the match is not meant
	pin    bool // not a rule: the path must not go away
}

func newTable(p *ir.Policy) *table {
	t := &table{files: p.Files}
	var patterns []*glob.Pattern
	add := func(p *glob.Pattern, m meaning) {
		patterns, t.meaning = append(patterns, p), append(t.meaning, m)
	}
	for i := range p.Files {
		r := &p.Files[i]
		if !r.AppliesTo(ir.Linux) {
			continue
		}
		m := meaning{at: len(t.rules), alone: r.NonDir}
		t.rules = append(t.rules, i)
		switch match := r.Match.(type) {
		case ir.Path:
			m.alone = true
			add(glob.Literal(string(match)), m)
		case ir.Subtree:
			add(glob.Literal(string(match)), m)
		case ir.Glob:
			add(match.Pattern, m)
			for _, e := range match.Except {
				add(e, meaning{at: m.at, except: true})
			}
		}
	}
	pins := ir.NewDecider(p, ir.Linux).Pins()
	for _, pin := range pins.Literals {
		if len(pin.Rules) > 0 { // the others are pinned by their parents
			add(glob.Literal(pin.Path), meaning{pin: true})
		}
	}
	for _, pin := range pins.Patterns {
		add(pin.Pattern, meaning{pin: true})
	}
	t.set = glob.NewSet(patterns)
	return t
}

// place is what is known of a path after it was walked.
type place struct {
	state    glob.State
	covered  []int // rules that match the path or a directory above it, by their index in table.rules
	excepted []int // rules of which an exception does
	pinned   bool  // a pin matches the path
}

// walk walks an absolute and clean path.
func (t *table) walk(path string) place {
	p := place{state: t.set.Root()}
	path = strings.TrimPrefix(path, "/")
	t.enter(&p, p.state.Matched(), path == "")
	for path != "" {
		name, rest, _ := strings.Cut(path, "/")
		next, matched := p.state.Step(name)
		p.state, path = next, rest
		t.enter(&p, matched, path == "")
	}
	slices.Sort(p.covered)
	p.covered = slices.Compact(p.covered)
	slices.Sort(p.excepted)
	p.excepted = slices.Compact(p.excepted)
	return p
}

func (t *table) enter(p *place, matched []int, last bool) {
	for _, i := range matched {
		switch m := t.meaning[i]; {
		case m.pin:
			p.pinned = p.pinned || last
		case m.except:
			p.excepted = append(p.excepted, m.at)
		case last || !m.alone:
			p.covered = append(p.covered, m.at)
		}
	}
}

// allows reports whether the first rule that speaks about the operation permits
// it, and for [ir.Unlink] whether the path is not pinned either.
func (t *table) allows(op ir.Op, path string, dir bool) bool {
	p := t.walk(path)
	if op == ir.Unlink {
		return t.permits(&p, ir.Write, dir) && !p.pinned && path != "/" && t.allows(ir.Write, ir.Parent(path), true)
	}
	return t.permits(&p, op, dir)
}

func (t *table) permits(p *place, op ir.Op, dir bool) bool {
	for _, at := range p.covered {
		r := &t.files[t.rules[at]]
		if e := r.Effect(op); e != ir.Pass && (!dir || !r.NonDir) && !p.excepts(at) {
			return e == ir.Allow
		}
	}
	return false
}

func (p *place) excepts(at int) bool {
	_, ok := slices.BinarySearch(p.excepted, at)
	return ok
}

// alike reports whether everything beneath two directories is certainly decided
// alike: the same rules hold there already, and the same names decide the rest.
func (t *table) alike(a, b string) bool {
	p, q := t.walk(a), t.walk(b)
	return p.state == q.state && slices.Equal(t.beneath(p.covered), t.beneath(q.covered)) && slices.Equal(p.excepted, q.excepted)
}

// beneath leaves the rules that hold beneath a path that they hold for.
func (t *table) beneath(covered []int) []int {
	var out []int
	for _, at := range covered {
		r := &t.files[t.rules[at]]
		if _, alone := r.Match.(ir.Path); !alone && !r.NonDir {
			out = append(out, at)
		}
	}
	return out
}
