package names

import (
	"slices"
	"strings"
	"sync"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// table is the matches of a policy's rules, walked at once. It may be used from
// several goroutines.
type table struct {
	files   []ir.FileRule
	rules   []int        // of the target, in the order of the list
	free    map[int]bool // rules that leave names free
	set     *glob.Set
	meaning []meaning // of the set's patterns

	mu     sync.RWMutex
	places map[string]*place // of directories
}

// meaning is what it means that one of the patterns matches.
type meaning struct {
	at     int  // index into table.rules
	except bool // an exception of the rule
	alone  bool // what lies beneath the match is not meant
	pin    bool // not a rule: the path must not go away
}

// newTable makes the table of a policy in which some rules leave names free.
func newTable(p *ir.Policy, free []int) *table {
	t := &table{files: p.Files, free: map[int]bool{}, places: map[string]*place{}}
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
	for _, i := range free {
		t.free[i] = true
	}
	pins := ir.NewDecider(without(p, free), ir.Linux).Pins()
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
	covered  []int // rules that match the path or a directory above it, by their index in table.rules, ascending
	alone    []int // rules that match the path and mean nothing beneath it
	excepted []int // rules of which an exception does
	pinned   bool  // a pin matches the path
}

// maxPlaces is how many directories are remembered. Then all are forgotten.
const maxPlaces = 4096

// walk walks an absolute and clean path. Most paths lie in a directory that others
// have led to.
func (t *table) walk(path string) place {
	if path == "/" {
		return *t.directory(path)
	}
	i := strings.LastIndexByte(path, '/')
	dir := t.directory(path[:max(i, 1)])
	return t.step(dir, path[i+1:], false)
}

// directory is where a path leads that others lie beneath.
func (t *table) directory(path string) *place {
	t.mu.RLock()
	p := t.places[path]
	t.mu.RUnlock()
	if p != nil {
		return p
	}
	var out place
	if path == "/" {
		out.state = t.set.Root()
		t.enter(&out, out.state.Matched())
	} else {
		i := strings.LastIndexByte(path, '/')
		out = t.step(t.directory(path[:max(i, 1)]), path[i+1:], true)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.places) >= maxPlaces {
		clear(t.places)
	}
	t.places[strings.Clone(path)] = &out
	return &out
}

// step goes from a directory to a name in it. Keep is set for a place that is to
// be remembered.
func (t *table) step(dir *place, name string, keep bool) place {
	next, matched := dir.state.Step(name)
	p := place{state: next, covered: dir.covered, excepted: dir.excepted}
	if len(matched) == 0 && !keep {
		return p
	}
	p.covered, p.excepted = slices.Clip(p.covered), slices.Clip(p.excepted)
	t.enter(&p, matched)
	return p
}

// enter adds what matches a path.
func (t *table) enter(p *place, matched []int) {
	before := [2]int{len(p.covered), len(p.excepted)}
	for _, i := range matched {
		switch m := t.meaning[i]; {
		case m.pin:
			p.pinned = true
		case m.except:
			p.excepted = append(p.excepted, m.at)
		case m.alone:
			p.alone = append(p.alone, m.at)
		default:
			p.covered = append(p.covered, m.at)
		}
	}
	if len(p.covered) != before[0] {
		slices.Sort(p.covered)
		p.covered = slices.Compact(p.covered)
	}
	if len(p.excepted) != before[1] {
		slices.Sort(p.excepted)
		p.excepted = slices.Compact(p.excepted)
	}
	slices.Sort(p.alone)
	p.alone = slices.Compact(p.alone)
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
	i := t.decides(p, op, dir, false)
	return i >= 0 && t.files[i].Effect(op) == ir.Allow
}

// decides returns the rule that answers, -1 for none; those that leave names free
// count only if free is set.
func (t *table) decides(p *place, op ir.Op, dir, free bool) int {
	covered, alone := p.covered, p.alone
	for len(covered)+len(alone) > 0 { // the first of both, in the order of the list
		var at int
		if len(alone) == 0 || len(covered) > 0 && covered[0] < alone[0] {
			at, covered = covered[0], covered[1:]
		} else {
			at, alone = alone[0], alone[1:]
		}
		i := t.rules[at]
		r := &t.files[i]
		if r.Effect(op) != ir.Pass && (!dir || !r.NonDir) && !p.excepts(at) && (free || !t.free[i]) {
			return i
		}
	}
	return -1
}

// without is the policy with some of its rules saying nothing.
func without(p *ir.Policy, free []int) *ir.Policy {
	out := *p
	out.Files = slices.Clone(p.Files)
	for _, i := range free {
		out.Files[i].Read, out.Files[i].Write = ir.Pass, ir.Pass
	}
	return &out
}

func (p *place) excepts(at int) bool {
	_, ok := slices.BinarySearch(p.excepted, at)
	return ok
}

// alike reports whether everything beneath two directories is certainly decided
// alike: the same rules hold there already, and the same names decide the rest.
func (t *table) alike(a, b string) bool {
	p, q := t.walk(a), t.walk(b)
	return p.state == q.state && slices.Equal(p.covered, q.covered) && slices.Equal(p.excepted, q.excepted)
}
