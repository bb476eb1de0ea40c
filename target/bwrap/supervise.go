package bwrap

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// Supervision is what the launcher decides while the command runs. Mounts hold
// what exists at the start; what comes to be is decided call by call, by
// [ir.Policy.Decide] on the resolved path: a call that makes a name or links to
// it asks for writing there, a rename asks to unlink what it takes and to write
// where it puts it, and both for every name that a directory brings along.
type Supervision struct {
	// Mode is never off.
	Mode ir.SuperviseMode
	// Removals is set if unlink and rmdir must be decided too: a symbolic link
	// stays where it is that no mount can hold.
	Removals bool
	// Sockets is set if sockets can get names.
	Sockets bool
	// Free are the rules, by index in Policy.Files, that say nothing of names that
	// do not exist at the start: who decides leaves them out. What exists is held
	// by mounts.
	Free []int
}

// supervised reports whether the launcher decides about names while the command
// runs, if a rule needs it. In a namespace of its own the command could mount a
// directory at another path, and make there what is closed.
func (l *lowering) supervised() bool {
	f := l.opts.Facts
	return !l.policy.Process.Namespaces.Value && l.opts.Supervised && f != nil && f.Supervise && l.policy.Process.Supervise.Value != ir.SuperviseOff && !l.tree.blind
}

// covers reports whether what another program makes meanwhile is decided too,
// when the command opens it.
func (l *lowering) covers() bool {
	return l.supervised() && l.policy.Process.Supervise.Value == ir.SuperviseOpen
}

// watched makes a verdict exact: the launcher holds what no mount can. What says
// in one sentence how.
func (l *lowering) watched(v verdict, watch target.Watch, what string) verdict {
	v.verdict, v.code, v.loss, v.instead = target.Exact, "", what, ""
	v.enforcer, v.watch = target.Launcher, watch
	if !l.covers() {
		v.code = diag.CodeOthers
		v.loss += "; what another program makes there meanwhile is not covered"
	}
	return v
}

// unmakeable is the verdict on what the command cannot make and another program
// can. The code is for where nothing is supervised.
func (l *lowering) unmakeable(v verdict, code diag.Code, what string) verdict {
	switch {
	case l.covers():
		v.code, v.enforcer, v.watch = "", target.Launcher, target.WatchNames
		v.loss = what + "; what another program makes there meanwhile is decided when it is opened"
		return v
	case l.supervised():
		code = diag.CodeOthers
	}
	v.code, v.loss = code, what+"; what another program makes there meanwhile is not covered"
	return v
}

// free reports whether a rule leaves free the names that do not exist at the
// start: a glob whose author says that what is missing is skipped.
func free(r *ir.FileRule) bool {
	_, ok := closingGlob(r, ir.Linux)
	return ok && r.OnMissing == ir.MissingSkip
}

// supervision is what the report needs to be true; nil if that is nothing.
func (l *lowering) supervision(r target.Report) *Supervision {
	var out *Supervision
	for _, e := range r.Entries {
		if e.Watch == target.WatchNothing {
			continue
		}
		if out == nil {
			out = &Supervision{Mode: l.policy.Process.Supervise.Value, Sockets: l.wantSockets}
		}
		out.Removals = out.Removals || e.Watch >= target.WatchRemovals
	}
	if out == nil {
		return nil
	}
	for i := range l.policy.Files {
		if free(&l.policy.Files[i]) {
			out.Free = append(out.Free, i)
		}
	}
	return out
}

// superviseEntries are for a policy that says how much is decided.
func (l *lowering) superviseEntries() []target.Entry {
	s := l.policy.Process.Supervise
	if !s.Set {
		return nil
	}
	v := verdict{feature: target.ProcSupervise, verdict: target.Exact}
	switch {
	case s.Value == ir.SuperviseOff, l.tree.blind:
	case l.supervised():
		v.enforcer, v.loss = target.Launcher, "the launcher decides while the command runs, if a rule needs it"
	default:
		v.verdict, v.code = target.Snapshot, diag.CodeSnapshot
		v.loss = "nothing is decided while the command runs: " + l.unsupervised()
		v.instead = "sbc run on a kernel that sbc doctor finds nothing wrong with"
	}
	e := setting(s.Layer, s.Origin, "process.supervise", v)
	e.Opens = s.Value == ir.SuperviseOff
	return []target.Entry{e}
}

// unsupervised says why nothing is decided while the command runs.
func (l *lowering) unsupervised() string {
	if l.policy.Process.Namespaces.Value {
		return "in nested namespaces (process.namespaces) paths mean something else"
	}
	if l.opts.Supervised {
		return "the kernel does not let a launcher decide about calls, or it is not known"
	}
	return "this output is used without sbc run"
}
