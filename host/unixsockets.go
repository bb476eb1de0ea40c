package host

import (
	"path"
	"slices"
	"strings"
)

// ParseUnixSockets reads /proc/net/unix (proc(5)): a line of headings, then one
// socket a line, "ADDRESS: REFERENCES PROTOCOL FLAGS TYPE STATE INODE [PATH]".
// It returns the absolute paths that are bound, clean, sorted, each once.
// Abstract names ("@name") are no paths, and a path that was bound relative to a
// directory cannot be found again; such sockets are left out. So are those of
// other network namespaces, which the file does not list. A newline in a path
// is part of it, as the kernel does not escape it.
func ParseUnixSockets(data []byte) []string {
	var paths []string
	bound := false // whether the line before ended in a path that a newline may continue
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		p, ok := socketPath(line)
		switch {
		case ok && strings.HasPrefix(p, "/"):
			paths, bound = append(paths, p), true
		case ok:
			bound = false
		case bound:
			paths[len(paths)-1] += "\n" + line
		}
	}
	for i, p := range paths {
		paths[i] = path.Clean(p)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// socketPath returns the last field of a line of /proc/net/unix. The widths of
// the others are fixed but for the address and the inode number: "%pK: %08X
// %08X %08X %04X %02X %5lu".
func socketPath(line string) (string, bool) {
	rest := line
	for i, width := range []int{0, 8, 8, 8, 4, 2, 0} {
		field, after, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
		if i == 0 {
			var colon bool
			if field, colon = strings.CutSuffix(field, ":"); !colon {
				return "", false
			}
		}
		if field == "" || width != 0 && len(field) != width || strings.Trim(field, "0123456789abcdefABCDEF") != "" {
			return "", false
		}
		rest = after
	}
	return rest, true
}
