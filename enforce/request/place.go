package request

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

// The exit statuses of a command that cannot be started, as shells have them
// (POSIX, "Exit Status for Commands").
const (
	StatusRefused       = 125
	StatusNotExecutable = 126
	StatusNotFound      = 127
)

// Error is a request that cannot be carried out.
type Error struct {
	Status int
	Text   string // lower case, without a full stop
	Hint   string // what to do, or empty
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

func refuse(status int, hint, format string, args ...any) *Error {
	return &Error{Status: status, Text: fmt.Sprintf(format, args...), Hint: hint}
}

// Inside says what a command finds inside its sandbox.
type Inside struct {
	View host.View
	// Closed reports whether the policy closes a path for reading, and by what:
	// a clause for a message, such as " (filesystem.deny.x)".
	Closed func(path string, dir bool) (by string, closed bool)
	// Storage returns the directory of the sandbox's own in which a path lies,
	// such as a private /tmp, or nothing. Such a directory starts empty: what the
	// host has there is not inside.
	Storage func(path string) string
	// Executable reports whether the user may execute a file of the host.
	Executable func(path string) bool
}

// defaultPath is where programs are looked for without a PATH, as execvp(3)
// does.
const defaultPath = "/bin:/usr/bin"

// Program returns the path of a program as the command will name it. A name with
// a slash is relative to dir; another one is looked for in the directories of
// searchPath, of which an empty one is dir. Links in the directories are
// followed, the last name stays as it is: programs look at it.
func (in Inside) Program(name, dir, searchPath string) (string, *Error) {
	switch {
	case name == "":
		return "", refuse(StatusNotFound, "write the command after --", "the command has no name")
	case strings.IndexByte(name, 0) >= 0:
		return "", refuse(StatusNotFound, "", "the name of the command %q holds a NUL", name)
	case strings.Contains(name, "/"):
		found, err := in.program(absolute(dir, name))
		if err != nil {
			return "", err
		}
		return found, nil
	}
	if searchPath == "" {
		searchPath = defaultPath
	}
	var closest *Error
	for entry := range strings.SplitSeq(searchPath, ":") {
		found, err := in.program(absolute(dir, path.Join(absolute(dir, entry), name)))
		if err == nil {
			return found, nil
		}
		if err.Status == StatusNotExecutable && closest == nil {
			closest = err
		}
	}
	if closest != nil {
		return "", closest
	}
	return "", refuse(StatusNotFound, "install it, or give its path; the sandbox looks in "+searchPath, "the command %q is not found", name)
}

func absolute(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// program checks one candidate.
func (in Inside) program(p string) (string, *Error) {
	missing := refuse(StatusNotFound, "", "the command %q does not exist", p)
	parent, err := host.ResolveParent(in.View, p)
	if err != nil || parent.Missing != "" {
		return "", missing
	}
	real, err := host.Resolve(in.View, p)
	if err != nil || real.Missing != "" || in.Storage(real.Path) != "" {
		return "", missing
	}
	switch {
	case real.Node.Type == host.Dir:
		return "", refuse(StatusNotExecutable, "", "the command %q is a directory", p)
	case real.Node.Type != host.File:
		return "", refuse(StatusNotExecutable, "", "the command %q is no regular file", p)
	}
	if by, closed := in.Closed(real.Path, false); closed {
		return "", refuse(StatusNotExecutable, "open it with --read "+bwrap.Quote(real.Path)+", if it may be read", "the policy closes the command %q%s", p, by)
	}
	if !in.Executable(real.Path) {
		return "", refuse(StatusNotExecutable, "", "the command %q is not executable", p)
	}
	// Where a link stands that the sandbox does not have, the file itself is
	// named.
	if parent.Path != real.Path {
		if _, closed := in.Closed(parent.Path, false); closed || in.Storage(parent.Path) != "" {
			return real.Path, nil
		}
	}
	return parent.Path, nil
}

// Dir checks the directory in which a command is to start, and returns it
// without links. It must exist inside, and be readable there.
func (in Inside) Dir(dir string) (string, *Error) {
	const hint = "start it elsewhere with --dir, or open the directory with --read"
	r, err := host.Resolve(in.View, dir)
	switch {
	case err != nil:
		return "", refuse(StatusRefused, hint, "the directory %q cannot be looked at: %v", dir, err)
	case r.Missing != "":
		return "", refuse(StatusRefused, "name another one with --dir", "the directory %q does not exist", dir)
	case r.Node.Type != host.Dir:
		return "", refuse(StatusRefused, "name another one with --dir", "%q is not a directory", dir)
	}
	if in.Storage(r.Path) != "" {
		if in.Storage(r.Path) == r.Path {
			return r.Path, nil
		}
		return "", refuse(StatusRefused, "name another one with --dir", "the directory %q does not exist inside the sandbox, which has its own storage there", dir)
	}
	if by, closed := in.Closed(r.Path, true); closed {
		return "", refuse(StatusRefused, hint, "the policy closes the directory %q in which the command would start%s", dir, by)
	}
	return r.Path, nil
}

// Mode is what decides whether a user may execute a file, by its mode alone.
type Mode struct {
	UID    int
	Groups []int
}

// Executes reports whether the user may execute a file of the owner, group and
// permissions, without any capability: root inside a sandbox has none.
func (m Mode) Executes(uid, gid int, perm fs.FileMode) bool {
	switch {
	case uid == m.UID:
		return perm&0o100 != 0
	case slices.Contains(m.Groups, gid):
		return perm&0o010 != 0
	}
	return perm&0o001 != 0
}
