// Package syntax reads the text of a macOS sandbox profile into a tree: lists,
// symbols, strings and the other data of the Scheme that profiles are written
// in. It knows nothing of what they mean.
//
//	nodes, err := syntax.Parse("profile.sb", src)
//	if err != nil {
//		return err // a *syntax.Error with file, line and column
//	}
//
// The rules are those of TinyScheme's reader, which macOS carries. They differ
// from other languages' in strings: \n, \t, \r, \xHH with exactly two digits
// and \ooo with two or three octal digits are escapes, and any other escaped
// character is that character, so "\." is a dot and "\u00e9" is u00e9. In
// #"..." nothing is escaped, and the first quote ends it. A string may run over
// lines.
//
// # Who should not use it
//
// Who wants to know what a profile decides reads it with verify/sbpl.
//
// # Stability
//
// None yet: the tree may change.
package syntax
