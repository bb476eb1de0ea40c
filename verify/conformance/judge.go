package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Outcome is what came of a run.
type Outcome struct {
	Exit    int              `json:"exit"`
	Stdout  Text             `json:"stdout"`
	Stderr  Text             `json:"stderr"`            // with what sbc says about the policy
	Timeout bool             `json:"timeout,omitempty"` // it had to be ended
	Host    map[string]*Text `json:"host,omitempty"`    // contents afterwards, of what was asked for
	Moving  []Text           `json:"moving,omitempty"`  // files that are written to after the end, of those that were asked for
	Changed []Text           `json:"changed,omitempty"` // what differs in trees that must be the same
}

// Problems says in what an outcome differs from what is expected. None means
// that all is well.
func (e *Expect) Problems(o *Outcome) []string {
	if o.Timeout {
		return []string{"it did not end by itself"}
	}
	if slices.ContainsFunc(e.OrStderr, func(s string) bool { return strings.Contains(string(o.Stderr), s) }) {
		return nil
	}
	out := e.status(o)
	out = append(out, e.stdout(string(o.Stdout))...)
	out = append(out, e.Answers.problems(string(o.Stdout))...)
	for _, name := range slices.Sorted(maps.Keys(e.Host)) {
		want, got := e.Host[name], o.Host[name]
		switch {
		case want == nil && got != nil:
			out = append(out, fmt.Sprintf("%s is on the host", name))
		case want != nil && got == nil:
			out = append(out, fmt.Sprintf("%s is not on the host", name))
		case want != nil && *want != *got:
			out = append(out, fmt.Sprintf("%s holds %q on the host, want %q", name, *got, *want))
		}
	}
	for _, name := range e.Still {
		if slices.Contains(o.Moving, name) {
			out = append(out, fmt.Sprintf("%s is written to after the end", name))
		}
	}
	for _, name := range e.Moving {
		if !slices.Contains(o.Moving, name) {
			out = append(out, fmt.Sprintf("%s is not written to after the end", name))
		}
	}
	for _, name := range o.Changed {
		out = append(out, fmt.Sprintf("on the host: %q", name))
	}
	return out
}

func (e *Expect) status(o *Outcome) []string {
	switch {
	case e.Exit == Failure && o.Exit == 0:
		return []string{"exit 0, want another"}
	case e.Exit != "" && e.Exit != Failure && string(e.Exit) != strconv.Itoa(o.Exit):
		return []string{fmt.Sprintf("exit %d, want %s", o.Exit, e.Exit)}
	}
	return nil
}

func (e *Expect) stdout(text string) []string {
	var out []string
	for _, s := range e.Out {
		if !strings.Contains(text, s) {
			out = append(out, fmt.Sprintf("stdout lacks %q", s))
		}
	}
	for _, s := range e.Lack {
		if strings.Contains(text, s) {
			out = append(out, fmt.Sprintf("stdout holds %q", s))
		}
	}
	if e.Empty && text != "" {
		out = append(out, "stdout is not empty")
	}
	if e.MaxInt > 0 {
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err != nil || n > e.MaxInt {
			out = append(out, fmt.Sprintf("stdout is no number up to %d", e.MaxInt))
		}
	}
	return out
}

// problems compares the lines that a probe printed with the right answers.
func (a Answers) problems(stdout string) []string {
	if len(a) == 0 {
		return nil
	}
	got := map[string]string{}
	for line := range strings.SplitSeq(stdout, "\n") {
		if answer, name, ok := strings.Cut(line, " "); ok && (answer == Yes || answer == No) {
			got[name] = answer
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		switch want := a[name]; {
		case got[name] == "":
			out = append(out, fmt.Sprintf("no answer to %q", name))
		case want != Either && got[name] != want:
			out = append(out, fmt.Sprintf("%q was answered with %s, want %s", name, got[name], want))
		}
	}
	return out
}
