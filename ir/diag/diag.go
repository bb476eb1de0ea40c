package diag

import (
	"cmp"
	"slices"
)

// Severity says how much a problem matters. The zero value is invalid on
// purpose, so that a forgotten severity shows.
type Severity uint8

// The severities, worst first.
const (
	// Error stops the operation: no artefact is written.
	Error Severity = iota + 1
	// Security marks something that works but is wider than it looks.
	Security
	// Warning marks something that the author probably did not mean.
	Warning
	// Note is information.
	Note
)

// String returns the lower-case name that messages use.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Security:
		return "security"
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "invalid severity"
}

// Pos is a place in a file. Byte is 0-based and is the truth; Line is 1-based
// and Column is 1-based and counts bytes within the line.
type Pos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// Range is a half-open piece [Start, End) of a file. A zero Start means that
// the problem concerns the file as a whole; an empty File that it comes from
// the command line or from sbc itself.
type Range struct {
	File  string `json:"file"`
	Start Pos    `json:"start"`
	End   Pos    `json:"end"`
}

// Related is a second place that explains a problem, for example where the
// root was granted that a rule conflicts with.
type Related struct {
	Range   Range
	Message string // lower-case, no full stop
}

// Diagnostic is one problem. Code, Severity and Summary are always set.
type Diagnostic struct {
	Code     Code
	Severity Severity
	// Summary is one lower-case line without a full stop, in the user's words.
	Summary string
	// Detail is full sentences without line breaks; the last one is the remedy.
	Detail string
	// Help is an optional single hint, printed as "= help: ...".
	Help string
	// Subject is the tight range of the problem; nil when there is no file.
	Subject *Range
	// Context is a wider range worth showing; nil means Subject.
	Context *Range
	Related []Related
	// Rule is the address of the rule concerned, such as
	// "filesystem.deny.dotenv"; may be empty.
	Rule string
	// Target is the target concerned ("darwin", "linux"); empty means all.
	Target string
}

// List is a list of problems. The zero value is ready to use.
type List []Diagnostic

// Add appends problems.
func (l *List) Add(ds ...Diagnostic) { *l = append(*l, ds...) }

// HasErrors reports whether at least one problem is an [Error].
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sorted returns a copy in the one order that all renderers share: file,
// start byte, severity, code, rule, target, summary; exact repetitions of
// (code, range, rule, target, summary) are dropped.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, compare)
	return slices.CompactFunc(out, func(a, b Diagnostic) bool { return compare(a, b) == 0 })
}

func compare(a, b Diagnostic) int {
	ra, rb := a.where(), b.where()
	return cmp.Or(
		cmp.Compare(ra.File, rb.File),
		cmp.Compare(ra.Start.Byte, rb.Start.Byte),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Target, b.Target),
		cmp.Compare(a.Summary, b.Summary),
		cmp.Compare(ra.End.Byte, rb.End.Byte),
	)
}

func (d Diagnostic) where() Range {
	if d.Subject == nil {
		return Range{}
	}
	return *d.Subject
}
