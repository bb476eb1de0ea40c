package run

import (
	"os"
	"time"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
)

// Job is a command and the policy that it is to run under.
type Job struct {
	// Artifact is what the policy was compiled to, and proved to mean it.
	Artifact target.Artifact
	// Policy returns the policy; it is asked for when something must be explained
	// or looked for. Hash is its hash.
	Policy func() (*ir.Policy, error)
	Hash   string
	// Env and Output are the policy's environment and limits.output.
	Env    *ir.Env
	Output int64
	Wall   time.Duration
	// Accepted are the addresses of rules whose losses somebody accepted.
	Accepted []string
	// Hold is set if bubblewrap can bind what a descriptor leads to (--bind-fd and
	// --ro-bind-fd): then nothing can be exchanged between the second look at the
	// sources and the mounts.
	Hold bool
	// Cover is set if bubblewrap takes long over many mounts, as before 0.13: then
	// a helper covers what is closed. The program must call [cover.Main] first of
	// all.
	Cover bool
	// View answered when the artefact was made, and answers the same again.
	View host.View
	// Budget bounds a search for names that rules close; its time starts when it
	// is called.
	Budget func() target.Budget
	// Home is the directory of sbc's own state: the registry of placeholders,
	// and quarantine.
	Home string

	// Command is the program, by a name or a path, and its arguments.
	Command []string
	// Dir is where it starts, absolute.
	Dir string
	// Environ is the caller's environment, as os.Environ returns it.
	Environ []string

	Stdin, Stdout, Stderr *os.File
	// Capture keeps the beginning and the end of stdout and stderr instead of
	// passing them through.
	Capture bool
	// Trace records denied system calls.
	Trace bool
	// Quarantine moves aside what appeared and would run later; otherwise it is
	// only reported.
	Quarantine bool
	// Grace is how long a command that is told to end may take.
	Grace time.Duration
}
