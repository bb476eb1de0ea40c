package main

import (
	"fmt"
	"slices"
	"strings"
)

// contextLines is how many lines stand around a change.
const contextLines = 3

// unified returns the difference of two texts in the unified format, or nothing
// if they are equal. Lines that occur once in each text anchor the comparison,
// so that it takes no longer than sorting and a block that moved is shown as
// such; the shortest difference is not promised.
func unified(oldName, newName string, oldText, newText []byte) string {
	x, y := lines(oldText), lines(newText)
	var out strings.Builder
	var hunk []string
	var startX, startY, nx, ny int // of the hunk, 0-based, and its sizes
	flush := func() {
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(startX, nx), span(startY, ny))
		for _, line := range hunk {
			out.WriteString(line)
			if !strings.HasSuffix(line, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
		hunk, nx, ny = nil, 0, 0
	}
	equal := func(from, to int) { // lines of x that are context
		for _, line := range x[from:to] {
			hunk = append(hunk, " "+line)
		}
		nx += to - from
		ny += to - from
	}
	doneX := 0 // what precedes is in a hunk or left out
	for _, c := range changes(x, y) {
		if lead := c.x0 - doneX; len(hunk) > 0 && lead > 2*contextLines {
			equal(doneX, doneX+contextLines)
			flush()
			doneX = c.x0 - contextLines
		} else if len(hunk) == 0 {
			doneX = max(doneX, c.x0-contextLines)
		}
		if len(hunk) == 0 {
			startX, startY = doneX, c.y0-(c.x0-doneX)
		}
		equal(doneX, c.x0)
		for _, line := range x[c.x0:c.x1] {
			hunk = append(hunk, "-"+line)
		}
		for _, line := range y[c.y0:c.y1] {
			hunk = append(hunk, "+"+line)
		}
		nx, ny = nx+c.x1-c.x0, ny+c.y1-c.y0
		doneX = c.x1
	}
	if len(hunk) > 0 {
		equal(doneX, min(doneX+contextLines, len(x)))
		flush()
	}
	return out.String()
}

// span is a range of lines in the head of a hunk.
func span(start, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", start)
	}
	return fmt.Sprintf("%d,%d", start+1, n)
}

func lines(text []byte) []string { return slices.Collect(strings.Lines(string(text))) }

// change says that x[x0:x1] became y[y0:y1].
type change struct{ x0, x1, y0, y1 int }

// changes returns the changes from x to y, in order and apart from each other.
func changes(x, y []string) []change {
	var out []change
	i, j := 0, 0
	for _, a := range append(anchors(x, y), [2]int{len(x), len(y)}) {
		if a[0] < i || a[1] < j {
			continue // an anchor before it has grown over this one
		}
		// Equal lines before the anchor, and after what came before.
		for i < a[0] && j < a[1] && x[i] == y[j] {
			i, j = i+1, j+1
		}
		x1, y1 := a[0], a[1]
		for x1 > i && y1 > j && x[x1-1] == y[y1-1] {
			x1, y1 = x1-1, y1-1
		}
		if x1 > i || y1 > j {
			out = append(out, change{i, x1, j, y1})
		}
		i, j = a[0], a[1]
		for i < len(x) && j < len(y) && x[i] == y[j] {
			i, j = i+1, j+1
		}
	}
	return out
}

// anchors returns pairs of lines that occur once in x and once in y, in an order
// that ascends in both: the longest such sequence.
func anchors(x, y []string) [][2]int {
	count, inY := map[string]int{}, map[string]int{}
	for _, line := range x {
		count[line]++
	}
	for j, line := range y {
		count[line] += 1 << 32
		inY[line] = j
	}
	var pairs [][2]int
	for i, line := range x {
		if count[line] == 1<<32+1 {
			pairs = append(pairs, [2]int{i, inY[line]})
		}
	}
	// Patience sorting: tops[k] ends the best ascending sequence of k+1 pairs.
	var tops []int
	before := make([]int, len(pairs))
	for n, p := range pairs {
		k, _ := slices.BinarySearchFunc(tops, p[1], func(top, v int) int { return pairs[top][1] - v })
		before[n] = -1
		if k > 0 {
			before[n] = tops[k-1]
		}
		if k == len(tops) {
			tops = append(tops, n)
		} else {
			tops[k] = n
		}
	}
	var out [][2]int
	if len(tops) > 0 {
		for n := tops[len(tops)-1]; n >= 0; n = before[n] {
			out = append(out, pairs[n])
		}
	}
	slices.Reverse(out)
	return out
}
