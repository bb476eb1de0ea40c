package diag

import "strings"

// Nearest returns the candidate that name is most likely a misspelling of, or
// "" when none is near. Near means at most two insertions, deletions or
// replacements of a character, fewer than the name is long; the case of letters
// does not count. Among equally near candidates the first wins.
func Nearest(name string, candidates []string) string {
	want := []rune(strings.ToLower(name))
	best, found := min(3, len(want)), ""
	for _, c := range candidates {
		have := []rune(strings.ToLower(c))
		if abs(len(have)-len(want)) >= best {
			continue
		}
		if n := distance(want, have); n < best {
			best, found = n, c
		}
	}
	return found
}

// distance is the Levenshtein distance, one row of its table at a time.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, rb := range b {
			n := min(row[j], row[j+1]) + 1
			if ra == rb {
				n = min(n, diagonal)
			} else {
				n = min(n, diagonal+1)
			}
			diagonal, row[j+1] = row[j+1], n
		}
	}
	return row[len(b)]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
