package host

import (
	"errors"
	"fmt"
	"strings"
)

// ParseMountInfo reads the form of /proc/PID/mountinfo (proc(5)): one mount a
// line, fields separated by single spaces, where a space, tab, newline,
// backslash or hash sign inside a path is a backslash and three octal digits.
// A Root may end in "//deleted" if what is mounted was unlinked, and is no path
// at all for some file systems ("net:[4026531840]"). The error names the line,
// counted from 1.
func ParseMountInfo(data []byte) ([]Mount, error) {
	var ms []Mount
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, nil
	}
	for i, line := range strings.Split(text, "\n") {
		m, err := parseMount(line)
		if err != nil {
			return nil, fmt.Errorf("mountinfo line %d: %w", i+1, err)
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// parseMount reads "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [TAG...] - FSTYPE
// SOURCE OPTIONS". No field can be a lone hyphen but the separator: the fields
// before it are numbers, absolute paths, options and tags.
func parseMount(line string) (Mount, error) {
	left, right, ok := strings.Cut(line, " - ")
	fields := strings.Split(left, " ")
	if !ok || len(fields) < 6 {
		return Mount{}, errors.New("too few fields")
	}
	kind, _, _ := strings.Cut(right, " ")
	m := Mount{Dev: fields[2], FSType: kind}
	var err error
	if m.Root, err = unescapeMount(fields[3]); err != nil {
		return Mount{}, err
	}
	if m.Point, err = unescapeMount(fields[4]); err != nil {
		return Mount{}, err
	}
	if !strings.HasPrefix(m.Point, "/") {
		return Mount{}, fmt.Errorf("the mount point %q is not absolute", m.Point)
	}
	return m, nil
}

// unescapeMount turns each backslash and three octal digits into their byte.
// The kernel escapes every backslash, so anything else is malformed.
func unescapeMount(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		value, ok := octal(s[i+1:])
		if !ok {
			return "", fmt.Errorf("malformed escape in %q", s)
		}
		b.WriteByte(value)
		i += 3
	}
	return b.String(), nil
}

// octal reads three octal digits that make one byte.
func octal(s string) (byte, bool) {
	if len(s) < 3 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s[:3]) {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | int(c-'0')
	}
	return byte(n), n <= 0xff
}
