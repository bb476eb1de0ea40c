package sweep

import (
	"time"

	"github.com/sandboxc/sbc/ir/strictjson"
	"github.com/sandboxc/sbc/target/bwrap"
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
func restore(from, to string) string { return "mv -nT -- " + bwrap.Quote(from) + " " + bwrap.Quote(to) }
