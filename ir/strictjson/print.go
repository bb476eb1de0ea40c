package strictjson

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/diag"
)

// lineWidth is how many bytes an object or array may take to stand on one line.
const lineWidth = 110

type printer struct {
	canonical bool
	out       []byte
}

// print writes a value whose line is indented by depth levels and holds used
// bytes already.
func (p *printer) print(v value, depth, used int) {
	switch v.kind { //nolint:exhaustive // the encoder makes no other kinds
	case kindString:
		p.string(v.text)
	case kindObject:
		p.container(v, depth, used, '{', '}')
	case kindArray:
		p.container(v, depth, used, '[', ']')
	default:
		p.out = append(p.out, v.text...)
	}
}

func (p *printer) container(v value, depth, used int, open, end byte) {
	members := v.members
	if p.canonical && v.kind == kindObject {
		members = slices.SortedFunc(slices.Values(members), func(a, b member) int { return compareUTF16(a.key, b.key) })
	}
	p.out = append(p.out, open)
	line := p.canonical || width(v, lineWidth) <= lineWidth-used
	for i, m := range members {
		switch {
		case i > 0 && line && !p.canonical:
			p.out = append(p.out, ", "...)
		case i > 0:
			p.out = append(p.out, ',')
		}
		from := len(p.out)
		if !line {
			p.newline(depth + 1)
			from++
		}
		if v.kind == kindObject {
			p.string(m.key)
			p.out = append(p.out, ':')
			if !p.canonical {
				p.out = append(p.out, ' ')
			}
		}
		p.print(m.val, depth+1, len(p.out)-from)
	}
	if !line && len(members) > 0 {
		p.newline(depth)
	}
	p.out = append(p.out, end)
}

func (p *printer) newline(depth int) {
	p.out = append(p.out, '\n')
	for range depth {
		p.out = append(p.out, "  "...)
	}
}

// width returns how long a value is on one line, roughly (escapes are not
// counted), or more than limit as soon as it is longer than that.
func width(v value, limit int) int {
	n := len(v.text) + 2
	for _, m := range v.members {
		if n > limit {
			break
		}
		n += len(m.key) + 6 + width(m.val, limit-n)
	}
	return n
}

// string writes a string in quotes. Only what must be escaped is, as RFC 8785
// says; the form for people escapes what does not show, too.
func (p *printer) string(s string) {
	p.out = append(p.out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			p.out = append(p.out, '\\', byte(r))
		case r < ' ' && strings.ContainsRune("\b\f\n\r\t", r):
			p.out = append(p.out, '\\', "btn_fr"[r-'\b'])
		case r < ' ' || !p.canonical && !diag.Shows(r):
			p.escape(r)
		default:
			p.out = utf8.AppendRune(p.out, r)
		}
	}
	p.out = append(p.out, '"')
}

func (p *printer) escape(r rune) {
	if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
		p.out = fmt.Appendf(p.out, `\u%04x\u%04x`, hi, lo)
		return
	}
	p.out = fmt.Appendf(p.out, `\u%04x`, r)
}

// compareUTF16 orders keys by their UTF-16 code units, as RFC 8785 says.
func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
