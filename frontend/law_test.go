package frontend_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/irtest"
)

// world is a machine with links that lead out of the workspace and into it.
func world() memView {
	return newView("/ln -> /w/b", "/w/b/e/", "/w/ln -> /real", "/real/x/", "/home/u/.aws -> /real/aws", "/real/aws/", "/w/policy.hcl", "/tmp/", "/etc/g")
}

// try loads a policy and checks that it is valid or that an error says why not.
func try(t *rapid.T, files memFiles, change func(*frontend.Options)) (*ir.Policy, diag.List) {
	t.Helper()
	o := frontend.Options{
		Policy: "policy.hcl", Workspace: "/w", WorkDir: "/w", Host: world(), Files: files, GitDirs: []string{"/w/.git", "/m/.git"},
		Facts: &host.Facts{OS: "linux", Home: "/home/u", Temp: "/tmp", Cache: "/home/u/.cache"},
	}
	if change != nil {
		change(&o)
	}
	p, ds := frontend.Load(o)
	switch {
	case (p == nil) != ds.HasErrors():
		t.Fatalf("policy %v, errors %v", p != nil, ds)
	case p == nil:
		return nil, ds
	}
	if bad := ir.Validate(p); len(bad) > 0 {
		t.Fatalf("not valid: %v\n%s", bad, files["/w/policy.hcl"])
	}
	return p, ds
}

func errorCodes(ds diag.List) []string {
	var out []string
	for _, d := range ds {
		if d.Severity == diag.Error {
			out = append(out, string(d.Code)+" "+d.Summary)
		}
	}
	slices.Sort(out)
	return out
}

// TestSyntaxesAgree: a document means the same in HCL and in JSON, and the JSON
// Schema takes it.
func TestSyntaxesAgree(t *testing.T) {
	t.Parallel()
	loaded := 0
	schema := policySchema(t)
	rapid.Check(t, func(t *rapid.T) {
		doc := drawDoc(t)
		h, hds := try(t, memFiles{"/w/policy.hcl": doc.hcl()}, nil)
		j, jds := try(t, memFiles{"/w/policy.json": doc.json()}, func(o *frontend.Options) { o.Policy = "policy.json" })
		if h == nil || j == nil {
			if diff := cmp.Diff(errorCodes(hds), errorCodes(jds)); diff != "" {
				t.Fatalf("errors (-hcl +json):\n%s\n%s\n%s", diff, doc.hcl(), doc.json())
			}
			return
		}
		loaded++
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc.json()))
		if err == nil {
			err = schema.Validate(v)
		}
		if err != nil {
			t.Fatalf("the schema refuses\n%s\n%v", doc.json(), err)
		}
		hide := func(p *ir.Policy) string { // the policy file has another name
			return strings.ReplaceAll(string(ir.Canonical(p)), "policy.json", "policy.hcl")
		}
		if diff := cmp.Diff(hide(h), hide(j)); diff != "" {
			t.Fatalf("policies (-hcl +json):\n%s\n%s\n%s", diff, doc.hcl(), doc.json())
		}
	})
	if loaded == 0 {
		t.Error("no document loaded")
	}
}

func policySchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(document.SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(document.SchemaID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// opened returns a question that the policy q permits and p does not, if it
// finds one among paths that either speaks of.
func opened(t *rapid.T, p, q *ir.Policy) (ir.Query, bool) {
	return openedBut(t, p, q, func(*ir.FileRule) bool { return false })
}

// openedBut is opened, without what an excused rule of p closes. What q permits
// in storage of the sandbox's own is another file, and not looked at.
func openedBut(t *rapid.T, p, q *ir.Policy, excused func(*ir.FileRule) bool) (ir.Query, bool) {
	paths := slices.Concat(
		rapid.SliceOfN(irtest.Paths(p), 10, 10).Draw(t, "paths of p"),
		rapid.SliceOfN(irtest.Paths(q), 10, 10).Draw(t, "paths of q"),
		[]string{"/w/.env", "/w/b/x", "/other/.env", "/a/.env", "/home/u/.ssh/id", "/real/x/key", "/private/tmp/x", "/m/.git/hooks/h"},
	)
	for _, target := range []string{ir.Linux, ir.Darwin} {
		before, after := ir.NewDecider(p, target), ir.NewDecider(q, target)
		for _, path := range paths {
			for _, op := range ir.Ops() {
				for _, dir := range []bool{false, true} {
					d, a := before.Decide(op, path, dir), after.Decide(op, path, dir)
					if d.Effect == ir.Allow || a.Effect != ir.Allow || q.Files[a.Rule].Private || d.Rule >= 0 && excused(&p.Files[d.Rule]) {
						continue
					}
					return ir.Query{Target: target, Op: op, Path: path, Dir: dir}, true
				}
			}
		}
	}
	return ir.Query{}, false
}

func drawGrants(t *rapid.T, most int) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{
		"/a", "/w/b", "~/c", "/other", "/", "/w/.env", "/home/u/.ssh", "/etc/g", "/tmp/x", "/ln/e", "/w/ln", "/m/.git", "/w/x.pem",
	}), 0, most).Draw(t, "grants")
}

// TestDenyNeverWidens: with one more deny a policy permits no more.
func TestDenyNeverWidens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc := drawDoc(t)
		read, write := drawGrants(t, 1), drawGrants(t, 1)
		grants := func(o *frontend.Options) { o.Read, o.Write = read, write }
		p, _ := try(t, memFiles{"/w/policy.hcl": doc.hcl()}, grants)
		deny := node{typ: "deny", label: "one more", labelled: true, attrs: []pair{
			{"paths", []any{text(rapid.SampledFrom(closedPaths()).Draw(t, "denied"))}},
			{"access", text(rapid.SampledFrom([]string{"all", "write"}).Draw(t, "access"))},
		}}
		q, _ := try(t, memFiles{"/w/policy.hcl": with(doc, deny).hcl()}, grants)
		if p == nil || q == nil {
			return // a grant may be denied now; a link may be safe now
		}
		if x, ok := opened(t, p, q); ok {
			t.Fatalf("%+v is permitted with\n%s\nand not without in\n%s", x, node{blocks: []node{deny}}.hcl(), doc.hcl())
		}
	})
}

// with returns the document with one more block in its filesystem.
func with(doc, block node) node {
	out := doc
	out.blocks = slices.Clone(doc.blocks)
	i := slices.IndexFunc(out.blocks, func(b node) bool { return b.typ == "filesystem" })
	if i < 0 {
		out.blocks = append(out.blocks, node{typ: "filesystem"})
		i = len(out.blocks) - 1
	}
	fs := &out.blocks[i]
	fs.blocks = append(slices.Clone(fs.blocks), block)
	return out
}

// TestGrantNeverNarrows: with one more grant a policy permits no less. There is
// one exception: a write root that is a git directory may be replaced by a file,
// as long as nothing above it may be written. With a grant above it, it is as
// every other .git.
func TestGrantNeverNarrows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		files := memFiles{"/w/policy.hcl": drawDoc(t).hcl()}
		read, write := drawGrants(t, 1), drawGrants(t, 1)
		p, _ := try(t, files, func(o *frontend.Options) { o.Read, o.Write = read, write })
		moreRead, moreWrite := drawGrants(t, 1), drawGrants(t, 1)
		q, _ := try(t, files, func(o *frontend.Options) {
			o.Read, o.Write = slices.Concat(read, moreRead), slices.Concat(write, moreWrite)
		})
		if p == nil || q == nil {
			return
		}
		if x, ok := openedBut(t, q, p, func(r *ir.FileRule) bool { return r.NonDir && r.Guard == "git-exec" }); ok {
			t.Fatalf("%+v is permitted without the grants %q, %q and not with them in\n%s", x, moreRead, moreWrite, files["/w/policy.hcl"])
		}
	})
}

// TestNarrowNeverOpens: with a narrow layer a policy permits no more, and no
// policy loads that does not without.
func TestNarrowNeverOpens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		narrow := drawDoc(t).hcl()
		files := memFiles{"/w/policy.hcl": drawDoc(t).hcl(), "/w/narrow.hcl": narrow}
		read, write := drawGrants(t, 2), drawGrants(t, 2)
		p, ds := try(t, files, func(o *frontend.Options) { o.Read, o.Write = read, write })
		q, _ := try(t, files, func(o *frontend.Options) {
			o.Read, o.Write, o.Narrow = read, write, []string{"narrow.hcl"}
		})
		if q == nil {
			return
		}
		if p == nil {
			t.Fatalf("loads with\n%s\nand not without: %v\n%s", narrow, ds, files["/w/policy.hcl"])
		}
		if x, ok := opened(t, p, q); ok {
			t.Fatalf("%+v is permitted with\n%s\nand not without in\n%s\ngrants %q %q", x, narrow, files["/w/policy.hcl"], read, write)
		}
		if why := wider(p, q); why != "" {
			t.Fatalf("%s is wider with\n%s\nthan without in\n%s", why, narrow, files["/w/policy.hcl"])
		}
	})
}

// wider names a part of q other than its files that permits more than p's.
func wider(p, q *ir.Policy) string {
	smaller := func(now, before ir.Setting[int64]) bool { return !before.Set || now.Set && now.Value <= before.Value }
	switch {
	case q.Network.Mode.Value > p.Network.Mode.Value:
		return "network.mode"
	case q.Network.EffectiveLoopback() > p.Network.EffectiveLoopback():
		return "network.loopback"
	case q.Network.Mode.Value == ir.NetProxy && p.Network.Mode.Value == ir.NetProxy && len(q.Network.Allow) > len(p.Network.Allow):
		return "network.allow"
	case len(q.Network.UnixSockets) > len(p.Network.UnixSockets):
		return "network.unix_sockets"
	case len(q.Process.Devices) > len(p.Process.Devices):
		return "process.devices"
	case q.Process.Ptrace.Value && !p.Process.Ptrace.Value, q.Process.Namespaces.Value && !p.Process.Namespaces.Value, q.Process.Terminal.Value && !p.Process.Terminal.Value:
		return "process"
	case q.Process.Supervise.Value.Strictness() < p.Process.Supervise.Value.Strictness():
		return "process.supervise"
	case q.Tmp.Value != p.Tmp.Value:
		return "tmp"
	case !smaller(q.Limits.Memory, p.Limits.Memory), !smaller(q.Limits.Processes, p.Limits.Processes), !smaller(q.Limits.Output, p.Limits.Output):
		return "limits"
	case len(q.Extras) > len(p.Extras), len(q.Accepts) > len(p.Accepts), len(q.Env.Set) > len(p.Env.Set):
		return "extras, accepts or env.set"
	}
	for _, name := range []string{"FOO", "AB", "LD_PRELOAD", "PATH", "AWS_SECRET"} {
		if q.Env.Inherits(name) && !p.Env.Inherits(name) {
			return "env " + name
		}
	}
	return ""
}
