package limits

import "fmt"

// Newer reports whether a kernel's release, as in uname(2), is a version or a
// later one.
func Newer(release string, major, minor int) bool {
	var a, b int
	if _, err := fmt.Sscanf(release, "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}
