package ir

import (
	"fmt"
	"strings"
	"time"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

func (v *validator) network(n *Network) {
	setting(v, "/network/mode", &n.Mode)
	known(v.at(&n.Mode.Origin, "/network/mode"), "value", n.Mode.Value, networkModes())
	setting(v, "/network/loopback", &n.Loopback)
	known(v.at(&n.Loopback.Origin, "/network/loopback"), "value", n.Loopback.Value, loopbackModes())
	v.hosts("allow", n.Allow)
	v.hosts("deny", n.Deny)
	for i := range n.UnixSockets {
		s := &n.UnixSockets[i]
		a := v.at(&s.Origin, "/network/unix_sockets/%d", i)
		a.absolute("path", s.Path)
		a.absoluteOrEmpty("written", s.Written)
		a.from(s.Layer, &s.Origin)
	}
}

func (v *validator) hosts(key string, rules []HostRule) {
	for i := range rules {
		r := &rules[i]
		a := v.at(&r.Origin, "/network/%s/%d", key, i)
		a.must(validHost(r.Host), "host", "the host pattern %q means nothing", r.Host)
		a.from(r.Layer, &r.Origin)
	}
}

// validHost reports whether a host pattern has the form that matching relies
// on: lower-case, and a star in front only.
func validHost(h string) bool {
	if rest, ok := strings.CutPrefix(h, "**."); ok {
		h = rest
	} else if rest, ok := strings.CutPrefix(h, "*."); ok {
		h = rest
	}
	return h != "" && h == strings.ToLower(h) && !strings.ContainsAny(h, "*/\x00 \t\r\n[]")
}

func (v *validator) env(e *Env) {
	setting(v, "/env/inherit", &e.Inherit)
	known(v.at(&e.Inherit.Origin, "/env/inherit"), "value", e.Inherit.Value, envInherits())
	v.names("pass", e.Pass)
	v.names("deny", e.Deny)
	for i := range e.Set {
		s := &e.Set[i]
		a := v.at(&s.Origin, "/env/set/%d", i)
		a.name("name", s.Name)
		a.text("value", s.Value)
		a.from(s.Layer, &s.Origin)
		a.must(i == 0 || e.Set[i-1].Name < s.Name, "name", "the variable %q is not in its place", s.Name)
	}
}

func (v *validator) names(key string, rules []EnvRule) {
	for i := range rules {
		r := &rules[i]
		a := v.at(&r.Origin, "/env/%s/%d", key, i)
		a.name("pattern", r.Pattern)
		a.from(r.Layer, &r.Origin)
	}
}

// name checks the name of an environment variable, or a glob over such names.
func (a at) name(key, s string) {
	a.nonEmpty(key, s)
	a.must(!strings.Contains(s, "="), key, "%q holds =", s)
}

func (v *validator) process(p *Process) {
	setting(v, "/process/ptrace", &p.Ptrace)
	setting(v, "/process/namespaces", &p.Namespaces)
	setting(v, "/process/terminal", &p.Terminal)
	setting(v, "/process/supervise", &p.Supervise)
	known(v.at(&p.Supervise.Origin, "/process/supervise"), "value", p.Supervise.Value, superviseModes())
	for i := range p.Devices {
		d := &p.Devices[i]
		a := v.at(&d.Origin, "/process/devices/%d", i)
		a.absolute("path", d.Path)
		a.from(d.Layer, &d.Origin)
	}
}

func (v *validator) limits(l *Limits) {
	limit(v, "wall_ns", &l.Wall)
	limit(v, "cpu_ns", &l.CPU)
	limit(v, "memory_bytes", &l.Memory)
	limit(v, "processes", &l.Processes)
	limit(v, "open_files", &l.OpenFiles)
	limit(v, "file_size_bytes", &l.FileSize)
	limit(v, "output_bytes", &l.Output)
}

func limit[T int64 | time.Duration](v *validator, key string, s *Setting[T]) {
	setting(v, "/limits/"+key, s)
	v.at(&s.Origin, "/limits/%s", key).must(s.Value >= 0, "value", "a negative limit")
}

// author checks what the author says about targets, losses and tests.
func (v *validator) author(p *Policy) {
	for i := range p.Extras {
		e := &p.Extras[i]
		a := v.at(&e.Origin, "/extras/%d", i)
		a.target("target", e.Target, false)
		a.must(e.Kind == ExtraMach && e.Target == Darwin, "kind", "the target %q has no %q", e.Target, e.Kind)
		a.nonEmpty("value", e.Value)
		a.from(e.Layer, &e.Origin)
	}
	for i := range p.Accepts {
		c := &p.Accepts[i]
		a := v.at(&c.Origin, "/accepts/%d", i)
		a.must(validCode(c.Code), "code", "%q is no code", string(c.Code))
		a.nonEmpty("rule", c.Rule)
		a.target("target", c.Target, true)
		a.text("reason", c.Reason)
		a.from(c.Layer, &c.Origin)
	}
	for i := range p.Tests {
		t := &p.Tests[i]
		a := v.at(&t.Origin, "/tests/%d", i)
		a.nonEmpty("name", t.Name)
		a.written(&t.Origin)
		v.testPaths(fmt.Sprintf("/tests/%d/allow", i), t.Allow)
		v.testPaths(fmt.Sprintf("/tests/%d/deny", i), t.Deny)
	}
}

func (v *validator) testPaths(path string, ps []TestPath) {
	for i := range ps {
		a := v.at(&ps[i].Origin, "%s/%d", path, i)
		known(a, "op", ps[i].Op, Ops())
		_, err := glob.Parse(ps[i].Pattern)
		a.must(err == nil, "pattern", "%v", err)
		a.written(&ps[i].Origin)
	}
}

// validCode reports whether a code has the form of one. Whether there is such a
// code is not asked, so that an older sbc reads what a newer one wrote.
func validCode(c diag.Code) bool {
	digits, ok := strings.CutPrefix(string(c), "SBC")
	return ok && len(digits) == 4 && strings.Trim(digits, "0123456789") == ""
}
