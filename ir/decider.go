package ir

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sandboxc/sbc/ir/glob"
)

// Decider answers queries for one target from an index, so that lowering many
// rules stays linear. It decides as [Policy.Decide] does; a property test holds
// the two against each other. It is safe for concurrent use.
type Decider struct {
	policy *Policy
	target string
	byBase map[string][]int // rules of the target by the key of their base
	pins   Pins
	pinned map[string][]string // literal pins by key
}

// NewDecider indexes the policy, which must not change afterwards.
func NewDecider(p *Policy, target string) *Decider {
	d := &Decider{policy: p, target: target, byBase: map[string][]int{}, pinned: map[string][]string{}}
	for i := range p.Files {
		if r := &p.Files[i]; r.AppliesTo(target) {
			k := baseKey(r.Match.Base())
			d.byBase[k] = append(d.byBase[k], i)
		}
	}
	d.pins = d.findPins()
	for _, pin := range d.pins.Literals {
		k := baseKey(pin.Path)
		d.pinned[k] = append(d.pinned[k], pin.Path)
	}
	return d
}

// Target returns the target that the decider answers for.
func (d *Decider) Target() string { return d.target }

// Policy returns the policy.
func (d *Decider) Policy() *Policy { return d.policy }

// Pins returns what may not be renamed or removed.
func (d *Decider) Pins() Pins { return d.pins }

// Decide answers the question for an object that is, or is not, a directory.
func (d *Decider) Decide(op Op, path string, dir bool) Decision {
	q := Query{Target: d.target, Op: op, Path: path, Dir: dir}
	out := d.list(q)
	if op == Unlink && out.Effect == Allow && d.isPinned(q) {
		out.Effect, out.Pinned = Deny, true
	}
	return out
}

// Matching returns the indices of every rule that speaks about the operation on
// the path, strongest first; the first one decides.
func (d *Decider) Matching(op Op, path string, dir bool) []int {
	q := Query{Target: d.target, Op: op, Path: path, Dir: dir}
	var out []int
	for _, i := range d.candidates(path) {
		r := &d.policy.Files[i]
		if e := r.Effect(op); e != Pass && r.matches(q, e) {
			out = append(out, i)
		}
	}
	return out
}

func (d *Decider) list(q Query) Decision {
	for _, i := range d.candidates(q.Path) {
		r := &d.policy.Files[i]
		if e := r.Effect(q.Op); e != Pass && r.matches(q, e) {
			return Decision{Effect: e, Rule: i}
		}
	}
	return Decision{Effect: Deny, Rule: -1}
}

// candidates returns, in the list's order, the rules whose base is the path or
// above it.
func (d *Decider) candidates(path string) []int {
	key := baseKey(path)
	out := slices.Clone(d.byBase["/"])
	for i := 1; i <= len(key); i++ {
		if (i == len(key) || key[i] == '/') && key != "/" {
			out = append(out, d.byBase[key[:i]]...)
		}
	}
	slices.Sort(out)
	return out
}

// baseKey maps paths that folding can make equal to the same string.
func baseKey(path string) string {
	ascii := true
	for i := range len(path) {
		c := path[i]
		if c >= 0x80 {
			ascii = false
		}
	}
	if !ascii {
		path = norm.NFD.String(path)
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, path)
}

// Pins is what may not be removed, renamed or replaced although writing is
// permitted there; [Policy.Pinned] says when. A pin holds only where writing is
// permitted, under every spelling that a closing folds to it.
type Pins struct {
	Literals []Pin // sorted by path
	Patterns []PinPattern
}

// Pin is one pinned path.
type Pin struct {
	Path string
	// Rules are the closings below the path that make it a pin, in the list's
	// order; empty for a writable root that is pinned only since its parent is
	// not writable.
	Rules []int
	// Root is set if the parent is not writable.
	Root bool
}

// PinPattern pins the directories that a leading part of a closing glob
// matches.
type PinPattern struct {
	Pattern *glob.Pattern
	Rule    int
}

func (d *Decider) findPins() Pins {
	var out Pins
	lits := map[string]*Pin{}
	open := d.openKeys()
	add := func(path string) *Pin {
		if !d.mayWrite(path, open) {
			return nil
		}
		if lits[path] == nil {
			parent := d.list(Query{Target: d.target, Op: Write, Path: Parent(path), Dir: true})
			lits[path] = &Pin{Path: path, Root: path == "/" || parent.Effect != Allow}
		}
		return lits[path]
	}
	for i := range d.policy.Files {
		r := &d.policy.Files[i]
		if !r.AppliesTo(d.target) {
			continue
		}
		if r.Write == Allow {
			if pin := add(r.Match.Base()); pin != nil && !pin.Root {
				if len(pin.Rules) == 0 {
					delete(lits, pin.Path) // an inner root that nothing closed surrounds
				}
			}
		}
		if !r.Write.Closes() {
			continue
		}
		for _, dir := range d.pinnedAncestors(r) {
			if pin := add(dir); pin != nil {
				pin.Rules = append(pin.Rules, i)
			}
		}
		if g, ok := r.Match.(Glob); ok && !MoveSafe(g) {
			if _, lit := g.Pattern.IsLiteral(); !lit {
				for _, lead := range g.Pattern.Leading() {
					if l, ok := lead.IsLiteral(); ok {
						if pin := add(l); pin != nil {
							pin.Rules = append(pin.Rules, i)
						}
						continue
					}
					out.Patterns = append(out.Patterns, PinPattern{Pattern: lead, Rule: i})
				}
			}
		}
	}
	for _, pin := range lits {
		if pin.Root || len(pin.Rules) > 0 {
			out.Literals = append(out.Literals, *pin)
		}
	}
	slices.SortFunc(out.Literals, func(a, b Pin) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// openKeys returns the keys of the bases of all rules that open writing.
func (d *Decider) openKeys() map[string]bool {
	keys := map[string]bool{}
	for i := range d.policy.Files {
		if r := &d.policy.Files[i]; r.AppliesTo(d.target) && r.Write == Allow {
			keys[baseKey(r.Match.Base())] = true
		}
	}
	return keys
}

// mayWrite reports whether writing is permitted at the path or, where closings
// fold, perhaps at another spelling of it.
func (d *Decider) mayWrite(path string, open map[string]bool) bool {
	if FoldFor(d.target, Deny) == glob.Exact {
		return d.list(Query{Target: d.target, Op: Write, Path: path, Dir: true}).Effect == Allow
	}
	key := baseKey(path)
	return open[key] || slices.ContainsFunc(Ancestors(key), func(a string) bool { return open[a] })
}

// pinnedAncestors returns the directories above what the closing rule protects.
func (d *Decider) pinnedAncestors(r *FileRule) []string {
	if lit, ok := Literal(r.Match); ok {
		if d.list(Query{Target: d.target, Op: Write, Path: lit}).Effect == Allow {
			return nil
		}
		return Ancestors(lit)
	}
	if g, ok := r.Match.(Glob); ok && !MoveSafe(g) {
		return Ancestors(g.Base())
	}
	return nil
}

func (d *Decider) isPinned(q Query) bool {
	if q.Path == "/" {
		return true
	}
	if d.list(Query{Target: d.target, Op: Write, Path: Parent(q.Path), Dir: true}).Effect != Allow {
		return true
	}
	for _, lit := range d.pinned[baseKey(q.Path)] {
		if d.pinHolds(lit, q) {
			return true
		}
	}
	for _, pp := range d.pins.Patterns {
		if pp.Pattern.Match(q.Path, FoldFor(d.target, d.policy.Files[pp.Rule].Write)) {
			return true
		}
	}
	return false
}

func (d *Decider) pinHolds(lit string, q Query) bool {
	return Path(lit).Matches(q.Path, FoldFor(d.target, Deny))
}
