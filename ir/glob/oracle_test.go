package glob_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
)

// The patterns mean what doublestar.Match makes of them. These are the
// differences, all of them on purpose:
//
//  1. There, a class matches "/". Here it never does; the oracle is given
//     classes that exclude "/".
//  2. There, a byte that is not UTF-8 is U+FFFD. Here it is itself, and a class
//     that is not negated never matches it.
//  3. There, "/*" matches "/" with an empty segment. Here "/" has no segment.
//  4. There, whether a trailing "**" can be zero segments hangs on what stands
//     before it: not in "/a*/**" for "/a", "/a/**/**" or "/a/{**,b}". Here all
//     of these match "/a". The oracle is asked with and without it.
//  5. There, "**" within a segment is "*". Here it is an error.
//  6. There, a reversed range matches nothing and an escaped "/" is "/". Here
//     they are errors.

// oracle asks doublestar about p, or says that the question is one of the
// documented differences.
func oracle(t interface{ Fatalf(string, ...any) }, p *glob.Pattern, path string) (matched, ok bool) {
	src := p.String()
	if path == "/" || !plainText(path) || !plainText(src) {
		return false, false // 2 and 3
	}
	if strings.Contains(src, "[") || strings.Contains(src, "**/**") || strings.Contains(betweenBraces(src), "**") {
		for _, a := range p.Alternatives() {
			matched = ask(t, oracleText(a), path) || matched
		}
		return matched, true
	}
	return ask(t, src, path), true
}

// betweenBraces returns src, which has no classes, from its first brace to its
// last.
func betweenBraces(src string) string {
	i, j := strings.IndexByte(src, '{'), strings.LastIndexByte(src, '}')
	return src[max(min(i, j), 0) : j+1]
}

func plainText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, utf8.RuneError) }

func ask(t interface{ Fatalf(string, ...any) }, pattern, path string) bool {
	matched, err := doublestar.Match(pattern, path)
	if err != nil {
		t.Fatalf("doublestar.Match(%q, %q): %v", pattern, path, err)
	}
	if zero, ok := strings.CutSuffix(pattern, "/**"); ok && zero != "" && !matched {
		return ask(t, zero, path)
	}
	return matched
}

// oracleText is a's text with "/" in each negated class.
func oracleText(a glob.Alternative) string {
	var b strings.Builder
	for _, s := range a {
		if s.Doublestar {
			b.WriteString("/**")
			continue
		}
		b.WriteByte('/')
		for _, atom := range s.Atoms {
			text := glob.Segment{Atoms: []glob.Atom{atom}}.String()
			if c, ok := atom.(glob.Class); ok && c.Negated {
				text = "[!/" + text[len("[!"):]
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

func TestMatchIsDoublestar(t *testing.T) {
	t.Parallel()
	agreed := [2]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := glob.MustParse(genPattern(plain).Draw(t, "pattern"))
		for range 10 {
			path := genPathFor(p, plain).Draw(t, "path")
			want, ok := oracle(t, p, path)
			if !ok {
				continue
			}
			got := p.Match(path, glob.Exact)
			if got != want {
				t.Fatalf("%q, path %q: match is %v, doublestar says %v", p, path, got, want)
			}
			if got {
				agreed[1]++
			} else {
				agreed[0]++
			}
		}
	})
	if !t.Failed() && (agreed[0] < 100 || agreed[1] < 100) {
		t.Errorf("too few questions: %d no, %d yes", agreed[0], agreed[1])
	}
}
