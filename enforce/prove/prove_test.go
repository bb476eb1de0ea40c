package prove_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
	"github.com/sandboxc/sbc/verify"
)

const record = `{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1000, "home": "/home/u", "temp": "/tmp", "cache": "/c", "config": "/f",
  "bwrap": {"path": "/usr/bin/bwrap", "version": "0.13.1", "flags": ["--bind", "--cap-drop", "--chmod", "--dev", "--die-with-parent", "--dir", "--disable-userns",
    "--new-session", "--perms", "--proc", "--remount-ro", "--ro-bind", "--ro-bind-data", "--seccomp", "--symlink", "--tmpfs", "--unshare-cgroup-try", "--unshare-ipc",
    "--unshare-net", "--unshare-pid", "--unshare-user", "--unshare-uts"]}},
  "tree": {"/dev": {"type": "dir"}, "/proc": {"type": "dir"}, "/w/a/b/x.key": {}, "/w/hooks/pre": {}, "/w/b": {"type": "dir"}}}`

func closing(pattern string, except ...string) ir.FileRule {
	g := ir.Glob{Pattern: glob.MustParse(pattern)}
	for _, e := range except {
		g.Except = append(g.Except, glob.MustParse(e))
	}
	return ir.FileRule{
		Match: g, Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace,
		Origin: ir.Origin{Address: "filesystem.deny.it"},
	}
}

func write(path string) ir.FileRule {
	return ir.FileRule{
		Match: ir.Subtree(path), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerWorkspace,
		Origin: ir.Origin{Address: "filesystem.write[" + path + "]"},
	}
}

// proof compiles a policy and proves it, with the claims of some codes left out
// of the report.
func proof(t *testing.T, backend target.Backend, p *ir.Policy, without ...diag.Code) *verify.Proof {
	t.Helper()
	rec, ds := host.ParseRecord([]byte(record), "host.json")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	facts := rec.Facts()
	art, rep := backend.Lower(p, rec, target.Options{Facts: &facts})
	if art == nil {
		t.Fatal(rep.Diagnostics)
	}
	rep.Entries = slices.DeleteFunc(rep.Entries, func(e target.Entry) bool { return slices.Contains(without, e.Code) })
	out, err := prove.Lowered(p, art, rep, prove.Options{View: rec})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// said are the holes and the undeclared differences of a proof.
func said(p *verify.Proof) []string {
	var out []string
	for _, h := range p.Holes {
		out = append(out, h.Name+": "+h.Text)
	}
	for _, d := range p.Undeclared() {
		out = append(out, strings.Join([]string{d.Direction.String(), d.Op.String(), d.Path}, " "))
	}
	return out
}

func policy(rules ...ir.FileRule) *ir.Policy {
	return &ir.Policy{Version: 1, Workspace: "/w", Home: "/home/u", Files: rules}
}

// TestClaimsAreNeeded: what a report says and a proof finds is the same. Without
// the claim the proof fails, with it it holds.
func TestClaimsAreNeeded(t *testing.T) {
	t.Parallel()
	onlyWriting := closing("/w/**/v", "/**/node_modules")
	onlyWriting.Read = ir.Pass
	for _, tc := range []struct {
		name    string
		backend target.Backend
		policy  *ir.Policy
		code    diag.Code
		want    []string
	}{
		{
			"a directory can be moved out of an anchored glob",
			seatbelt.Backend{},
			policy(closing("/w/a/**/*.key"), write("/w")), diag.CodeMovable,
			[]string{`movable: a directory with what filesystem.deny.it closes in it can be moved so that it is open as "/w/.key"`},
		},
		{
			"a directory can be moved to another root",
			seatbelt.Backend{},
			policy(closing("/w/**/*.key"), write("/o"), write("/w")), diag.CodeMovable,
			[]string{`movable: a directory with what filesystem.deny.it closes in it can be moved so that it is open as "/o/.key"`},
		},
		{
			"a directory can be moved into an exception",
			seatbelt.Backend{},
			policy(onlyWriting, write("/w")), diag.CodeMovable,
			[]string{`movable: a directory can be moved to "/w/node_modules", where an exception of filesystem.deny.it leaves open what it holds`},
		},
		{
			"a directory cannot be made at an exception",
			seatbelt.Backend{},
			policy(closing("/w/**/k", "/**/ok"), write("/w")), diag.CodeExceptDir,
			[]string{"denies write /w/ok", "denies unlink /w/ok"},
		},
		{
			"a character is matched as bytes",
			seatbelt.Backend{},
			policy(closing("/**/a?"), write("/w")), diag.CodeCharacter,
			nil, // see TestRoughly
		},
		{
			"a name that is made later",
			bwrap.Backend{},
			policy(closing("/w/**/*.key"), write("/w")), diag.CodeSnapshot,
			[]string{"permits write /w/.key"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := said(proof(t, tc.backend, tc.policy)); got != nil {
				t.Errorf("with the whole report: %q", got)
			}
			if tc.want == nil {
				return
			}
			if diff := cmp.Diff(tc.want, said(proof(t, tc.backend, tc.policy, tc.code))); diff != "" {
				t.Errorf("without %s (-want +got):\n%s", tc.code, diff)
			}
		})
	}
}

// TestMoveSafe: globs that hold wherever a thing can go need no claim.
func TestMoveSafe(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		policy *ir.Policy
	}{
		{"everywhere", policy(closing("/**/*.key"), write("/w"))},
		{"beneath every root", policy(closing("/{w,o}/**/.git/hooks"), write("/o"), write("/w"))},
		{"nothing can be written elsewhere", policy(closing("/w/**/*.key"), write("/w"))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := said(proof(t, seatbelt.Backend{}, tc.policy, diag.CodeMovable)); got != nil {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestOverclaimed: a report that says more than is so is found too.
func TestOverclaimed(t *testing.T) {
	t.Parallel()
	p := policy(closing("/w/hooks/*"), write("/w"))
	rec, ds := host.ParseRecord([]byte(record), "host.json")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	facts := rec.Facts()
	art, rep := bwrap.Backend{}.Lower(p, rec, target.Options{Facts: &facts})
	rep.Entries = append(rep.Entries, target.Entry{Rule: "filesystem.deny.it", Index: 0, Verdict: target.Snapshot, Code: diag.CodeSnapshot})
	out, err := prove.Lowered(p, art, rep, prove.Options{View: rec})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"claim: the report says that filesystem.deny.it misses what is made later, but nothing can be made there"}
	if diff := cmp.Diff(want, said(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
