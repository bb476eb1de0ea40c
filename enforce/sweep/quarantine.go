package sweep

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/strictjson"
)

// Where quarantine is if it must be on a file system of its own: in the write
// root.
const (
	ownDir        = ".sbc"
	quarantineDir = "quarantine"
)

// Note is the file beside what was moved aside, in JSON. A byte of a path that
// is not UTF-8 is U+0000 and two hexadecimal digits, as package strictjson says.
type Note struct {
	Version int    `json:"version" const:"1"`
	Run     string `json:"run"`
	Path    string `json:"path"`  // where it was
	Moved   string `json:"moved"` // where it is
	Type    string `json:"type"`
	Kind    string `json:"kind"`
	Rule    string `json:"rule"` // the address of the rule
	Reason  string `json:"reason,omitzero"`
	Time    string `json:"time"`    // RFC 3339, UTC
	Restore string `json:"restore"` // a command for a shell such as bash that puts it back
}

func newNote(m *LateMatch, moved, reason, run string, at time.Time) []byte {
	return strictjson.Encode(Note{
		Version: 1, Run: run, Path: m.Path, Moved: moved, Type: m.Type.String(), Kind: m.Kind.String(),
		Rule: m.Address, Reason: reason, Time: at.UTC().Format(time.RFC3339), Restore: restore(moved, m.Path),
	}, strictjson.Options{})
}

// restore returns the command that moves something back and replaces nothing
// (mv of coreutils and busybox).
func restore(from, to string) string { return "mv -nT -- " + quote(from) + " " + quote(to) }

// quote returns s as one word of bash, on one line: in single quotes, or as
// $'...' with octal escapes if it holds what cannot be seen or is not UTF-8.
func quote(s string) string {
	for i, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return ansiQuote(s)
		}
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func ansiQuote(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
