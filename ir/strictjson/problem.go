package strictjson

import (
	"fmt"
	"strconv"

	"github.com/sandboxc/sbc/ir/diag"
)

// maxProblems is how many problems one text is told about. A hostile text could
// otherwise have as many as it has bytes.
const maxProblems = 100

// problems collects what is wrong with one text.
type problems struct {
	file string
	text []byte
	code diag.Code // of everything that has no code of its own
	list diag.List
	src  *diag.Source // indexed at the first problem
}

func (p *problems) rng(start, end int) *diag.Range {
	if p.src == nil {
		p.src = diag.NewSource(p.text)
	}
	r := p.src.Range(p.file, start, end)
	return &r
}

// full reports whether no more problems are taken.
func (p *problems) full() bool { return len(p.list) > maxProblems }

// add appends a problem of the piece [start, end) of the text.
func (p *problems) add(start, end int, d diag.Diagnostic) {
	if p.full() {
		return
	}
	if d.Code == "" {
		d.Code = p.code
	}
	d.Severity = diag.Error
	d.Subject = p.rng(start, end)
	if len(p.list) == maxProblems {
		d = diag.Diagnostic{
			Code:     p.code,
			Severity: diag.Error,
			Summary:  fmt.Sprintf("more than %d problems", maxProblems),
			Detail:   "The problems from here on are not listed.",
			Subject:  d.Subject,
		}
	}
	p.list = append(p.list, d)
}

// addf appends a problem that has a summary only.
func (p *problems) addf(start, end int, format string, args ...any) {
	p.add(start, end, diag.Diagnostic{Summary: fmt.Sprintf(format, args...)})
}

// maxShown is how many bytes of a word of the text a summary repeats.
const maxShown = 80

func clip(s string) string {
	if len(s) > maxShown {
		return s[:maxShown] + "..."
	}
	return s
}

func quote(s string) string { return strconv.Quote(clip(s)) }
