package verify_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/mounts"
)

// shownFinding is a finding as tests write it.
func shownFinding(p *ir.Policy, f verify.Finding) string {
	rule := "-"
	if f.Policy.Rule >= 0 && f.Path != "" {
		rule = p.Files[f.Policy.Rule].Origin.Address
	}
	names := map[verify.FindingKind]string{
		verify.PolicyDiffers: "policy", verify.ArtefactPermits: "permits", verify.ArtefactDenies: "denies",
		verify.OnlyNow: "now", verify.MoreDenied: "narrower", verify.NotDecided: "undecided",
	}
	out := fmt.Sprintf("%s %s %s", names[f.Kind], f.Path, rule)
	if f.Dir {
		out += " dir"
	}
	if f.Policy.Pinned {
		out += " pinned"
	}
	if f.As != "" {
		out += " " + f.As
	}
	if f.Code != "" {
		out += " " + string(f.Code)
	}
	return out
}

func line(op ir.Op, pattern string) []ir.TestPath { return []ir.TestPath{{Op: op, Pattern: pattern}} }

// findings runs one line of a test and returns what was found.
func findings(t *testing.T, p *ir.Policy, target verify.TestTarget, o verify.TestOptions, test ir.Test) []string {
	t.Helper()
	x, err := verify.NewTester(p, target, o)
	if err != nil {
		t.Fatal(err)
	}
	checks, err := x.Run(test)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range checks {
		for _, f := range c.Findings {
			out = append(out, shownFinding(p, f))
		}
	}
	return out
}

func tested() *ir.Policy {
	pointer := file("pointer", ir.Glob{Pattern: glob.MustParse("/w/**/.git")}, ir.Pass, ir.Deny)
	pointer.NonDir = true
	private := file("private", ir.Subtree("/p"), ir.Allow, ir.Allow)
	private.Private = true
	devices := file("devices", ir.Subtree("/dev"), ir.Allow, ir.Allow)
	devices.Layer = ir.LayerFloor
	return files(
		file("secret", ir.Subtree("/w/s"), ir.Deny, ir.Deny),
		pointer,
		file("env", ir.Glob{Pattern: glob.MustParse("/w/**/.env"), Except: []*glob.Pattern{glob.MustParse("/w/x")}}, ir.Ask, ir.Ask),
		file("root", ir.Subtree("/w"), ir.Allow, ir.Allow),
		private, devices,
	)
}

func TestTesterPolicy(t *testing.T) {
	t.Parallel()
	record, ds := host.ParseRecord([]byte(`{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1, "home": "/h", "temp": "/tmp", "cache": "/h/c", "config": "/h/f"}, "tree": {
		"/w/git/.git": {"type": "dir"}, "/w/file/.git": {}, "/w/link": {"link": "/w/s"}, "/l": {"link": "w"}}}`), "host.json")
	if record == nil {
		t.Fatal(ds)
	}
	for _, tt := range []struct {
		name   string
		target string
		test   ir.Test
		want   []string
	}{
		{name: "refused", test: ir.Test{Deny: line(ir.Read, "/w/s/**")}},
		{name: "permitted", test: ir.Test{Allow: line(ir.Write, "/w/a/*.go")}},
		{name: "an ask is refused", test: ir.Test{Deny: line(ir.Write, "/w/a/.env")}},
		{name: "not refused", test: ir.Test{Deny: line(ir.Read, "/w/**/.env")}, want: []string{"policy /w/x/.env root"}},
		{name: "not permitted", test: ir.Test{Allow: line(ir.Read, "/w/*")}, want: []string{"policy /w/s secret"}},
		{name: "nothing speaks about it", test: ir.Test{Allow: line(ir.Read, "/etc/*")}, want: []string{"policy /etc/a -"}},
		{name: "the path alone", test: ir.Test{Allow: line(ir.Write, "/w")}},
		{name: "pinned", test: ir.Test{Allow: line(ir.Unlink, "/w")}, want: []string{"policy /w root dir pinned"}},
		{name: "only directories", test: ir.Test{Deny: line(ir.Write, "/w/a/.git")}, want: []string{"policy /w/a/.git root dir"}},
		{name: "there it is a directory", test: ir.Test{Deny: line(ir.Write, "/w/git/.git")}, want: []string{"policy /w/git/.git root dir"}},
		{name: "there it is none", test: ir.Test{Deny: line(ir.Write, "/w/file/.git")}},
		{name: "a link is followed", test: ir.Test{Deny: line(ir.Read, "/w/link/x")}},
		{name: "but not to unlink it", test: ir.Test{Allow: line(ir.Unlink, "/w/link")}},
		{name: "a link before a glob", test: ir.Test{Deny: line(ir.Read, "/l/s/**"), Allow: line(ir.Read, "/l/[a-d]*.go")}},
		{name: "the sandbox's own is not the host's", test: ir.Test{Allow: line(ir.Write, "/p/x"), Deny: line(ir.Write, "/p/x")}},
		{name: "devices hold no files", test: ir.Test{Deny: line(ir.Write, "/**/x/.env")}, want: []string{"policy /w/x/.env root"}},
		{name: "a device by its name", test: ir.Test{Deny: line(ir.Write, "/dev/tty")}, want: []string{"policy /dev/tty devices"}},
		{name: "either case on darwin", target: ir.Darwin, test: ir.Test{Deny: line(ir.Read, "/w/s/KEY")}},
		{
			name: "another spelling is the same file", target: ir.Darwin, test: ir.Test{Deny: line(ir.Read, "/w/q/.ENV"), Allow: line(ir.Read, "/w/Q")},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.target == "" {
				tt.target = ir.Linux
			}
			got := findings(t, tested(), verify.TestTarget{Name: tt.target}, verify.TestOptions{View: record}, tt.test)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// On the default volume of macOS /w/Open is the file /w/open: a deny of one
// does not hold if the other is open.
func TestTesterFolds(t *testing.T) {
	t.Parallel()
	p := files(file("open", ir.Subtree("/w/open"), ir.Allow, ir.Allow))
	test := ir.Test{Deny: line(ir.Read, "/w/Open")}
	for target, want := range map[string][]string{ir.Linux: nil, ir.Darwin: {"policy /w/open open"}} {
		if diff := cmp.Diff(want, findings(t, p, verify.TestTarget{Name: target}, verify.TestOptions{}, test)); diff != "" {
			t.Errorf("findings on %s (-want +got):\n%s", target, diff)
		}
	}
}

func TestTesterPathOn(t *testing.T) {
	t.Parallel()
	p := files(file("etc", ir.Subtree("/private/etc"), ir.Allow, ir.Pass))
	o := verify.TestOptions{PathOn: func(target, path string) string {
		if target == ir.Darwin {
			return "/private" + path
		}
		return path
	}}
	if got := findings(t, p, verify.TestTarget{Name: ir.Darwin}, o, ir.Test{Allow: line(ir.Read, "/etc/*")}); got != nil {
		t.Errorf("findings %v", got)
	}
}

func TestTesterUndecided(t *testing.T) {
	t.Parallel()
	got := findings(t, tested(), verify.TestTarget{Name: ir.Linux}, verify.TestOptions{MaxStates: 1}, ir.Test{Deny: line(ir.Read, "/w/**/a*b")})
	if diff := cmp.Diff([]string{"undecided  -"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestTesterProfile(t *testing.T) {
	t.Parallel()
	p := files(
		file("secret", ir.Subtree("/w/s"), ir.Deny, ir.Deny),
		file("root", ir.Subtree("/w"), ir.Allow, ir.Allow),
	)
	const head = "(version 1)\n(deny default)\n(deny file-link file-clone)\n(allow file-read* file-write* file-link file-clone (subpath \"/w\"))\n"
	const closed = "(deny file-read* file-write* file-link file-clone (regex #\"^/[Ww]/[Ss](/|$)\"))\n"
	deny, allow := ir.Test{Deny: line(ir.Read, "/w/s/**")}, ir.Test{Allow: line(ir.Read, "/w/a/*")}
	for _, tt := range []struct {
		name   string
		text   string
		claims []verify.Claim
		test   ir.Test
		want   []string
	}{
		{name: "as the policy", text: head + closed, test: deny},
		{name: "open", text: head, test: deny, want: []string{"permits /w/s secret dir file-read-data"}},
		{
			name: "open, as the report says", text: head, test: deny, claims: []verify.Claim{{Rule: 0, Code: diag.CodeCase, Direction: verify.Permits}},
			want: []string{"permits /w/s secret dir file-read-data SBC2113"},
		},
		{
			name: "closed", text: head + "(deny file-read* (literal \"/w/a/x\"))\n", test: allow,
			want: []string{"denies /w/a/x root dir file-read-data"},
		},
		{
			name: "closed, as the report says", text: head + "(deny file-read* (literal \"/w/a/x\"))\n", test: allow,
			claims: []verify.Claim{{Rule: 1, Code: diag.CodeFileRoot, Direction: verify.Denies}},
			want:   []string{"narrower /w/a/x root dir file-read-data SBC2111"},
		},
		{
			name: "one operation of several", text: head + "(deny file-write* (regex #\"^/[Ww]/[Ss](/|$)\"))\n(allow file-write-mode (subpath \"/w\"))\n", test: ir.Test{Deny: line(ir.Write, "/w/s/x")},
			want: []string{"permits /w/s/x secret dir file-write-mode"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target := verify.TestTarget{Name: ir.Darwin, Artefact: verify.ProfileText{File: "p.sb", Text: []byte(tt.text)}, Claims: tt.claims}
			if diff := cmp.Diff(tt.want, findings(t, p, target, verify.TestOptions{}, tt.test)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	_, err := verify.NewTester(p, verify.TestTarget{Name: ir.Darwin, Artefact: verify.ProfileText{File: "p.sb", Text: []byte("(")}}, verify.TestOptions{})
	if err == nil {
		t.Error("a profile that cannot be read is no error")
	}
}

func TestTesterMounts(t *testing.T) {
	t.Parallel()
	record, ds := host.ParseRecord([]byte(`{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1, "home": "/h", "temp": "/tmp", "cache": "/h/c", "config": "/h/f"}, "tree": {
		"/w/s/key": {}, "/w/a/.env": {}, "/w/b/.env": {}, "/w/to": {"link": "a"}, "/usr/bin/env": {}, "/tmp/x": {}}}`), "host.json")
	if record == nil {
		t.Fatal(ds)
	}
	private := file("tmp", ir.Subtree("/tmp"), ir.Allow, ir.Allow)
	private.Private = true
	p := files(
		file("secret", ir.Subtree("/w/s"), ir.Deny, ir.Deny),
		file("env", ir.Glob{Pattern: glob.MustParse("/w/**/.env")}, ir.Ask, ir.Ask),
		file("root", ir.Subtree("/w"), ir.Allow, ir.Allow),
		file("usr", ir.Subtree("/usr"), ir.Allow, ir.Pass),
		private,
	)
	mask := func(path string) []string { return []string{"--perms", "0000", "--tmpfs", path, "--remount-ro", path} }
	args := func(more ...[]string) []string {
		out := []string{"--unshare-all", "--ro-bind", "/usr", "/usr", "--bind", "/w", "/w", "--tmpfs", "/tmp"}
		for _, m := range more {
			out = append(out, m...)
		}
		return append(out, "--remount-ro", "/")
	}
	hide := func(path string) []string { return []string{"--ro-bind", "/mask", path} }
	prepared := map[string]mounts.Object{"/mask": {Kind: mounts.Regular, Modes: true}}
	later := []verify.Claim{{Rule: 1, Code: diag.CodeSnapshot, Direction: verify.Permits, Later: true}}
	whole := args(mask("/w/s"), hide("/w/a/.env"), hide("/w/b/.env"))
	for _, tt := range []struct {
		name   string
		args   []string
		claims []verify.Claim
		test   ir.Test
		want   []string
	}{
		{name: "as the policy", args: whole, test: ir.Test{Deny: line(ir.Read, "/w/s/**"), Allow: line(ir.Write, "/w/a/new")}},
		{name: "nothing is there to be read", args: whole, test: ir.Test{Deny: line(ir.Read, "/etc/shadow")}},
		{name: "open", args: args(), test: ir.Test{Deny: line(ir.Read, "/w/s/key")}, want: []string{"permits /w/s/key secret"}},
		{
			name: "open, as the report says", args: args(), test: ir.Test{Deny: line(ir.Read, "/w/s/key")},
			claims: []verify.Claim{{Rule: 0, Code: diag.CodeScanBudget, Direction: verify.Permits}},
			want:   []string{"permits /w/s/key secret SBC2105"},
		},
		{
			name: "not what comes later", args: whole, claims: later, test: ir.Test{Deny: line(ir.Write, "/w/**/.env")},
			want: []string{"now /w/.env env SBC2101"},
		},
		{
			name: "not what exists", args: args(mask("/w/s"), hide("/w/b/.env")), claims: later, test: ir.Test{Deny: line(ir.Write, "/w/**/.env")},
			want: []string{"permits /w/a/.env env", "now /w/.env env SBC2101"},
		},
		{
			name: "no report says that later names are open", args: whole, test: ir.Test{Deny: line(ir.Write, "/w/**/.env")},
			want: []string{"permits /w/.env env"},
		},
		{
			name: "a name that may be made", args: whole, claims: later, test: ir.Test{Deny: line(ir.Read, "/w/c/.env")},
			want: []string{"now /w/c/.env env SBC2101"},
		},
		{
			name: "closed", args: args(mask("/w/a")), test: ir.Test{Allow: line(ir.Read, "/w/a/.en[w]")},
		},
		{
			name: "what exists is closed", args: args(mask("/w/a")), test: ir.Test{Allow: line(ir.Write, "/w/*")},
			want: []string{"policy /w/s secret"},
		},
		{
			name: "closed, as the report says", args: args(mask("/w/a")), test: ir.Test{Allow: line(ir.Read, "/w/[a-c]")},
			claims: []verify.Claim{{Rule: 2, Code: diag.CodeSetAsideRoot, Direction: verify.Denies}},
			want:   []string{"narrower /w/a root dir SBC2126"},
		},
		{
			name: "closed, and nobody says so", args: args(mask("/w/a")), test: ir.Test{Allow: line(ir.Read, "/w/[a-c]")},
			want: []string{"denies /w/a root dir"},
		},
		{name: "private storage", args: whole, test: ir.Test{Allow: line(ir.Write, "/tmp/x"), Deny: line(ir.Read, "/tmp/x")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target := verify.TestTarget{Name: ir.Linux, Artefact: verify.MountArgs{Args: tt.args, Prepared: prepared}, Claims: tt.claims}
			if diff := cmp.Diff(tt.want, findings(t, p, target, verify.TestOptions{View: record}, tt.test)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	_, err := verify.NewTester(p, verify.TestTarget{Name: ir.Linux, Artefact: verify.MountArgs{Args: []string{"--no-such"}}}, verify.TestOptions{})
	if err == nil {
		t.Error("arguments that cannot be read are no error")
	}
}

func TestFindingKindFails(t *testing.T) {
	t.Parallel()
	type fails struct{ Plain, Strict bool }
	want := map[verify.FindingKind]fails{
		verify.PolicyDiffers: {true, true}, verify.ArtefactPermits: {true, true}, verify.ArtefactDenies: {true, true},
		verify.OnlyNow: {false, true}, verify.MoreDenied: {}, verify.NotDecided: {},
	}
	got := map[verify.FindingKind]fails{}
	for k := range want {
		got[k] = fails{k.Fails(false), k.Fails(true)}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fails (-want +got):\n%s", diff)
	}
}
