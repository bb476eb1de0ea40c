package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"github.com/sandboxc/sbc/enforce/audit"
	"github.com/sandboxc/sbc/enforce/capture"
	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/environ"
	"github.com/sandboxc/sbc/enforce/grant"
	"github.com/sandboxc/sbc/enforce/run"
)

// runVersion is the version of [runForm].
const runVersion = 1

// runForm is the JSON form of a run.
type runForm struct {
	Version int         `json:"sbc_run"`
	Status  run.Status  `json:"status"`
	Code    int         `json:"code"`             // what sbc run exits with
	Exit    *int        `json:"exit,omitempty"`   // the command's own status
	Signal  string      `json:"signal,omitempty"` // what ended it
	Error   *runError   `json:"error,omitempty"`  // why it did not run
	Request *runRequest `json:"request,omitempty"`
	Policy  *runPolicy  `json:"policy,omitempty"`
	Backend runBackend  `json:"backend"`
	Stdout  runOutput   `json:"stdout"`
	Stderr  runOutput   `json:"stderr"`
	Limits  []runLimit  `json:"limits"`
	Hit     []string    `json:"limits_hit"` // those that stopped something, as far as that shows
	// Violations are what the command ran into, the strongest evidence first.
	Violations []classify.Violation `json:"violations"`
	Grants     []grant.Grant        `json:"grants"`            // the smallest that answer them, none of which is in force
	Closed     []grant.Closed       `json:"closed"`            // violations that no grant opens
	Suggest    string               `json:"suggest,omitempty"` // lines of policy
	Unrecorded int                  `json:"unrecorded"`        // refusals of which a trace has no record
	Late       []runLate            `json:"late_matches"`
	Bound      string               `json:"bound,omitempty"` // that the search for late matches met
	Left       []runLeft            `json:"left"`            // what could not be cleaned up
	Verdicts   []audit.Verdict      `json:"verdicts"`        // rules that are not kept exactly
	Usage      runUsage             `json:"usage"`
	Phases     phases               `json:"phases"`
}

type runError struct {
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

type runRequest struct {
	Hash    string   `json:"hash"`         // of command, directory and policy
	Command string   `json:"command_hash"` // of command and directory
	Argv    []string `json:"argv"`
	Dir     string   `json:"dir"`
	Env     []string `json:"env"` // names
}

type runPolicy struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

type runBackend struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// runOutput is what was kept of a stream: everything if nothing was cut. Text
// that is not UTF-8 is in base64.
type runOutput struct {
	Bytes    int64  `json:"bytes"`
	Cut      int64  `json:"cut"` // bytes between head and tail that were not kept
	Encoding string `json:"encoding"`
	Head     string `json:"head"`
	Tail     string `json:"tail,omitempty"`
}

// runLimit is a limit and what keeps it on this machine.
type runLimit struct {
	Limit     string `json:"limit"`
	Mechanism string `json:"mechanism"` // none if nothing keeps it
	Value     uint64 `json:"value"`     // seconds, bytes or a number
	Covers    string `json:"covers"`
}

// runLate is something that appeared during the run although a rule closes it.
type runLate struct {
	Path        string `json:"path"`
	Type        string `json:"type"`
	Kind        string `json:"kind"`
	Rule        string `json:"rule"`
	Runs        bool   `json:"runs_later"` // it is code that would run later
	Quarantined string `json:"quarantined,omitempty"`
	Problem     string `json:"problem,omitempty"`
}

type runLeft struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	Open bool   `json:"open"` // it may have been open while the command ran
}

type runUsage struct {
	Wall   float64 `json:"wall_seconds"`
	CPU    float64 `json:"cpu_seconds"`
	MaxRSS int64   `json:"max_rss_bytes"`
}

// printJSON prints the run as one JSON object.
func (x *execution) printJSON() error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(x.form()); err != nil {
		return err
	}
	_, err := x.app.target.Write(text.Bytes())
	return err
}

func (x *execution) form() runForm {
	r := x.result
	form := runForm{
		Version: runVersion, Status: r.Status, Code: r.Code(), Exit: x.exit(), Signal: x.signal(),
		Stdout: outputForm(r.Stdout), Stderr: outputForm(r.Stderr), Limits: []runLimit{}, Hit: append([]string{}, r.Hit...), Left: []runLeft{},
		Violations: append([]classify.Violation{}, r.Violations...), Grants: append([]grant.Grant{}, x.remedies.grants...), Closed: append([]grant.Closed{}, x.remedies.closed...), Suggest: x.remedies.suggest,
		Unrecorded: r.Lost.Beyond + r.Lost.Unread, Late: []runLate{}, Bound: r.Bound, Verdicts: []audit.Verdict{},
		Usage: runUsage{Wall: r.Wall.Seconds(), CPU: r.CPU.Seconds(), MaxRSS: r.MaxRSS}, Phases: x.phases,
	}
	if r.Err != nil {
		form.Error = &runError{Text: r.Err.Text, Hint: r.Err.Hint}
	}
	if a := x.approved; a != nil {
		form.Request = &runRequest{Hash: a.Hash(), Command: a.Command(), Argv: a.Argv, Dir: a.Dir, Env: environ.Names(a.Env)}
	}
	if c := x.compiled; c != nil {
		form.Backend.Name, form.Backend.Version = x.backend()
		form.Policy = &runPolicy{Name: c.name, Hash: c.hash}
		form.Verdicts = append(form.Verdicts, c.verdicts...)
	}
	for _, e := range r.Limits {
		form.Limits = append(form.Limits, runLimit{Limit: e.Limit, Mechanism: string(e.Mechanism), Value: e.Value, Covers: e.Covers})
	}
	for _, l := range r.Late {
		form.Late = append(form.Late, runLate{
			Path: l.Path, Type: l.Type.String(), Kind: l.Kind.String(), Rule: l.Address, Runs: l.Runs, Quarantined: l.Quarantined, Problem: l.Problem,
		})
	}
	for _, l := range r.Left {
		form.Left = append(form.Left, runLeft{Path: l.Path, Why: l.Why, Open: l.Open})
	}
	return form
}

func outputForm(o capture.Output) runOutput {
	out := runOutput{Bytes: o.Total(), Cut: o.Cut, Encoding: "utf-8", Head: string(o.Head), Tail: string(o.Tail)}
	if o.Cut > 0 {
		// A character that the cut goes through is no reason for base64.
		out.Head, out.Tail = trimPartial(out.Head), trimStart(out.Tail)
	}
	if !utf8.ValidString(out.Head) || !utf8.ValidString(out.Tail) {
		out.Encoding = "base64"
		out.Head, out.Tail = base64.StdEncoding.EncodeToString(o.Head), base64.StdEncoding.EncodeToString(o.Tail)
		return out
	}
	out.Cut += int64(len(o.Head) - len(out.Head) + len(o.Tail) - len(out.Tail))
	return out
}

// trimPartial drops the beginning of a character at the end of a text.
func trimPartial(s string) string {
	for i := 1; i < utf8.UTFMax && i <= len(s); i++ {
		if c := s[len(s)-i]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(s[len(s)-i:]) {
				return s[:len(s)-i]
			}
			break
		}
	}
	return s
}

// trimStart drops the rest of a character at the beginning of a text.
func trimStart(s string) string {
	for i := 0; i < utf8.UTFMax && i < len(s); i++ {
		if utf8.RuneStart(s[i]) {
			return s[i:]
		}
	}
	return s
}
