package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// noGuards takes all guards out of a policy.
const noGuards = `guards {
  exclude = ["credentials", "git-exec", "git-config", "shell-startup", "agent-config", "editor-config", "sbc-files"]
  reason  = "only what is written here"
}
`

// The prefixes of paths in a Policy.
const (
	LiteralPrefix = "literal:" // what follows is no glob
	DenyPrefix    = "deny:"    // in DenyRead: nothing that lies deeper opens it
)

// HCL is the policy in the language of sbc. dir is what W stands for.
func (p *Policy) HCL(dir string) string {
	if p.Raw != "" {
		return In(dir, p.Raw)
	}
	w := writer{dir: dir}
	w.line("version = 1")
	if !p.Mandatory {
		w.WriteString(noGuards)
	}
	w.line("filesystem {")
	if p.Tmp != "" {
		w.line("  tmp = %s", quote(p.Tmp))
	}
	none, denied := p.closed()
	read := slices.Clone(p.AllowRead)
	if !slices.Contains(none, "/") {
		read = append(read, "/")
	}
	w.line("  read = %s", w.list(read))
	w.line("  write = %s", w.list(p.Write))
	w.line("  none = %s", w.list(none))
	w.deny("read", "all", denied, p.Skip)
	w.deny("write", "write", p.DenyWrite, p.Skip)
	for _, key := range slices.Sorted(maps.Keys(p.Extra)) {
		w.line("  %s = %s", key, w.list(Texts(p.Extra[key]...)))
	}
	w.line("}")
	if p.Net != "" || len(p.Sockets) > 0 {
		w.line("network {")
		if p.Net != "" {
			w.line("  mode = %s", quote(p.Net))
		}
		if len(p.Sockets) > 0 {
			w.line("  unix_sockets = %s", w.list(p.Sockets))
		}
		w.line("}")
	}
	if len(p.DenyEnv) > 0 {
		w.line("env {\n  deny = %s\n}", w.list(Texts(p.DenyEnv...)))
	}
	if len(p.Limits) > 0 {
		w.line("limits {")
		for _, key := range slices.Sorted(maps.Keys(p.Limits)) {
			w.line("  %s = %s", key, value(p.Limits[key]))
		}
		w.line("}")
	}
	return w.String()
}

// closed tells what DenyRead closes as a root from what it denies.
func (p *Policy) closed() (none, denied []Text) {
	for _, path := range p.DenyRead {
		rest, deny := strings.CutPrefix(string(path), DenyPrefix)
		literal := strings.HasPrefix(rest, LiteralPrefix)
		if deny || !literal && strings.ContainsAny(rest, "*?[{") {
			denied = append(denied, Text(rest))
		} else {
			none = append(none, path)
		}
	}
	return none, denied
}

type writer struct {
	strings.Builder
	dir string
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) deny(name, access string, paths []Text, skip bool) {
	if len(paths) == 0 {
		return
	}
	w.line("  deny %q {\n    paths  = %s\n    access = %q", name, w.list(paths), access)
	if skip {
		w.line("    on_missing = \"skip\"")
	}
	w.line("  }")
}

func (w *writer) list(paths []Text) string {
	out := make([]string, len(paths))
	for i, p := range paths {
		rest, literal := strings.CutPrefix(string(p), LiteralPrefix)
		out[i] = quote(In(w.dir, rest))
		if literal {
			out[i] = "literal(" + out[i] + ")"
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func value(v any) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	return fmt.Sprint(v)
}

// quote writes a string of HCL (the syntax specification of HCL, "Template
// expressions"). Bytes that are not UTF-8 cannot stand there; they stay, and the
// policy is refused.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case (c == '$' || c == '%') && strings.HasPrefix(s[i+1:], "{"):
			b.WriteByte(c)
			b.WriteByte(c)
		case c < 0x80 && unicode.IsControl(rune(c)):
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
