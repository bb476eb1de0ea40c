package regex_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/verify/regex"
)

func TestParse(t *testing.T) {
	t.Parallel()
	a, b := regex.Bytes('a'), regex.Bytes('b')
	word := regex.Range('a', 'z').Union(regex.Range('A', 'Z')).Union(regex.Range('0', '9')).Union(regex.Bytes('_'))
	star := func(n regex.Node) regex.Node { return regex.Repeat{Node: n, Max: regex.Unbounded} }
	tests := []struct {
		name, pattern string
		want          regex.Node
		uses          regex.Use
	}{
		{"nothing", ``, regex.Empty{}, 0},
		{"a byte", `a`, a, 0},
		{"bytes", `ab`, regex.Concat{a, b}, 0},
		{"alternatives", `a|b`, regex.Alt{a, b}, 0},
		{"an empty alternative", `(|a)`, regex.Alt{regex.Empty{}, a}, 0},
		{"an empty group", `a()`, regex.Concat{a, regex.Empty{}}, 0},
		{"anchors", `^a$`, regex.Concat{regex.Begin{}, a, regex.End{}}, regex.Dollar},
		{"an anchor in a group", `a(/|$)`, regex.Concat{a, regex.Alt{regex.Bytes('/'), regex.End{}}}, regex.Dollar},
		{"the other anchor in a group", `(^|/)a`, regex.Concat{regex.Alt{regex.Begin{}, regex.Bytes('/')}, a}, 0},
		{"the dot", `.`, regex.Any(), regex.Dot},
		{"an escaped dot", `\.`, regex.Bytes('.'), 0},
		{"a star", `ab*`, regex.Concat{a, star(b)}, 0},
		{"a plus", `a+`, regex.Repeat{Node: a, Min: 1, Max: regex.Unbounded}, 0},
		{"an option", `a?`, regex.Repeat{Node: a, Max: 1}, 0},
		{"a count", `a{16}`, regex.Repeat{Node: a, Min: 16, Max: 16}, regex.Counted},
		{"a lower bound", `a{2,}`, regex.Repeat{Node: a, Min: 2, Max: regex.Unbounded}, regex.Counted},
		{"two bounds", `a{2,3}`, regex.Repeat{Node: a, Min: 2, Max: 3}, regex.Counted},
		{"a repeated group", `(ab)*`, star(regex.Concat{a, b}), regex.GroupRepeat},
		{"an optional group", `(ab)?`, regex.Repeat{Node: regex.Concat{a, b}, Max: 1}, 0},
		{"a quantifier on a quantifier", `a*?`, regex.Repeat{Node: star(a), Max: 1}, regex.Stacked},
		{"a class", `[ab]`, regex.Bytes('a', 'b'), 0},
		{"a range", `[a-c]`, regex.Bytes('a', 'b', 'c'), 0},
		{"a hyphen at the edges", `[-a-]`, regex.Bytes('-', 'a'), 0},
		{"a bracket first", `[]a]`, regex.Bytes(']', 'a'), 0},
		{"an escape in a class", `[\.\]]`, regex.Bytes('.', ']'), 0},
		{"a dot in a class", `[.]`, regex.Bytes('.'), 0},
		{"a caret later in a class", `[a^]`, regex.Bytes('a', '^'), 0},
		{"a negated class", `[^/]`, regex.Bytes('/').Not(), regex.NegatedClass},
		{"a class by name", `[\w-]`, word.Union(regex.Bytes('-')), regex.ClassEscape},
		{"its complement", `\W`, word.Not(), regex.ClassEscape},
		{"digits", `\d`, regex.Range('0', '9'), regex.ClassEscape},
		{"an escaped letter", `\b`, b, regex.LetterEscape},
		{"a byte from 0x80", "\x80", regex.Bytes(0x80), regex.HighByte},
		{"a group that never matches", `a(?:b)`, regex.Concat{a, regex.Never{}}, regex.NeverGroup},
		{"a closing bracket and brace", `]}`, regex.Concat{regex.Bytes(']'), regex.Bytes('}')}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := regex.Parse(tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, r.Root()); diff != "" {
				t.Errorf("Root (-want +got):\n%s", diff)
			}
			if r.Uses() != tt.uses {
				t.Errorf("Uses = %b, want %b", r.Uses(), tt.uses)
			}
			if r.String() != tt.pattern {
				t.Errorf("String = %q, want %q", r.String(), tt.pattern)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, pattern string
		offset        int
		msg           string
	}{
		{"case folding", `(?i)^/w`, 0, "(? is not supported: the profile would not compile"},
		{"a named group", `a(?P<x>b)`, 1, "(? is not supported: the profile would not compile"},
		{"an anchor in the middle", `a^b`, 1, "unexpected ^ operator in middle of expression"},
		{"a star first", `*/docker.sock`, 0, "there is nothing to repeat before *"},
		{"a star first in a group", `a(+b)`, 2, "there is nothing to repeat before +"},
		{"a star first in an alternative", `a|?b`, 2, "there is nothing to repeat before ?"},
		{"a brace first", `{2}`, 0, "there is nothing to repeat before {"},
		{"a repeated anchor", `^*a`, 1, "there is nothing to repeat before *"},
		{"an open group", `a(b`, 1, "the group is not closed"},
		{"a group closed twice", `a)b`, 1, "unmatched )"},
		{"an open class", `a[b`, 1, "the class is not closed"},
		{"an empty class", `a[]`, 1, "the class is not closed"},
		{"a reversed range", `[b-a]`, 1, `"b-a" is no range`},
		{"a range to a class", `[+-\w]`, 1, `"+-\\w" is no range`},
		{"a range from a class", `[\w-a]`, 1, `"\\w-a" is no range`},
		{"a class by name", `a[[:alpha:]]`, 2, "classes by name are not known to work"},
		{"a backslash at the end", `a\`, 1, "a backslash at the end"},
		{"a backslash at the end of a class", `[\`, 1, "a backslash at the end"},
		{"a brace that is no count", `a{GUID}`, 1, "a count is {n}, {n,} or {n,m}, with numbers up to 255"},
		{"an open count", `a{2`, 1, "a count is {n}, {n,} or {n,m}, with numbers up to 255"},
		{"a large count", `a{256}`, 1, "a count is {n}, {n,} or {n,m}, with numbers up to 255"},
		{"a reversed count", `a{3,2}`, 1, "the count runs backwards"},
		{"too many states", `((a{255}){255}){255}`, 0, "the expression has more than 20000 states"},
		{"groups without end", strings.Repeat("(", 300), 201, "groups nest deeper than 200"},
		{"quantifiers without end", "a" + strings.Repeat("*", 300), 202, "more than 200 quantifiers in a row"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := regex.Parse(tt.pattern)
			var e *regex.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a *regex.Error", err)
			}
			if diff := cmp.Diff(&regex.Error{Pattern: tt.pattern, Offset: tt.offset, Msg: tt.msg}, e); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	_, err := regex.Parse(`a(`)
	want := `in the regular expression "a(" at byte 1: the group is not closed`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestAnchored(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, pattern string
		want          bool
	}{
		{"at the start", `^/a`, true},
		{"nowhere", `/a`, false},
		{"in each alternative", `^/a|^/b`, true},
		{"in one alternative", `^/a|/b`, false},
		{"in a group", `(^/a)b`, true},
		{"in a group that may be missing", `(^/a)?b`, false},
		{"in a group that is there", `(^/a)+b`, true},
		{"an end is no start", `$`, false},
		{"nothing", ``, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := regex.MustParse(tt.pattern).Anchored(); got != tt.want {
				t.Errorf("Anchored(%q) = %v, want %v", tt.pattern, got, tt.want)
			}
		})
	}
}
