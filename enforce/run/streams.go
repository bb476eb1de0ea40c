package run

import (
	"errors"
	"os"
	"sync"

	"github.com/sandboxc/sbc/enforce/capture"
)

// streams are the standard streams of a command: those of the job, or pipes that
// are read as long as somebody writes.
type streams struct {
	stdin, stdout, stderr *os.File
	out, err              captured
}

// captured is a stream that is read.
type captured struct {
	write *os.File // nil if the stream is not captured
	done  sync.WaitGroup
	got   capture.Output
	fail  error
}

// defaultOutput is how many bytes of each stream are kept if the policy sets no
// limits.output.
const defaultOutput = 1 << 20

func openStreams(j *Job) (*streams, error) {
	s := &streams{stdin: j.Stdin, stdout: j.Stdout, stderr: j.Stderr}
	if !j.Capture {
		return s, nil
	}
	limit := j.Output
	if limit <= 0 {
		limit = defaultOutput
	}
	err := s.out.open(limit)
	if err == nil {
		err = s.err.open(limit)
	}
	if err != nil {
		return nil, errors.Join(err, s.close(nil))
	}
	s.stdout, s.stderr = s.out.write, s.err.write
	return s, nil
}

// open makes the pipe and starts to read it.
func (c *captured) open(limit int64) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	c.write = w
	c.done.Go(func() {
		defer func() { _ = r.Close() }()
		c.got, c.fail = capture.Read(r, limit)
	})
	return nil
}

// close ends the pipes, waits until everything is read, and puts what was kept
// into the result, if there is one.
func (s *streams) close(r *Result) error {
	var fail error
	for _, c := range []*captured{&s.out, &s.err} {
		if c.write != nil {
			fail = errors.Join(fail, c.write.Close())
			c.done.Wait()
			fail = errors.Join(fail, c.fail)
		}
	}
	if r != nil {
		r.Stdout, r.Stderr = s.out.got, s.err.got
	}
	return fail
}
