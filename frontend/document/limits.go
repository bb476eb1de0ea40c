package document

import (
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sandboxc/sbc/ir/diag"
)

// Bounds on a policy file. They are checked before it is parsed, on the bytes
// and tokens, so that no input takes long or deep to refuse.
const (
	MaxBytes   = 4 << 20 // size of a file
	MaxNesting = 100     // brackets, braces, parentheses and templates within each other
	MaxChain   = 1000    // operators in one expression
)

// CheckBytes refuses a file that is empty, too large, or not UTF-8.
func CheckBytes(name string, src []byte) diag.List {
	fail := func(r diag.Range, summary, detail string) diag.List {
		return diag.List{{Code: diag.CodeFile, Severity: diag.Error, Summary: summary, Detail: detail, Subject: &r}}
	}
	whole := diag.Range{File: name}
	if len(src) == 0 {
		return fail(whole, "the policy file is empty", `A policy starts with "version = 1".`)
	}
	if len(src) > MaxBytes {
		return fail(whole, "the policy file is larger than 4 MiB", "Split it with extends, or replace long lists by globs.")
	}
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return fail(At(name, src, i, i+1), "the policy file is not UTF-8", "Save it as UTF-8.")
		}
		if isMark(r) {
			return fail(At(name, src, i, i+n), fmt.Sprintf("the policy file holds the noncharacter U+%04X", r), "Remove it.")
		}
		i += n
	}
	return nil
}

// CheckNormal refuses string text that evaluation would change, because it
// composes every string to NFC. Text is the string without escapes.
func CheckNormal(name string, src []byte, start, end int, text string) diag.List {
	if norm.NFC.IsNormalString(text) && !HasMark(text) {
		return nil
	}
	r := At(name, src, start, end)
	return diag.List{{
		Code: diag.CodeNotNormalized, Severity: diag.Error, Subject: &r,
		Summary: "the string is not in Unicode normal form C",
		Detail:  "It would be composed, and no longer name the same file. Write composed characters, or give the policy in the JSON form of the IR.",
	}}
}

// At returns the range of the bytes from start to end.
func At(name string, src []byte, start, end int) diag.Range {
	return diag.Range{File: name, Start: bytePos(src, start), End: bytePos(src, end)}
}
