package main

import (
	"encoding/json"
	"fmt"

	"github.com/sandboxc/sbc/verify/sbpl"
)

// sbplAnswer is the answer of sbc sbpl as JSON.
type sbplAnswer struct {
	File    string        `json:"file"`
	Op      string        `json:"op"`
	Subject string        `json:"subject,omitempty"`
	Allow   bool          `json:"allow"`
	Escape  bool          `json:"escape,omitempty"` // what is allowed runs outside of the sandbox
	Rule    *sbplRule     `json:"rule,omitempty"`
	Builtin string        `json:"builtin,omitempty"` // why, if no rule decides
	Assumed []sbplAssumed `json:"assumed,omitempty"`
}

type sbplRule struct {
	Action  string `json:"action"`
	Op      string `json:"op"`
	Matched string `json:"matched,omitempty"` // the filter that matches
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"` // in bytes, from 1
	Byte    int    `json:"byte"`   // from 0
	Text    string `json:"text"`   // of the line
}

type sbplAssumed struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func (a *app) sbplJSON(file string, p *sbpl.Profile, f *sbplFlags, d sbpl.Decision) error {
	ans := sbplAnswer{File: file, Op: d.Op, Subject: f.about(), Allow: d.Allow, Escape: d.Escape, Builtin: d.Builtin}
	if r := d.Rule; r != nil {
		ans.Rule = &sbplRule{
			Action: r.Action.String(), Op: r.Op, File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column, Byte: r.Pos.Byte, Text: p.Line(r.Pos),
		}
		if d.Matched != nil {
			ans.Rule.Matched = d.Matched.String()
		}
	}
	for _, x := range d.Assumed {
		ans.Assumed = append(ans.Assumed, sbplAssumed(x))
	}
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(ans)
}

// about is the subject of the question, in a few words.
func (f *sbplFlags) about() string {
	s := f.subject
	var out string
	for _, part := range []struct{ word, value string }{
		{"", s.Path}, {"", s.Vnode}, {"to", s.Remote}, {"at", s.Local}, {"", s.Name}, {"process", s.Target},
	} {
		if part.value == "" {
			continue
		}
		if part.word != "" {
			out += " " + part.word
		}
		out += " " + part.value
	}
	if out == "" {
		return ""
	}
	return out[1:]
}

func (a *app) sbplText(file string, p *sbpl.Profile, f *sbplFlags, d sbpl.Decision) {
	k := a.lookOf(a.target)
	headline := k.paint(red, "no")
	if d.Allow {
		headline = k.paint(green, "yes")
	}
	question := d.Op
	if about := f.about(); about != "" {
		question += " " + about
	}
	fmt.Fprintf(a.out, "%s under %s: %s\n", oneLine(question), oneLine(file), headline)
	say := func(text string) { a.out.WriteString(wrapped("  ", oneLine(text), k.width)) }
	if r := d.Rule; r == nil {
		say(d.Builtin)
	} else {
		on := ""
		if r.Op != d.Op {
			on = " on " + r.Op
		}
		say(fmt.Sprintf("by the %s rule%s at %s", r.Action, on, r.Pos))
		say("   | " + p.Line(r.Pos))
		if d.Matched != nil {
			say("matched by " + d.Matched.String())
		}
	}
	if d.Escape {
		say("escape: what is started runs without the sandbox (no-sandbox)")
	}
	for _, x := range d.Assumed {
		say("assumed (" + x.Name + "): " + x.Text)
	}
}
