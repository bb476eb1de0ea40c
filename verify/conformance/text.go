package conformance

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a path or a content in the data of a case. Names of files are bytes
// and JSON is UTF-8, so a byte that is no part of UTF-8 is written there as the
// character U+0000 and two hexadecimal digits, as in package strictjson: the
// name "a\xff" is "a\u0000ff". In Go a Text holds the bytes themselves.
type Text string

// MarshalText implements encoding.TextMarshaler.
func (t Text) MarshalText() ([]byte, error) {
	var out []byte
	for s := string(t); s != ""; {
		r, n := utf8.DecodeRuneInString(s)
		if r == 0 || r == utf8.RuneError && n == 1 {
			out = fmt.Appendf(out, "\x00%02x", s[0])
		} else {
			out = append(out, s[:n]...)
		}
		s = s[n:]
	}
	return out, nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Text) UnmarshalText(data []byte) error {
	first, rest, more := strings.Cut(string(data), "\x00")
	out := []byte(first)
	for more {
		if len(rest) < 2 {
			return fmt.Errorf("%q: after U+0000 stand two hexadecimal digits", data)
		}
		n, err := strconv.ParseUint(rest[:2], 16, 8)
		if err != nil {
			return fmt.Errorf("%q: after U+0000 stand two hexadecimal digits", data)
		}
		var part string
		part, rest, more = strings.Cut(rest[2:], "\x00")
		out = append(append(out, byte(n)), part...)
	}
	*t = Text(out)
	return nil
}

// Texts turns strings into Texts.
func Texts(list ...string) []Text {
	out := make([]Text, len(list))
	for i, s := range list {
		out[i] = Text(s)
	}
	return out
}

// In replaces W, which stands for the directory of a case, by that directory.
func In(dir, s string) string { return strings.ReplaceAll(s, "W/", dir+"/") }
