package sbpl_test

import (
	"strings"
	"testing"

	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "/usr/bin", `"/usr/bin"`},
		{"empty", "", `""`},
		{"a quote and a parenthesis", `/a") (regex ".*`, `"/a\") (regex \".*"`},
		{"a backslash", `/a\b`, `"/a\\b"`},
		{"newline, tab, carriage return", "/a\nb\tc\rd", `"/a\nb\tc\rd"`},
		{"other control characters", "/\x01\x1b\x7f", `"/\x01\x1b\x7f"`},
		{"letters that are not ASCII", "/é/日本", `"/é/日本"`},
		{"not UTF-8", "/a\xffb", `"/a\xffb"`},
		{"a byte before a digit", "/\xff1", `"/\xff1"`},
		{"text that turns round", "/a\u202eb", `"/a\xe2\x80\xaeb"`},
		{"a space that cannot be told from another", "/a\u00a0b", `"/a\xc2\xa0b"`},
		{"the replacement character itself", "/\ufffd", `"/` + "\ufffd" + `"`},
		{"glob characters", "/[a]*?{b}", `"/[a]*?{b}"`},
		{"a semicolon", "/a;b", `"/a;b"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := sbpl.Quote(tt.in); got != tt.want {
				t.Errorf("Quote(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestQuoteRegex(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"raw", `^/w/\.env$`, `#"^/w/\.env$"`},
		{"a quote", `^/w/"\.env$`, `"^/w/\"\\.env$"`},
		{"a backslash and a quote", `^/\\"$`, `"^/\\\\\"$"`},
		{"a backslash at the end", `^/\`, `"^/\\"`},
		{"a newline", "^/a\nb$", `"^/a\nb$"`},
		{"not UTF-8", "^/\xff$", `"^/\xff$"`},
		{"letters that are not ASCII", "^/é$", `#"^/é$"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := sbpl.QuoteRegex(tt.in); got != tt.want {
				t.Errorf("QuoteRegex(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

// read-back(quote(s)) = s, the text stays on one line, and a quote never stands
// inside #"...".
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "/usr", `a"b\c`, "\n\t\r\x00\x7f", "\xff\xfe", `\`, `\"`, "é\u202e", `#"`, "(a ; b)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, quoted := range []string{sbpl.Quote(s), sbpl.QuoteRegex(s)} {
			if strings.ContainsAny(quoted, "\n\r") {
				t.Errorf("%q is printed on several lines", s)
			}
			data, err := syntax.Parse("", []byte(quoted))
			if err != nil || len(data) != 1 {
				t.Fatalf("%q is read back from %s as %d data, %v", s, quoted, len(data), err)
			}
			if got, ok := data[0].(*syntax.String); !ok || got.Text != s {
				t.Errorf("%q is read back from %s as %+v", s, quoted, data[0])
			}
		}
	})
}
