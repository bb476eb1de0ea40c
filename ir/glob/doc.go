// Package glob is the path-pattern language of sbc. A pattern is parsed once
// into a small tree, and everyone works from that tree: matching here, regular
// expressions in a target, automata in the verifier, file tree walks.
//
//	p, err := glob.Parse("/w/**/.env*")
//	if err != nil {
//		return err // a *glob.Error with the byte offset
//	}
//	p.Match("/w/a/.env", glob.Exact)    // true: the path itself
//	p.Covers("/w/.env.d/x", glob.Exact) // true: it, or a directory above it
//
// # Patterns
//
// A pattern is absolute and clean: it starts with "/" and has no empty, "." or
// ".." segment and no "/" at its end, unless it is "/" alone.
//
//   - any run of characters within a segment, also none
//     ?       one code point, or one byte that is not part of valid UTF-8
//     [a-z]   one code point of the class
//     [!a]    one code point that is not in the class, or one such byte; also [^a]
//     {a,b}   either; may nest, may hold "/", a side may be empty
//     **      zero or more whole segments; must be a whole segment
//     \x      x itself
//
// Nothing but ** matches across "/". A leading dot is nothing special. A "]"
// or "-" in a class is escaped, or "-" stands first or last. Braces
// are expanded by [Parse], into at most [MaxAlternatives] alternatives that
// are free of braces.
//
// The language is that of github.com/bmatcuk/doublestar/v4, except that here
// a class never matches "/", a byte that is not UTF-8 is not taken for U+FFFD,
// a ** at the end is zero segments whatever stands before it, and what
// doublestar reads leniently is an error: ** within a segment, a reversed
// range, an escaped "/", paths that are not clean.
//
// # Limits
//
// Under [Darwin], what a wildcard matches is not normalised: e* matches é in
// two code points and not in one. Letters beyond ASCII keep their case, and
// characters that only a name has in neither normal form, such as the Kelvin
// sign for K, are not folded.
//
// # Who should not use it
//
// Host names and environment variables have patterns of their own.
//
// # Stability
//
// The meaning of a pattern is part of the policy language. The Go types may
// still change.
package glob
