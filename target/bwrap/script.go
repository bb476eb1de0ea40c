package bwrap

import (
	_ "embed" // the script's body
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sandboxc/sbc/ir"
)

// scriptBody is everything of a script that does not depend on the policy.
//
//go:embed script.sh
var scriptBody string

// script returns a bash script that runs its arguments under the artefact: the
// plan as arrays, then the body.
func (a *Artifact) script() []byte {
	p := &a.Plan
	w := &scriptWriter{}
	w.line("#!/usr/bin/env bash")
	w.line("# Runs COMMAND [ARG...] in the sandbox that sbc compiled. Needs bubblewrap, coreutils and,")
	w.line("# for placeholders, util-linux. Limits on output, a sweep and a proxy need sbc run.")
	w.line(`[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"`)
	w.line("set -euo pipefail")
	w.line("")
	w.value("bwrap", a.Bwrap)
	w.value("wall", seconds(p.Wall))
	w.list("limits", p.ulimits())
	w.list("create", p.Create)
	w.list("placeholders", p.Placeholders)
	w.value("mask_file", p.MaskFile)
	w.value("masks", strconv.Itoa(p.Masks))
	w.list("writable", p.Writable)
	w.list("tmp_dirs", p.tmpDirs())
	w.value("env_inherit", p.Env.Inherit.Value.String())
	w.list("env_core", ir.EnvCoreNames())
	w.list("env_names", names(p.Env.Pass, false))
	w.list("env_pass", names(p.Env.Pass, true))
	w.list("env_deny", names(p.Env.Deny, true))
	prefixes, word := ir.EnvSecretPatterns()
	w.list("env_code", bashPatterns(ir.EnvCodePatterns()))
	w.list("env_secret", bashPatterns(prefixes))
	w.value("env_secret_word", word)
	w.list("env_set", p.envSet())
	w.value("seccomp", base64.StdEncoding.EncodeToString(a.Seccomp))
	w.line("")
	w.line("# The arguments of bubblewrap: isolation, a mount a line, remounts.")
	w.line("plan() {")
	w.call("also", p.isolation())
	for _, m := range p.Mounts {
		w.mount(m, p.MaskFile)
	}
	w.call("also", p.sealing())
	w.line("}")
	w.line("")
	w.line(strings.TrimRight(scriptBody, "\n"))
	return []byte(w.String())
}

// scriptWriter prints assignments. Every value goes through quote.
type scriptWriter struct{ strings.Builder }

func (w *scriptWriter) line(s string) { w.WriteString(s + "\n") }

func (w *scriptWriter) value(name, value string) { w.line(name + "=" + Quote(value)) }

func (w *scriptWriter) list(name string, values []string) {
	if len(values) == 0 {
		w.line(name + "=()")
		return
	}
	w.line(name + "=(")
	for _, v := range values {
		w.line("  " + Quote(v))
	}
	w.line(")")
}

// call prints a line that calls a function of the body.
func (w *scriptWriter) call(function string, words []string) {
	if len(words) == 0 {
		return
	}
	w.WriteString("\t" + function)
	for _, word := range words {
		w.WriteString(" " + Quote(word))
	}
	w.line("")
}

// mount prints a mount with what must be there for it: nothing, a placeholder,
// or what the host had when the plan was made.
func (w *scriptWriter) mount(m Mount, maskFile string) {
	args := m.Args(maskFile)
	kind, ok := m.Needs()
	switch {
	case !ok:
		w.call("also", args)
	case m.Optional:
		w.call("match", append([]string{kind, m.Path}, args...))
	default:
		w.call("mount", append([]string{kind, m.Path}, args...))
	}
}

// seconds returns a duration as timeout(1) takes it, empty for none.
func seconds(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

// ulimits returns the options of bash's ulimit with their values: seconds, and
// blocks of 1,024 bytes, rounded up.
func (p *Plan) ulimits() []string {
	var out []string
	add := func(option string, n int64) {
		if n > 0 {
			out = append(out, option, strconv.FormatInt(n, 10))
		}
	}
	const kib = 1024
	add("-t", int64((p.CPU+time.Second-1)/time.Second))
	add("-v", (p.Memory+kib-1)/kib)
	add("-u", p.Procs)
	add("-n", p.Open)
	add("-f", (p.FileSize+kib-1)/kib)
	return out
}

// tmpDirs returns where TMPDIR may point if the caller's does not exist in the
// sandbox.
func (p *Plan) tmpDirs() []string {
	var out []string
	for _, dir := range []string{"/tmp", "/var/tmp"} {
		if slices.Contains(p.Writable, dir) {
			out = append(out, dir)
		}
	}
	return out
}

func (p *Plan) envSet() []string {
	var out []string
	for _, v := range p.Env.Set {
		out = append(out, v.Name, v.Value)
	}
	return out
}

// names returns rules on variables, as bash patterns if those with wildcards
// are wanted and only the full names otherwise.
func names(rules []ir.EnvRule, wild bool) []string {
	var out []string
	for _, r := range rules {
		switch {
		case wild:
			out = append(out, bashPattern(r.Pattern))
		case !strings.ContainsAny(r.Pattern, "*?"):
			out = append(out, r.Pattern)
		}
	}
	return out
}

func bashPatterns(list []string) []string {
	var out []string
	for _, p := range list {
		out = append(out, bashPattern(p))
	}
	return out
}

// bashPattern escapes everything but letters, digits, "_" and the wildcards
// "*" and "?".
func bashPattern(p string) string {
	var b strings.Builder
	for i := range len(p) {
		if c := p[i]; !alphanumeric(c) && c != '_' && c != '*' && c != '?' {
			b.WriteByte('\\')
		}
		b.WriteByte(p[i])
	}
	return b.String()
}
