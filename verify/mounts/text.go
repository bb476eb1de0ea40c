package mounts

import (
	"errors"
	"fmt"
	"strings"
)

// ReadText reads a command line that is written as one argument a line, each a
// word of bash: as it is, in single quotes, or as $'...' with octal escapes.
// Nothing else that means something to bash is taken, so a text that bash would
// expand is an error. The error names the line, counted from 1, or is an
// *[Error].
func ReadText(text []byte, o ReadOptions) (*Sandbox, error) {
	var args []string
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		if line == "" && len(text) <= 1 {
			break
		}
		word, err := unquote(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(args)+1, err)
		}
		args = append(args, word)
	}
	return Read(args, o)
}

// unquote returns what bash makes of one word.
func unquote(s string) (string, error) {
	if s == "" {
		return "", errors.New("the line is empty")
	}
	var b strings.Builder
	for s != "" {
		switch {
		case s[0] == '\'':
			text, rest, ok := strings.Cut(s[1:], "'")
			if !ok {
				return "", errors.New("a quote is not closed")
			}
			b.WriteString(text)
			s = rest
		case strings.HasPrefix(s, "$'"):
			rest, err := unescape(&b, s[2:])
			if err != nil {
				return "", err
			}
			s = rest
		case strings.HasPrefix(s, `\'`):
			b.WriteByte('\'')
			s = s[2:]
		case s[0] < '!' || s[0] > '~' || strings.IndexByte("\"#$&()*;<>?[\\]^`{|}~!", s[0]) >= 0:
			return "", fmt.Errorf("%q stands outside of quotes", s[:1])
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String(), nil
}

// unescape reads the rest of a word after $' and returns what follows it.
func unescape(b *strings.Builder, s string) (string, error) {
	for s != "" {
		switch {
		case s[0] == '\'':
			return s[1:], nil
		case s[0] != '\\':
			b.WriteByte(s[0])
			s = s[1:]
		case len(s) > 1 && (s[1] == '\\' || s[1] == '\''):
			b.WriteByte(s[1])
			s = s[2:]
		case len(s) > 3 && '0' <= s[1] && s[1] <= '3' && octalDigit(s[2]) && octalDigit(s[3]):
			b.WriteByte((s[1]-'0')<<6 | (s[2]-'0')<<3 | (s[3] - '0'))
			s = s[4:]
		default:
			return "", errors.New("an escape is not three octal digits")
		}
	}
	return "", errors.New("a quote is not closed")
}

func octalDigit(c byte) bool { return '0' <= c && c <= '7' }
