package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/enforce/launch"
	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/enforce/recheck"
	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Placeholders says where runs leave records of their placeholders, by the
// directory of sbc's own state.
func Placeholders(home string) placeholder.Options {
	return placeholder.Options{State: filepath.Join(home, "placeholders")}
}

// settled is when a command that still runs is likely to run for long: then what
// was needed to start it goes back to the system.
const settled = 200 * time.Millisecond

// lean is how much the heap may grow before it is collected, in per cent (GOGC),
// while a command runs for long: then memory matters more than this process's time.
const lean = 30

// stayLean gives back what was needed to start, once the command runs for long,
// and keeps it so until restore is called.
func stayLean() (restore func()) {
	done := make(chan int, 1)
	timer := time.AfterFunc(settled, func() {
		before := debug.SetGCPercent(lean)
		debug.FreeOSMemory()
		done <- before
	})
	return func() {
		if !timer.Stop() {
			debug.SetGCPercent(<-done)
		}
	}
}

// bubblewrap runs a command on Linux.
func bubblewrap(ctx context.Context, j *Job, a *Approved, io *streams, seen *evidence) (res *Result, err error) {
	art, ok := j.Artifact.(*bwrap.Artifact)
	if err := Usable(art); !ok || err != nil {
		return nil, err
	}
	plan := &art.Plan
	if err := makeDirectories(plan); err != nil {
		return nil, err
	}
	held, err := placeholder.Hold(plan.Placeholders, Placeholders(j.Home))
	if err != nil {
		return nil, refused(err)
	}
	defer func() {
		left, rerr := held.Release()
		res.left(left...)
		res.failed("placeholders", rerr)
	}()
	plan, err = still(plan, j.View)
	if err != nil {
		return nil, err
	}
	art = &bwrap.Artifact{Plan: *plan, Seccomp: art.Seccomp, Arch: art.Arch, Bwrap: art.Bwrap}
	var tracer *trace.Trace
	if j.Trace {
		if err := seen.traced(art); err != nil {
			return nil, err
		}
	}
	kept, err := limit(plan, j.Accepted)
	if err != nil {
		return nil, refused(err)
	}
	defer func() { res.failed("the control group", kept.remove()) }()
	var sources recheck.Held
	if j.Hold {
		if sources, err = recheck.Hold(plan, j.View); err != nil {
			return nil, err
		}
		defer sources.Close()
	}
	spec := &launch.Spec{
		Artifact: art, Bwrap: art.Bwrap, Command: a.Argv, Dir: a.Dir, Env: a.Env,
		Stdin: io.stdin, Stdout: io.stdout, Stderr: io.stderr, Wall: j.Wall, Grace: j.Grace,
		Limits: kept.rlimits, Group: kept.group, Attach: j.Trace, Sources: sources, Supervise: seen.supervise(plan),
		Held: func(pid int) (err error) {
			if lost := held.Check(); len(lost) > 0 {
				return fmt.Errorf("keep %s free: %s", lost[0].Path, lost[0].Why)
			}
			if err := recheck.Mounted(pid, plan, j.View); err != nil {
				return err
			}
			if err := seen.swept(); err != nil || !j.Trace {
				return err
			}
			tracer, err = trace.Attach(pid, trace.Options{Missing: seen.missing})
			return err
		},
	}
	if j.Cover {
		spec.Cover = cover.Split(plan, j.View, cover.Least)
	}
	if !plan.NewSession {
		if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil { // without one there is nothing to keep
			defer func() { _ = tty.Close() }()
			spec.Terminal = tty
		}
	}
	restore := stayLean()
	end, err := launch.Run(ctx, spec)
	restore()
	var untraced error
	if tracer != nil {
		untraced = tracer.Wait()
		seen.records, seen.lost = tracer.Records(), tracer.Lost()
	}
	if err != nil {
		var load *launch.ExecError
		if j.Trace && errors.As(err, &load) {
			load.Text = "" // the second try, which asks for it, has no tracer and so another reason
		}
		return nil, notStarted(err)
	}
	seen.records, seen.lost = append(end.Refused, seen.records...), seen.lost.Plus(end.Lost)
	res = ended(end)
	res.Limits, res.Hit = kept.enforced, kept.hit(end)
	res.failed("the trace", untraced)
	return res, nil
}

// makeDirectories makes what the plan wants to be there, and stays.
func makeDirectories(plan *bwrap.Plan) error {
	for _, dir := range plan.Create {
		if err := placeholder.Create(dir); err != nil {
			return refused(err)
		}
	}
	if plan.MaskFile == "" {
		return nil
	}
	if err := placeholder.MaskFile(plan.MaskFile); err != nil {
		return refused(err)
	}
	return nil
}

// ended is the result of a command that ran.
func ended(end *launch.Result) *Result {
	r := &Result{Status: Exited, Exit: end.Code, Wall: end.Usage.Wall, CPU: end.Usage.CPU, MaxRSS: end.Usage.MaxRSS}
	switch {
	case end.TimedOut:
		r.Status = TimedOut
	case end.Signal != 0 && end.Certain:
		r.Status, r.Signal, r.Exit = Signaled, end.Signal, 0
	case end.Signal != 0:
		// It may have exited with that status as well: the number stays the same.
		r.Status, r.Signal, r.Exit = Signaled, end.Signal, end.Code
	}
	return r
}

// vanished is what bubblewrap says of a source that is gone.
const vanished = "Can't find source path "

// exchanged is how bubblewrap says that what it has just mounted is somewhere
// else.
const (
	exchanged = "Can't remount readonly on "
	raced     = "Race condition "
)

// notStarted turns an error of the start into what is said of it.
func notStarted(err error) error {
	var moved *recheck.ChangedError
	if errors.As(err, &moved) {
		return moved
	}
	var setup *launch.BwrapError
	var load *launch.ExecError
	switch {
	case errors.As(err, &load) && errors.Is(err, fs.ErrPermission):
		return &request.Error{Status: request.StatusNotExecutable, Text: load.Error()}
	case errors.As(err, &load):
		return &request.Error{
			Status: request.StatusNotExecutable, Text: load.Error(),
			Hint: "the sandbox may lack its interpreter or its loader: see the first line of the program, or ldd",
		}
	case errors.As(err, &setup) && strings.HasPrefix(setup.Text, vanished):
		path, _, _ := strings.Cut(strings.TrimPrefix(setup.Text, vanished), ":")
		return &recheck.ChangedError{Changes: []recheck.Change{{Path: path, Text: "has vanished"}}}
	case errors.As(err, &setup) && (strings.HasPrefix(setup.Text, exchanged) || strings.HasPrefix(setup.Text, raced)):
		return &recheck.ChangedError{Changes: []recheck.Change{{Path: "a source", Text: "was exchanged while the sandbox was made (" + setup.Text + ")"}}}
	case errors.As(err, &setup):
		return &BackendError{err.Error()}
	}
	return refusal(err.Error())
}

// still returns the plan without what has vanished and need not be there. Any
// other change is an error.
func still(plan *bwrap.Plan, was host.View) (*bwrap.Plan, error) {
	changes := recheck.Sources(plan, was, recheck.Look)
	gone := map[string]bool{}
	for _, c := range changes {
		if !c.Gone {
			return nil, &recheck.ChangedError{Changes: changes}
		}
		gone[c.Path] = true
	}
	if len(gone) == 0 {
		return plan, nil
	}
	left := *plan
	left.Mounts = slices.DeleteFunc(slices.Clone(plan.Mounts), func(m bwrap.Mount) bool { return gone[m.Path] })
	left.Seal = slices.DeleteFunc(slices.Clone(plan.Seal), func(dir string) bool { return gone[dir] })
	return &left, nil
}

func refusal(text string) error {
	return &request.Error{Status: request.StatusRefused, Text: text}
}

// refused is an error of this machine, before the start.
func refused(err error) error {
	var already *request.Error
	if errors.As(err, &already) {
		return already
	}
	var path *placeholder.Error
	if errors.As(err, &path) {
		return refusal(fmt.Sprintf("%q: %s", path.Path, path.Why))
	}
	return refusal(err.Error())
}
