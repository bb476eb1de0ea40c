package ir

import (
	"fmt"
	"strconv"
	"strings"
)

func (t *text) network(n *Network) {
	t.section("network")
	putSetting(t, "mode", &n.Mode, n.Mode.Value.String())
	putSetting(t, "loopback", &n.Loopback, n.EffectiveLoopback().String())
	for i := range n.Allow {
		r := &n.Allow[i]
		t.row("allow", hostText(r), r.Layer, &r.Origin)
	}
	for i := range n.Deny {
		r := &n.Deny[i]
		t.row("deny", hostText(r), r.Layer, &r.Origin)
	}
	for i := range n.UnixSockets {
		s := &n.UnixSockets[i]
		t.row("unix_socket", word(s.Path), s.Layer, &s.Origin, flag("written", s.Written))
	}
}

// hostText returns "host:port", with "*" for every port and an IPv6 address in
// brackets.
func hostText(r *HostRule) string {
	host, port := r.Host, "*"
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if r.Port != 0 {
		port = strconv.Itoa(int(r.Port))
	}
	return word(host + ":" + port)
}

func (t *text) env(e *Env) {
	t.section("env")
	putSetting(t, "inherit", &e.Inherit, e.Inherit.Value.String())
	for i := range e.Pass {
		t.row("pass", word(e.Pass[i].Pattern), e.Pass[i].Layer, &e.Pass[i].Origin)
	}
	for i := range e.Deny {
		t.row("deny", word(e.Deny[i].Pattern), e.Deny[i].Layer, &e.Deny[i].Origin)
	}
	for i := range e.Set {
		s := &e.Set[i]
		t.row("set", word(s.Name)+" = "+word(s.Value), s.Layer, &s.Origin)
	}
}

func (t *text) process(p *Process) {
	t.section("process")
	putSetting(t, "ptrace", &p.Ptrace, strconv.FormatBool(p.Ptrace.Value))
	putSetting(t, "namespaces", &p.Namespaces, strconv.FormatBool(p.Namespaces.Value))
	putSetting(t, "terminal", &p.Terminal, strconv.FormatBool(p.Terminal.Value))
	putSetting(t, "supervise", &p.Supervise, p.Supervise.Value.String())
	for i := range p.Devices {
		d := &p.Devices[i]
		t.row("device", word(d.Path), d.Layer, &d.Origin)
	}
}

func (t *text) limits(l *Limits) {
	t.section("limits")
	putLimit(t, "wall", &l.Wall)
	putLimit(t, "cpu", &l.CPU)
	putLimit(t, "memory", &l.Memory)
	putLimit(t, "processes", &l.Processes)
	putLimit(t, "open_files", &l.OpenFiles)
	putLimit(t, "file_size", &l.FileSize)
	putLimit(t, "output", &l.Output)
}

// putLimit writes a limit: a duration as Go prints it, a size in bytes.
func putLimit[T any](t *text, what string, s *Setting[T]) {
	value := "none"
	if s.Set {
		value = fmt.Sprint(s.Value)
	}
	putSetting(t, what, s, value)
}

func (t *text) extras(es []Extra) {
	if len(es) > 0 {
		t.section("extras")
	}
	for i := range es {
		e := &es[i]
		t.row(word(e.Kind), word(e.Value), e.Layer, &e.Origin, flag("target", e.Target))
	}
}

func (t *text) accepts(as []Accept) {
	if len(as) > 0 {
		t.section("accepts")
	}
	for i := range as {
		a := &as[i]
		t.row(word(string(a.Code)), word(a.Rule), a.Layer, &a.Origin, flag("target", a.Target), flag("reason", a.Reason))
	}
}

func (t *text) tests(ts []Test) {
	if len(ts) > 0 {
		t.section("tests")
	}
	for i := range ts {
		t.line(fmt.Sprintf("  %-60s  %s", word(ts[i].Name), where(&ts[i].Origin, nil)))
		t.testPaths("allow", ts[i].Allow)
		t.testPaths("deny", ts[i].Deny)
	}
}

func (t *text) testPaths(verb string, ps []TestPath) {
	for i := range ps {
		t.line(fmt.Sprintf("    %-5s  %-6s  %-43s  %s", verb, ps[i].Op, word(ps[i].Pattern), where(&ps[i].Origin, nil)))
	}
}

func (t *text) sources(ss []Source) {
	if len(ss) > 0 {
		t.section("sources")
	}
	for i := range ss {
		s := &ss[i]
		path := s.Path
		if path == "" {
			path = "built-in"
		} else {
			path = word(path)
		}
		t.line(strings.Join([]string{fmt.Sprintf("  %-15s %-32s  %-9s", word(s.File), path, s.Layer), mark("narrow", s.Narrow)}, "  "))
	}
}
