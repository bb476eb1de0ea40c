package grant

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir"
)

// Lines returns suggestions as blocks of a policy, one of each kind, that can
// stand beside "version" in a file of their own or be merged into the blocks
// that are there. Edits stand in comments before. Where one guard is excepted
// from reading for some paths and from writing for others, both are written as
// for writing, because a policy has one such block for a guard.
func Lines(ss []Suggestion, p *ir.Policy) string {
	var b strings.Builder
	for _, s := range ss {
		for _, e := range s.Edits {
			where := e.Rule.Address
			if e.Rule.Position.File != "" {
				where += fmt.Sprintf(" (%s:%d)", e.Rule.Position.File, e.Rule.Position.Start.Line)
			}
			fmt.Fprintf(&b, "# in %s: %s\n", oneLine(where), e.Line)
		}
	}
	var read, write, hosts, sockets []string
	mode := ""
	for _, s := range ss {
		read, write = append(read, s.Read...), append(write, s.Write...)
		if s.Host != "" {
			hosts = append(hosts, quote(s.Host))
		}
		if s.Socket != "" {
			sockets = append(sockets, quoted(s.Socket, p))
		}
		if mode == "" || s.Mode == ir.NetFull.String() {
			mode = s.Mode
		}
	}
	b.WriteString(block("filesystem", attrs(
		list("read", paths(read, p)), list("write", paths(write, p)),
	)))
	b.WriteString(guards(ss, p))
	if mode == ir.NetFull.String() {
		hosts = nil
	}
	var m string
	if mode != "" {
		m = "mode = " + quote(mode)
	}
	b.WriteString(block("network", attrs(m, list("allow", hosts), list("unix_sockets", sockets))))
	return b.String()
}

// Lines returns the suggestion alone.
func (s Suggestion) Lines(p *ir.Policy) string { return Lines([]Suggestion{s}, p) }

// guards writes the exceptions, a block for each guard.
func guards(ss []Suggestion, p *ir.Policy) string {
	var names []string
	at := map[string][]string{}
	access := map[string]Access{}
	for _, s := range ss {
		for _, e := range s.Excepts {
			if _, ok := at[e.Guard]; !ok {
				names = append(names, e.Guard)
				access[e.Guard] = Read
			}
			at[e.Guard] = append(at[e.Guard], e.Path)
			if e.Access == Write {
				access[e.Guard] = Write
			}
		}
	}
	var lines []string
	for _, name := range names {
		lines = append(lines, "except "+quote(name)+" {", "  "+list("paths", paths(at[name], p)), "  access = "+quote(string(access[name])), `  reason = "say why"`, "}")
	}
	return block("guards", lines)
}

// block writes a block, or nothing if it would be empty.
func block(name string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return name + " {\n  " + strings.Join(lines, "\n  ") + "\n}\n"
}

// attrs are the attributes that are there.
func attrs(lines ...string) []string {
	return slices.DeleteFunc(lines, func(s string) bool { return s == "" })
}

// list writes a list, or nothing if it would be empty.
func list(name string, values []string) string {
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	if len(values) == 0 {
		return ""
	}
	return name + " = [" + strings.Join(values, ", ") + "]"
}

func paths(list []string, p *ir.Policy) []string {
	var out []string
	for _, s := range list {
		out = append(out, quoted(s, p))
	}
	return out
}

// quoted writes a path as an expression of a policy: beneath the workspace and
// the home directory as people write it. A path with characters that mean
// something in a glob is literal("...").
func quoted(path string, p *ir.Policy) string {
	if strings.ContainsAny(path, `*?[]{}\!~`) {
		return "literal(" + quote(path) + ")"
	}
	for _, base := range []struct{ dir, name string }{{p.Workspace, "."}, {p.Home, "~"}} {
		if rest, ok := strings.CutPrefix(path, base.dir+"/"); ok && len(base.dir) > 1 {
			return quote(base.name + "/" + rest)
		}
	}
	return quote(path)
}

// quote writes a string in HCL's syntax, in which ${ and %{ begin templates.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			b.WriteRune(r)
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// text reports whether a path can be written in a policy: UTF-8 without the
// noncharacters that policies must not contain, and with no line break at its
// end.
func text(s string) bool {
	return utf8.ValidString(s) && !strings.HasSuffix(s, "\n") && !strings.HasSuffix(s, "\r") && !strings.ContainsFunc(s, func(r rune) bool {
		return 0xfdd0 <= r && r <= 0xfdef || r&0xfffe == 0xfffe
	})
}

// oneLine keeps a comment on its line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
