package document

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sandboxc/sbc/ir/diag"
)

// Bounds on a policy file. They are checked before it is parsed, on the bytes
// and tokens, so that no input takes long or deep to refuse.
const (
	MaxBytes    = 4 << 20 // size of a file
	MaxNesting  = 100     // brackets, braces, parentheses and templates within each other
	MaxChain    = 1000    // operators, indices and interpolations in one expression
	MaxNames    = 1000    // locals, and variables, of a file
	maxExponent = 99      // of a number
)

// CheckBytes refuses a file that is empty, too large, or not UTF-8 without a byte
// order mark.
func (f File) CheckBytes() diag.List {
	fail := func(r diag.Range, summary, detail string) diag.List {
		return diag.List{{Code: diag.CodeFile, Severity: diag.Error, Summary: summary, Detail: detail, Subject: &r}}
	}
	whole := diag.Range{File: f.Name}
	if len(f.Src) == 0 {
		return fail(whole, "the policy file is empty", `A policy starts with "version = 1".`)
	}
	if len(f.Src) > MaxBytes {
		return fail(whole, "the policy file is larger than 4 MiB", "Split it with extends, or replace long lists by globs.")
	}
	if n := len("\ufeff"); bytes.HasPrefix(f.Src, []byte("\ufeff")) {
		return fail(f.At(0, n), "the policy file starts with a byte order mark", "Save it as UTF-8 without one.")
	}
	for i := 0; i < len(f.Src); {
		r, n := utf8.DecodeRune(f.Src[i:])
		if r == utf8.RuneError && n == 1 {
			return fail(f.At(i, i+1), "the policy file is not UTF-8", "Save it as UTF-8.")
		}
		if isMark(r) {
			return fail(f.At(i, i+n), fmt.Sprintf("the policy file holds the noncharacter U+%04X", r), "Remove it.")
		}
		i += n
	}
	return nil
}

// CheckNormal refuses string text that evaluation would change, because it
// composes every string to NFC. Text is the string without escapes; start and
// end are where it stands.
func (f File) CheckNormal(start, end int, text string) diag.List {
	if stable(text) {
		return nil
	}
	r := f.At(start, end)
	return diag.List{{
		Code: diag.CodeNotNormalized, Severity: diag.Error, Subject: &r,
		Summary: "the string is not in Unicode normal form C",
		Detail:  "It would be composed, and no longer name the same file. Write composed characters, or give the policy in the JSON form of the IR.",
	}}
}

// stable reports whether evaluation keeps a string as it is, whatever it is
// joined to: it is UTF-8 and composed, does not start with a character that
// would compose with what stands before it, and holds no marks.
func stable(s string) bool {
	return utf8.ValidString(s) && norm.NFC.IsNormalString(s) && !HasMark(s) && (s == "" || norm.NFC.PropertiesString(s).BoundaryBefore())
}
