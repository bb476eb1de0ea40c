// Package strictjson reads and writes JSON where a misread word would be a
// hole: nothing is guessed, folded, merged or skipped. Standard decoders take
// the last of two equal keys, match keys in any case, and let unknown keys
// pass; here each of these is an error with its place.
//
//	var r Record
//	if ds := strictjson.Decode(src, "host.json", &r); ds.HasErrors() {
//		return ds
//	}
//	out := strictjson.Encode(&r, strictjson.Options{})
//
// What [Encode] writes, [Decode] reads back to the same value. [Check] looks at
// the text alone, for readers that have a decoder of their own.
//
// # Go types and JSON
//
// Structs become objects by their `json:"name"` tags; a field without a tag is
// not allowed, and an embedded struct gives its fields to the outer object. A
// field with omitzero or omitempty is left out when it is zero or empty, every
// other one must be present. Slices become arrays, and an empty array is read
// as a nil slice. Maps have string keys and are written in their order. Integers
// have no fraction and no exponent; a field of one with the tag const:"1" has that
// value and no other. There is no null. A [Form] lets a type have
// another form, such as a word for a number.
//
// JSON cannot hold a string that is not UTF-8, but a path may be one. A byte
// that is not part of valid UTF-8 is written as the character U+0000 and the two
// lower-case hexadecimal digits of the byte: the name "a\xff" is "a\u0000ff". A
// NUL is written as U+0000 and "00". So every string has exactly one form, and
// Decode takes no other.
//
// # Who should not use it
//
// Policies that people write are read by the frontends, which know templates
// and comments; they use [Check] only.
//
// # Stability
//
// The Go API may still change.
package strictjson
