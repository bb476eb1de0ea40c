package trace

import "fmt"

// MaxText is the bound on the text of all records.
const MaxText = maxText

// ParseAddress returns family, path and text of an address, or "none".
func ParseAddress(b []byte) string {
	a, ok := parseAddress(b)
	if !ok {
		return "none"
	}
	return fmt.Sprintf("%s %q %q", a.family, a.path, a.text)
}
