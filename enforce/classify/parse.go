package classify

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
)

// The bounds of what is read of a text, in bytes, and of what is made of it.
const (
	maxText     = 1 << 20
	maxLine     = 8 << 10
	maxMessages = 2000
	maxPerLine  = 4
)

// message is what a program said about an error.
type message struct {
	line    string
	errno   string // "EACCES", "EROFS", "EPERM", "EXDEV", "EBUSY", "ENOENT"
	targets []target
	net     bool   // about the network
	host    string // a name or address, perhaps with a port; empty if none is named
	weak    bool   // of a message about the network: its form says little
	sigsys  bool
}

// target is a path in a message.
type target struct {
	alternatives []string // what the text can mean, the likeliest first
	op           ir.Op    // what the message says was tried; 0 if it does not
	dir          bool
	weak         bool // the form of the message does not say that it is a path
}

var (
	escapes   = pattern("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
	badCall   = pattern(`^(?:.*: line [0-9]+: +[0-9]+ |\s*)Bad system call(?:\s|$)`)
	npmPrefix = pattern(`^npm (?:ERR!|error|warn|WARN) ?(?:[a-z0-9]+ )?`)
)

// parser reads messages line by line.
type parser struct {
	phrases []phrase // those that occur in the text
	lines   []string
	out     []message
	npm     npmBlock
}

// parse returns the messages of a text about errors that a sandbox can cause.
func parse(text string) []message {
	if len(text) > maxText { // the beginning and the end say most
		text = text[:maxText/2] + "\n" + text[len(text)-maxText/2:]
	}
	text = escapes().ReplaceAllString(text, "")
	p := &parser{}
	lower := asciiLower(text)
	for _, ph := range phrases() {
		if strings.Contains(lower, asciiLower(ph.text)) {
			ph.text = asciiLower(ph.text)
			p.phrases = append(p.phrases, ph)
		}
	}
	p.lines = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, line := range p.lines {
		if len(line) > maxLine {
			line = line[:maxLine]
		}
		if len(p.out) < maxMessages {
			p.line(i, line)
		}
	}
	p.endNpm()
	return p.out
}

// asciiLower lowers ASCII letters alone, so that every place stays where it is.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func (p *parser) line(i int, line string) {
	if badCall().MatchString(line) {
		p.out = append(p.out, message{line: line, sigsys: true})
		return
	}
	p.npmLine(line)
	if hosts := hostMessages(line); len(hosts) > 0 {
		p.out = append(p.out, hosts...)
		return
	}
	if t, errno, ok := spawned(line); ok {
		p.out = append(p.out, message{line: line, errno: errno, targets: []target{t}})
	}
	body := npmPrefix().ReplaceAllString(line, "")
	for _, f := range p.find(body) {
		m := message{line: line, errno: f.errno}
		switch f.errno {
		case "ENETUNREACH", "EAI_NONAME", "EAI_AGAIN":
			m.net = true // no host is named in a form that is known
			p.out = append(p.out, m)
			continue
		}
		if m.targets = targets(f); len(m.targets) == 0 && f.bare() {
			m.targets = p.before(i)
		}
		if len(m.targets) > 0 {
			p.out = append(p.out, m)
		}
	}
}

// finding is an error text in a line.
type finding struct {
	errno         string
	before, after string // up to the error text before and after it
	text          string // the error text, in lower case
	first         bool
}

// bare reports whether the line says nothing but the error, as where the lines
// before have said what failed.
func (f finding) bare() bool {
	rest := strings.TrimSpace(f.before)
	rest = strings.TrimPrefix(rest, "Caused by:")
	return f.first && strings.Trim(rest, " :-0123456789.|`└─╰>") == "" || f.first && strings.HasSuffix(rest, "[Errno 13]")
}

// find returns the error texts of a line, longest first where two begin at the
// same place.
func (p *parser) find(line string) []finding {
	lower := asciiLower(line)
	type hit struct{ start, end, phrase int }
	var hits []hit
	for n, ph := range p.phrases {
		for from := 0; ; {
			at := strings.Index(lower[from:], ph.text)
			if at < 0 {
				break
			}
			start, end := from+at, from+at+len(ph.text)
			from = end
			if wordAt(lower, start, end) {
				hits = append(hits, hit{start, end, n})
			}
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []finding
	last := 0
	for _, h := range hits {
		if h.start < last || len(out) == maxPerLine {
			continue
		}
		if n := len(out); n > 0 {
			out[n-1].after = line[last:h.start]
		}
		ph := p.phrases[h.phrase]
		out = append(out, finding{errno: ph.errno, before: line[last:h.start], after: line[h.end:], text: ph.text, first: last == 0})
		last = h.end
	}
	return out
}

// wordAt reports whether no ASCII letter continues the text on either side. The
// name of a class may stand before it.
func wordAt(s string, start, end int) bool {
	letter := func(b byte) bool { return 'a' <= b && b <= 'z' }
	return (start == 0 || !letter(s[start-1]) || !letter(s[start])) && (end == len(s) || !letter(s[end]) || !letter(s[end-1]))
}

// before looks in the lines above for the path that a bare error is about:
//
//	error: failed to open: /x/.cargo-lock
//
//	Caused by:
//	  Permission denied (os error 13)
func (p *parser) before(i int) []target {
	for k := i - 1; k >= 0 && k >= i-6; k-- {
		line := p.lines[k]
		if len(line) > maxLine {
			continue
		}
		if ts := targets(finding{before: line, first: true}); len(ts) > 0 && !ts[len(ts)-1].weak {
			return ts[len(ts)-1:]
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "Caused by") {
			return nil
		}
	}
	return nil
}
