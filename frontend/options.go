package frontend

import (
	"github.com/sandboxc/sbc/host"
)

// Stdin as the name of a policy means the standard input. Ranges in it have the
// file "<stdin>", and what it extends is relative to WorkDir.
const Stdin = "-"

const stdinFile = "<stdin>"

// Files reads policy files.
type Files interface {
	// ReadFile returns the content of a file. The path is absolute and clean, or
	// [Stdin] if the options name that.
	ReadFile(path string) ([]byte, error)
}

// Options say what to load. Policy, Workspace, Host, Facts and Files are
// required.
type Options struct {
	// Policy is a file (a name with a slash or an extension), the name of a
	// built-in profile, or [Stdin]. A relative file is relative to WorkDir.
	Policy string
	// User is the user's own policy file; empty means none.
	User string
	// Narrow are further policy files of which only the closings count.
	Narrow []string
	// Read and Write are grants for this session: plain paths, relative to
	// WorkDir.
	Read  []string
	Write []string
	// Accepts are losses accepted on the command line, as CODE:RULE.
	Accepts []string
	// Vars are values for the variables of the policies.
	Vars map[string]string
	// SpareVars permits Vars that no policy declares.
	SpareVars bool
	// Env looks up an environment variable for variable blocks; nil knows none.
	Env func(name string) (string, bool)
	// Workspace is the directory that "workspace" means, absolute and resolved.
	Workspace string
	// WorkDir is the directory that relative file names are relative to.
	WorkDir string
	// GitDirs are the git directories of the workspace's checkout.
	GitDirs []string
	Host    host.View
	Facts   *host.Facts
	Files   Files
	// Own is what the caller itself writes and a command must not change.
	Own []Own
}

// Own is a file or directory of sbc's own. It is closed for writing.
type Own struct {
	Path    string // absolute and clean
	Address string // of the rule, in reports
	Reason  string
}
