package ir

// Decider answers queries for one target from an index, so that lowering many
// rules stays linear. It decides as [Policy.Decide] does; a property test holds
// the two against each other. It is safe for concurrent use.
type Decider struct {
	policy   *Policy
	target   string
	rules    index // of the target's rules by their bases
	pins     Pins
	literals map[string][]string // paths of the literal pins that have rules, by key
	patterns index               // of the pin patterns by their bases
}

// NewDecider indexes the policy, which must not change afterwards.
func NewDecider(p *Policy, target string) *Decider {
	d := &Decider{policy: p, target: target, rules: index{}, literals: map[string][]string{}, patterns: index{}}
	for i := range p.Files {
		if r := &p.Files[i]; r.AppliesTo(target) {
			d.rules.addAll(Bases(r.Match), i)
		}
	}
	d.pins = d.findPins()
	for _, pin := range d.pins.Literals {
		// A root that nothing closed lies below is pinned by its parent alone,
		// and so under this spelling alone.
		if len(pin.Rules) > 0 {
			k := key(pin.Path)
			d.literals[k] = append(d.literals[k], pin.Path)
		}
	}
	for i, pin := range d.pins.Patterns {
		d.patterns.addAll(pin.Pattern.Bases(), i)
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
	for _, i := range d.rules.above(path) {
		r := &d.policy.Files[i]
		if e := r.Effect(op); e != Pass && r.matches(q, e) {
			out = append(out, i)
		}
	}
	return out
}

func (d *Decider) list(q Query) Decision {
	for _, i := range d.rules.above(q.Path) {
		r := &d.policy.Files[i]
		if e := r.Effect(q.Op); e != Pass && r.matches(q, e) {
			return Decision{Effect: e, Rule: i}
		}
	}
	return Decision{Effect: Deny, Rule: -1}
}

// isPinned is [Policy.Pinned] for a path where writing is permitted.
func (d *Decider) isPinned(q Query) bool {
	if q.Path == "/" {
		return true
	}
	if d.list(Query{Target: d.target, Op: Write, Path: Parent(q.Path), Dir: true}).Effect != Allow {
		return true
	}
	fold := FoldFor(d.target, Deny)
	for _, lit := range d.literals[key(q.Path)] {
		if Path(lit).Matches(q.Path, fold) {
			return true
		}
	}
	for _, i := range d.patterns.above(q.Path) {
		if d.pins.Patterns[i].Pattern.Match(q.Path, fold) {
			return true
		}
	}
	return false
}
