package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// TextOptions says how [Text] prints. The zero value prints no source lines and
// no colour and does not wrap.
type TextOptions struct {
	// Sources returns the text of a file by the name in [Range].File, nil when
	// it is not known. A nil function knows none.
	Sources func(file string) []byte
	// Color adds terminal colours. Nothing depends on them.
	Color bool
	// Width is the width of the terminal in columns; 0 means do not wrap.
	Width int
}

// Text prints a list for people, sorted, with a blank line between problems:
//
//	error[SBC0002]: unknown network mode "of"
//	 --> policy.hcl:4:10
//	  |
//	4 |   mode = "of"
//	  |          ^^^^
//	  |
//	  The mode is one of "none", "proxy" and "full".
//	  = help: did you mean "off"?
//
// Line and column are computed from the byte offset where the source is known;
// the column counts bytes. An empty list prints nothing. What comes from a
// policy or a path is printed so that it cannot steer the terminal: a newline in
// a summary, for example, appears as \n, so text must not rely on line breaks.
// The error is that of w.
func Text(w io.Writer, l List, opts TextOptions) error {
	p := textPrinter{opts: opts, sources: newSourceIndex(opts.Sources)}
	for i, d := range l.Sorted() {
		if i > 0 {
			p.line("")
		}
		p.diagnostic(d)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// textPrinter holds the state of one call of Text.
type textPrinter struct {
	opts    TextOptions
	sources sourceIndex
	out     strings.Builder
	gutter  int // columns of the widest line number of the current problem
}

// view is a place made ready to print.
type view struct {
	location string // empty: no place
	rows     []row
}

func (p *textPrinter) diagnostic(d Diagnostic) {
	// All places of a problem share one gutter, so they are prepared first.
	p.gutter = 1
	var main view
	if d.Subject != nil {
		main = p.view(*d.Subject, d.Context, "^")
	}
	related := make([]view, len(d.Related))
	for i, r := range d.Related {
		related[i] = p.view(r.Range, nil, "-")
	}

	label := fmt.Sprintf("%s[%s]", d.Severity, visible(string(d.Code)))
	p.line(p.paint(severityColor(d.Severity), label) + p.paint(bold, ": "+visible(d.Summary)))
	p.place(main, severityColor(d.Severity))

	fields := p.fields(d)
	if len(main.rows) > 0 && (d.Detail != "" || len(fields) > 0) {
		p.line(p.bar())
	}
	if d.Detail != "" {
		p.paragraph("", visible(d.Detail))
	}
	for _, f := range fields {
		p.paragraph("= "+f[0]+": ", visible(f[1]))
	}
	for i, r := range d.Related {
		p.line(p.paint(severityColor(Note), "note") + ": " + visible(r.Message))
		p.place(related[i], blue)
	}
}

// fields returns the named lines below the detail. The rule and the target are
// left out where the summary already has them.
func (p *textPrinter) fields(d Diagnostic) [][2]string {
	var out [][2]string
	if d.Help != "" {
		out = append(out, [2]string{"help", d.Help})
	}
	if d.Rule != "" && !strings.Contains(d.Summary, d.Rule) {
		out = append(out, [2]string{"rule", d.Rule})
	}
	if d.Target != "" && !strings.Contains(d.Summary, d.Target) {
		out = append(out, [2]string{"target", d.Target})
	}
	return out
}

// view prepares a place and widens the gutter for its line numbers.
func (p *textPrinter) view(r Range, context *Range, mark string) view {
	if r.File == "" {
		return view{}
	}
	src, r := p.sources.place(r)
	v := view{location: visible(r.File)}
	if r.Start.Line > 0 {
		v.location += fmt.Sprintf(":%d:%d", r.Start.Line, r.Start.Column)
	}
	if src == nil {
		return v
	}
	var around Range
	if context != nil && context.File == r.File {
		if in, c := p.sources.place(*context); in != nil {
			around = c
		}
	}
	v.rows = snippet(src, r, around, mark, p.lineLimit())
	for _, row := range v.rows {
		p.gutter = max(p.gutter, len(strconv.Itoa(row.number)))
	}
	return v
}

func (p *textPrinter) place(v view, color string) {
	if v.location == "" {
		return
	}
	p.line(strings.Repeat(" ", p.gutter) + p.paint(blue, "-->") + " " + v.location)
	if len(v.rows) == 0 {
		return
	}
	p.line(p.bar())
	for _, r := range v.rows {
		if r.number == 0 {
			p.line(p.paint(blue, "..."))
			continue
		}
		number := p.paint(blue, fmt.Sprintf("%*d |", p.gutter, r.number))
		p.line(strings.TrimRight(number+" "+r.text, " "))
		if r.marks != "" {
			p.line(p.bar() + " " + p.paint(color, r.marks))
		}
	}
}

// paragraph prints a text below the snippet, wrapped, with a hanging indent as
// wide as its label.
func (p *textPrinter) paragraph(label, text string) {
	indent := strings.Repeat(" ", p.gutter+1)
	limit := 0
	if p.opts.Width > 0 {
		limit = max(p.opts.Width-len(indent)-len(label), minTextCells)
	}
	for i, line := range wrap(text, limit) {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		p.line(indent + label + line)
	}
}

// lineLimit is the number of columns for a source line.
func (p *textPrinter) lineLimit() int {
	if p.opts.Width <= 0 {
		return maxLineCells
	}
	// The gutter is not final yet; eight columns hold any that people see.
	return max(p.opts.Width-8, minTextCells)
}

// minTextCells keeps text readable on a terminal that is too narrow for it.
const minTextCells = 20

func (p *textPrinter) bar() string {
	return strings.Repeat(" ", p.gutter+1) + p.paint(blue, "|")
}

func (p *textPrinter) line(s string) {
	p.out.WriteString(s)
	p.out.WriteByte('\n')
}

// The terminal colours, as parameters of the SGR sequence.
const (
	bold    = "1"
	red     = "1;31"
	magenta = "1;35"
	yellow  = "1;33"
	cyan    = "1;36"
	blue    = "1;34"
)

func (p *textPrinter) paint(color, s string) string {
	if !p.opts.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func severityColor(s Severity) string {
	switch s {
	case Error:
		return red
	case Security:
		return magenta
	case Warning:
		return yellow
	case Note:
		return cyan
	}
	return red // an invalid severity is a bug and must show
}
