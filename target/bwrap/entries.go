package bwrap

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// settingEntries returns the verdicts on everything that is not a file rule.
func (l *lowering) settingEntries() []target.Entry {
	p := l.policy
	var out []target.Entry
	out = append(out, l.networkEntries()...)
	out = append(out, envEntries(&p.Env)...)
	out = append(out, l.processEntries()...)
	out = append(out, l.limitEntries()...)
	for _, x := range p.Extras {
		if x.Target != "" && x.Target != ir.Linux {
			continue // for another target, and said so
		}
		e := setting(x.Layer, x.Origin, x.Kind, verdict{
			feature: target.MachServices, verdict: target.Dropped, code: diag.CodeTargetExtra,
			loss: "there are no Mach services here, so " + Quote(x.Value) + " opens nothing",
		})
		e.Opens = true
		out = append(out, e)
	}
	return out
}

// setting makes an entry for something that is not a file rule. The address is
// for parts of a policy that nobody wrote.
func setting(layer ir.Layer, o ir.Origin, address string, v verdict) target.Entry {
	if o.Address != "" {
		address = o.Address
	}
	if v.verdict == 0 {
		v.verdict = target.Exact
	}
	if v.enforcer == "" {
		v.enforcer = target.Kernel
	}
	return target.Entry{
		Rule: address, Index: -1, Feature: v.feature, Verdict: v.verdict, Code: v.code, Loss: v.loss,
		Enforcer: v.enforcer, Instead: v.instead, Layer: layer, Origin: o,
	}
}

// envEntries says who keeps the environment: bubblewrap would show its own in
// /proc/1/environ whatever it is told to unset, so the launcher builds it before
// bubblewrap starts.
func envEntries(env *ir.Env) []target.Entry {
	v := verdict{feature: target.EnvRules, code: diag.CodeEnv, enforcer: target.Launcher, loss: "the launcher builds the environment before bubblewrap starts"}
	out := []target.Entry{setting(env.Inherit.Layer, env.Inherit.Origin, "env", v)}
	for _, r := range env.Pass {
		e := setting(r.Layer, r.Origin, "env.pass["+r.Pattern+"]", v)
		e.Opens = true
		out = append(out, e)
	}
	for _, r := range env.Deny {
		out = append(out, setting(r.Layer, r.Origin, "env.deny["+r.Pattern+"]", v))
	}
	for _, s := range env.Set {
		out = append(out, setting(s.Layer, s.Origin, "env.set."+s.Name, v))
	}
	return out
}

// processEntries covers what a command may do to processes and devices.
func (l *lowering) processEntries() []target.Entry {
	p := &l.policy.Process
	var out []target.Entry
	add := func(s ir.Setting[bool], name string, f target.Feature, args ...string) {
		e := setting(s.Layer, s.Origin, "process."+name, verdict{feature: f})
		e.Opens, e.Emitted = s.Value, args
		out = append(out, e)
	}
	add(p.Ptrace, "ptrace", target.ProcPtrace)
	if p.Namespaces.Value || !l.plan.DisableUserns {
		add(p.Namespaces, "namespaces", target.ProcNamespaces)
	} else {
		add(p.Namespaces, "namespaces", target.ProcNamespaces, "--disable-userns")
	}
	if p.Terminal.Value {
		add(p.Terminal, "terminal", target.ProcTerminal)
	} else {
		add(p.Terminal, "terminal", target.ProcTerminal, "--new-session")
	}
	out = append(out, l.superviseEntries()...)
	for _, d := range p.Devices {
		v := verdict{feature: target.ProcDevices}
		n := l.tree.at(l.resolve(d.Path))
		switch {
		case n.mount >= 0 && l.plan.Mounts[n.mount].Kind == DeviceBind:
		case n.state == absent || n.state == blocked:
			v.verdict, v.code, v.loss = target.Narrower, diag.CodeMissingOpen, Quote(d.Path)+" does not exist, so it is left out"
		default:
			v.verdict, v.code, v.loss = target.Narrower, diag.CodeProcess, Quote(d.Path)+" is closed by a rule that stands above, so it stays closed"
		}
		e := setting(d.Layer, d.Origin, "process.devices["+d.Path+"]", v)
		e.Opens = true
		if n.mount >= 0 && v.code == "" {
			e.Emitted = []string{"--dev-bind " + Quote(n.path) + " " + Quote(n.path)}
		}
		out = append(out, e)
	}
	return out
}

// limitEntries covers the limits that are set.
func (l *lowering) limitEntries() []target.Entry {
	p := &l.policy.Limits
	var out []target.Entry
	add := func(set bool, layer ir.Layer, o ir.Origin, name string, f target.Feature) {
		if !set {
			return
		}
		c, _ := l.table().Cell(f)
		out = append(out, setting(layer, o, "limits."+name, verdict{
			feature: f, verdict: c.Verdict, code: c.Code, loss: c.Sentence, enforcer: c.Enforcer,
		}))
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

// table is the target's table with what is known of this host: root is exempt
// from the limit on processes.
func (l *lowering) table() target.Table {
	t := Table()
	if f := l.opts.Facts; f != nil && f.UID != 0 {
		return t
	}
	for i := range t {
		if t[i].Feature == target.LimitProcesses {
			t[i].Verdict = target.Wider
			t[i].Sentence = "the limit is on the user's processes, and root is exempt from it"
		}
	}
	return t
}
