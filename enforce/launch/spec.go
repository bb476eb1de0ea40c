package launch

import (
	"os"
	"time"

	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/enforce/limits"
	"github.com/sandboxc/sbc/enforce/supervise"
	"github.com/sandboxc/sbc/target/bwrap"
)

// DefaultGrace is how long a command that is told to end may take.
const DefaultGrace = 5 * time.Second

// Spec is one command and what it runs in. The zero value of everything but the
// first three fields is usable.
type Spec struct {
	// Artifact is the compiled policy. What its plan wants on the host
	// (directories, placeholders, the mask file) must be there already.
	Artifact *bwrap.Artifact
	// Bwrap is the absolute path of bubblewrap.
	Bwrap string
	// Command is the absolute path of the program, as the sandbox sees it, and
	// its arguments.
	Command []string
	// Dir is the working directory, as the sandbox sees it; empty means "/".
	Dir string
	// Env is the whole environment, NAME=value each. The last value of a name
	// that is given twice is the one that most programs see.
	Env []string
	// Stdin, Stdout and Stderr are passed on as they are; nil means /dev/null.
	// The caller reads pipes and closes its own ends. Before the command runs,
	// messages of bubblewrap go to Stderr too.
	Stdin, Stdout, Stderr *os.File
	// Terminal is set if the command keeps the caller's controlling terminal,
	// which the policy must permit (Plan.NewSession is false). The command's
	// process group becomes the foreground group while it runs, so that the keys
	// for interrupt and suspend reach the command and not the caller. Nil means
	// that the command gets a session of its own, without a terminal.
	Terminal *os.File
	// Sources are open files, by the paths of mounts that bind them
	// ([bwrap.Mount.Holdable]): bubblewrap binds these, and does not look at the
	// paths again. It must have the options --bind-fd and --ro-bind-fd.
	Sources map[string]*os.File
	// Cover is the plan of Artifact in two steps: a helper covers much of what is
	// closed, when bubblewrap has done the rest and before Held is called. Where the
	// system does not permit that, bubblewrap is told the whole plan. Nil means
	// that it is told so at once. The program must call [cover.Main] first of all.
	Cover *cover.Work
	// Limits are set on the command before it runs.
	Limits []limits.Rlimit
	// Group is the control group that the command is put into; nil means that
	// of the caller. Run neither makes nor removes it.
	Group *limits.Group
	// Wall is how long the command may take; 0 means as long as it likes. It
	// counts while the command is stopped, too.
	Wall time.Duration
	// Grace is how long the command may take to end after it was told to; 0
	// means DefaultGrace.
	Grace time.Duration
	// Held is called with the process id of the command, as the caller sees it,
	// when the sandbox is ready and Limits and Group are set, and before the
	// seccomp program and the command's own are loaded. The process is stopped
	// until Held returns. After an error the command does not run.
	Held func(pid int) error
	// Supervise decides about each name that the command makes; nil for none.
	Supervise *supervise.Config
	// Attach says that Held attaches a tracer to the process by PTRACE_SEIZE:
	// then it is stopped by SIGSTOP and not traced while Held runs, and Run
	// sends SIGCONT afterwards. The tracer should set PTRACE_O_EXITKILL, and has
	// to let the process pass. Run then learns from bubblewrap's status alone
	// whether the program was loaded.
	Attach bool
}

func (s *Spec) grace() time.Duration {
	if s.Grace > 0 {
		return s.Grace
	}
	return DefaultGrace
}
