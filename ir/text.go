package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Text returns the policy in a form for reading and for goldens. It is stable:
// one rule or setting is one line, no line depends on another one, columns have
// fixed places (what is longer moves the rest of its line only), and names that
// could break a line or mislead are in quotes. It shows everything but the
// digests of the sources and, of an origin, more than file and line.
func (p *Policy) Text() string {
	var t text
	t.line("policy " + word(p.Name))
	t.pair("version", strconv.Itoa(p.Version))
	t.pair("workspace", word(p.Workspace))
	t.pair("home", word(p.Home))
	t.pair("temp", word(p.Temp))
	t.files(p.Files)
	t.section("settings")
	putSetting(&t, "tmp", &p.Tmp, p.Tmp.Value.String())
	t.network(&p.Network)
	t.env(&p.Env)
	t.process(&p.Process)
	t.limits(&p.Limits)
	t.extras(p.Extras)
	t.accepts(p.Accepts)
	t.tests(p.Tests)
	t.sources(p.Sources)
	return t.b.String()
}

// text collects the lines of the text form.
type text struct{ b strings.Builder }

func (t *text) line(s string) { t.b.WriteString(strings.TrimRight(s, " ") + "\n") }

// section starts a part of the text with a title.
func (t *text) section(title string) { t.line("\n" + title) }

func (t *text) pair(key, value string) { t.line(fmt.Sprintf("  %-11s %s", key, value)) }

// row writes one thing: what it is, its value, and where both come from.
func (t *text) row(what, value string, layer Layer, o *Origin, flags ...string) {
	t.line(fmt.Sprintf("  %-15s %-32s  %-9s  %s", what, value, layer, where(o, flags)))
}

// putSetting writes a setting, or its default.
func putSetting[T any](t *text, what string, s *Setting[T], value string) {
	if !s.Set {
		t.line(fmt.Sprintf("  %-15s %-32s  default", what, value))
		return
	}
	t.row(what, value, s.Layer, &s.Origin)
}

// where returns the address, the place and the flags of a line. A place is file
// and line, "-" if there is none.
func where(o *Origin, flags []string) string {
	place := "-"
	if o.Range.File != "" {
		place = word(o.Range.File)
		if o.Range.Start.Line > 0 {
			place += ":" + strconv.Itoa(o.Range.Start.Line)
		}
	}
	out := fmt.Sprintf("%-32s  %s", word(o.Address), place)
	for _, v := range o.Via {
		flags = append(flags, "via="+word(v))
	}
	for _, f := range flags {
		if f != "" {
			out += "  " + f
		}
	}
	return out
}

// flag returns "name=value", and nothing for an empty value.
func flag(name, value string) string {
	if value == "" {
		return ""
	}
	return name + "=" + word(value)
}

// mark returns the name if it is on.
func mark(name string, on bool) string {
	if on {
		return name
	}
	return ""
}

func (t *text) files(rules []FileRule) {
	const format = "  %-12s  %-5s  %-5s  %-9s  %-40s  %s"
	t.section("files")
	t.line(fmt.Sprintf(format, "group", "read", "write", "layer", "match", fmt.Sprintf("%-32s  %s", "address", "origin")))
	for i := range rules {
		r := &rules[i]
		onMissing, sweep := "", ""
		if r.OnMissing != MissingDefault {
			onMissing = r.OnMissing.String()
		}
		if r.Sweep != SweepReport {
			sweep = r.Sweep.String()
		}
		t.line(fmt.Sprintf(format, r.Group, r.Read, r.Write, r.Layer, matchText(r.Match), where(&r.Origin, []string{
			flag("target", r.Target), mark("non_dir", r.NonDir), mark("private", r.Private),
			flag("on_missing", onMissing), flag("sweep", sweep), flag("guard", r.Guard),
			flag("written", r.Written), flag("reason", r.Reason),
		})))
	}
}

// matchText is Match.String with its names made safe for a line.
func matchText(m Match) string {
	switch m := m.(type) {
	case Path:
		return "path " + word(string(m))
	case Subtree:
		return "subtree " + word(string(m))
	case Glob:
		out := "glob " + word(patternText(m.Pattern))
		for _, e := range m.Except {
			out += " except " + word(patternText(e))
		}
		return out
	}
	return "no match"
}
