package prove_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func read(path string) ir.FileRule {
	r := write(path)
	r.Write, r.Origin.Address = ir.Deny, "filesystem.read["+path+"]"
	return r
}

func none(path string) ir.FileRule {
	r := read(path)
	r.Read, r.Origin.Address = ir.Deny, "filesystem.none["+path+"]"
	return r
}

func guard(r ir.FileRule) ir.FileRule {
	r.Read, r.Layer, r.Guard = ir.Pass, ir.LayerGuard, "it"
	return r
}

// kernel is what every policy for Linux has.
func kernel(path string) ir.FileRule {
	r := read(path)
	r.Private, r.Layer = true, ir.LayerFloor
	return r
}

// edited compiles a policy, edits the text and says what the proof finds then.
// Without an edit it must find nothing.
func edited(t *testing.T, backend target.Backend, record string, p *ir.Policy, edit func(string) string) []string {
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
	text, err := art.Render(target.Text)
	if err != nil {
		t.Fatal(err)
	}
	find := func(text string) []string {
		proof, err := prove.Text(p, "it", []byte(text), art, rep, prove.Options{View: rec, Sockets: facts.Sockets})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return said(proof)
	}
	if got := find(string(text)); got != nil {
		t.Fatalf("as it was emitted: %q\n%s", got, text)
	}
	after := edit(string(text))
	if after == string(text) {
		t.Fatalf("the edit changes nothing in\n%s", text)
	}
	return find(after)
}

func without(form string) func(string) string {
	return func(text string) string { return strings.Replace(text, form, "", 1) }
}

func and(form string) func(string) string {
	return func(text string) string { return text + form + "\n" }
}

func instead(was, is string) func(string) string {
	return func(text string) string { return strings.Replace(text, was, is, 1) }
}

// TestEditedProfile: edits of a profile that each once went by unnoticed.
func TestEditedProfile(t *testing.T) {
	t.Parallel()
	plain := policy(read("/r"), write("/w"))
	root := read("/")
	root.Match, root.Group, root.Write, root.Layer = ir.Path("/"), ir.GroupRequired, ir.Pass, ir.LayerFloor
	for _, tc := range []struct {
		name   string
		policy *ir.Policy
		edit   func(string) string
		want   []string
	}{
		{
			"one more service", plain, and(`(allow mach-lookup (global-name "com.apple.SecurityServer"))`),
			[]string{`operation: mach-lookup of "com.apple.SecurityServer" (global-name) is open`},
		},
		{"a default that is no longer closed", plain, without("(deny nvram*)\n"), []string{"operation: nvram* is open"}},
		{"a need that is no longer open", plain, without("(allow process-fork)\n"), []string{"operation: process-fork is closed"}},
		{
			"secrets in the arguments of others", plain, without(`(deny sysctl-read (sysctl-name-prefix "kern.procargs"))`),
			[]string{`operation: sysctl-read of "kern.procargs" (global-name) is open`},
		},
		{"another operation on a file", plain, and(`(allow file-mount (literal "/w/a"))`), []string{`operation: file-mount of "/w/a" is open`}},
		{
			"attributes of everything", plain, and(`(allow file-read-metadata (subpath "/"))`),
			[]string{`attributes: the attributes of "/a" can be seen`},
		},
		{
			"attributes on the way to what is open", policy(read("/r/s")), without(`(literal "/r")`),
			[]string{`attributes: the attributes of "/r" cannot be seen`},
		},
		{
			"whole directories are cloned", plain, without(`(deny file-clone (vnode-type DIRECTORY))`),
			[]string{`clone: "/r" can be cloned with all that is closed in it`},
		},
		{
			"a port that nobody asks about", plain, and(`(allow network-outbound (remote ip "localhost:7777"))`),
			[]string{"network: a connection to this machine is open (network-outbound)"},
		},
		{
			"what is matched byte by byte excuses nothing else", policy(closing("/**/a?"), write("/w")), and(`(deny file-read* (literal "/w/b"))`),
			[]string{"denies read /w/b"},
		},
		{
			"the host's storage instead of the sandbox's own", policy(kernel("/private/tmp"), read("/")), and(`(allow file-read* (subpath "/private/tmp"))`),
			[]string{"permits read /private/tmp"},
		},
		{
			"an opening that stands above a closing", policy(root, closing("/w/**/k"), write("/w"), read("/")), instead(`(subpath "/")`, `(literal "/x")`),
			[]string{"denies read /a"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := edited(t, seatbelt.Backend{}, record, tc.policy, tc.edit)
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, slices.Compact(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const busyRecord = `{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1000, "home": "/home/u", "temp": "/tmp", "cache": "/c", "config": "/f",
  "sockets": ["/w/one.sock", "/w/two.sock"],
  "bwrap": {"path": "/usr/bin/bwrap", "version": "0.13.1", "flags": ["--bind", "--cap-drop", "--chmod", "--dev", "--die-with-parent", "--dir", "--disable-userns",
    "--new-session", "--perms", "--proc", "--remount-ro", "--ro-bind", "--ro-bind-data", "--seccomp", "--symlink", "--tmpfs", "--unshare-cgroup-try", "--unshare-ipc",
    "--unshare-net", "--unshare-pid", "--unshare-user", "--unshare-uts"]}},
  "tree": {"/bin": {"link": "usr/bin"}, "/usr/bin/sh": {}, "/dev": {"type": "dir"}, "/proc": {"type": "dir"},
    "/w/a/b/x.key": {}, "/w/x/hooks": {"type": "dir"}, "/w/x/keys/id": {}, "/w/one.sock": {"type": "socket"}, "/w/two.sock": {"type": "socket"}}}`

// lines is an option as it stands in a text of arguments.
func lines(words ...string) string { return strings.Join(words, "\n") + "\n" }

// TestEditedMounts: edits of a command line that each once went by unnoticed.
func TestEditedMounts(t *testing.T) {
	t.Parallel()
	processes := kernel("/proc")
	processes.Write = ir.Allow
	sockets := policy(write("/w"))
	sockets.Network.UnixSockets = []ir.SocketRule{{Path: "/w/one.sock"}}
	for _, tc := range []struct {
		name   string
		policy *ir.Policy
		edit   func(string) string
		want   []string
	}{
		{
			"a claim on moves covers no match", policy(guard(closing("/w/**/keys/id")), write("/w")), without(lines("--ro-bind", "/w/x/keys/id", "/w/x/keys/id")),
			[]string{"permits write /w/x/keys/id", "permits unlink /w/x/keys/id"},
		},
		{
			"a directory in which every name is closed", policy(guard(closing("/w/**/hooks/*")), write("/w")), instead(lines("--ro-bind", "/w/x/hooks"), lines("--bind", "/w/x/hooks")),
			[]string{"permits write /w/x/hooks/\x01"},
		},
		{
			"a root in one that is closed", policy(write("/w/a/b"), none("/w/a"), write("/w")), instead(lines("--bind", "/w/a/b"), lines("--ro-bind", "/w/a/b")),
			[]string{"denies write /w/a/b", "denies write /w/a/b/\x01", "denies unlink /w/a/b/\x01"},
		},
		{
			"another part of the host", policy(kernel("/proc/sys"), processes, read("/usr")), instead(lines("/proc/sys", "/proc/sys"), lines("/usr", "/proc/sys")),
			[]string{`other-path: "/proc/sys" shows "/usr" of the host`, "other-path: \"/proc/sys/\\x01\" shows \"/usr/\\x01\" of the host"},
		},
		{
			"a socket that is not listed", sockets, without(lines("--perms", "0000", "--ro-bind-data", "5", "/w/two.sock")),
			[]string{`socket: whoever listens on "/w/two.sock" can be reached at "/w/two.sock"`},
		},
		{
			"the links of the system", policy(read("/usr")), without(lines("--symlink", "usr/bin", "/bin")),
			[]string{`link: "/bin" does not lead to "/usr/bin", as on the host`},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := edited(t, bwrap.Backend{}, busyRecord, tc.policy, tc.edit)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
