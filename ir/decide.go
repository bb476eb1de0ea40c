package ir

import "github.com/sandboxc/sbc/ir/glob"

// Query is one question to a policy.
type Query struct {
	Target string // the target's name; floors, target blocks and case depend on it
	Op     Op
	Path   string // absolute, clean, no component a symbolic link
	Dir    bool   // the object is, or would be created as, a directory
}

// Decision is the answer to a [Query].
type Decision struct {
	Effect Effect // Allow, Ask or Deny; never Pass
	Rule   int    // index in Policy.Files of the rule that answered, -1 if none did
	Pinned bool   // an unlink that writing would permit, refused because the path is pinned
}

// Decide answers a query from the decision list, read from the top. It is the
// meaning of a policy; everything else is held against it.
func (p *Policy) Decide(q Query) Decision {
	d := Decision{Effect: Deny, Rule: -1}
	for i := range p.Files {
		r := &p.Files[i]
		if e := r.Effect(q.Op); e != Pass && r.matches(q, e) {
			d = Decision{Effect: e, Rule: i}
			break
		}
	}
	if q.Op == Unlink && d.Effect == Allow && p.Pinned(q) {
		d.Effect, d.Pinned = Deny, true
	}
	return d
}

// Matches reports whether the rule speaks about the query. A rule whose effect
// is Pass does not.
func (r *FileRule) Matches(q Query) bool {
	e := r.Effect(q.Op)
	return e != Pass && r.matches(q, e)
}

// matches reports whether the rule speaks about the query with effect e.
func (r *FileRule) matches(q Query, e Effect) bool {
	if !r.AppliesTo(q.Target) || (r.NonDir && q.Dir) {
		return false
	}
	fold := FoldFor(q.Target, e)
	if r.NonDir {
		return matchesSelf(r.Match, q.Path, fold)
	}
	return r.Match.Matches(q.Path, fold)
}

// FoldFor returns how an effect compares paths on a target: on darwin every
// closing matches either case and both normal forms, since the default volume
// does; nothing else folds.
func FoldFor(target string, e Effect) glob.Fold {
	if target == Darwin && e.Closes() {
		return glob.Darwin
	}
	return glob.Exact
}

// matchesSelf is Matches without what lies beneath, for rules on what is not a
// directory: nothing lies beneath it.
func matchesSelf(m Match, path string, fold glob.Fold) bool {
	switch m := m.(type) {
	case Path:
		return m.Matches(path, fold)
	case Subtree:
		return Path(m).Matches(path, fold)
	case Glob:
		return m.Pattern.Match(path, fold) && m.Matches(path, fold)
	}
	return false
}
