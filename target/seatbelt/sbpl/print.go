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
func (p Profile) Print(style Style) string {
	const usual = 160 // bytes a clause
	var b strings.Builder
	b.Grow(usual * p.clauses())
	b.WriteString("(version 1)\n(deny default)\n")
	for _, s := range p.Sections {
		if len(s.Rules) == 0 {
			continue
		}
		write(&b, "\n; ", comment(s.Title), "\n")
		for _, r := range s.Rules {
			r.write(&b, style)
		}
	}
	return b.String()
}

func (p Profile) clauses() int {
	n := 0
	for _, s := range p.Sections {
		for _, r := range s.Rules {
			n += len(r.Clauses) + 1
		}
	}
	return n
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
	r.writeHead(b)
	switch len(r.Clauses) {
	case 0:
		b.WriteByte(')')
		writeNote(b, r.Note, style)
	case 1:
		if f := r.Clauses[0].Filter; isList(f) && len(Format(f)) > maxLine {
			b.WriteString("\n  ")
			writeLines(b, f, "  ")
		} else {
			b.WriteByte(' ')
			writeFilter(b, f)
		}
		b.WriteByte(')')
		writeNote(b, r.Clauses[0].Note, style)
	default:
		for i, c := range r.Clauses {
			b.WriteString("\n  ")
			writeLines(b, c.Filter, "  ")
			if i == len(r.Clauses)-1 {
				b.WriteByte(')')
			}
			writeNote(b, c.Note, style)
		}
	}
	b.WriteByte('\n')
}

// writeHead writes what stands before the clauses.
func (r Rule) writeHead(b *strings.Builder) {
	b.WriteByte('(')
	b.WriteString(r.Action.String())
	for _, op := range r.Ops {
		b.WriteByte(' ')
		b.WriteString(string(op))
	}
}

func writeNote(b *strings.Builder, note string, style Style) {
	if style == Annotated && note != "" {
		b.WriteString(" ; ")
		b.WriteString(comment(note))
	}
}

// String returns the rule on one line, without notes.
func (r Rule) String() string {
	var b strings.Builder
	r.writeHead(&b)
	for _, c := range r.Clauses {
		b.WriteByte(' ')
		writeFilter(&b, c.Filter)
	}
	b.WriteByte(')')
	return b.String()
}

// Format returns the text of a filter, on one line.
func Format(f Filter) string {
	var b strings.Builder
	writeFilter(&b, f)
	return b.String()
}

func writeFilter(b *strings.Builder, f Filter) {
	switch f := f.(type) {
	case Text:
		write(b, "(", f.Name, " ", Quote(f.Value), ")")
	case Regex:
		if raw(f.Pattern) {
			write(b, `(regex #"`, f.Pattern, `")`)
			break
		}
		write(b, "(regex ", Quote(f.Pattern), ")")
	case Symbol:
		write(b, "(", f.Name, " ", f.Value, ")")
	case Number:
		write(b, "(", f.Name, " ", strconv.Itoa(f.Value), ")")
	case Address:
		write(b, "(", f.side(), " ", Quote(f.hostPort()), ")")
	case All:
		writeList(b, "require-all", f)
	case Any:
		writeList(b, "require-any", f)
	case Not:
		writeList(b, "require-not", []Filter{f.Filter})
	default:
		fmt.Fprintf(b, "(internal-error-unknown-filter %T)", f)
	}
}

// maxLine is how many bytes a filter of several filters may have to stand on one
// line.
const maxLine = 140

func isList(f Filter) bool {
	switch f.(type) {
	case All, Any, Not:
		return true
	case Text, Regex, Symbol, Number, Address:
	}
	return false
}

// writeLines writes a filter, the filters in it on lines of their own where it
// is long.
func writeLines(b *strings.Builder, f Filter, indent string) {
	var name string
	var inner []Filter
	switch f := f.(type) {
	case All:
		name, inner = "require-all", f
	case Any:
		name, inner = "require-any", f
	case Text, Regex, Symbol, Number, Address, Not:
	}
	if text := Format(f); name == "" || len(text) <= maxLine {
		b.WriteString(text)
		return
	}
	write(b, "(", name)
	for _, f := range inner {
		b.WriteString("\n" + indent + "  ")
		writeLines(b, f, indent+"  ")
	}
	b.WriteByte(')')
}

func writeList(b *strings.Builder, name string, fs []Filter) {
	write(b, "(", name)
	for _, f := range fs {
		b.WriteByte(' ')
		writeFilter(b, f)
	}
	b.WriteByte(')')
}

func write(b *strings.Builder, parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
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
