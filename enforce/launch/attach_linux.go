package launch

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/target/bwrap"
)

// report is bubblewrap's own word on whether the command's program was loaded,
// for a command that somebody else traces (--json-status-fd). Nil does nothing.
type report struct{ r, w *os.File }

func newReport() (*report, error) {
	r, w, err := os.Pipe()
	return &report{r, w}, err
}

// options name the descriptor; it stands behind the plan's and the sources.
func (s *Spec) reportOptions() []string {
	if !s.Attach {
		return nil
	}
	return []string{"--json-status-fd", strconv.Itoa(bwrap.MaskFD + s.Artifact.Plan.Masks + len(s.Sources))}
}

func (p *report) close() {
	if p != nil {
		_ = p.w.Close()
		_ = p.r.Close()
	}
}

// ran reports whether the program was loaded, when bubblewrap has ended.
func (p *report) ran() bool {
	if p == nil {
		return true
	}
	_ = p.w.Close()
	text, err := io.ReadAll(p.r)
	return err == nil && bytes.Contains(text, []byte(`"exit-code"`))
}

// handOver lets somebody else trace the command, from where it is held.
func (t *tree) handOver() error {
	// From here on the command is not traced, so init must be done first.
	if err := t.settled(); err != nil {
		return err
	}
	t.command.signal(unix.SIGSTOP)
	if err := detach(t.command.pid); err != nil {
		return err
	}
	if err := t.spec.Held(t.command.pid); err != nil {
		return &HoldError{"attach a tracer to the command", err}
	}
	t.begin()
	t.command.signal(unix.SIGCONT)
	return nil
}

// begin starts the clocks of the command.
func (t *tree) begin() {
	t.setup = cpuTime(t.bwrap.pid) + cpuTime(t.init.pid)
	t.began = time.Now()
}
