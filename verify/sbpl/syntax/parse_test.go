package syntax_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// show writes data so that a table can hold them: strings in «», raw ones in
// r«», characters as c:byte.
func show(ns []syntax.Node) string {
	var parts []string
	for _, n := range ns {
		switch n := n.(type) {
		case *syntax.List:
			s := show(n.Items)
			if n.Tail != nil {
				s += " . " + show([]syntax.Node{n.Tail})
			}
			parts = append(parts, "("+s+")")
		case *syntax.Symbol:
			parts = append(parts, n.Name)
		case *syntax.String:
			raw := ""
			if n.Raw {
				raw = "r"
			}
			parts = append(parts, raw+"«"+n.Text+"»")
		case *syntax.Integer:
			parts = append(parts, "i:"+itoa(n.Value))
		case *syntax.Char:
			parts = append(parts, "c:"+itoa(int64(n.Value)))
		case *syntax.Bool:
			parts = append(parts, map[bool]string{true: "true", false: "false"}[n.Value])
		case *syntax.Vector:
			parts = append(parts, "["+show(n.Items)+"]")
		case *syntax.Quote:
			parts = append(parts, n.Mark.Symbol()+":"+show([]syntax.Node{n.Node}))
		}
	}
	return strings.Join(parts, " ")
}

func itoa(n int64) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"nothing", ``, ``},
		{"a list", `(a (b) ())`, `(a (b) ())`},
		{"a comment", "(a ; b)\n c) ; d", `(a c)`},
		{"a comment at the end", `a ;b`, `a`},
		{"the other comment", "#!/usr/bin/x y\n(a)", `(a)`},
		{"symbols", `file-read* %x <= ... + - 1+ a.b`, `file-read* %x <= ... + - 1+ a.b`},
		{"numbers", `0 -12 +7 #o0004 #x1F #d9 #b101 #x-a`, `i:0 i:-12 i:7 i:4 i:31 i:9 i:5 i:-10`},
		{"booleans", `#t #f`, `true false`},
		{"characters", `#\a #\/ #\( #\space #\newline #\x41 #\x #\" #\;`, `c:97 c:47 c:40 c:32 c:10 c:65 c:120 c:34 c:59`},
		{"a vector", `#(1 a)`, `[i:1 a]`},
		{"a pair", `(a b . c)`, `(a b . c)`},
		{"a dot in a name", `(a .b)`, `(a .b)`},
		{"quotes", "'a `(b ,c ,@d)", `quote:a quasiquote:(b unquote:c unquote-splicing:d)`},
		{"a quote before a comment", "'; x\na", `quote:a`},
		{"no blanks", `(a"b"c(d)'e)`, `(a «b» c (d) quote:e)`},

		{"a string", `"a b"`, `«a b»`},
		{"quote and backslash", `"a\"b\\c"`, `«a"b\c»`},
		{"line escapes", `"a\nb\tc\rd"`, "«a\nb\tc\rd»"},
		{"a line break", "\"a\nb\"", "«a\nb»"},
		{"two hexadecimal digits", `"\x41\xfe1"`, "«A\xfe1»"},
		{"octal digits", `"\101\44x\0011"`, "«A$x\x011»"},
		{"any other character is itself", `"\.\b\u00e9\/"`, `«.bu00e9/»`},
		{"a parenthesis in a string", `("a)" b)`, `(«a)» b)`},
		{"a raw string", `#"^/\.env\n$"`, `r«^/\.env\n$»`},
		{"a raw string over lines", "#\"a\nb\" c", "r«a\nb» c"},
		{"the first quote ends a raw string", `#"a\" b`, `r«a\» b`},
		{"a comment in a string", `"a;b" #"c;d"`, `«a;b» r«c;d»`},
		{"bytes that are not UTF-8", "\"\xff\"", "«\xff»"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ns, err := syntax.Parse("p.sb", []byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, show(ns)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"an open list", "a\n (b (c)", "p.sb:2:2: the list is not closed"},
		{"a list closed twice", `(a))`, "p.sb:1:4: unexpected )"},
		{"an open string", "a\n\"b", "p.sb:2:1: the string is not closed"},
		{"a string that ends in a backslash", `"b\`, "p.sb:1:1: the string is not closed"},
		{"an open raw string", ` #"b`, "p.sb:1:2: the string is not closed"},
		{"one hexadecimal digit", `"a\x4"`, `p.sb:1:3: \x wants two hexadecimal digits`},
		{"one octal digit", `"\1"`, `p.sb:1:2: an octal escape has two or three digits and is at most \377`},
		{"a large octal", `"\777"`, `p.sb:1:2: an octal escape has two or three digits and is at most \377`},
		{"nothing after the dot", `(a . )`, "p.sb:1:4: nothing follows the dot"},
		{"two after the dot", `(a . b c)`, "p.sb:1:8: only one datum may follow the dot"},
		{"a dot in a vector", `#(a . b)`, "p.sb:1:1: a vector has no dot"},
		{"nothing after a quote", `'`, "p.sb:1:1: nothing follows the quote"},
		{"a real number", `1.5`, "p.sb:1:1: 1.5: only whole numbers are known"},
		{"a large number", `99999999999999999999`, "p.sb:1:1: 99999999999999999999 is no number"},
		{"a digit that is none", `#o9`, "p.sb:1:1: #o9 is no number"},
		{"another mark", `#<x>`, "p.sb:1:1: #<x> means nothing"},
		{"a character that is none", `#\foo`, `p.sb:1:1: #\foo is no character`},
		{"a template", "(a)\n#if X\n(b)\n#endif", "p.sb:2:1: #if is for the C preprocessor: this is a template; run the preprocessor first, as in cpp -P FILE"},
		{"a template within a list", "(a\n#ifdef X\nb)", "p.sb:2:1: #ifdef is for the C preprocessor: this is a template; run the preprocessor first, as in cpp -P FILE"},
		{"an include", `#include "x.sb"`, "p.sb:1:1: #include is for the C preprocessor: this is a template; run the preprocessor first, as in cpp -P FILE"},
		{"lists without end", strings.Repeat("(", 100_000), "p.sb:1:502: lists nest deeper than 500"},
		{"quotes without end", strings.Repeat("'", 100_000), "p.sb:1:502: lists nest deeper than 500"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := syntax.Parse("p.sb", []byte(tt.src))
			var e *syntax.Error
			if !errors.As(err, &e) || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	ns, err := syntax.Parse("", []byte("; é\n(a \"x\ny\" #\"z\"\n  'b)"))
	if err != nil {
		t.Fatal(err)
	}
	list, ok := ns[0].(*syntax.List)
	if !ok {
		t.Fatalf("%T", ns[0])
	}
	var got []syntax.Pos
	for _, n := range append([]syntax.Node{list}, list.Items...) {
		got = append(got, n.Start())
	}
	want := []syntax.Pos{
		{Line: 2, Column: 1, Byte: 5},
		{Line: 2, Column: 2, Byte: 6},
		{Line: 2, Column: 4, Byte: 8},
		{Line: 3, Column: 4, Byte: 14},
		{Line: 4, Column: 3, Byte: 21},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(syntax.Pos{Line: 4, Column: 5, Byte: 23}, list.End); diff != "" {
		t.Errorf("end (-want +got):\n%s", diff)
	}
	if got := (syntax.Pos{Line: 2, Column: 3}).String(); got != "2:3" {
		t.Errorf("a position without a file is %s", got)
	}
}

// FuzzParse holds that no text makes the reader panic, and that every node
// starts where something other than a blank stands.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`(a "b" #"c" #\d #(e) '(f . g))`, "#!x\n;y\n(z)", `"\x41\101\.`, "(a\n#if\n", "`(,@a)"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ns, err := syntax.Parse("", src)
		if err != nil {
			var e *syntax.Error
			if !errors.As(err, &e) || e.Pos.Byte > len(src) || e.Pos.Line < 1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		for _, n := range ns {
			if at := n.Start(); strings.IndexByte(" \t\r\n\f\v;)", src[at.Byte]) >= 0 {
				t.Errorf("a datum starts at %q", src[at.Byte])
			}
		}
	})
}
