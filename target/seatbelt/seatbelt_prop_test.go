package seatbelt_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
	model "github.com/sandboxc/sbc/verify/sbpl"
)

// subject is a policy with its profile, read back.
type subject struct {
	policy  *ir.Policy
	decider *ir.Decider
	profile readBack
	text    string
	report  target.Report
}

func lower(t rapid.TB, p *ir.Policy, h host.View) subject {
	a, report := seatbelt.Backend{}.Lower(p, h, target.Options{})
	text, err := a.Render(target.Text)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return subject{p, ir.NewDecider(p, ir.Darwin), profile, string(text), report}
}

func (s subject) allows(op, path string, dir bool) bool {
	vnode := "REGULAR-FILE"
	if dir {
		vnode = "DIRECTORY"
	}
	return s.profile.allows(query{op, model.Subject{Path: path, Vnode: vnode}})
}

// questions are the operations of the profile by that of the policy. Creation
// is a question of its own.
var questions = map[ir.Op][]string{
	ir.Read:   {"file-read-data", "file-read-xattr"},
	ir.Write:  {"file-write-data", "file-write-mode", "file-link"},
	ir.Unlink: {"file-write-unlink"},
}

// noDirectory are the operations that never concern a directory.
var noDirectory = map[ir.Op][]string{
	ir.Read:  {"process-exec*", "process-exec-interpreter", "file-clone"},
	ir.Write: {"network-bind", "network-inbound"},
}

// differences asks everything about a path and returns where profile and
// policy differ.
func (s subject) differences(path string, dir bool) (wider, narrower []string) {
	check := func(op string, want bool) {
		switch got := s.allows(op, path, dir); {
		case got && !want:
			wider = append(wider, op)
		case want && !got:
			narrower = append(narrower, op)
		}
	}
	fixed, rough := dir && s.inException(path), s.inexact()
	for _, o := range ir.Ops() {
		want := s.decider.Decide(o, path, dir).Effect == ir.Allow
		if o == ir.Unlink && fixed {
			// An exception that is smaller than it says needs no such care.
			want = want && rough && s.allows("file-write-unlink", path, dir)
		}
		for _, op := range questions[o] {
			check(op, want)
		}
		if !dir {
			for _, op := range noDirectory[o] {
				check(op, want)
			}
		}
	}
	if seen := s.allows("file-read-metadata", path, dir); seen && s.decider.Decide(ir.Read, path, dir).Effect != ir.Allow && !s.onTheWay(path) {
		wider = append(wider, "file-read-metadata")
	}
	create := s.decider.Decide(ir.Write, path, dir).Effect == ir.Allow && !s.aboveClosed(path)
	if fixed {
		create = create && rough && s.allows("file-write-create", path, dir)
	}
	check("file-write-create", create)
	slices.Sort(wider)
	slices.Sort(narrower)
	return wider, narrower
}

// onTheWay reports whether the path is a directory above something that may be
// read, or one of the links that everybody may see: then its attributes may be
// seen too.
func (s subject) onTheWay(path string) bool {
	if slices.Contains([]string{"/etc", "/tmp", "/var", "/private/etc/localtime"}, path) {
		return true
	}
	return slices.ContainsFunc(s.policy.Files, func(r ir.FileRule) bool {
		return r.Read == ir.Allow && r.AppliesTo(ir.Darwin) && ir.Beneath(r.Match.Base(), path)
	})
}

// aboveClosed reports whether the path is pinned for what is closed beneath it:
// then it cannot be created either, so that nothing can be moved there.
func (s subject) aboveClosed(path string) bool {
	return slices.ContainsFunc(s.decider.Pins().Literals, func(pin ir.Pin) bool {
		return len(pin.Rules) > 0 && ir.Path(pin.Path).Matches(path, glob.Darwin)
	})
}

// inException reports whether the path is at or beneath an exception of a glob
// that closes reading: then no directory can be made, moved or removed there.
func (s subject) inException(path string) bool {
	for _, r := range s.policy.Files {
		g, ok := r.Match.(ir.Glob)
		if !ok || !r.AppliesTo(ir.Darwin) || !r.Read.Closes() || !hasDoublestar(g.Pattern, !r.NonDir) {
			continue
		}
		if slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return e.Covers(path, glob.Exact) }) {
			return true
		}
	}
	return false
}

// hasDoublestar reports whether a directory may hold something that the pattern
// closes: a ** stands in it, not counted at the end if it is deep.
func hasDoublestar(p *glob.Pattern, deep bool) bool {
	for _, a := range p.Alternatives() {
		for deep && len(a) > 0 && a[len(a)-1].Doublestar {
			a = a[:len(a)-1]
		}
		if slices.ContainsFunc(a, func(s glob.Segment) bool { return s.Doublestar }) {
			return true
		}
	}
	return false
}

// inexact reports whether the report says that the profile is narrower in a way
// that no question of this test knows of.
func (s subject) inexact() bool {
	return slices.ContainsFunc(s.report.Entries, func(e target.Entry) bool {
		return e.Code == diag.CodeCharacter || e.Code == diag.CodeTmp || e.Code == diag.CodeFileRoot
	})
}

// profile(policy) decides as the policy; where the report says that it is
// narrower, it is never wider.
func TestProfileDecidesAsThePolicy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		s := lower(t, p, host.Empty{})
		for range 8 {
			path := drawPath(t, p)
			for _, dir := range []bool{true, false} {
				if path == "/" && !dir {
					continue
				}
				wider, narrower := s.differences(path, dir)
				if len(wider) > 0 || (len(narrower) > 0 && !s.inexact()) {
					t.Fatalf("%q (directory: %t): wider %q, narrower %q\n%s", path, dir, wider, narrower, s.dump())
				}
			}
		}
	})
}

// drawPath draws a path near the rules, or one that a pattern of a rule matches,
// or an exception.
func drawPath(t *rapid.T, p *ir.Policy) string {
	var patterns []*glob.Pattern
	for _, r := range p.Files {
		if g, ok := r.Match.(ir.Glob); ok {
			patterns = append(append(patterns, g.Pattern), g.Except...)
		}
	}
	if len(patterns) == 0 || rapid.Bool().Draw(t, "near") {
		return irtest.Paths(p).Draw(t, "path")
	}
	a := rapid.SampledFrom(rapid.SampledFrom(patterns).Draw(t, "pattern").Alternatives()).Draw(t, "alternative")
	name := rapid.SampledFrom([]string{"a", "b", ".env", "é", "x.y"})
	var b strings.Builder
	for _, s := range a {
		n := 1
		if s.Doublestar {
			n = rapid.IntRange(0, 1).Draw(t, "segments")
		}
		for range n {
			b.WriteString("/" + instance(t, s, name))
		}
	}
	if b.Len() == 0 || rapid.IntRange(0, 3).Draw(t, "beneath") == 0 {
		b.WriteString("/" + name.Draw(t, "name"))
	}
	return b.String()
}

// instance is a name that a segment matches, most of the time.
func instance(t *rapid.T, s glob.Segment, name *rapid.Generator[string]) string {
	var b strings.Builder
	for _, a := range s.Atoms {
		switch a := a.(type) {
		case glob.Char:
			b.WriteString(rapid.SampledFrom(a.Forms()).Draw(t, "form"))
		case glob.AnyRun, glob.AnyChar, glob.Class:
			b.WriteString(name.Draw(t, "name"))
		}
	}
	if b.Len() == 0 {
		return name.Draw(t, "name")
	}
	return b.String()
}

func (s subject) dump() string {
	var b strings.Builder
	for _, r := range s.policy.Files {
		if !r.AppliesTo(ir.Darwin) {
			continue
		}
		b.WriteString(r.Read.String() + " " + r.Write.String() + " " + r.Match.String())
		if r.NonDir {
			b.WriteString(" (no directory)")
		}
		if r.Private {
			b.WriteString(" (private)")
		}
		b.WriteString("\n")
	}
	return b.String() + s.text[strings.Index(s.text, "DNSConf"):]
}
