package glob

import (
	"strings"
	"unicode/utf8"
)

// segment is a [Segment] prepared for matching: most names are told apart by
// a literal comparison, or by what a name must start and end with.
type segment struct {
	doublestar bool
	shape      shape
	// pre and suf are the literal text before the first and after the last
	// atom that is not a Char. A literal segment has all its text in pre.
	// Text that is not UTF-8 is left out, for its bytes could be a part of a
	// character in a name.
	pre, suf string
	ascii    bool // pre and suf are ASCII
	atoms    []atom
}

type shape uint8

const (
	shapeAny     shape = iota + 1 // look at all atoms
	shapeLiteral                  // pre, nothing else
	shapeAffix                    // pre*suf
)

type atom struct {
	op    op
	text  string   // of a Char
	forms []string // of a Char, if more than text
	class Class
}

type op uint8

const (
	opChar op = iota + 1
	opByte    // a Char that is a byte that is not UTF-8
	opAnyChar
	opAnyRun
	opClass
)

func prepareAll(a Alternative) []segment {
	out := make([]segment, len(a))
	for i, s := range a {
		out[i] = prepare(s)
	}
	return out
}

func prepare(s Segment) segment {
	if s.Doublestar {
		return segment{doublestar: true}
	}
	first, last := len(s.Atoms), -1 // the atoms that are no Char
	for i, a := range s.Atoms {
		if _, ok := a.(Char); !ok {
			first, last = min(first, i), i
		}
	}
	out := segment{shape: shapeAny, pre: text(s.Atoms[:first])}
	if last >= 0 {
		out.suf = text(s.Atoms[last+1:])
	}
	valid := utf8.ValidString(out.pre) && utf8.ValidString(out.suf)
	switch {
	case last < 0:
		out.shape = shapeLiteral
	case !valid:
		out.pre, out.suf = "", ""
	case first == last && s.Atoms[first] == Atom(AnyRun{}):
		out.shape = shapeAffix
	}
	out.ascii = isASCII(out.pre) && isASCII(out.suf)
	if out.ascii && out.shape != shapeAny {
		return out // match never looks at the atoms
	}
	out.atoms = make([]atom, len(s.Atoms))
	for i, a := range s.Atoms {
		out.atoms[i] = prepareAtom(a)
	}
	return out
}

func prepareAtom(a Atom) atom {
	switch a := a.(type) {
	case Char:
		out := atom{op: opChar, text: a.Text}
		if !utf8.ValidString(a.Text) {
			out.op = opByte
		} else if forms := a.Forms(); len(forms) > 1 {
			out.forms = forms
		}
		return out
	case AnyChar:
		return atom{op: opAnyChar}
	case AnyRun:
		return atom{op: opAnyRun}
	case Class:
		return atom{op: opClass, class: a}
	}
	panic("glob: internal error: an atom of an unknown kind")
}

// text returns the text of atoms that are all a Char.
func text(atoms []Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(len(atoms))
	for _, a := range atoms {
		if c, ok := a.(Char); ok {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// match reports whether the segment, which is no doublestar, matches name,
// which holds no "/".
func (s *segment) match(name string, fold Fold) bool {
	if fold == Exact {
		switch s.shape {
		case shapeLiteral:
			return name == s.pre
		case shapeAffix:
			return len(name) >= len(s.pre)+len(s.suf) && strings.HasPrefix(name, s.pre) && strings.HasSuffix(name, s.suf)
		case shapeAny:
			return strings.HasPrefix(name, s.pre) && strings.HasSuffix(name, s.suf) && matchAtoms(s.atoms, name, Exact)
		}
	}
	if s.ascii {
		switch s.shape {
		case shapeLiteral:
			return equalFold(name, s.pre)
		case shapeAffix:
			return len(name) >= len(s.pre)+len(s.suf) && hasPrefixFold(name, s.pre) && hasSuffixFold(name, s.suf)
		case shapeAny:
		}
	}
	return matchAtoms(s.atoms, name, Darwin)
}

// matchAtoms walks atoms and name side by side, and on a mismatch gives the
// latest * one more unit of the name. That is enough, as for segments: an atom
// other than * matches at most one prefix of a name, and starting later it
// never ends earlier, since all forms of a Char are equally long in NFD.
func matchAtoms(atoms []atom, name string, fold Fold) bool {
	a, i, backA, backI := 0, 0, -1, 0
	for {
		switch {
		case a < len(atoms) && atoms[a].op == opAnyRun:
			a++
			if a == len(atoms) {
				return true
			}
			backA, backI = a, i
			continue
		case a == len(atoms) && i == len(name):
			return true
		case a < len(atoms) && i < len(name):
			if n := atoms[a].width(name[i:], fold); n > 0 {
				a, i = a+1, i+n
				continue
			}
		}
		if backA < 0 || backI == len(name) {
			return false
		}
		_, size := utf8.DecodeRuneInString(name[backI:])
		backI += size
		a, i = backA, backI
	}
}

// width returns how many bytes at the start of name the atom matches, or 0.
// The atom is not *, and name is not empty.
func (a *atom) width(name string, fold Fold) int {
	switch a.op {
	case opChar:
		return a.charWidth(name, fold)
	case opByte:
		if r, size := utf8.DecodeRuneInString(name); r == utf8.RuneError && size == 1 && name[0] == a.text[0] {
			return 1
		}
	case opAnyChar:
		_, size := utf8.DecodeRuneInString(name)
		return size
	case opClass:
		if r, size := utf8.DecodeRuneInString(name); a.class.matches(r, size, fold) {
			return size
		}
	case opAnyRun:
	}
	return 0
}

func (a *atom) charWidth(name string, fold Fold) int {
	if fold == Exact {
		if strings.HasPrefix(name, a.text) {
			return len(a.text)
		}
		return 0
	}
	if a.forms == nil {
		if hasPrefixFold(name, a.text) {
			return len(a.text)
		}
		return 0
	}
	for _, f := range a.forms {
		if hasPrefixFold(name, f) {
			return len(f)
		}
	}
	return 0
}

// matches reports whether the class matches r, decoded from size bytes of a
// name and so never "/". Under
// Darwin both cases are asked, and one yes is enough, for a negated class too:
// folding only ever adds.
func (c Class) matches(r rune, size int, fold Fold) bool {
	switch {
	case r == utf8.RuneError && size == 1:
		return c.Negated
	case c.has(r) != c.Negated:
		return true
	}
	return fold == Darwin && c.has(otherCase(r)) != c.Negated
}
