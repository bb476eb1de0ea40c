package diag

import "fmt"

// Format names one of the forms in which a [List] can be printed. The zero
// value is not a format.
type Format string

// The formats. All print the same sorted list.
const (
	// FormatText is for people: [Text].
	FormatText Format = "text"
	// FormatJSON is for programs: [JSON].
	FormatJSON Format = "json"
	// FormatSARIF is for code scanning services and editors: [SARIF].
	FormatSARIF Format = "sarif"
	// FormatGitHub is for the log of a GitHub workflow: [GitHub].
	FormatGitHub Format = "github"
)

// Formats returns every format in the order in which help texts list them.
func Formats() []Format {
	return []Format{FormatText, FormatJSON, FormatSARIF, FormatGitHub}
}

// ParseFormat returns the format with the given name, which must match
// exactly. The error names the choices and the nearest of them.
func ParseFormat(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if string(f) == name {
			return f, nil
		}
		names = append(names, string(f))
	}
	hint := ""
	if near := Nearest(name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return "", fmt.Errorf("unknown format %q%s: use text, json, sarif or github", name, hint)
}
