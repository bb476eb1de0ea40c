package strictjson

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// escapeBytes returns s as valid UTF-8 that names each byte which JSON cannot
// hold: U+0000 and two lower-case hexadecimal digits. NUL is named so too,
// which is what makes the form unambiguous.
func escapeBytes(s string) string {
	if utf8.ValidString(s) && !strings.Contains(s, "\x00") {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == 0 || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "\x00%02x", s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// unescapeBytes is the reverse of escapeBytes. It takes nothing that
// escapeBytes would not have written, so that a string has one form.
func unescapeBytes(s string) (string, bool) {
	if !strings.Contains(s, "\x00") {
		return s, true
	}
	parts := strings.Split(s, "\x00")
	var b strings.Builder
	b.WriteString(parts[0])
	for _, part := range parts[1:] {
		if len(part) < 2 {
			return "", false
		}
		hi, lo := strings.IndexByte(hexDigits, part[0]), strings.IndexByte(hexDigits, part[1])
		if hi < 0 || lo < 0 {
			return "", false
		}
		b.WriteByte(byte(hi<<4 | lo))
		b.WriteString(part[2:])
	}
	out := b.String()
	return out, escapeBytes(out) == s
}

const hexDigits = "0123456789abcdef"
