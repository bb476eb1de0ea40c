package grant_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/grant"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// world is a host with a few files, in which a policy is loaded. A name that
// ends with a slash is a directory, and so are all names above one.
type world struct {
	names  map[string]host.Type
	policy string
	target string
}

func newWorld(names ...string) *world {
	w := &world{names: map[string]host.Type{"/": host.Dir}, policy: agent, target: ir.Linux}
	for _, n := range append([]string{"/home/u/", "/home/u/ws/", "/opt/data/", "/opt/file", "/usr/bin/", "/etc/", "/tmp/", "/run/docker.sock"}, names...) {
		name, dir := strings.CutSuffix(n, "/")
		for _, a := range ir.Ancestors(name) {
			w.names[a] = host.Dir
		}
		if w.names[name] = host.File; dir {
			w.names[name] = host.Dir
		}
	}
	return w
}

func (w *world) Lstat(path string) (host.Node, error) {
	if t, ok := w.names[path]; ok {
		return host.Node{Type: t, Perm: 0o755, Nlink: 1}, nil
	}
	return host.Node{}, &fs.PathError{Op: "lstat", Path: path, Err: fs.ErrNotExist}
}
func (w *world) Readlink(string) (string, error)      { return "", fs.ErrInvalid }
func (w *world) ReadDir(string) ([]host.Entry, error) { return nil, nil }
func (w *world) Mounts() ([]host.Mount, error)        { return nil, nil }
func (w *world) ReadFile(path string) ([]byte, error) { return []byte(w.policy), nil }
func (w *world) exists(path string) bool              { _, ok := w.names[path]; return ok }

// load loads the policy with grants, and lines added to its text.
func (w *world) load(lines string, grants ...grant.Grant) (*ir.Policy, diag.List) {
	return w.loadBy(&world{policy: w.policy + "\n" + lines}, grants...)
}

// loadBy loads the policy from files.
func (w *world) loadBy(files frontend.Files, grants ...grant.Grant) (*ir.Policy, diag.List) {
	o := frontend.Options{
		Policy: "/policies/p.hcl", Workspace: "/home/u/ws", WorkDir: "/home/u/ws", Host: w,
		Facts: &host.Facts{OS: w.target, Arch: "amd64", UID: 1000, Home: "/home/u", Temp: "/tmp", Cache: "/home/u/.cache", Config: "/home/u/.config"},
		Files: files,
	}
	for _, g := range grants {
		if g.Access == grant.Read {
			o.Read = append(o.Read, g.Path)
		} else {
			o.Write = append(o.Write, g.Path)
		}
	}
	return frontend.Load(o)
}

func (w *world) options(t *testing.T) grant.Options {
	t.Helper()
	p, ds := w.load("")
	if p == nil {
		t.Fatal(ds)
	}
	return grant.Options{
		Policy: p, Target: w.target, Request: "abc", Exists: w.exists,
		Apply: func(g grant.Grant) (*ir.Policy, error) {
			p, ds := w.load("", g)
			if p != nil {
				return p, nil
			}
			return nil, errors.New(ds[0].Summary)
		},
	}
}

// violations makes what classify would of trace records: "write /x", "mkdir /x/"
// with a slash for a directory.
func (w *world) violations(t *testing.T, p *ir.Policy, words ...string) []classify.Violation {
	t.Helper()
	d := ir.NewDecider(p, w.target)
	var out []classify.Violation
	for _, word := range words {
		op, path, _ := strings.Cut(word, " ")
		name, dir := strings.CutSuffix(path, "/")
		v := classify.Violation{Op: classify.Op(op), Path: name, Dir: dir, Evidence: classify.ByTrace, Confidence: classify.Certain}
		i := slices.IndexFunc(ir.Ops(), func(o ir.Op) bool { return o.String() == op })
		dec := d.Decide(ir.Ops()[i], name, dir)
		if dec.Effect == ir.Allow {
			t.Fatalf("%s is no violation", word)
		}
		v.Effect, v.Rule.Index, v.Pinned = classify.None, dec.Rule, dec.Pinned
		if dec.Rule >= 0 {
			r := &p.Files[dec.Rule]
			v.Rule = classify.Rule{Index: dec.Rule, Address: r.Origin.Address, Guard: r.Guard, Reason: r.Reason}
			switch {
			case dec.Effect == ir.Ask:
				v.Effect = classify.Ask
			case r.Group == ir.GroupDeny:
				v.Effect = classify.Deny
			}
		}
		out = append(out, v)
	}
	return out
}

func flags(gs []grant.Grant) string {
	var out []string
	for _, g := range gs {
		f := g.Flag()
		out = append(out, fmt.Sprint(f[0], " ", f[1], " ", g.Violations))
	}
	return strings.Join(out, "; ")
}

func reasons(cs []grant.Closed) string {
	var out []string
	for _, c := range cs {
		out = append(out, fmt.Sprint(c.Violation, ": ", c.Reason))
	}
	return strings.Join(out, "; ")
}
