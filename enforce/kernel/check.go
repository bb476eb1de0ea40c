package kernel

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sandboxc/sbc/verify/conformance"
)

// Options say how cases are run.
type Options struct {
	// Parent is an existing directory in which each case gets one of its own. It
	// must not lie in a temporary directory: policies open those, and other
	// programs make and remove files there.
	Parent   string
	Runner   Runner
	Path     string        // PATH of all commands
	Lacks    []string      // what cases may need and the Runner cannot do, such as "sbc run"
	Parallel int           // how many cases run at the same time; 0 means one
	Timeout  time.Duration // for each command; 0 means three minutes
}

// Result is what came of a case.
type Result struct {
	Case     conformance.Case
	Skipped  string   // why it was not run, or empty
	Problems []string // none: all is well
	Unshown  string   // it denies, but the control does not show that the policy does it
	Records  []Record // what was run
	Seconds  float64
}

// Record is one command of a case and what came of it.
type Record struct {
	Name    string // run, run 2, beside 1, control
	Policy  string // the text, or empty if there is none
	Dir     string
	Line    string
	Outcome conformance.Outcome
}

// Run runs the cases and calls each with every result, one call at a time, in
// the order in which cases end. It returns when all have ended, or ctx is done.
func Run(ctx context.Context, cases []conformance.Case, o Options, each func(Result)) {
	queue := make(chan conformance.Case)
	var workers sync.WaitGroup
	var one sync.Mutex
	for range max(o.Parallel, 1) {
		workers.Go(func() {
			for c := range queue {
				r := o.one(ctx, c)
				one.Lock()
				each(r)
				one.Unlock()
			}
		})
	}
	for _, c := range cases {
		select {
		case queue <- c:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	workers.Wait()
}

// one runs one case and its control.
func (o *Options) one(ctx context.Context, c conformance.Case) Result {
	start := time.Now()
	r := Result{Case: c}
	if r.Skipped = o.unfit(&c); r.Skipped != "" {
		return r
	}
	r.Problems = o.inWorld(ctx, &r, func(w *world) []string { return w.all(ctx, &c) })
	if c.Control != nil && len(r.Problems) == 0 {
		control := o.inWorld(ctx, &r, func(w *world) []string { return w.control(ctx, &c) })
		switch {
		case len(control) > 0 && c.Control.Optional:
			r.Unshown = "this system refuses it without a sandbox too: " + strings.Join(control, "; ")
		default:
			for _, p := range control {
				r.Problems = append(r.Problems, "control: "+p)
			}
		}
	}
	r.Seconds = time.Since(start).Seconds()
	return r
}

// inWorld makes the set-up of a case, asks, and takes everything away.
func (o *Options) inWorld(ctx context.Context, r *Result, ask func(*world) []string) (problems []string) {
	w, err := o.newWorld(ctx, &r.Case)
	if w != nil {
		defer func() {
			r.Records = append(r.Records, w.records...)
			if err := w.remove(); err != nil {
				problems = append(problems, fmt.Sprintf("cannot clean up: %v", err))
			}
		}()
	}
	if err != nil {
		return []string{fmt.Sprintf("cannot set up: %v", err)}
	}
	return ask(w)
}

// all runs a case: the command, copies of it, and what is run beside it.
func (w *world) all(ctx context.Context, c *conformance.Case) []string {
	before, err := w.prints(c.Expect.Same)
	if err != nil {
		return []string{err.Error()}
	}
	if len(c.Swap) == 2 {
		stop := w.swap(string(c.Swap[0]), string(c.Swap[1]))
		defer stop()
	}
	copies := max(c.Copies, 1)
	problems := make([][]string, copies)
	outcomes := make([]conformance.Outcome, copies)
	var wg sync.WaitGroup
	for i := range copies {
		wg.Go(func() {
			name := "run"
			if i > 0 {
				name = fmt.Sprint("run ", i+1)
			}
			var m *meanwhile
			if len(c.Meanwhile)+len(c.Beside) > 0 {
				m = &meanwhile{do: func() []string { return w.beside(ctx, c) }}
			}
			outcomes[i], problems[i] = w.run(ctx, name, command{&c.Run, &c.Policy, string(c.Probe), c.Inherit}, m)
		})
	}
	wg.Wait()
	var out []string
	for i := range outcomes {
		out = append(out, problems[i]...)
		if len(problems[i]) > 0 {
			continue
		}
		if err := w.look(&c.Expect, &outcomes[i], before); err != nil {
			out = append(out, err.Error())
		}
		w.note(i, &outcomes[i])
		out = append(out, c.Expect.Problems(&outcomes[i])...)
	}
	return out
}

// beside does what happens while the command waits.
func (w *world) beside(ctx context.Context, c *conformance.Case) []string {
	for _, s := range c.Meanwhile {
		if err := w.step(ctx, s); err != nil {
			return []string{fmt.Sprintf("meanwhile: %v", err)}
		}
	}
	var out []string
	for i := range c.Beside {
		r := &c.Beside[i]
		name := fmt.Sprint("beside ", i+1)
		o, problems := w.run(ctx, name, command{r, &r.Policy, string(r.Probe), nil}, nil)
		if err := w.look(&r.Expect, &o, nil); err != nil {
			problems = append(problems, err.Error())
		}
		for _, p := range append(problems, r.Expect.Problems(&o)...) {
			out = append(out, name+": "+p)
		}
	}
	return out
}

// control runs the control of a case.
func (w *world) control(ctx context.Context, c *conformance.Case) []string {
	k := c.Control
	before, err := w.prints(k.Expect.Same)
	if err != nil {
		return []string{err.Error()}
	}
	line := c.Probe
	if k.Probe != "" {
		line = k.Probe
	}
	var m *meanwhile
	if len(c.Meanwhile)+len(c.Beside) > 0 {
		m = &meanwhile{do: func() []string { // what runs beside is judged in the case itself
			for _, s := range c.Meanwhile {
				if err := w.step(ctx, s); err != nil {
					return []string{fmt.Sprintf("meanwhile: %v", err)}
				}
			}
			return nil
		}}
	}
	o, problems := w.run(ctx, "control", command{&c.Run, k.Policy, string(line), c.Inherit}, m)
	if len(problems) > 0 {
		return problems
	}
	if err := w.look(&k.Expect, &o, before); err != nil {
		return []string{err.Error()}
	}
	w.note(0, &o)
	return k.Expect.Problems(&o)
}
