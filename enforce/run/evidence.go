package run

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// evidence is what is gathered during a run, to be judged after it.
type evidence struct {
	job    *Job
	target string
	// policy is read when it is first needed, which for most supervised runs is
	// never.
	policy  func() (*ir.Policy, error)
	decider func() (*ir.Decider, error)
	swept   func() error  // returns when it is known what is there
	before  *sweep.Before // nil where nothing is swept; after swept

	fresh *fresh // nil where nothing is supervised

	records []trace.Record
	lost    trace.Lost
}

// gather starts to look at what closed names there are, while the sandbox is being
// made, if they are not decided about during the run. The command must not run
// before swept returns.
func gather(j *Job, target string, plan *bwrap.Plan) *evidence {
	e := &evidence{job: j, target: target, policy: sync.OnceValues(j.Policy), swept: func() error { return nil }}
	e.decider = sync.OnceValues(func() (*ir.Decider, error) {
		p, err := e.policy()
		if err != nil {
			return nil, fmt.Errorf("cannot read the policy: %w", err)
		}
		return ir.NewDecider(p, target), nil
	})
	if plan == nil || j.Supervised() {
		return e
	}
	e.swept = sync.OnceValue(func() error {
		d, err := e.decider()
		if err == nil {
			e.before = sweep.Look(sweep.Options{Decider: d, Writable: plan.Writable, View: j.View, Budget: j.Budget()})
		}
		return err
	})
	go e.swept() //nolint:errcheck // whoever needs it asks again
	return e
}

// judge adds to a result what the evidence shows. Placeholders are gone by then.
func (e *evidence) judge(r *Result, dir string) {
	if err := e.swept(); err != nil {
		r.failed("evidence", err)
		return
	}
	if e.before != nil {
		found := sweep.After(e.before, sweep.AfterOptions{
			Budget: e.job.Budget(), Quarantine: e.job.Quarantine, Dir: filepath.Join(e.job.Home, "quarantine"), Run: runID(time.Now()),
		})
		r.Late, r.Bound = found.Matches, found.Bound
	}
	if e.fresh != nil && len(e.fresh.paths) > 0 {
		p, err := e.policy()
		if err != nil {
			r.failed("evidence", err)
			return
		}
		r.Late = e.fresh.matches(p)
	}
	r.Lost = e.lost
	if r.Status == Exited && r.Exit == 0 && len(e.records) == 0 {
		return
	}
	d, err := e.decider()
	if err != nil {
		r.failed("evidence", err)
		return
	}
	r.Violations = classify.Classify(classify.Input{
		Exit: r.Exit, Signal: r.Signal, Stderr: string(r.Stderr.Head) + "\n" + string(r.Stderr.Tail), Trace: e.records,
		Decider: d, Network: d.Policy().Network.Mode.Value, Dir: dir, Resolve: resolve, Exists: exists,
	})
}

// runID names a run of this process.
func runID(now time.Time) string {
	return fmt.Sprintf("%s-%d", now.UTC().Format("20060102T150405.000Z"), os.Getpid())
}

// resolve follows the links of a path on the host.
func resolve(path string) string {
	if r, err := host.Resolve(host.Live{}, path); err == nil {
		return r.Path
	}
	return path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// traced gives an artefact the filter that stops for a tracer.
func (e *evidence) traced(art *bwrap.Artifact) error {
	d, err := e.decider()
	if err != nil {
		return err
	}
	arch, ok := seccomp.ArchOf(art.Arch)
	if !ok {
		return fmt.Errorf("there is no filter for %q", art.Arch)
	}
	o := bwrap.Filter(d.Policy())
	o.Trace = true
	art.Seccomp = seccomp.Build(arch, o).Encode()
	return nil
}

// missing reports whether it is worth a record that a path was not found.
func (e *evidence) missing(path string) bool {
	d, err := e.decider()
	return err == nil && ir.Clean(path) && d.Decide(ir.Read, path, false).Effect != ir.Allow && exists(path)
}
