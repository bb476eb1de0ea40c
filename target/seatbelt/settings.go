package seatbelt

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// settingEntries returns the verdicts on all that is not about files, in the
// order of the policy.
func (l *lowering) settingEntries() []target.Entry {
	p := l.policy
	var out []target.Entry
	if p.Tmp.Set {
		out = append(out, l.setting(target.RootPrivate, p.Tmp.Layer, p.Tmp.Origin, "filesystem.tmp", l.tmpLoss()))
	}
	out = append(out, l.networkEntries()...)
	out = append(out, l.envEntries()...)
	out = append(out, l.processEntries()...)
	out = append(out, l.limitEntries()...)
	for _, x := range p.Extras {
		if x.Target == ir.Darwin {
			e := l.setting(target.MachServices, x.Layer, x.Origin, "target.darwin."+x.Kind+"["+x.Value+"]", loss{})
			e.Opens, e.Emitted = true, []string{permits(globalName(x.Value), "mach-lookup")}
			out = append(out, e)
		}
	}
	return out
}

// setting makes an entry. A loss that says nothing leaves what the table says of
// the feature: who keeps it, and by which code.
func (l *lowering) setting(f target.Feature, layer ir.Layer, o ir.Origin, address string, x loss) target.Entry {
	c, _ := Table().Cell(f)
	e := target.Entry{
		Rule: addressOr(o, address), Index: -1, Feature: f, Verdict: c.Verdict, Code: c.Code, Enforcer: c.Enforcer,
		Layer: layer, Origin: o, Loss: x.text, Instead: x.instead,
	}
	if x.verdict != 0 {
		e.Verdict, e.Code, e.Enforcer = x.verdict, x.code, target.Kernel
	}
	if e.Code != "" && e.Loss == "" {
		e.Loss = c.Sentence
	}
	return e
}

// exact is the loss of what is kept by the kernel as it is said: none.
var exact = loss{verdict: target.Exact}

// tmpLoss is the loss of the setting, unless rules of its own carry it.
func (l *lowering) tmpLoss() loss {
	carried := slices.ContainsFunc(l.policy.Files, func(r ir.FileRule) bool { return r.Private && r.AppliesTo(ir.Darwin) })
	if l.policy.Tmp.Value == ir.TmpPrivate && !carried {
		return loss{}
	}
	return exact
}

func (l *lowering) envEntries() []target.Entry {
	env := &l.policy.Env
	entry := func(layer ir.Layer, o ir.Origin, address string) target.Entry {
		return l.setting(target.EnvRules, layer, o, address, loss{})
	}
	out := []target.Entry{entry(env.Inherit.Layer, env.Inherit.Origin, "env")}
	for _, r := range env.Pass {
		e := entry(r.Layer, r.Origin, "env.pass["+r.Pattern+"]")
		e.Opens = true
		out = append(out, e)
	}
	for _, r := range env.Deny {
		out = append(out, entry(r.Layer, r.Origin, "env.deny["+r.Pattern+"]"))
	}
	for _, s := range env.Set {
		out = append(out, entry(s.Layer, s.Origin, "env.set."+s.Name))
	}
	return out
}

func (l *lowering) processEntries() []target.Entry {
	p := &l.policy.Process
	var out []target.Entry
	add := func(s ir.Setting[bool], name string, f target.Feature, open, closed loss) {
		x := closed
		if s.Value {
			x = open
		}
		e := l.setting(f, s.Layer, s.Origin, "process."+name, x)
		e.Opens = s.Value
		out = append(out, e)
	}
	add(p.Ptrace, "ptrace", target.ProcPtrace, loss{
		verdict: target.Narrower, code: diag.CodeProcess, text: "a debugger needs the task port of a process, which stays closed",
	}, exact)
	add(p.Namespaces, "namespaces", target.ProcNamespaces, loss{
		verdict: target.Narrower, code: diag.CodeProcess, text: "macOS has no namespaces, and a sandbox cannot be started within another one",
	}, exact)
	// To keep the terminal needs nobody's help.
	add(p.Terminal, "terminal", target.ProcTerminal, exact, loss{})
	if p.Supervise.Set { // the kernel decides by name anyway
		out = append(out, l.setting(target.ProcSupervise, p.Supervise.Layer, p.Supervise.Origin, "process.supervise", exact))
	}
	for _, d := range p.Devices {
		x := exact
		if l.decider.Decide(ir.Write, d.Path, false).Effect != ir.Allow {
			x = loss{
				verdict: target.Narrower, code: diag.CodeProcess, instead: "filesystem.write",
				text: quote(d.Path) + " is an ordinary path on macOS, and no rule opens it for writing",
			}
		}
		e := l.setting(target.ProcDevices, d.Layer, d.Origin, "process.devices["+d.Path+"]", x)
		e.Opens = true
		out = append(out, e)
	}
	return out
}

func (l *lowering) limitEntries() []target.Entry {
	p := &l.policy.Limits
	var out []target.Entry
	add := func(set bool, layer ir.Layer, o ir.Origin, name string, f target.Feature) {
		if set {
			out = append(out, l.setting(f, layer, o, "limits."+name, loss{}))
		}
	}
	add(p.Wall.Set, p.Wall.Layer, p.Wall.Origin, "wall", target.LimitWall)
	add(p.CPU.Set, p.CPU.Layer, p.CPU.Origin, "cpu", target.LimitCPU)
	add(p.Memory.Set, p.Memory.Layer, p.Memory.Origin, "memory", target.LimitMemory)
	add(p.Processes.Set, p.Processes.Layer, p.Processes.Origin, "processes", target.LimitProcesses)
	add(p.OpenFiles.Set, p.OpenFiles.Layer, p.OpenFiles.Origin, "open_files", target.LimitOpenFiles)
	add(p.FileSize.Set, p.FileSize.Layer, p.FileSize.Origin, "file_size", target.LimitFileSize)
	add(p.Output.Set, p.Output.Layer, p.Output.Origin, "output", target.LimitOutput)
	return out
}

func hostText(h ir.HostRule) string {
	if h.Port == 0 {
		return h.Host
	}
	return fmt.Sprintf("%s:%d", h.Host, h.Port)
}
