package bwrap

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/ir"
)

// Kind is what a mount does.
type Kind string

// The kinds. The words are part of the plan's JSON form.
const (
	ReadOnlyBind Kind = "read-only"   // the host's tree, read-only
	WritableBind Kind = "writable"    // the host's tree, writable
	PinBind      Kind = "pin"         // the writable tree onto itself, so that it cannot be renamed
	DeviceBind   Kind = "device"      // a device node or a directory of them
	ClosedDir    Kind = "closed-dir"  // an empty directory that may not be listed
	ClosedFile   Kind = "closed-file" // an empty file that may not be read
	EmptyDir     Kind = "empty-dir"   // an empty directory that may be listed
	MadeDir      Kind = "made-dir"    // a directory on the way to something open
	MadeLink     Kind = "made-link"   // a symbolic link where the host's is not seen
	PrivateTmp   Kind = "tmp"         // fresh storage that anyone may write
	PrivateDev   Kind = "dev"         // a minimal /dev
	PrivateProc  Kind = "proc"        // the processes of the sandbox
)

// Kinds lists the kinds.
func Kinds() []Kind {
	return []Kind{
		ReadOnlyBind, WritableBind, PinBind, DeviceBind, ClosedDir, ClosedFile, EmptyDir, MadeDir, MadeLink,
		PrivateTmp, PrivateDev, PrivateProc,
	}
}

// Mount is one step of a plan. Paths are those of the host and of the sandbox
// at once; no component is a symbolic link.
type Mount struct {
	Kind Kind
	Path string
	// Host is what the host has at the path when the sandbox is made: "file",
	// "dir" and so on; empty if it has nothing, as for what lies in a made
	// directory.
	Host string
	// Perm is the mode of a directory or file that the mount makes.
	Perm fs.FileMode
	// Text is the text of a MadeLink.
	Text string
	// FD is the descriptor of the empty content of a ClosedFile; 0 means that
	// the plan's MaskFile is bound instead.
	FD int
	// Late is set for an empty directory in which other mounts are made: it is
	// remounted read-only after all of them.
	Late bool
	// Placeholder is set if the path does not exist on the host: the launcher
	// makes an empty directory there and removes it after the run.
	Placeholder bool
	// Optional is set for what a scan found: a match of a glob, a directory that
	// is pinned for one, another name of something closed. If it has vanished
	// by the time of the start, the mount can be left out.
	Optional bool
	// Rules are indices in Policy.Files: the rules that the mount comes from.
	Rules []int
}

// Args returns the mount's arguments. maskFile is the plan's MaskFile.
func (m Mount) Args(maskFile string) []string {
	switch m.Kind {
	case ReadOnlyBind:
		return []string{"--ro-bind", m.Path, m.Path}
	case WritableBind, PinBind:
		return []string{"--bind", m.Path, m.Path}
	case DeviceBind:
		return []string{"--dev-bind", m.Path, m.Path}
	case ClosedDir, EmptyDir:
		args := []string{"--perms", octal(m.Perm), "--tmpfs", m.Path}
		if !m.Late {
			args = append(args, "--remount-ro", m.Path)
		}
		return args
	case ClosedFile:
		if m.FD == 0 {
			return []string{"--ro-bind", maskFile, m.Path}
		}
		return []string{"--perms", octal(m.Perm), "--ro-bind-data", strconv.Itoa(m.FD), m.Path}
	case MadeDir:
		return []string{"--perms", octal(m.Perm), "--dir", m.Path}
	case MadeLink:
		return []string{"--symlink", m.Text, m.Path}
	case PrivateTmp:
		return []string{"--perms", octal(m.Perm), "--tmpfs", m.Path}
	case PrivateDev:
		return []string{"--dev", m.Path}
	case PrivateProc:
		// Root outside owns the kernel's settings here too, and may change them
		// without any capability: core_pattern names a program that runs as root.
		settings := m.Path + "/sys"
		return []string{"--proc", m.Path, "--ro-bind", settings, settings}
	}
	panic("internal error: unknown kind of mount " + string(m.Kind) + "; please report")
}

// MountOver returns the arguments of the mount that decides what the kernel
// permits at a path, quoted on one line: the last one at the path or at an
// ancestor of it. It is empty if the path lies on no mount of the plan.
func (p *Plan) MountOver(path string) string {
	for _, m := range slices.Backward(p.Mounts) {
		if ir.Beneath(path, m.Path) {
			return p.line(m)
		}
	}
	return ""
}

// line is the arguments of a mount, quoted on one line.
func (p *Plan) line(m Mount) string {
	var words []string
	for _, a := range m.Args(p.MaskFile) {
		words = append(words, Quote(a))
	}
	return strings.Join(words, " ")
}

// Needs returns the type of what must be at the mount's path when the sandbox is
// made, no component of it a symbolic link; ok is false if nothing must. A
// launcher checks this immediately before the start, since bubblewrap follows
// links. A placeholder's path must not exist, or be a placeholder.
func (m Mount) Needs() (hostType string, ok bool) {
	switch m.Kind {
	case MadeDir, MadeLink:
		return "", false
	case ReadOnlyBind, WritableBind, PinBind, DeviceBind, ClosedDir, ClosedFile, EmptyDir, PrivateTmp, PrivateDev, PrivateProc:
	}
	return m.Host, m.Host != ""
}

// octal prints permission bits as bubblewrap reads them, at least three digits.
func octal(p fs.FileMode) string { return fmt.Sprintf("%04o", unixPerm(p)) }

// unixPerm returns the mode as chmod(2) takes it.
func unixPerm(p fs.FileMode) uint32 {
	out := uint32(p.Perm())
	if p&fs.ModeSticky != 0 {
		out |= 0o1000
	}
	return out
}
