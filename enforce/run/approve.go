package run

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/environ"
	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Approved is a request as it will run.
type Approved struct {
	request.Request
	// Env is the whole environment.
	Env []string
}

// Approve turns what a job asks for into what runs. Nothing is changed on the
// machine.
func Approve(j *Job) (*Approved, *request.Error) {
	in := request.Inside{View: host.Live{}, Executable: executable()}
	var writable func(string) bool
	if a, ok := j.Artifact.(*bwrap.Artifact); ok {
		in.Storage = a.Plan.Storage
		in.Closed = func(path string, dir bool) (string, bool) {
			if a.Plan.Readable(path) {
				return "", false
			}
			by, _ := j.closed(ir.Linux, path, dir)
			return by, true
		}
		writable = func(dir string) bool {
			return slices.ContainsFunc(a.Plan.Writable, func(w string) bool { return ir.Beneath(dir, w) })
		}
	} else {
		in.Storage = func(string) string { return "" }
		in.Closed = func(path string, dir bool) (string, bool) { return j.closed(ir.Darwin, path, dir) }
		writable = func(dir string) bool { return j.decides(ir.Darwin, ir.Write, dir, true).Effect == ir.Allow }
	}
	dir, err := in.Dir(j.Dir)
	if err != nil {
		return nil, err
	}
	env := environ.Make(j.Env, j.Environ, environ.Temp{Writable: writable, Storage: in.Storage, IsDir: isDir})
	search, _ := environ.Lookup(env, "PATH")
	program, err := in.Program(j.Command[0], dir, search)
	if err != nil {
		return nil, err
	}
	argv := append([]string{program}, j.Command[1:]...)
	return &Approved{Request: request.Request{Argv: argv, Dir: dir, Policy: j.Hash}, Env: env}, nil
}

// decides asks the policy. One that cannot be had denies.
func (j *Job) decides(target string, op ir.Op, path string, dir bool) ir.Decision {
	p, err := j.Policy()
	if err != nil {
		return ir.Decision{Effect: ir.Deny, Rule: -1}
	}
	return p.Decide(ir.Query{Target: target, Op: op, Path: path, Dir: dir})
}

// closed reports whether the policy closes a path for reading, and by what.
func (j *Job) closed(target, path string, dir bool) (by string, closed bool) {
	d := j.decides(target, ir.Read, path, dir)
	p, err := j.Policy()
	switch {
	case d.Effect == ir.Allow:
		return "", false
	case err != nil || d.Rule < 0:
		return ": nothing opens it", true
	}
	return " (" + p.Files[d.Rule].Origin.Address + ")", true
}

// executable asks the kernel, and the mode alone for root, which has no
// capabilities inside.
func executable() func(string) bool {
	groups, _ := os.Getgroups()
	m := request.Mode{UID: os.Geteuid(), Groups: append(groups, os.Getegid())}
	return func(path string) bool {
		if m.UID != 0 {
			return unix.Faccessat(unix.AT_FDCWD, path, unix.X_OK, unix.AT_EACCESS) == nil
		}
		var st unix.Stat_t
		if err := unix.Stat(path, &st); err != nil {
			return false
		}
		return m.Executes(int(st.Uid), int(st.Gid), os.FileMode(st.Mode)&os.ModePerm)
	}
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}
