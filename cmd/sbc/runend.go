package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/audit"
	"github.com/sandboxc/sbc/enforce/environ"
	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
)

// close says how the run ended, everywhere where that was asked for, and turns
// it into the exit status.
func (x *execution) close(err error) error {
	if x.result == nil { // a dry run
		return err
	}
	tell := x.printText
	if x.flags.json {
		tell = x.printJSON
	}
	if perr := tell(); perr != nil {
		fmt.Fprintf(x.app.stderr, "sbc: cannot print what came of the run: %s\n", oneLine(perr.Error()))
		err = cmp.Or(err, quiet(request.StatusRefused))
	}
	// The record comes before the status, so that who waits for the status finds
	// the record.
	if aerr := x.append(); aerr != nil {
		fmt.Fprintf(x.app.stderr, "sbc: %s\n", oneLine(aerr.Error()))
		err = cmp.Or(err, quiet(request.StatusRefused))
	}
	if x.log != nil {
		_ = x.log.Close() // the disk has what was appended
	}
	if serr := x.writeStatus(); serr != nil {
		fmt.Fprintf(x.app.stderr, "sbc: cannot write to --status-fd: %s\n", oneLine(serr.Error()))
		err = cmp.Or(err, quiet(request.StatusRefused))
	}
	if err == nil && x.result.Code() != exitOK {
		err = &fault{status: x.result.Code(), own: true}
	}
	return err
}

// append puts the run on record.
func (x *execution) append() error {
	if x.log == nil {
		return nil
	}
	r := x.record()
	return x.log.Append(&r)
}

// statusForm is the line on --status-fd.
type statusForm struct {
	Version int        `json:"sbc_status"`
	Status  run.Status `json:"status"`
	Code    int        `json:"code"`             // what sbc run exits with
	Exit    *int       `json:"exit,omitempty"`   // the command's own status
	Signal  string     `json:"signal,omitempty"` // what ended it
	Error   string     `json:"error,omitempty"`
}

// statusOpen looks whether the descriptor of --status-fd is there, and keeps it
// from every child.
func (x *execution) statusOpen() error {
	fd := x.flags.statusFD
	if fd < 0 {
		return nil
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	switch {
	case err != nil:
		return misuse(fmt.Sprintf("open it in the shell, as in: sbc run --status-fd %d -- true %d>status", fd, fd), "--status-fd %d is not open", fd)
	case flags&unix.O_ACCMODE == unix.O_RDONLY:
		return misuse("open it for writing", "--status-fd %d is open for reading only", fd)
	}
	unix.CloseOnExec(fd)
	return nil
}

func (x *execution) writeStatus() error {
	if x.flags.statusFD < 3 {
		return nil
	}
	form := statusForm{Version: 1, Status: x.result.Status, Code: x.result.Code(), Exit: x.exit(), Signal: x.signal()}
	if x.result.Err != nil {
		form.Error = x.result.Err.Text
	}
	line, err := json.Marshal(form)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(x.flags.statusFD), "status")
	_, err = f.Write(append(line, '\n'))
	return cmp.Or(err, f.Close())
}

// exit is the command's own exit status, or nil if it has none.
func (x *execution) exit() *int {
	if x.result.Status != run.Exited {
		return nil
	}
	return &x.result.Exit
}

// signal names what ended the command, or is empty.
func (x *execution) signal() string {
	if x.result.Signal == 0 {
		return ""
	}
	return cmp.Or(unix.SignalName(unix.Signal(x.result.Signal)), fmt.Sprint("SIG", x.result.Signal))
}

// record is the run as the audit file has it.
func (x *execution) record() audit.Record {
	r := x.result
	rec := audit.Record{
		Time: x.start.UTC(), Status: string(r.Status), User: os.Geteuid(), Program: version(), Env: []string{}, Args: max(len(x.args)-1, 0),
		Exit: x.exit(), Signal: x.signal(), Seconds: time.Since(x.start).Seconds(), CPU: r.CPU.Seconds(), MaxRSS: r.MaxRSS,
	}
	if len(x.args) > 0 {
		rec.Command = x.args[0]
	}
	for _, p := range x.flags.read {
		rec.Grants = append(rec.Grants, "--read "+p)
	}
	for _, p := range x.flags.write {
		rec.Grants = append(rec.Grants, "--write "+p)
	}
	rec.Limits = r.Hit
	for _, v := range r.Violations {
		rec.Violations = append(rec.Violations, audit.Violation{
			Op: string(v.Op), Path: cmp.Or(v.Path, v.Host), Rule: v.Rule.Address, Effect: string(v.Effect), Evidence: string(v.Evidence), Confidence: string(v.Confidence),
		})
	}
	for _, l := range r.Late {
		rec.Late = append(rec.Late, audit.Late{Path: l.Path, Rule: l.Address, Quarantined: l.Quarantined})
	}
	for _, l := range r.Left {
		rec.Left = append(rec.Left, l.Path)
	}
	if r.Err != nil {
		rec.Error = r.Err.Text
	}
	if x.flags.capture || x.flags.json {
		rec.Stdout, rec.Stderr = r.Stdout.Total(), r.Stderr.Total()
	}
	if c := x.compiled; c != nil {
		rec.Policy, rec.Name, rec.Target, rec.Verdicts = c.hash, c.name, c.target, c.verdicts
		rec.Backend, rec.Release = x.backend()
	}
	if x.approved != nil {
		rec.Request, rec.Command, rec.Dir, rec.Env = x.approved.Hash(), x.approved.Argv[0], x.approved.Dir, environ.Names(x.approved.Env)
	}
	return rec
}

// backend is the program that confines commands here, and its version.
func (x *execution) backend() (name, release string) {
	facts := x.compiled.facts
	if facts.OS == ir.Darwin {
		return "sandbox-exec", facts.OSVersion
	}
	if facts.Bwrap == nil {
		return "bubblewrap", ""
	}
	return "bubblewrap", facts.Bwrap.Version
}

// auditVerdicts are the rules that are not kept exactly, each once.
func auditVerdicts(rep target.Report) []audit.Verdict {
	var out []audit.Verdict
	seen := map[audit.Verdict]bool{}
	for _, e := range rep.Entries {
		v := audit.Verdict{Rule: e.Rule, Verdict: e.Verdict.String(), Code: string(e.Code), Enforcer: string(e.Enforcer)}
		if e.Verdict != target.Exact && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
