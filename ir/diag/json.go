package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonVersion changes when a reader of the JSON form has to change.
const jsonVersion = 1

type jsonList struct {
	Version     int              `json:"version"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
}

// jsonDiagnostic has every key in every problem, so that readers need not ask
// whether one is there.
type jsonDiagnostic struct {
	Code     Code          `json:"code"`
	Severity string        `json:"severity"`
	Summary  string        `json:"summary"`
	Detail   string        `json:"detail"`
	Help     string        `json:"help"`
	Rule     string        `json:"rule"`
	Target   string        `json:"target"`
	Range    *jsonRange    `json:"range"`
	Related  []jsonRelated `json:"related"`
}

type jsonRange struct {
	File  string `json:"file"`
	Start *Pos   `json:"start"`
	End   *Pos   `json:"end"`
}

type jsonRelated struct {
	Message string     `json:"message"`
	Range   *jsonRange `json:"range"`
}

// JSON prints a list for programs: one object with "version" and the sorted
// "diagnostics", indented, with one newline at its end. Every key is always
// present: text that is not set is "", a range is null where there is no file,
// and its start and end are null where the problem concerns the file as a
// whole. Lines are 1-based, columns are 1-based and count bytes, bytes are
// 0-based. The output is valid UTF-8 whatever a policy holds (a byte that is
// not UTF-8 becomes U+FFFD), and characters that could steer a terminal are
// written as \u escapes. The error is that of w.
func JSON(w io.Writer, l List) error {
	out := jsonList{Version: jsonVersion, Diagnostics: []jsonDiagnostic{}}
	for _, d := range l.Sorted() {
		related := []jsonRelated{}
		for _, r := range d.Related {
			related = append(related, jsonRelated{Message: r.Message, Range: newJSONRange(&r.Range)})
		}
		out.Diagnostics = append(out.Diagnostics, jsonDiagnostic{
			Code:     d.Code,
			Severity: d.Severity.String(),
			Summary:  d.Summary,
			Detail:   d.Detail,
			Help:     d.Help,
			Rule:     d.Rule,
			Target:   d.Target,
			Range:    newJSONRange(d.Subject),
			Related:  related,
		})
	}
	return writeJSON(w, out)
}

func newJSONRange(r *Range) *jsonRange {
	switch {
	case r == nil || r.File == "":
		return nil
	case r.Start == (Pos{}):
		return &jsonRange{File: r.File}
	}
	return &jsonRange{File: r.File, Start: &r.Start, End: &r.End}
}

// writeJSON prints a value indented and with one newline at its end, and
// escapes every character that does not show.
func writeJSON(w io.Writer, v any) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	// The encoder leaves DEL, C1 controls and direction marks as they are. They
	// occur in strings only, where an escape means the same.
	var out bytes.Buffer
	for text := raw.Bytes(); len(text) > 0; {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '\n' || Shows(r):
			out.Write(text[:n])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		text = text[n:]
	}
	_, err := w.Write(out.Bytes())
	return err
}
