package strictjson

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// word reports whether the next value is this name.
func (p *parser) word(name string) bool {
	return bytes.HasPrefix(p.text[p.pos:], []byte(name))
}

// number returns the length of the number at the current place, 0 after
// reporting that it is malformed.
func (p *parser) number() int {
	n := numberLen(p.text[p.pos:])
	if n == 0 {
		end := p.pos
		for end < len(p.text) && bytes.IndexByte([]byte("+-.0123456789eE"), p.text[end]) >= 0 {
			end++
		}
		p.addf(p.pos, end, "malformed number %s", clip(string(p.text[p.pos:end])))
	}
	return n
}

// numberLen returns the length of the number that s starts with, 0 if it is
// malformed (RFC 8259, section 6).
func numberLen(s []byte) int {
	n := 0
	at := func(c byte) bool { return n < len(s) && s[n] == c }
	digits := func() bool {
		from := n
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		return n > from
	}
	if at('-') {
		n++
	}
	if at('0') {
		n++
		if n < len(s) && '0' <= s[n] && s[n] <= '9' {
			return 0
		}
	} else if !digits() {
		return 0
	}
	if at('.') {
		n++
		if !digits() {
			return 0
		}
	}
	if at('e') || at('E') {
		n++
		if at('+') || at('-') {
			n++
		}
		if !digits() {
			return 0
		}
	}
	return n
}

// string returns the length of the string at the current place with its quotes,
// 0 after reporting that it is malformed.
func (p *parser) string() int {
	s := p.text[p.pos:]
	for n := 1; n < len(s); {
		switch c := s[n]; {
		case c == '"':
			return n + 1
		case c < ' ':
			p.addf(p.pos+n, p.pos+n+1, "the control character U+%04X in a string", c)
			return 0
		case c == '\\':
			size := escapeLen(s[n:])
			if size == 0 {
				end := min(n+2, len(s))
				if bytes.HasPrefix(s[n:], []byte(`\u`)) {
					end = min(n+6, len(s))
				}
				p.addf(p.pos+n, p.pos+end, "malformed escape in a string")
				return 0
			}
			n += size
		default:
			n++
		}
	}
	p.addf(p.pos, p.pos+1, "a string without an end")
	return 0
}

// escapeLen returns the length of the escape that s starts with, 0 if it is
// malformed. Half of a surrogate pair is malformed: it stands for no character.
func escapeLen(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	if bytes.IndexByte([]byte(`"\/bfnrt`), s[1]) >= 0 {
		return 2
	}
	r := hex4(s)
	switch {
	case r < 0:
		return 0
	case !utf16.IsSurrogate(r):
		return 6
	case utf16.DecodeRune(r, hex4(s[6:])) == utf8.RuneError:
		return 0
	}
	return 12
}

// hex4 returns the value of the escape \uXXXX that s starts with, -1 if it does
// not.
func hex4(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// unquote returns the text of a string that the parser has accepted.
func unquote(s []byte) string {
	s = s[1 : len(s)-1]
	if bytes.IndexByte(s, '\\') < 0 {
		return string(s)
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		if s[0] != '\\' {
			out = append(out, s[0])
			s = s[1:]
			continue
		}
		n := escapeLen(s)
		switch s[1] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hex4(s)
			if n == 12 {
				r = utf16.DecodeRune(r, hex4(s[6:]))
			}
			out = utf8.AppendRune(out, r)
		default: // a quote, backslash or slash stands for itself
			out = append(out, s[1])
		}
		s = s[n:]
	}
	return string(out)
}

// invalidAt returns the offset of the first byte that is not UTF-8.
func invalidAt(text []byte) int {
	at := 0
	for at < len(text) {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}
