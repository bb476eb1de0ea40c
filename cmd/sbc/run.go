package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/enforce/request"
)

// runFlags are the flags of sbc run.
type runFlags struct {
	policyFlags
	policy       string
	dir          string
	audit        string
	statusFD     int
	strict       bool
	capture      bool
	json         bool
	trace        bool
	suggest      bool
	interactive  bool
	noQuarantine bool
	dryRun       bool
	quiet        bool
}

// runVerb is the verb that runs a command.
const runVerb = "run"

func newRunCmd(a *app) *cobra.Command {
	f := runFlags{statusFD: -1}
	cmd := &cobra.Command{
		Use:   runVerb + " [FLAGS] -- COMMAND [ARG...]",
		Short: "run a command under a policy",
		Long: `Runs a command in a sandbox that means what the policy says: by bubblewrap on Linux, by
sandbox-exec on macOS. Without -p the policy is $SBC_POLICY, else .sbc/policy.hcl of the
workspace as far as it is trusted, else the built-in ` + defaultPolicy + `.

The command never runs without its sandbox. A rule that this system cannot keep and that
nobody accepted, a missing bubblewrap, a file that changed between the check and the start:
each of them ends sbc run before the start, with the status 125.

The status is that of the command; 128 and the number of the signal that ended it; 124 if it
took longer than limits.wall; 125 if sbc refused or failed before the start; 126 if the
command cannot be executed inside, and 127 if it is not found there. It is 125 too if sbc could
not print or record what a command did that ran. --status-fd tells all of that apart.

--trace records which system calls were denied. With --suggest sbc prints the lines of policy
that would have let the command through, and with --interactive it asks; both turn --trace on
unless the output is captured. Nothing is granted by itself; --read and --write are grants for
one run. Denying rules stay closed whatever is granted.`,
		Example: `  sbc run -- make test
  sbc run -p policy.hcl --write ./dist --audit ~/sbc-audit.jsonl -- npm run build`,
		RunE: func(_ *cobra.Command, args []string) error { return a.runCommand(args, &f) },
	}
	policyFlag(cmd, &f.policy)
	f.registerLayers(cmd)
	f.host = hostLive
	fs := cmd.Flags()
	fs.SetInterspersed(false) // what follows the command belongs to it
	fs.StringVar(&f.dir, "dir", "", "start the command in `DIR` (default: the current directory)")
	fs.StringVar(&f.audit, "audit", "", "append one line of JSON about the run to `FILE`")
	fs.IntVar(&f.statusFD, "status-fd", -1, "write how the run ended to the descriptor `N`, as one line of JSON")
	fs.BoolVar(&f.strict, "strict", false, "a rule of your own that covers only what exists at the start is an error")
	fs.BoolVar(&f.capture, "capture", false, "keep the beginning and the end of what the command prints (limits.output) and print that at the end")
	fs.BoolVar(&f.json, "json", false, "capture, and print one JSON object about the run instead")
	fs.BoolVar(&f.trace, "trace", false, "record denied system calls (slower)")
	fs.BoolVar(&f.suggest, "suggest", false, "print the lines of policy that would have let the command through")
	fs.BoolVar(&f.interactive, "interactive", false, "ask on the terminal whether to grant what was denied, and run the command again with it")
	fs.BoolVar(&f.noQuarantine, "no-quarantine", false, "only report names that appeared during the run and that a guard closes")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print what would run, and run nothing")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "do not print notes about the policy")
	return cmd
}

// check finds flags that do not go together, and a command that is missing.
func (f *runFlags) check(args []string) error {
	switch {
	case len(args) == 0:
		return misuse("write it after --, as in: sbc run -- make test", "run needs a command")
	case f.interactive && f.json:
		return misuse("leave one of them out", "--interactive and --json contradict each other")
	case f.dryRun && (f.interactive || f.json):
		return misuse("leave --dry-run out, or --interactive and --json", "--dry-run prints what would run, and nothing else")
	case f.statusFD >= 0 && f.statusFD < 3:
		return misuse("name a descriptor from 3 on, as in: sbc run --status-fd 3 -- true 3>status", "--status-fd %d is a standard stream", f.statusFD)
	case f.statusFD < -1:
		return misuse("name a descriptor from 3 on", "--status-fd %d is no descriptor", f.statusFD)
	}
	return nil
}

// notRun gives an error of sbc run the status for that, unless it is a command's
// own: the other statuses of sbc are among those that commands have.
func notRun(err error) error {
	f := &fault{}
	if !errors.As(err, &f) {
		return &fault{status: request.StatusRefused, text: err.Error(), hint: "run sbc run --help"}
	}
	if !f.own {
		f.status = max(f.status, request.StatusRefused)
	}
	return f
}
