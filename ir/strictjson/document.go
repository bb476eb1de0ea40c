package strictjson

import (
	"iter"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
)

// children yields the values of an array, or the keys of an object; the value
// of a key is the node behind it.
func (d *Document) children(i int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		object := d.nodes[i].kind == kindObject
		for c := i + 1; c < d.nodes[i].next; {
			if !yield(c) {
				return
			}
			if object {
				c++
			}
			c = d.nodes[c].next
		}
	}
}

func (d *Document) raw(i int32) []byte { return d.text[d.nodes[i].start:d.nodes[i].end] }

// Range returns the place of a value, named by a JSON pointer (RFC 6901) such
// as "/files/3/read". Of a value that is not there it is the place of the
// deepest one on the way to it that is.
func (d *Document) Range(pointer string) diag.Range {
	at, unescape := int32(0), strings.NewReplacer("~0", "~", "~1", "/")
	for step := range strings.SplitSeq(pointer, "/") {
		if step == "" {
			continue
		}
		next, ok := d.child(at, unescape.Replace(step))
		if !ok {
			break
		}
		at = next
	}
	n := d.nodes[at]
	return diag.NewSource(d.text).Range(d.file, int(n.start), int(n.end))
}

// Lookup returns the text of the string or number, or the word, at a key of the
// outermost object.
func (d *Document) Lookup(key string) (text string, ok bool) {
	i, ok := d.child(0, key)
	if !ok {
		return "", false
	}
	return string(d.raw(i)), true
}

func (d *Document) child(at int32, step string) (int32, bool) {
	n := 0
	for c := range d.children(at) {
		switch d.nodes[at].kind { //nolint:exhaustive // others have no children
		case kindObject:
			if name, ok := unescapeBytes(unquote(d.raw(c))); ok && name == step {
				return c + 1, true
			}
		case kindArray:
			if strconv.Itoa(n) == step {
				return c, true
			}
		}
		n++
	}
	return 0, false
}
