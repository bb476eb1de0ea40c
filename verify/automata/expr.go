package automata

// Expr is a set of strings made of others: [Const], [In], [And], [Or], [Not] or
// [Is].
//
//sumtype:decl
type Expr interface {
	// Contains reports whether the string is in the set. It matches the string
	// directly, without an automaton.
	Contains(s string) bool
	isExpr()
}

// Const is every string, or none.
type Const bool

// In is the strings of a set.
type In struct{ Lang Lang }

// And is the strings that are in each of the parts; without parts, every string.
type And []Expr

// Or is the strings that are in any of the parts; without parts, none.
type Or []Expr

// Not is the strings that are not in X.
type Not struct{ X Expr }

// Is is the strings to which a list gives a label.
type Is struct {
	List  *List
	Label uint8
}

func (Const) isExpr() {}
func (In) isExpr()    {}
func (And) isExpr()   {}
func (Or) isExpr()    {}
func (Not) isExpr()   {}
func (Is) isExpr()    {}

// Contains implements [Expr].
func (c Const) Contains(string) bool { return bool(c) }

// Contains implements [Expr].
func (i In) Contains(s string) bool { return i.Lang.Contains(s) }

// Contains implements [Expr].
func (a And) Contains(s string) bool {
	for _, x := range a {
		if !x.Contains(s) {
			return false
		}
	}
	return true
}

// Contains implements [Expr].
func (o Or) Contains(s string) bool {
	for _, x := range o {
		if x.Contains(s) {
			return true
		}
	}
	return false
}

// Contains implements [Expr].
func (n Not) Contains(s string) bool { return !n.X.Contains(s) }

// Contains implements [Expr].
func (i Is) Contains(s string) bool {
	label, _ := i.List.Decide(s)
	return label == i.Label
}

// Rule answers Label for the strings that When holds.
type Rule struct {
	When  Expr
	Label uint8
}

// List is a decision list: the first rule that holds a string answers, and if
// there is none the answer is Default.
type List struct {
	Rules   []Rule
	Default uint8
}

// Decide returns the label of s and the index of the rule that gave it, -1 if it
// is the default. It asks rule after rule, without an automaton.
func (l *List) Decide(s string) (label uint8, rule int) {
	for i := range l.Rules {
		if l.Rules[i].When.Contains(s) {
			return l.Rules[i].Label, i
		}
	}
	return l.Default, -1
}
