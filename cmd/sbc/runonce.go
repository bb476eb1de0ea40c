package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sandboxc/sbc/enforce/audit"
	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/enforce/recheck"
	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/host/doctor"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// startTries is how often a run is compiled because the machine has changed since
// the last time, such as by a file that an editor saved.
const startTries = 3

// execution is one call of sbc run.
type execution struct {
	app   *app
	flags *runFlags
	args  []string
	start time.Time
	log   *audit.Log // nil without --audit

	// What is known of the run so far; each may be missing.
	compiled *compiled
	approved *run.Approved
	result   *run.Result
	remedies remedies
	phases   phases
	said     bool   // what came of the run was printed
	same     string // the hash of the command that was approved before, if it was
}

// phases is how long the parts took.
type phases struct {
	Load    float64 `json:"load_seconds"`
	Compile float64 `json:"compile_seconds"`
	Prove   float64 `json:"prove_seconds"`
	Run     float64 `json:"run_seconds"`
}

// runCommand runs a command, or says why not. Whatever goes wrong before the
// start has one status, which lies above those of the other verbs.
func (a *app) runCommand(args []string, f *runFlags) error {
	x := &execution{app: a, flags: f, args: args, start: time.Now()}
	err := x.open()
	for again := err == nil; again; {
		if err = x.run(); err == nil {
			err = x.remedy()
		}
		if again = err == nil && !f.dryRun && x.ask(); again {
			err = x.again()
			again = err == nil
		}
	}
	if x.result == nil && err != nil {
		fail := &fault{text: err.Error()}
		errors.As(err, &fail)
		x.result = &run.Result{Status: run.Refused, Err: &request.Error{Status: request.StatusRefused, Text: fail.text, Hint: fail.hint}}
	}
	return x.close(err)
}

// again puts the run on record and prepares another one of the same command, with
// what was granted.
func (x *execution) again() error {
	if err := x.append(); err != nil {
		return err
	}
	for _, g := range x.remedies.grants {
		x.flags.add(g)
	}
	x.same = x.approved.Command()
	x.start, x.phases, x.remedies, x.approved, x.result, x.said = time.Now(), phases{}, remedies{}, nil, nil, false
	return nil
}

// open opens what is written about the run, so that a run of which nothing can
// be told does not take place.
func (x *execution) open() error {
	if err := x.flags.check(x.args); err != nil {
		return err
	}
	x.flags.trace = x.flags.trace || (x.flags.suggest || x.flags.interactive) && !x.flags.capture && !x.flags.json // what it judges by
	if err := x.statusOpen(); err != nil {
		x.flags.statusFD = -1 // nothing can be said there
		return err
	}
	if x.flags.audit == "" {
		return nil
	}
	name, err := filepath.Abs(x.flags.audit)
	if err == nil {
		x.flags.audit = name
		x.log, err = audit.Open(name)
	}
	if err != nil {
		return misuse("name a regular file in a directory that exists", "%v", err)
	}
	return nil
}

// run compiles and runs, again if something vanished in between.
func (x *execution) run() error {
	for try := 1; ; try++ {
		err := x.once(try > 1)
		changed := (*recheck.ChangedError)(nil)
		switch {
		case !errors.As(err, &changed):
			return err
		case try == startTries:
			return &fault{text: changed.Error(), hint: "run it again; nothing has been started"}
		}
	}
}

// once compiles the policy and runs the command under it.
func (x *execution) once(fresh bool) error {
	a := x.app
	facts, err := a.liveFacts(false)
	if err != nil {
		return err
	}
	home := stateHome(a.env, facts.Home)
	ownDirs(home, facts)
	lap := x.clock()
	left, err := placeholder.Reap(run.Placeholders(home))
	if err != nil {
		return misuse("", "%v", err)
	}
	x.compiled = nil
	if !fresh {
		x.compiled = x.kept(home)
	}
	lap(&x.phases.Load)
	if x.compiled == nil {
		if x.compiled, err = x.compile(home, newWitness()); err != nil {
			return err
		}
	}
	c := x.compiled
	if err := a.tell(runNotes(c, x.flags.quiet), diag.FormatText, c.source); err != nil {
		return err
	}
	if err := run.Usable(c.artifact); err != nil {
		return x.unusable(err)
	}
	job := x.job(home)
	approved, refused := run.Approve(job)
	if refused != nil {
		x.result = run.Refuse(refused)
		return &fault{status: refused.Status, text: refused.Text, hint: refused.Hint}
	}
	if x.same != "" && approved.Command() != x.same {
		return &fault{text: "the command is not the one that was asked about any more, so it is not run again"}
	}
	x.approved = approved
	if x.flags.dryRun {
		return x.dryRun()
	}
	lap = x.clock()
	x.result, err = run.Run(context.Background(), job, approved)
	lap(&x.phases.Run)
	if err != nil {
		return x.unusable(err)
	}
	x.result.Left = append(left, x.result.Left...)
	if refused := x.result.Err; refused != nil {
		return &fault{status: refused.Status, text: refused.Text, hint: refused.Hint}
	}
	return err
}

// ownDirs makes the directories of sbc's own that are missing, for the user
// alone: what exists is closed by a mount, and a name that a command could make
// would be read by the next run. Without a home there are none.
func ownDirs(home string, facts host.Facts) {
	for _, dir := range []string{home, filepath.Join(facts.Cache, "sbc"), filepath.Join(facts.Config, "sbc")} {
		if _, err := os.Lstat(facts.Home); err == nil && filepath.IsAbs(dir) && filepath.Dir(dir) != "/" {
			_ = os.MkdirAll(dir, 0o700) // one that cannot be made cannot be made by the command either
		}
	}
}

// unusable ends a run for which there is no sandbox, and says what the checks of
// sbc doctor find. Other errors pass.
func (x *execution) unusable(err error) error {
	if refused := (*request.Error)(nil); errors.As(err, &refused) {
		return &fault{status: refused.Status, text: refused.Text, hint: refused.Hint}
	}
	if backend := (*run.BackendError)(nil); !errors.As(err, &backend) {
		return err
	}
	sources := host.LiveSources(x.app.env)
	for _, c := range doctor.Run(context.Background(), x.compiled.facts, doctor.LiveMachine(sources)) {
		if c.Status == doctor.Fail {
			fmt.Fprintln(x.app.stderr, oneLine(fmt.Sprintf("error[%s]: %s: %s %s", c.Code, c.Name, c.Detail, c.Remedy)))
		}
	}
	return &fault{text: err.Error(), hint: "nothing runs without a sandbox; sbc doctor makes all checks"}
}

// job is what package run is asked for.
func (x *execution) job(home string) *run.Job {
	f, c := x.flags, x.compiled
	dir := f.dir
	if wd, err := x.app.getwd(); err == nil && !filepath.IsAbs(dir) {
		dir = filepath.Join(wd, dir)
	}
	return &run.Job{
		Artifact: c.artifact, Policy: c.policy, Hash: c.hash, Env: &c.env, Output: c.output, Wall: c.wall, Accepted: c.accepted, Hold: c.facts.Bwrap.Has("--bind-fd") && c.facts.Bwrap.Has("--ro-bind-fd"), View: c.view, Home: home,
		Cover:   c.facts.Bwrap.Before(cheapMounts),
		Command: x.args, Dir: dir, Environ: os.Environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Capture: f.capture || f.json, Trace: f.trace, Quarantine: !f.noQuarantine, Grace: grace,
		Budget: func() target.Budget {
			b, err := f.scan.budget()
			if err != nil {
				return target.Budget{} // the flags were checked when the policy was compiled
			}
			return b
		},
	}
}

// cheapMounts is the first bubblewrap that does not read the table of mounts again
// for each mount.
const cheapMounts = "0.13.0"

// grace is how long a command that is told to end may take.
const grace = 5 * time.Second

// quick reports whether a helper covers most of what is closed, so that what is
// left to bubblewrap starts without a warning.
func (c *compiled) quick() bool {
	const slow = 300
	art, ok := c.artifact.(*bwrap.Artifact)
	if !ok {
		return false
	}
	w := cover.Split(&art.Plan, c.view, cover.Least)
	return w != nil && len(w.Plan.Mounts) <= slow
}

// runNotes leaves out what a user of sbc run need not hear each time: notes on
// guards, which every policy has, and on what the launcher keeps, since it is at
// work. What may surprise somebody stays: an own rule that covers only what
// exists, or a placeholder that stands somewhere.
func runNotes(c *compiled, quiet bool) diag.List {
	tell := []diag.Code{diag.CodeSnapshot, diag.CodeAlias, diag.CodeClosedLink, diag.CodeMissingOpen, diag.CodeMissingClosed, diag.CodeOthers}
	var out diag.List
	quick := c.quick()
	for _, d := range c.diags {
		switch {
		case d.Severity == diag.Note && (quiet || strings.HasPrefix(d.Rule, "guards.") || !slices.Contains(tell, d.Code)):
		case d.Severity == diag.Security && quiet:
		case d.Code == diag.CodeSlowMounts && quick:
		case d.Code == diag.CodeKnownCVE:
			d.Summary, d.Detail, d.Help, d.Target = d.Summary+" (see sbc doctor)", "", "", ""
			out.Add(d)
		default:
			out.Add(d)
		}
	}
	return out
}

// stateHome is where sbc keeps what outlives a run: the state directory of the
// XDG base directory specification, on macOS the one for applications.
func stateHome(env func(string) string, home string) string {
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(filepath.Clean(dir), "sbc")
	}
	if runtime.GOOS == ir.Darwin {
		return filepath.Join(home, "Library", "Application Support", "sbc")
	}
	return filepath.Join(home, ".local", "state", "sbc")
}
