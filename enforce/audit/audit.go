package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Version is the version of the record's form.
const Version = 1

// Record is one run. It holds the names of the environment's variables and never
// their values, no arguments, and nothing that the command printed.
type Record struct {
	Version  int       `json:"version"`
	Time     time.Time `json:"time"` // when sbc started, UTC
	Status   string    `json:"status"`
	Request  string    `json:"request,omitempty"` // hash of command, directory and policy
	Policy   string    `json:"policy,omitempty"`  // hash of the policy as it was compiled
	Name     string    `json:"policy_name,omitempty"`
	Command  string    `json:"command"` // the program's path, or its name if it was not found
	Args     int       `json:"args"`    // how many arguments it got; what they are may be secret
	Dir      string    `json:"dir,omitempty"`
	User     int       `json:"uid"`
	Env      []string  `json:"env"` // names
	Grants   []string  `json:"grants,omitempty"`
	Target   string    `json:"target"`
	Backend  string    `json:"backend,omitempty"` // the program that confined the command
	Release  string    `json:"backend_version,omitempty"`
	Program  string    `json:"sbc_version"`
	Verdicts []Verdict `json:"verdicts,omitempty"` // those other than exact
	Limits   []string  `json:"limits_hit,omitempty"`
	// Violations, Late and Left are what the run showed.
	Violations []Violation `json:"violations,omitempty"`
	Late       []Late      `json:"late_matches,omitempty"`
	Left       []string    `json:"left,omitempty"`
	Exit       *int        `json:"exit,omitempty"`   // absent if the command did not run
	Signal     string      `json:"signal,omitempty"` // what ended it
	Error      string      `json:"error,omitempty"`  // why it did not run
	Seconds    float64     `json:"seconds"`
	CPU        float64     `json:"cpu_seconds,omitempty"`
	MaxRSS     int64       `json:"max_rss_bytes,omitempty"`
	Stdout     int64       `json:"stdout_bytes,omitempty"` // if it was captured
	Stderr     int64       `json:"stderr_bytes,omitempty"`
}

// Verdict is a rule that is not kept exactly.
type Verdict struct {
	Rule     string `json:"rule"`
	Verdict  string `json:"verdict"`
	Code     string `json:"code,omitempty"`
	Enforcer string `json:"enforcer,omitempty"`
}

// Violation is something that was denied.
type Violation struct {
	Op         string `json:"op"`
	Path       string `json:"path,omitempty"`
	Rule       string `json:"rule,omitempty"`
	Effect     string `json:"effect,omitempty"`
	Evidence   string `json:"evidence"`
	Confidence string `json:"confidence"`
}

// Late is a name that appeared during the run and that a rule closes.
type Late struct {
	Path        string `json:"path"`
	Rule        string `json:"rule"`
	Quarantined string `json:"quarantined,omitempty"`
}

// Log is an open audit file.
type Log struct{ file *os.File }

// Open opens an audit file for appending and makes it if it is missing, for its
// owner alone. It must be a regular file, and no symbolic link: what a link led
// to could be changed by whoever may change the link.
func Open(name string) (*Log, error) {
	const flags = unix.O_RDWR | unix.O_APPEND | unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK // a FIFO would wait for a reader
	fd, err := unix.Open(name, flags|unix.O_CREAT|unix.O_EXCL, 0o600)
	made := err == nil
	if errors.Is(err, unix.EEXIST) {
		fd, err = unix.Open(name, flags, 0)
	}
	switch {
	case errors.Is(err, unix.ELOOP):
		return nil, fmt.Errorf("the audit file %q is a symbolic link", name)
	case errors.Is(err, unix.ENXIO):
		return nil, fmt.Errorf("the audit file %q is no regular file", name)
	case err != nil:
		return nil, fmt.Errorf("cannot open the audit file %q: %w", name, err)
	}
	l := &Log{file: os.NewFile(uintptr(fd), name)}
	st, err := l.file.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("the audit file %q is no regular file", name)
	}
	if err == nil && made {
		err = syncDir(filepath.Dir(name))
	}
	if err != nil {
		_ = l.file.Close()
		return nil, err
	}
	return l, nil
}

// Append writes a record as one line and waits until the disk has it. Writers of
// one file take turns (flock(2)); a line that an earlier one left unfinished is
// ended first, so that it spoils no other.
func (l *Log) Append(r *Record) (err error) {
	r.Version = Version
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := lock(l.file); err != nil {
		return fmt.Errorf("cannot lock the audit file: %w", err)
	}
	defer func() { err = errors.Join(err, unix.Flock(int(l.file.Fd()), unix.LOCK_UN)) }()
	line = append(line, '\n')
	if torn, err := l.torn(); err != nil {
		return fmt.Errorf("cannot read the end of the audit file: %w", err)
	} else if torn {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := l.file.Write(line); err != nil {
		return fmt.Errorf("cannot write the audit file: %w", err)
	}
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("cannot write the audit file: %w", err)
	}
	return nil
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// torn reports whether the last line of the file has no end.
func (l *Log) torn() (bool, error) {
	var last [1]byte
	st, err := l.file.Stat()
	if err != nil || st.Size() == 0 {
		return false, err
	}
	_, err = l.file.ReadAt(last[:], st.Size()-1)
	return last[0] != '\n', err
}

func lock(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// syncDir makes the name of a new file last.
func syncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // G304: the user names the file
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return d.Sync()
}
