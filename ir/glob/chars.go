package glob

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendChars appends the literal units of text: pieces that end where
// normalising both sides apart and together is the same, and single bytes that
// are not UTF-8.
func appendChars(atoms []Atom, text string) []Atom {
	atoms = slices.Grow(atoms, len(text))
	for text != "" {
		if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
			atoms = append(atoms, asciiChars[text[0]])
			text = text[1:]
			continue
		}
		valid := validPrefix(text)
		if valid == 0 {
			atoms = append(atoms, Char{text[:1]})
			text = text[1:]
		}
		for part := text[:valid]; part != ""; {
			n := norm.NFC.NextBoundaryInString(part, true)
			atoms = append(atoms, Char{part[:n]})
			part = part[n:]
		}
		text = text[valid:]
	}
	return atoms
}

// asciiChars are the literal units of one ASCII character, made once: patterns
// consist of little else.
var asciiChars = func() (t [utf8.RuneSelf]Atom) {
	for i := range t {
		t[i] = Char{string(rune(i))}
	}
	return t
}()

// validPrefix returns how many bytes at the start of s are valid UTF-8.
func validPrefix(s string) int {
	for i, r := range s {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
			return i
		}
	}
	return len(s)
}

// Forms returns what c matches under [Darwin], up to the case of ASCII
// letters: its text, the text's normal forms NFC and NFD, and the NFC of the
// text in the other case, so that é, É and both of them in two code points
// match each other. They are distinct, the text comes first, and none is a
// prefix of another even when ASCII letters are compared without their case.
//
// A byte that is not UTF-8 has itself as its only form.
func (c Char) Forms() []string {
	forms := []string{c.Text}
	if len(c.Text) == 1 {
		return forms
	}
	nfd := norm.NFD.String(c.Text)
	for _, f := range []string{norm.NFC.String(c.Text), nfd, norm.NFC.String(swapCase(nfd))} {
		if !slices.ContainsFunc(forms, func(g string) bool { return equalFold(f, g) }) {
			forms = append(forms, f)
		}
	}
	return forms
}

// swapCase gives each ASCII letter of s the other case.
func swapCase(s string) string {
	return strings.Map(otherCase, s)
}

// otherCase returns the other case of an ASCII letter, and any other rune as
// it is.
func otherCase(r rune) rune {
	if l := r | 0x20; 'a' <= l && l <= 'z' {
		return r ^ 0x20
	}
	return r
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// equalFold compares two strings without the case of ASCII letters.
func equalFold(a, b string) bool { return len(a) == len(b) && hasPrefixFold(a, b) }

func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != lower(prefix[i]) {
			return false
		}
	}
	return true
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && hasPrefixFold(s[len(s)-len(suffix):], suffix)
}
