// Package regex reads the regular expressions of SBPL, the language of macOS
// sandbox profiles, into a small tree over bytes, and matches paths against
// them.
//
//	re, err := regex.Parse(`^/w/(.*/)?\.env$`)
//	if err != nil {
//		return err // a *regex.Error with the byte offset
//	}
//	re.Match("/w/a/.env") // true
//
// # The dialect
//
//	abc     the bytes themselves
//	.       any byte
//	[a-z]   one byte of the class; [^a-z] any other; - first or last, ] first, and \x stand for themselves
//	\x      x itself; \w \d \s and their capitals are classes of ASCII, within a class too
//	( ) |   groups and alternatives; one may be empty
//	* + ?   repetition, also {n}, {n,} and {n,m}
//	^ $     the start and the end of the path, also within a group
//
// An expression is searched for in the path: it matches anywhere unless it is
// anchored. It works on bytes and knows no case folding. There are no captures,
// assertions, back references or lazy quantifiers. What is known about it comes
// from the profiles that ship with macOS, from decompiled profiles (the
// compiled form has only characters, classes, anchors and jumps) and from
// reports on profiles that failed.
//
// (?i) and its like do not compile on macOS and are errors here. (?:...) does
// compile there, and then silently matches nothing: it parses to [Never] and
// sets [NeverGroup], so that the caller can refuse it.
//
// # What is assumed
//
// Some of this nobody has settled by experiment. [Regex.Uses] says which of it
// an expression relies on. A negated class and the dot match a newline and
// every byte from 0x80; $ matches at the very end only, not before a newline
// there.
//
// # Who should not use it
//
// Patterns of policies are package ir/glob. Code that needs automata takes
// [Regex.Root] to package verify/automata.
//
// # Stability
//
// None yet: the tree may change.
package regex
