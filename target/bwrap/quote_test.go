package bwrap

import "testing"

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"", "''"},
		{"/usr/lib", "/usr/lib"},
		{"--ro-bind", "--ro-bind"},
		{"a b", "'a b'"},
		{"a'b", `'a'\''b'`},
		{`a\b`, `'a\b'`},
		{"~", "'~'"},
		{"a=b", "'a=b'"},
		{"#x", "'#x'"},
		{"$(x)`y`!*?[z]{1,2}", "'$(x)`y`!*?[z]{1,2}'"},
		{"é", "'é'"},
		{"a\nb", `$'a\012b'`},
		{"a\tb'c\\", `$'a\011b\'c\\'`},
		{"\x1b[31m", `$'\033[31m'`},
		{"a\u202eb", `$'a\342\200\256b'`},
		{"\xff", `$'\377'`},
		{"\uFFFD", "'\uFFFD'"},
		{"x\x7f1", `$'x\1771'`},
	} {
		if got := Quote(tt.in); got != tt.want {
			t.Errorf("quote(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}
