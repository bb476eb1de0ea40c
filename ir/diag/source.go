package diag

import (
	"bytes"
	"sort"
)

// Source is the text of one file with an index of its lines. Lines end with
// LF; a CR before it counts as part of the line's end. Build it with
// [NewSource].
type Source struct {
	text   []byte
	starts []int // byte offset of each line's first byte; never empty
}

// NewSource indexes a text, which may be empty, lack a last newline or not be
// UTF-8. The caller must not change text afterwards.
func NewSource(text []byte) *Source {
	starts := []int{0}
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return &Source{text: text, starts: starts}
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// Len returns the length of the text in bytes.
func (s *Source) Len() int { return len(s.text) }

// Pos returns the place of a byte offset. Offsets outside the text are moved to
// its nearest end; the offset just behind the last byte is a place.
func (s *Source) Pos(offset int) Pos {
	offset = min(max(offset, 0), len(s.text))
	line := sort.SearchInts(s.starts, offset+1) // the number of starts <= offset
	return Pos{Line: line, Column: offset - s.starts[line-1] + 1, Byte: offset}
}

// Range returns the piece [start, end) of the text as a range of the named
// file. An end before the start is moved to the start.
func (s *Source) Range(file string, start, end int) Range {
	return Range{File: file, Start: s.Pos(start), End: s.Pos(max(start, end))}
}

// Line returns the text of a line without its end. Line numbers are 1-based;
// a number outside the text gives nil.
func (s *Source) Line(number int) []byte {
	if number < 1 || number > len(s.starts) {
		return nil
	}
	line := s.text[s.starts[number-1]:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = bytes.TrimSuffix(line[:i], []byte("\r"))
	}
	return line
}

// LineStart returns the byte offset of a line's first byte, and the length of
// the text for a number outside the text.
func (s *Source) LineStart(number int) int {
	if number < 1 || number > len(s.starts) {
		return len(s.text)
	}
	return s.starts[number-1]
}

// SourceSet holds the texts of the files that were read, by the name that
// [Range].File has for them.
type SourceSet map[string][]byte

// Source returns the text of a file, nil when it is not in the set. It fits
// [TextOptions].Sources and [SARIF].
func (s SourceSet) Source(file string) []byte { return s[file] }

// sourceIndex looks texts up once per file and keeps their line index.
type sourceIndex struct {
	lookup func(file string) []byte
	known  map[string]*Source
}

func newSourceIndex(lookup func(file string) []byte) sourceIndex {
	return sourceIndex{lookup: lookup, known: map[string]*Source{}}
}

// place returns the source of a range with the range's line and column computed
// anew from its byte offsets, which are the truth. The source is nil when there
// is no text to show: no file, a problem with the file as a whole, an unknown
// text, or offsets that lie outside it.
func (x sourceIndex) place(r Range) (*Source, Range) {
	if r.File == "" || r.Start == (Pos{}) || x.lookup == nil {
		return nil, r
	}
	src, ok := x.known[r.File]
	if !ok {
		if text := x.lookup(r.File); text != nil {
			src = NewSource(text)
		}
		x.known[r.File] = src
	}
	if src == nil || r.Start.Byte < 0 || r.Start.Byte > src.Len() || r.End.Byte > src.Len() {
		return nil, r
	}
	return src, src.Range(r.File, r.Start.Byte, r.End.Byte)
}

// lastLine is the last line that a half-open range touches: a range that ends
// before the first byte of a line does not touch that line.
func (r Range) lastLine() int {
	if r.End.Line > r.Start.Line && r.End.Column <= 1 {
		return r.End.Line - 1
	}
	return max(r.Start.Line, r.End.Line)
}
