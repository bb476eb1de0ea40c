package sbpl

import (
	"fmt"
	"strconv"
	"strings"
)

// Style says how much a profile's text explains.
type Style uint8

const (
	// Plain has the titles of the sections and no other comments.
	Plain Style = iota
	// Annotated has the note of each clause behind it.
	Annotated
)

// Print returns the text of the profile: one clause a line, LF, a newline at
// the end. Same profile, same bytes.
func (p Profile) Print(style Style) []byte {
	var b strings.Builder
	b.WriteString("(version 1)\n(deny default)\n")
	for _, s := range p.Sections {
		if len(s.Rules) == 0 {
			continue
		}
		b.WriteString("\n; " + comment(s.Title) + "\n")
		for _, r := range s.Rules {
			r.write(&b, style)
		}
	}
	return []byte(b.String())
}

// Rules returns how many rules the profile is to the system, which makes one
// for each operation.
func (p Profile) Rules() int {
	n := 1
	for _, s := range p.Sections {
		for _, r := range s.Rules {
			n += len(r.Ops)
		}
	}
	return n
}

func (r Rule) write(b *strings.Builder, style Style) {
	b.WriteString("(" + r.Action.String())
	for _, op := range r.Ops {
		b.WriteString(" " + string(op))
	}
	switch len(r.Clauses) {
	case 0:
		b.WriteString(")")
		writeNote(b, r.Note, style)
	case 1:
		b.WriteString(" " + Format(r.Clauses[0].Filter) + ")")
		writeNote(b, r.Clauses[0].Note, style)
	default:
		for i, c := range r.Clauses {
			b.WriteString("\n  " + Format(c.Filter))
			if i == len(r.Clauses)-1 {
				b.WriteString(")")
			}
			writeNote(b, c.Note, style)
		}
	}
	b.WriteString("\n")
}

func writeNote(b *strings.Builder, note string, style Style) {
	if style == Annotated && note != "" {
		b.WriteString(" ; " + comment(note))
	}
}

// String returns the rule on one line, without notes.
func (r Rule) String() string {
	var b strings.Builder
	b.WriteString("(" + r.Action.String())
	for _, op := range r.Ops {
		b.WriteString(" " + string(op))
	}
	for _, c := range r.Clauses {
		b.WriteString(" " + Format(c.Filter))
	}
	b.WriteString(")")
	return b.String()
}

// Format returns the text of a filter, on one line.
func Format(f Filter) string {
	switch f := f.(type) {
	case Text:
		return "(" + f.Name + " " + Quote(f.Value) + ")"
	case Regex:
		return "(regex " + QuoteRegex(f.Pattern) + ")"
	case Symbol:
		return "(" + f.Name + " " + f.Value + ")"
	case Number:
		return "(" + f.Name + " " + strconv.Itoa(f.Value) + ")"
	case Address:
		return "(" + f.side() + " " + Quote(f.hostPort()) + ")"
	case All:
		return list("require-all", f)
	case Any:
		return list("require-any", f)
	case Not:
		return list("require-not", []Filter{f.Filter})
	}
	return fmt.Sprintf("(internal-error-unknown-filter %T)", f)
}

// side returns the name of the filter.
func (a Address) side() string {
	if a.Remote {
		return "remote ip"
	}
	return "local ip"
}

func (a Address) hostPort() string {
	host, port := "*", "*"
	if a.Localhost {
		host = "localhost"
	}
	if a.Port != 0 {
		port = strconv.Itoa(int(a.Port))
	}
	return host + ":" + port
}

func list(name string, fs []Filter) string {
	parts := make([]string, len(fs))
	for i, f := range fs {
		parts[i] = Format(f)
	}
	return "(" + name + " " + strings.Join(parts, " ") + ")"
}
