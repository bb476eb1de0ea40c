package sbpl

// Action is what a rule does.
type Action uint8

// The actions.
const (
	Allow Action = iota + 1
	Deny
)

// String returns "allow" or "deny".
func (a Action) String() string {
	switch a {
	case Allow:
		return "allow"
	case Deny:
		return "deny"
	}
	return "invalid action"
}

// Op is the name of an operation, such as "file-read*".
type Op string

// Profile is a whole profile. It starts with (version 1) and (deny default),
// which are not part of the sections.
type Profile struct {
	Sections []Section
}

// Section is a group of rules with a line of comment above them.
type Section struct {
	Title string
	Rules []Rule
}

// Rule is one rule. Without clauses it matches everything that no rule with
// clauses of the same operation matches, wherever it stands.
type Rule struct {
	Action  Action
	Ops     []Op
	Clauses []Clause
	// Note is printed as a comment behind a rule without clauses.
	Note string
}

// Clause is one of a rule's alternative filters.
type Clause struct {
	Filter Filter
	// Note says where the clause comes from; printed as a comment if asked for.
	Note string
}

// Filter is a condition: [Text], [Regex], [Symbol], [Number], [Address],
// [All], [Any] or [Not].
//
//sumtype:decl
type Filter interface{ isFilter() }

// Text is a filter with a string, such as (subpath "/usr").
type Text struct{ Name, Value string }

// Regex is a filter over paths. It is searched, so it needs its own ^ and $.
type Regex struct{ Pattern string }

// Symbol is a filter with a constant, such as (vnode-type DIRECTORY).
type Symbol struct{ Name, Value string }

// Number is a filter with a number, such as (socket-protocol 2).
type Number struct {
	Name  string
	Value int
}

// Address is (local ip "HOST:PORT") or (remote ip "HOST:PORT").
type Address struct {
	Remote bool
	// Localhost restricts the address to "localhost"; otherwise it is "*". No
	// other host can be said.
	Localhost bool
	Port      uint16 // 0 is any port
}

// All is true if each of its filters is.
type All []Filter

// Any is true if one of its filters is.
type Any []Filter

// Not is true if its filter is not.
type Not struct{ Filter Filter }

func (Text) isFilter()    {}
func (Regex) isFilter()   {}
func (Symbol) isFilter()  {}
func (Number) isFilter()  {}
func (Address) isFilter() {}
func (All) isFilter()     {}
func (Any) isFilter()     {}
func (Not) isFilter()     {}

// Literal is that path alone.
func Literal(path string) Filter { return Text{"literal", path} }

// Subpath is the path and everything beneath it.
func Subpath(path string) Filter { return Text{"subpath", path} }

// AnyOf is the filter itself if there is only one, otherwise [Any] of them.
func AnyOf(fs ...Filter) Filter {
	if len(fs) == 1 {
		return fs[0]
	}
	return Any(fs)
}
