package host

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Bwrap is the bubblewrap of a machine.
type Bwrap struct {
	Path    string
	Version string   // as `bwrap --version` prints it, such as "0.8.0"; empty if it did not answer
	Flags   []string // the options that `bwrap --help` lists, sorted, with "--"
}

// Has reports whether the bubblewrap knows the option. What --help lists
// counts, not the version: distributions add options to old versions.
func (b *Bwrap) Has(flag string) bool { return b != nil && slices.Contains(b.Flags, flag) }

// Before reports whether the bubblewrap is older than a version such as
// "0.12.0". A missing one, or one whose version cannot be read, is.
func (b *Bwrap) Before(version string) bool {
	if b == nil {
		return true
	}
	have, ok := parseVersion(b.Version)
	want, _ := parseVersion(version)
	return !ok || slices.CompareFunc(have, want, cmp.Compare[int]) < 0
}

// parseVersion reads numbers with dots between them. Something may follow the
// last number, as in "0.11.0-rc1", but a number must come first.
func parseVersion(s string) (numbers []int, ok bool) {
	for part := range strings.SplitSeq(s, ".") {
		digits := part[:len(part)-len(strings.TrimLeft(part, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
		if digits != part {
			break
		}
	}
	for len(numbers) > 0 && numbers[len(numbers)-1] == 0 {
		numbers, ok = numbers[:len(numbers)-1], true // 0.12 is 0.12.0
	}
	return numbers, ok || len(numbers) > 0
}

// ParseBwrapVersion reads what `bwrap --version` prints: "bubblewrap 0.8.0". It
// is "" for anything else.
func ParseBwrapVersion(out []byte) string {
	fields := strings.Fields(string(out))
	if len(fields) != 2 || fields[0] != "bubblewrap" {
		return ""
	}
	return fields[1]
}

// ParseBwrapFlags reads what `bwrap --help` prints: one option a line, indented,
// with its arguments and a sentence behind it. The options come sorted, each
// once.
func ParseBwrapFlags(out []byte) []string {
	var flags []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) > 0 && len(fields[0]) > len("--") && strings.HasPrefix(fields[0], "--") {
			flags = append(flags, fields[0])
		}
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}
