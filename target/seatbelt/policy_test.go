package seatbelt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// parsePolicy reads a decision list, one rule a line, strongest first:
//
//	EFFECT EFFECT KIND PATH [except PATTERN...]
//
// with the effects on reading and writing (allow, ask, deny, pass), and KIND one
// of tree, alone, glob, nondir (a glob) and private. A "#" starts a comment.
func parsePolicy(t testing.TB, text string) *ir.Policy {
	t.Helper()
	effects := map[string]ir.Effect{"pass": ir.Pass, "allow": ir.Allow, "ask": ir.Ask, "deny": ir.Deny}
	p := &ir.Policy{Version: 1, Name: "test", Workspace: "/Users/me/w", Home: "/Users/me"}
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) < 4 {
			t.Fatalf("line %d: %q", n+1, line)
		}
		r := ir.FileRule{Read: effects[f[0]], Write: effects[f[1]], Group: ir.GroupRoot, Layer: ir.LayerWorkspace}
		if r.Read != ir.Allow {
			r.Group = ir.GroupDeny
		}
		switch f[2] {
		case "tree":
			r.Match = ir.Subtree(f[3])
		case "private":
			r.Match, r.Private = ir.Subtree(f[3]), true
		case "alone":
			r.Match = ir.Path(f[3])
		case "glob", "nondir":
			g := ir.Glob{Pattern: glob.MustParse(f[3])}
			for _, e := range f[4:] {
				if e != "except" {
					g.Except = append(g.Except, glob.MustParse(e))
				}
			}
			r.Match, r.NonDir = g, f[2] == "nondir"
		default:
			t.Fatalf("line %d: %q is no kind", n+1, f[2])
		}
		r.Origin = ir.Origin{
			Address: fmt.Sprintf("%s[%s]", f[2], f[3]),
			Range:   diag.Range{File: "policy.hcl", Start: diag.Pos{Line: n + 1, Column: 1}},
		}
		p.Files = append(p.Files, r)
	}
	return p
}

// compile lowers a policy and returns its text and its report.
func compile(t testing.TB, p *ir.Policy, h host.View, o target.Options) (*seatbelt.Profile, string, target.Report) {
	t.Helper()
	a, report := seatbelt.Backend{}.Lower(p, h, o)
	text, err := a.Render(target.Text)
	if err != nil {
		t.Fatal(err)
	}
	profile, ok := a.(*seatbelt.Profile)
	if !ok {
		t.Fatalf("the artefact is a %T", a)
	}
	return profile, string(text), report
}

// section returns the rules below a title that starts with the text.
func section(t testing.TB, text, title string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n; "+title)
	if !ok {
		return ""
	}
	_, rest, _ = strings.Cut(rest, "\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	return strings.TrimSuffix(rest, "\n") + "\n"
}

// losses returns the entries that are not exact, or have a code, as lines.
func losses(r target.Report) string {
	var b strings.Builder
	for _, e := range r.Entries {
		if e.Index >= 0 && (e.Verdict != target.Exact || e.Code != "") {
			fmt.Fprintf(&b, "%s: %s %s %s: %s\n", e.Rule, e.Feature, e.Verdict, e.Code, e.Loss)
		}
	}
	return b.String()
}

// mac is a host that knows the given paths: directories end in a slash.
type mac map[string]host.Node

func newMac(paths ...string) mac {
	m := mac{"/": {Type: host.Dir}}
	for _, p := range paths {
		node := host.Node{Type: host.File, Nlink: 1}
		if strings.HasSuffix(p, "/") {
			node.Type = host.Dir
		}
		p = strings.TrimSuffix(p, "/")
		m[p] = node
		for _, d := range ir.Ancestors(p) {
			if _, ok := m[d]; !ok {
				m[d] = host.Node{Type: host.Dir}
			}
		}
	}
	return m
}

func (m mac) Lstat(path string) (host.Node, error) {
	if n, ok := m[path]; ok {
		return n, nil
	}
	return host.Empty{}.Lstat(path)
}

func (m mac) Readlink(path string) (string, error)      { return host.Empty{}.Readlink(path) }
func (m mac) ReadDir(path string) ([]host.Entry, error) { return host.Empty{}.ReadDir(path) }
func (m mac) Mounts() ([]host.Mount, error)             { return nil, nil }
