package bwrap

import (
	"io/fs"
	"slices"
	"time"

	"github.com/sandboxc/sbc/ir"
)

// PlanVersion is the version of the plan's JSON form.
const PlanVersion = 1

// The descriptors that the arguments name. They are consecutive, as os/exec
// numbers ExtraFiles.
const (
	SeccompFD = 3 // the seccomp program, to be read once from its beginning
	ArgsFD    = 4 // kept free for the arguments themselves: bwrap --args 4
	MaskFD    = 5 // the first of the plan's masks, each a stream that is empty
)

// sharedMasks is how many closed files get a descriptor each; with more of
// them one file of the host is bound everywhere.
const sharedMasks = 200

// tmpPerm is the mode of private storage: anyone may write, only owners remove.
const tmpPerm = 0o777 | fs.ModeSticky

// Plan is everything that happens around one run: what the launcher prepares,
// what bubblewrap is told, in order, and what only the launcher can keep.
type Plan struct {
	// Mounts are in order: a directory before what lies beneath it.
	Mounts []Mount
	// Seal are the directories to remount read-only after all mounts, deepest
	// first. "/" is the last one unless it is writable.
	Seal []string
	// HideRoot is set if "/" may not be listed.
	HideRoot bool
	// ShareNet is set if the command has the host's network.
	ShareNet bool
	// NewSession is set unless the command keeps the caller's terminal.
	NewSession bool
	// DisableUserns is set if nested user namespaces are refused by
	// bubblewrap, besides the seccomp program.
	DisableUserns bool

	// Create are directories that the launcher makes before the start, as
	// mkdir -p does, and leaves.
	Create []string
	// Placeholders are empty directories that the launcher makes before the
	// start and removes after the run, unless another sandbox still needs them.
	Placeholders []string
	// MaskFile is the empty file without permissions that the launcher makes
	// if it is missing; empty if it is not needed.
	MaskFile string
	// Masks is how many empty streams are passed, from MaskFD on.
	Masks int
	// Writable are the paths that are writable on the host, and private
	// storage; sorted. A temporary directory must lie beneath one of them.
	Writable []string

	// Supervise is what the launcher decides while the command runs; nil if the
	// mounts hold everything, or nothing can decide.
	Supervise *Supervision

	Env      ir.Env
	TmpMode  ir.TmpMode
	Wall     time.Duration // 0 means no limit, as for all limits
	CPU      time.Duration
	Memory   int64
	Procs    int64
	Open     int64
	FileSize int64
	Output   int64
}

// Storage returns the directory of the sandbox's own in which a path lies, such
// as /proc or a private /tmp; empty if the path is the host's, or is not inside.
func (p *Plan) Storage(path string) string {
	for _, m := range slices.Backward(p.Mounts) {
		if ir.Beneath(path, m.Path) {
			switch m.Kind {
			case PrivateTmp, PrivateDev, PrivateProc:
				return m.Path
			case ReadOnlyBind, WritableBind, PinBind, DeviceBind, ClosedDir, ClosedFile, EmptyDir, MadeDir, MadeLink:
			}
			return ""
		}
	}
	return ""
}

// Readable reports whether the command may read what is at a path: the content
// of a file, the names in a directory. Mounts decide it, and not the permissions
// of the file.
func (p *Plan) Readable(path string) bool {
	for _, m := range slices.Backward(p.Mounts) {
		if !ir.Beneath(path, m.Path) {
			continue
		}
		switch m.Kind {
		case ReadOnlyBind, WritableBind, PinBind, DeviceBind, PrivateTmp, PrivateDev, PrivateProc:
			return true
		case MadeDir, EmptyDir:
			return path == m.Path && m.Perm&0o444 != 0
		case ClosedDir, ClosedFile, MadeLink:
			return false
		}
	}
	return false
}
