package frontend_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

type memFiles map[string]string

func (m memFiles) ReadFile(path string) ([]byte, error) {
	s, ok := m[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return []byte(s), nil
}

// memView is a file system of directories and links: a path ends in "/" for a
// directory, and " -> " gives a link.
type memView map[string]string

func newView(paths ...string) memView {
	v := memView{"/": "dir"}
	for _, p := range paths {
		if name, target, ok := strings.Cut(p, " -> "); ok {
			v[name] = "link " + target
			continue
		}
		name, dir := strings.CutSuffix(p, "/")
		v[name] = "file"
		if dir {
			v[name] = "dir"
		}
	}
	for p := range v {
		for _, a := range ir.Ancestors(p) {
			if _, ok := v[a]; !ok {
				v[a] = "dir"
			}
		}
	}
	return v
}

func (v memView) Lstat(p string) (host.Node, error) {
	switch s, ok := v[p]; {
	case !ok:
		return host.Node{}, &fs.PathError{Op: "lstat", Path: p, Err: fs.ErrNotExist}
	case s == "dir":
		return host.Node{Type: host.Dir}, nil
	case s == "file":
		return host.Node{Type: host.File}, nil
	}
	return host.Node{Type: host.Link}, nil
}

func (v memView) Readlink(p string) (string, error) {
	return strings.TrimPrefix(v[p], "link "), nil
}
func (v memView) ReadDir(string) ([]host.Entry, error) { return nil, fs.ErrNotExist }
func (v memView) Mounts() ([]host.Mount, error)        { return nil, nil }

// bare is a policy that excludes all guards, so that tests see their own rules.
const bare = `version = 1
guards {
  exclude = ["credentials", "git-exec", "git-config", "shell-startup", "agent-config", "editor-config", "sbc-files"]
  reason  = "test"
}
`

func load(t *testing.T, files memFiles, change func(*frontend.Options)) (*ir.Policy, diag.List) {
	t.Helper()
	o := frontend.Options{
		Policy: "policy.hcl", Workspace: "/w", WorkDir: "/w", Host: host.Empty{}, Files: files,
		Facts: &host.Facts{OS: "linux", Home: "/home/u", Temp: "/tmp", Cache: "/home/u/.cache"},
	}
	if change != nil {
		change(&o)
	}
	p, ds := frontend.Load(o)
	if p != nil {
		if bad := ir.Validate(p); len(bad) > 0 {
			t.Errorf("the policy is not valid: %v", bad)
		}
	}
	return p, ds
}

// rules loads a policy that must have no problem but the given ones, and
// returns its own rules: no floors, no tmp, no policy files.
func rules(t *testing.T, files memFiles, change func(*frontend.Options), want ...string) []string {
	t.Helper()
	p, ds := load(t, files, change)
	if diff := cmp.Diff(want, codes(ds)); diff != "" {
		t.Fatalf("diagnostics (-want +got):\n%s\n%v", diff, ds)
	}
	var out []string
	for _, r := range p.Files {
		if r.Layer == ir.LayerFloor || r.Origin.Address == "filesystem.tmp" || r.Origin.Address == "policy-file" {
			continue
		}
		s := fmt.Sprintf("%v: %v/%v %v %v %s", r.Group, r.Read, r.Write, r.Match, r.Layer, r.Origin.Address)
		if r.Target != "" {
			s += " on " + r.Target
		}
		if r.Written != "" {
			s += " written " + r.Written
		}
		out = append(out, s)
	}
	return out
}

func codes(ds diag.List) []string {
	var out []string
	for _, d := range ds {
		at := ""
		if d.Subject != nil {
			at = fmt.Sprintf(" %s:%d:%d", d.Subject.File, d.Subject.Start.Line, d.Subject.Start.Column)
		}
		out = append(out, fmt.Sprintf("%s %v%s", d.Code, d.Severity, at))
	}
	return out
}
