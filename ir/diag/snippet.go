package diag

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// The number of lines that a snippet shows before it leaves some out, and the
// columns of one line when the width of the terminal is not known.
const (
	maxSubjectLines = 5
	maxContextLines = 8
	maxLineCells    = 200
	tabCells        = 4
)

// row is a line of a snippet.
type row struct {
	number int    // 1-based; 0 stands for lines that were left out
	text   string // safe to print
	marks  string // spaces and marks to print below text; may be empty
}

// snippet returns the lines of src that subject and context touch, with marks
// below what subject covers. Both ranges lie inside src; a zero context means
// none. A line longer than limit columns is cut around its marks.
func snippet(src *Source, subject, context Range, mark string, limit int) []row {
	var rows []row
	last := 0
	for _, n := range shownLines(subject, context) {
		if last != 0 && n != last+1 {
			rows = append(rows, row{})
		}
		rows = append(rows, markedRow(src, n, subject, mark, limit))
		last = n
	}
	return rows
}

// shownLines chooses the line numbers, in order and without repetition.
func shownLines(subject, context Range) []int {
	first, last := subject.Start.Line, subject.lastLine()
	lines := span(first, last)
	if len(lines) > maxSubjectLines {
		lines = append(span(first, first+maxSubjectLines-3), last)
	}
	from, to := context.Start.Line, context.lastLine()
	switch {
	case from < 1 || from > first || to < last: // no context, or not around the subject
	case to-from < maxContextLines:
		lines = append(span(from, to), lines...)
	default:
		lines = append([]int{from}, lines...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func span(from, to int) []int {
	var lines []int
	for n := from; n <= to; n++ {
		lines = append(lines, n)
	}
	return lines
}

func markedRow(src *Source, number int, subject Range, mark string, limit int) row {
	line, start := src.Line(number), src.LineStart(number)
	from := max(subject.Start.Byte-start, 0)
	to := min(subject.End.Byte-start, len(line))
	covered := number >= subject.Start.Line && number <= subject.lastLine()
	switch {
	case !covered:
		from, to = 0, 0
	case number > subject.Start.Line: // do not mark indentation
		from = len(line) - len(bytes.TrimLeft(line, " \t"))
	}
	text, before, under := cut(line, from, to, limit)
	if under == 0 && number == subject.Start.Line {
		under = 1 // an empty range, a line end or the end of the file
	}
	r := row{number: number, text: text}
	if covered && under > 0 {
		r.marks = strings.Repeat(" ", before) + strings.Repeat(mark, under)
	}
	return r
}

// cut returns the visible form of a line, at most limit columns of it, and how
// many columns lie before and under the bytes [from, to). Both may lie behind
// the end of the line.
func cut(line []byte, from, to, limit int) (text string, before, under int) {
	lo := cutStart(line, min(from, len(line)), limit)
	var b strings.Builder
	used := 0
	if lo > 0 {
		b.WriteString("...")
		used = 3
	}
	before = used
	for i := lo; i < len(line); {
		shown, n := cell(line[i:])
		w := cells(shown)
		if used+w > limit {
			b.WriteString("...")
			break
		}
		switch {
		case i+n <= from:
			before += w
		case i < to:
			under += w
		}
		b.WriteString(shown)
		used += w
		i += n
	}
	return b.String(), before, under
}

// cutStart returns where to start a line so that byte offset from comes within
// the first two thirds of limit columns.
func cutStart(line []byte, from, limit int) int {
	room := limit * 2 / 3
	for lo := from; ; {
		if lo == 0 {
			return 0
		}
		_, n := utf8.DecodeLastRune(line[:lo])
		shown, _ := cell(line[lo-n:])
		if room -= cells(shown); room < 0 {
			return lo
		}
		lo -= n
	}
}

// cell returns the visible form of the first character of line and the number
// of its bytes. A tab becomes spaces.
func cell(line []byte) (string, int) {
	r, n := utf8.DecodeRune(line)
	if r == '\t' {
		return strings.Repeat(" ", tabCells), n
	}
	return visibleRune(string(line[:n]), r), n
}
