package document

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const quantityHelp = `Sizes are whole numbers with B, KiB, MiB, GiB or TiB ("512MiB"); durations are whole numbers with ms, s, m, h or d ("90s", "1h30m").`

// The largest quantities that make sense; more is taken for a mistake.
const (
	maxSize     = int64(1) << 50 // 1 PiB
	maxDuration = 366 * 24 * time.Hour
)

var sizeUnits = map[string]int64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

// ParseSize reads a size with a binary unit, in bytes. Decimal and one-letter
// units are refused: "2G" is read as either of two sizes. Zero, negative and
// absurd sizes are refused.
func ParseSize(s string) (int64, error) {
	if strings.HasPrefix(s, "-") {
		return 0, fmt.Errorf("%q is negative", s)
	}
	n, unit, err := number(s)
	if err != nil {
		return 0, err
	}
	mult, ok := sizeUnits[unit]
	switch {
	case unit == "":
		return 0, fmt.Errorf("the size %q has no unit", s)
	case !ok && suggestSize(unit) != "":
		return 0, fmt.Errorf("the unit of %q is ambiguous; write %d%s", s, n, suggestSize(unit))
	case !ok:
		return 0, fmt.Errorf("the size %q has an unknown unit", s)
	case n == 0:
		return 0, errors.New("the size is zero")
	case n > maxSize/mult:
		return 0, fmt.Errorf("the size %q is absurd", s)
	}
	return n * mult, nil
}

func suggestSize(unit string) string {
	switch strings.ToUpper(unit) {
	case "B":
		return "B"
	case "K", "KB", "KIB":
		return "KiB"
	case "M", "MB", "MIB":
		return "MiB"
	case "G", "GB", "GIB":
		return "GiB"
	case "T", "TB", "TIB":
		return "TiB"
	}
	return ""
}

var durationUnits = []struct {
	name string
	unit time.Duration
}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}}

// ParseDuration reads a duration of one or more parts with units, largest
// first, in nanoseconds. Zero, negative and absurd durations are refused.
func ParseDuration(s string) (int64, error) {
	if strings.HasPrefix(s, "-") {
		return 0, fmt.Errorf("%q is negative", s)
	}
	var total time.Duration
	rest, next := s, 0
	for rest != "" {
		i := strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })
		j := len(rest)
		if i >= 0 {
			if k := strings.IndexFunc(rest[i:], func(c rune) bool { return '0' <= c && c <= '9' }); k >= 0 {
				j = i + k
			}
		}
		n, unit, err := number(rest[:j])
		if err != nil {
			return 0, err
		}
		if unit == "" {
			return 0, fmt.Errorf("the duration %q has no unit", s)
		}
		k := next
		for k < len(durationUnits) && durationUnits[k].name != unit {
			k++
		}
		if k == len(durationUnits) {
			return 0, fmt.Errorf("the duration %q has an unknown unit, or its units are out of order", s)
		}
		u := durationUnits[k].unit
		if n > int64(maxDuration/u) || total+time.Duration(n)*u > maxDuration {
			return 0, fmt.Errorf("the duration %q is absurd", s)
		}
		total += time.Duration(n) * u
		rest, next = rest[j:], k+1
	}
	if s == "" {
		return 0, errors.New("the duration is empty")
	}
	if total == 0 {
		return 0, errors.New("the duration is zero")
	}
	return int64(total), nil
}

// number splits a whole number without sign from what follows it.
func number(s string) (int64, string, error) {
	if s == "" {
		return 0, "", errors.New("the value is empty")
	}
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	if i == 0 || (i > 1 && s[0] == '0') {
		return 0, "", fmt.Errorf("%q is not a whole number with a unit", s)
	}
	if i < len(s) && (s[i] == '.' || s[i] == ',' || s[i] == '_' || s[i] == ' ') {
		return 0, "", fmt.Errorf("%q is not a whole number with a unit", s)
	}
	n, err := strconv.ParseInt(s[:i], 10, 64)
	if err != nil {
		return 0, "", fmt.Errorf("%q is absurd", s)
	}
	return n, s[i:], nil
}
