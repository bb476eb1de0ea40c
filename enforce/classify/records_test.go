package classify_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// TestRecords: what the kernel refused, against the policy.
func TestRecords(t *testing.T) {
	t.Parallel()
	type rec = trace.Record
	for _, tc := range []struct {
		name string
		rec  rec
		want string
	}{
		{"hidden", rec{Call: "openat", Op: ir.Read, Path: "/w/closed/x", Errno: "EACCES"}, "read /w/closed/x deny certain"},
		{"asked", rec{Call: "openat", Op: ir.Write, Path: "/w/key", Errno: "EACCES"}, "write /w/key ask certain"},
		{"read-only", rec{Call: "openat", Op: ir.Write, Path: "/w/ro/x", Errno: "EROFS"}, "write /w/ro/x none certain"},
		{"replaced", rec{Call: "unlinkat", Op: ir.Unlink, Path: "/w/key", Errno: "EBUSY"}, "unlink /w/key ask certain"},
		{"own permissions of what may be read", rec{Call: "openat", Op: ir.Read, Path: "/etc/shadow", Errno: "EACCES"}, ""},
		{"own permissions of what may be written", rec{Call: "openat", Op: ir.Write, Path: "/w/ws/x", Errno: "EACCES"}, ""},
		{"own permissions of what may not be written", rec{Call: "openat", Op: ir.Write, Path: "/etc/x", Errno: "EACCES"}, "write /etc/x none possible"},
		{"not the owner", rec{Call: "fchownat", Op: ir.Write, Path: "/etc/x", Errno: "EPERM"}, "write /etc/x none possible"},
		{"renamed out", rec{Call: "renameat", Op: ir.Unlink, Path: "/w/ro/x", To: "/w/ws/x", Errno: "EXDEV"}, "unlink /w/ro/x none certain"},
		{"renamed in", rec{Call: "renameat", Op: ir.Unlink, Path: "/w/ws/x", To: "/w/ro/x", Errno: "EXDEV"}, "write /w/ro/x none certain"},
		{"renamed over what is closed", rec{Call: "renameat", Op: ir.Unlink, Path: "/w/ws/x", To: "/w/ws/.git/hooks/a", Errno: "EBUSY"}, "write /w/ws/.git/hooks/a deny certain"},
		{"a pin, for what lies below", rec{Call: "renameat", Op: ir.Unlink, Path: "/w/ws/.git", To: "/w/ws/x", Errno: "EBUSY"}, "unlink /w/ws/.git deny certain"},
		{"a pin, for the directory above", rec{Call: "renameat", Op: ir.Unlink, Path: "/w/ws", To: "/w/ws2", Errno: "EROFS"}, "unlink /w/ws none certain; write /w/ws2 none certain"},
		{"an edge of a mount", rec{Call: "renameat", Op: ir.Unlink, Path: "/w/ws/a", To: "/w/ws/b", Errno: "EXDEV"}, "unlink /w/ws/a deny possible"},
		{"missing, and nobody knows better", rec{Call: "openat", Op: ir.Read, Path: "/w/closed/gone", Errno: "ENOENT"}, ""},
		{"missing, but the host has it", rec{Call: "openat", Op: ir.Read, Path: "/w/closed/there", Errno: "ENOENT"}, "read /w/closed/there deny likely missing"},
		{"missing, the host has it and it is open", rec{Call: "openat", Op: ir.Read, Path: "/w/ro/there", Errno: "ENOENT"}, ""},
		{"to be made where the host has a directory", rec{Call: "mkdirat", Op: ir.Write, Path: "/w/none/there/new", Errno: "ENOENT", Dir: true}, "write /w/none/there/new none likely missing"},
		{"to be made where the host has none", rec{Call: "mkdirat", Op: ir.Write, Path: "/w/none/gone/new", Errno: "ENOENT", Dir: true}, ""},
		{"unreachable", rec{Call: "connect", Family: "inet", Addr: "192.0.2.1:443", Errno: "ENETUNREACH"}, "connect 192.0.2.1:443 none certain"},
		{"loopback", rec{Call: "connect", Family: "inet6", Addr: "[::1]:5432", Errno: "ECONNREFUSED"}, "connect [::1]:5432 none possible"},
		{"netlink", rec{Call: "bind", Family: "netlink", Errno: "EPERM"}, ""},
		{"a socket", rec{Call: "connect", Family: "unix", Path: "/run/docker.sock", Errno: "EACCES"}, "connect /run/docker.sock none certain"},
		{"a covered socket", rec{Call: "connect", Family: "unix", Path: "/run/there", Errno: "ECONNREFUSED"}, "connect /run/there none likely"},
		{"a socket that is missing", rec{Call: "connect", Family: "unix", Path: "/run/nscd", Errno: "ENOENT"}, ""},
		{"a listed socket", rec{Call: "connect", Family: "unix", Path: "/run/listed", Errno: "EACCES"}, ""},
		{"a socket to be made", rec{Call: "bind", Op: ir.Write, Family: "unix", Path: "/w/ro/s", Errno: "EROFS"}, "write /w/ro/s none certain"},
	} {
		in := input()
		p := policy()
		p.Network.UnixSockets = []ir.SocketRule{{Path: "/run/listed"}}
		in.Decider = ir.NewDecider(p, ir.Linux)
		in.Exists = func(p string) bool { return strings.HasSuffix(p, "/there") }
		in.Trace = []trace.Record{tc.rec}
		if got := short(classify.Classify(in)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestSuccess: a command that succeeded may have been refused something, but a
// way around a mount is none.
func TestSuccess(t *testing.T) {
	t.Parallel()
	in := input()
	in.Exit = 0
	in.Trace = []trace.Record{
		{Call: "openat", Op: ir.Read, Path: "/w/key", Errno: "EACCES"},
		{Call: "renameat", Op: ir.Unlink, Path: "/w/ws/a", To: "/w/ws/b", Errno: "EXDEV"},
	}
	if got, want := short(classify.Classify(in)), "read /w/key ask certain"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSignal(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		exit, signal int
		text, want   string
	}{
		{159, 31, "", "syscall  deny certain"},
		{159, 0, "", "syscall  deny likely"},
		{1, 0, "bash: line 1:     7 Bad system call         (core dumped) ./x", "syscall  deny likely"},
		{1, 0, "what is a Bad system call?", ""},
		{1, 0, "Bad system call (core dumped)", "syscall  deny likely"},
		{137, 9, "", ""},
		{139, 11, "", ""},
	} {
		in := input()
		in.Exit, in.Signal, in.Stderr = tc.exit, tc.signal, tc.text
		if got := short(classify.Classify(in)); got != tc.want {
			t.Errorf("%d %d %q: %q, want %q", tc.exit, tc.signal, tc.text, got, tc.want)
		}
	}
}

// TestWhole: everything that a violation says, and that the strongest evidence
// comes first and replaces weaker one.
func TestWhole(t *testing.T) {
	t.Parallel()
	p := policy()
	p.Files[2].Origin.Range = diag.Range{File: "policy.hcl", Start: diag.Pos{Line: 7, Column: 3}}
	p.Files[2].Guard = "credentials"
	in := input()
	in.Decider = ir.NewDecider(p, ir.Linux)
	in.Exit, in.Signal = 159, 31
	in.Stderr = "cat: ../closed/a: Permission denied\ncat: ../key: Permission denied"
	in.Trace = []trace.Record{{Call: "openat", Op: ir.Read, Path: "/w/key", Errno: "EACCES", Exe: "/usr/bin/cat"}}
	got := classify.Classify(in)
	if len(got) != 3 || got[0].Evidence != classify.BySignal || got[2].Evidence != classify.ByStderr {
		t.Fatalf("%+v", got)
	}
	want := classify.Violation{
		Op: classify.Read, Path: "/w/key", Effect: classify.Ask, Evidence: classify.ByTrace, Confidence: classify.Certain,
		Rule: classify.Rule{Index: 2, Address: "filesystem.ask.key", Guard: "credentials", Reason: "reason of filesystem.ask.key", Position: p.Files[2].Origin.Range},
		Text: "read /w/key: closed by filesystem.ask.key, which a grant opens (openat: EACCES in cat)",
	}
	if diff := cmp.Diff(want, got[1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := "read /w/closed/a: closed by filesystem.deny.closed, which no grant opens (cat: ../closed/a: Permission denied)"; got[2].Text != want {
		t.Errorf("%q, want %q", got[2].Text, want)
	}
}

// TestDarwin: Seatbelt answers EPERM, and to writing what may be read too.
func TestDarwin(t *testing.T) {
	t.Parallel()
	in := input()
	in.Decider = ir.NewDecider(policy(), ir.Darwin)
	in.Stderr = "cat: /W/KEY: Operation not permitted\nbash: /w/ro/x: Operation not permitted\n"
	if got, want := short(classify.Classify(in)), "read /W/KEY ask likely; write /w/ro/x none likely"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestResolve: links are followed by the caller's function alone.
func TestResolve(t *testing.T) {
	t.Parallel()
	in := input()
	in.Stderr = "cat: link: Permission denied"
	if got := short(classify.Classify(in)); got != "" {
		t.Errorf("without: %q", got)
	}
	in.Resolve = func(p string) string {
		if p == "/w/ws/link" {
			return "/w/key"
		}
		return p
	}
	if got := short(classify.Classify(in)); got != "read /w/key ask likely" {
		t.Errorf("with: %q", got)
	}
}

// TestMissingMessages: what looks missing counts if the host has it.
func TestMissingMessages(t *testing.T) {
	t.Parallel()
	in := input()
	in.Exists = func(p string) bool { return p == "/w/closed/key" || p == "/w/none/dir" || p == "/w/ro/x" }
	in.Stderr = strings.Join([]string{
		"cat: ../closed/key: No such file or directory",
		"cat: ../closed/other: No such file or directory",
		"cat: ../ro/x: No such file or directory",
		"mkdir: cannot create directory ‘../none/dir/new’: No such file or directory",
		"cp: cannot stat '../gone': No such file or directory",
	}, "\n")
	if got, want := short(classify.Classify(in)), "read /w/closed/key deny likely missing; write /w/none/dir/new none likely missing"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBounds: a text of any size gives a bounded answer.
func TestBounds(t *testing.T) {
	t.Parallel()
	in := input()
	var b strings.Builder
	for i := range 100000 {
		b.WriteString("cat: ../closed/")
		b.WriteString(strings.Repeat("x", i%50+1))
		b.WriteString(": Permission denied\n")
	}
	in.Stderr = b.String()
	if got := len(classify.Classify(in)); got != 50 {
		t.Errorf("%d violations, want 50", got)
	}
}

// FuzzClassify: no text makes it fail, and whatever it finds is closed by the
// policy.
func FuzzClassify(f *testing.F) {
	for _, s := range []string{
		"cat: ../key: Permission denied", `touch: cannot touch '../ro/a'$'\n''b': Read-only file system`, "x: [Errno 13] Permission denied: '\\udcff\\x", "npm ERR! code EACCES\nnpm ERR! path /w/key",
		"«../ro/x»: Read-only file system", "Error: spawn ../key EACCES", "Caused by:\n  Permission denied (os error 13)", "ssh: Could not resolve hostname x: Name or service not known",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := input()
		in.Stderr = text
		for _, v := range classify.Classify(in) {
			op, ok := v.Op.File()
			if !ok {
				continue
			}
			if !ir.Clean(v.Path) || in.Decider.Decide(op, v.Path, v.Dir).Effect == ir.Allow {
				t.Errorf("%q: %+v", text, v)
			}
		}
	})
}
