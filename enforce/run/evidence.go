package run

import (
	"fmt"
	"os"
	"path/filepath"
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
	job     *Job
	target  string
	ready   chan struct{} // closed when the following are there
	decider *ir.Decider
	before  *sweep.Before // nil where nothing is swept
	err     error

	records []trace.Record
	lost    trace.Lost
}

// gather starts to read the policy and to look at what closed names there are,
// while the sandbox is being made. The command must not run before ready is
// closed.
func gather(j *Job, target string, plan *bwrap.Plan) *evidence {
	e := &evidence{job: j, target: target, ready: make(chan struct{})}
	go func() {
		defer close(e.ready)
		p, err := j.Policy()
		if err != nil {
			e.err = fmt.Errorf("cannot read the policy: %w", err)
			return
		}
		e.decider = ir.NewDecider(p, target)
		swept := e.decider
		if s := j.Supervise(); s != nil {
			// What is decided during the run does not appear although it is closed.
			if p = s.unheld(p); p == nil {
				return
			}
			swept = ir.NewDecider(p, target)
		}
		if plan != nil {
			e.before = sweep.Look(sweep.Options{Decider: swept, Writable: plan.Writable, View: j.View, Budget: j.Budget()})
		}
	}()
	return e
}

// judge adds to a result what the evidence shows. Placeholders are gone by then.
func (e *evidence) judge(r *Result, dir string) {
	<-e.ready
	if e.err != nil {
		r.failed("evidence", e.err)
		return
	}
	if e.before != nil {
		found := sweep.After(e.before, sweep.AfterOptions{
			Budget: e.job.Budget(), Quarantine: e.job.Quarantine, Dir: filepath.Join(e.job.Home, "quarantine"), Run: runID(time.Now()),
		})
		r.Late, r.Bound = found.Matches, found.Bound
	}
	r.Lost = e.lost
	if r.Status == Exited && r.Exit == 0 && len(e.records) == 0 {
		return
	}
	r.Violations = classify.Classify(classify.Input{
		Exit: r.Exit, Signal: r.Signal, Stderr: string(r.Stderr.Head) + "\n" + string(r.Stderr.Tail), Trace: e.records,
		Decider: e.decider, Network: e.decider.Policy().Network.Mode.Value, Dir: dir, Resolve: resolve, Exists: exists,
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
	if <-e.ready; e.err != nil {
		return e.err
	}
	arch, ok := seccomp.ArchOf(art.Arch)
	if !ok {
		return fmt.Errorf("there is no filter for %q", art.Arch)
	}
	o := bwrap.Filter(e.decider.Policy())
	o.Trace = true
	art.Seccomp = seccomp.Build(arch, o).Encode()
	return nil
}

// missing reports whether it is worth a record that a path was not found.
func (e *evidence) missing(path string) bool {
	return ir.Clean(path) && e.decider.Decide(ir.Read, path, false).Effect != ir.Allow && exists(path)
}
