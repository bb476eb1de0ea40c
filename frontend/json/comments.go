package json

import (
	"bytes"
	"encoding/json"
)

// withoutComments returns the text with spaces in place of every key "//" with
// its value. The text is valid JSON, and every offset stays what it is.
func withoutComments(src []byte) []byte {
	out := bytes.Clone(src)
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	var open []bool // whether each bracket that is open is an object's
	key := false    // whether a key comes next
	for {
		before := int(dec.InputOffset())
		tok, err := dec.Token()
		if err != nil {
			return out
		}
		switch {
		case tok == json.Delim('{') || tok == json.Delim('['):
			open = append(open, tok == json.Delim('{'))
			key = open[len(open)-1]
			continue
		case tok == json.Delim('}') || tok == json.Delim(']'):
			open = open[:len(open)-1]
		case key && tok == "//":
			start := before + bytes.IndexByte(src[before:], '"')
			var skipped json.RawMessage
			if dec.Decode(&skipped) != nil {
				return out
			}
			blank(out, start, int(dec.InputOffset()))
		case key:
			key = false
			continue
		}
		key = len(open) > 0 && open[len(open)-1]
	}
}

// blank replaces the bytes from start to end, and the comma after them or,
// where there is none, before them.
func blank(text []byte, start, end int) {
	next := end + len(text[end:]) - len(bytes.TrimLeft(text[end:], " \t\r\n"))
	last := len(bytes.TrimRight(text[:start], " \t\r\n")) - 1
	switch {
	case next < len(text) && text[next] == ',':
		end = next + 1
	case last >= 0 && text[last] == ',':
		text[last] = ' '
	}
	for i := start; i < end; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
