package classify

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// quoted is a quoted text of a line.
type quoted struct {
	start, end int
	texts      []string // what it can mean, the likeliest first
}

// pairs are the quotes of messages in many languages, opening and closing.
func pairs() [][2]string {
	return [][2]string{
		{"‘", "’"},
		{"“", "”"},
		{"„", "“"},
		{"„", "”"},
		{"«", "»"},
		{"»", "«"},
		{"‚", "‘"},
		{"‹", "›"},
		{"「", "」"},
		{"『", "』"},
		{"`", "'"},
		{"`", "`"},
	}
}

// quotes returns the quoted texts of a line from left to right.
func quotes(line string) []quoted {
	var out []quoted
	for i := 0; i < len(line); {
		q, ok := quoteAt(line, i)
		if !ok {
			_, n := utf8.DecodeRuneInString(line[i:])
			i += n
			continue
		}
		out = append(out, q)
		i = q.end
	}
	return out
}

// quoteAt reads a quoted text that begins at a place. A quote within a word is
// none, as in can't.
func quoteAt(line string, at int) (quoted, bool) {
	bytes := at > 0 && line[at-1] == 'b' && (at == 1 || !wordByte(line[at-2])) // Python's b'x'
	switch {
	case at > 0 && wordByte(line[at-1]) && !bytes:
	case line[at] == '\'' || line[at] == '"' || strings.HasPrefix(line[at:], "$'"):
		return shellAt(line, at)
	}
	best := quoted{end: -1}
	for _, p := range pairs() {
		rest, ok := strings.CutPrefix(line[at:], p[0])
		if !ok {
			continue
		}
		n := strings.Index(rest, p[1])
		if n <= 0 {
			continue
		}
		end := at + len(p[0]) + n + len(p[1])
		if best.end >= 0 && best.end <= end {
			continue
		}
		text := strings.Trim(rest[:n], " \u00a0\u202f") // French has spaces within
		best = quoted{start: at, end: end, texts: readings(text)}
	}
	return best, best.end >= 0 && best.texts[0] != ""
}

func wordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// shellAt reads what a shell would read as one word, as GNU programs print names:
// 'a'$'\n”b'. What it is if the quotes are just quotes comes second.
func shellAt(line string, at int) (quoted, bool) {
	var b strings.Builder
	i, parts := at, 0
	for i < len(line) {
		body, end, ok := shellPart(line, i)
		if !ok {
			break
		}
		b.WriteString(body)
		i = end
		parts++
	}
	if parts == 0 {
		return quoted{}, false
	}
	texts := []string{b.String()}
	if parts == 1 {
		texts = readings(line[at+1 : i-1])
		if line[at] == '$' {
			texts = []string{b.String()}
		}
	}
	return quoted{start: at, end: i, texts: texts}, b.Len() > 0
}

// shellPart reads one quoted part of a word.
func shellPart(line string, at int) (body string, end int, ok bool) {
	rest := line[at:]
	switch {
	case strings.HasPrefix(rest, `\'`): // between two parts
		return "'", at + 2, true
	case strings.HasPrefix(rest, "$'"):
		n := closing(rest[2:], '\'')
		if n < 0 {
			return "", 0, false
		}
		return unescape(rest[2 : 2+n]), at + 2 + n + 1, true
	case rest[0] == '\'' || rest[0] == '"':
		n := closing(rest[1:], rest[0])
		if n < 0 {
			return "", 0, false
		}
		return rest[1 : 1+n], at + 1 + n + 1, true
	}
	return "", 0, false
}

// closing finds the quote that closes a text: not one after a backslash.
func closing(s string, q byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case q:
			return i
		}
	}
	return strings.LastIndexByte(s, q) // a backslash that is just one
}

// readings returns what a quoted text can mean: itself, and what it is if it has
// C's escapes.
func readings(text string) []string {
	if !strings.Contains(text, `\`) {
		return []string{text}
	}
	return slices.Compact([]string{unescape(text), text})
}
