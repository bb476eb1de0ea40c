package trace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/ir"
)

// world is a directory of a user with what the tests need in it:
//
//	w/          writable; w/link leads to ro/file, w/abs to secret/key by an absolute path, w/up to ..
//	ro/         read-only, with a file and a directory
//	secret/     cannot be entered
//	hidden      a file that cannot be read
type world struct {
	dir string
	uid int
}

func newWorld(t *testing.T, uid int) world {
	t.Helper()
	dir, err := os.MkdirTemp(scratch, "w")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, d := range []string{"w/sub", "ro/dir", "secret"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"ro/file", "secret/key", "hidden", "w/file", "w/plain"} {
		if err := os.WriteFile(filepath.Join(dir, f), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"w/link": "../ro/file", "w/abs": dir + "/secret/key", "w/up": ".."} {
		if err := os.Symlink(text, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{"", "w", "w/sub", "w/file", "w/plain", "w/link", "w/abs", "w/up", "ro", "ro/dir", "ro/file", "secret", "secret/key", "hidden"} {
		if err := os.Lchown(filepath.Join(dir, p), uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	return world{dir, uid}
}

// args are bwrap's mounts of the world.
func (w world) args() []string {
	return []string{
		"--bind", w.dir, w.dir, "--ro-bind", w.dir + "/ro", w.dir + "/ro",
		"--perms", "000", "--tmpfs", w.dir + "/secret", "--remount-ro", w.dir + "/secret",
		"--ro-bind", "/dev/null", w.dir + "/hidden", "--chdir", w.dir + "/w",
	}
}

// probe runs the probe with operations in which $D is the world's directory.
func (w world) probe(t *testing.T, j job, ops ...string) result {
	t.Helper()
	j.Args = append(w.args(), j.Args...)
	j.Command = []string{filepath.Join(scratch, "probe")}
	for _, op := range ops {
		j.Command = append(j.Command, strings.ReplaceAll(op, "$D", w.dir))
	}
	for i := range j.Missing {
		j.Missing[i] = strings.ReplaceAll(j.Missing[i], "$D", w.dir)
	}
	r := j.run(t, w.uid)
	if r.Broken != "" || r.Exit != 0 {
		t.Fatalf("status %d, trace: %q, output: %s%s", r.Exit, r.Broken, r.Out, r.Err)
	}
	for i := range r.Records {
		p := &r.Records[i]
		p.Path, p.To = strings.ReplaceAll(p.Path, w.dir, "$D"), strings.ReplaceAll(p.To, w.dir, "$D")
	}
	return r
}

// alone leaves out of a record what differs from run to run.
var alone = cmpopts.IgnoreFields(trace.Record{}, "PID", "Exe")

// eachUser runs a test as each user.
func eachUser(t *testing.T, f func(t *testing.T, uid int)) {
	t.Helper()
	for _, uid := range users() {
		t.Run(fmt.Sprint("uid ", uid), func(t *testing.T) {
			t.Parallel()
			f(t, uid)
		})
	}
}

// TestCalls: what each call leaves in the record, and what it answers.
func TestCalls(t *testing.T) {
	t.Parallel()
	rec := func(call string, op ir.Op, path, errno string) *trace.Record {
		return &trace.Record{Call: call, Op: op, Path: path, Errno: errno, Count: 1}
	}
	dir := func(r *trace.Record) *trace.Record { r.Dir = true; return r }
	to := func(r *trace.Record, to string) *trace.Record { r.To = to; return r }
	tests := []struct {
		op, answer string
		want       *trace.Record
	}{
		// Each success is a control: it leaves no record.
		{"read $D/ro/file", "ok", nil},
		{"write $D/w/file", "ok", nil},
		{"create $D/w/new", "ok", nil},
		{"read $D/nothing", "ENOENT", nil},
		{"badpointer", "EFAULT", nil},
		{"read $D/w/" + strings.Repeat("x/", 2048), "ENAMETOOLONG", nil},

		{"read $D/secret/key", "EACCES", rec("openat", ir.Read, "$D/secret/key", "EACCES")},
		{"read $D/secret", "EACCES", rec("openat", ir.Read, "$D/secret", "EACCES")},
		{"read $D/hidden", "EACCES", rec("openat", ir.Read, "$D/hidden", "EACCES")},
		{"write $D/ro/file", "EROFS", rec("openat", ir.Write, "$D/ro/file", "EROFS")},
		{"create $D/ro/new", "EROFS", rec("openat", ir.Write, "$D/ro/new", "EROFS")},
		{"openat2 $D/ro/file", "EROFS", rec("openat2", ir.Write, "$D/ro/file", "EROFS")},
		{"edge $D/hidden", "EACCES", rec("openat", ir.Read, "$D/hidden", "EACCES")},

		// Paths: relative, by descriptor, through links, with dots.
		{"write ../ro/./dir/../file", "EROFS", rec("openat", ir.Write, "$D/ro/file", "EROFS")},
		{"openat $D ./secret//key", "EACCES", rec("openat", ir.Read, "$D/secret/key", "EACCES")},
		{"write link", "EROFS", rec("openat", ir.Write, "$D/ro/file", "EROFS")},
		{"read abs", "EACCES", rec("openat", ir.Read, "$D/secret/key", "EACCES")},
		{"nofollow up/secret/key", "EACCES", rec("openat", ir.Read, "$D/secret/key", "EACCES")},
		{"create up/ro/a/../b", "ENOENT", nil},

		{"chdir $D/secret", "EACCES", dir(rec("chdir", ir.Read, "$D/secret", "EACCES"))},
		{"stat $D/secret/key", "EACCES", rec("newfstatat", ir.Read, "$D/secret/key", "EACCES")},
		{"access $D/ro/file", "EROFS", rec("faccessat", ir.Write, "$D/ro/file", "EROFS")},
		{"exec $D/hidden", "EACCES", rec("execve", ir.Read, "$D/hidden", "EACCES")},
		{"mkdir $D/ro/new", "EROFS", dir(rec("mkdirat", ir.Write, "$D/ro/new", "EROFS"))},
		{"rmdir $D/ro/dir", "EROFS", dir(rec("unlinkat", ir.Unlink, "$D/ro/dir", "EROFS"))},
		{"unlink $D/hidden", "EBUSY", rec("unlinkat", ir.Unlink, "$D/hidden", "EBUSY")},
		{"unlink $D/ro/file", "EROFS", rec("unlinkat", ir.Unlink, "$D/ro/file", "EROFS")},
		{"rename $D/ro/file $D/w/moved", "EXDEV", to(rec("renameat", ir.Unlink, "$D/ro/file", "EXDEV"), "$D/w/moved")},
		{"rename file ../hidden", "EBUSY", to(rec("renameat", ir.Unlink, "$D/w/file", "EBUSY"), "$D/hidden")},
		{"link $D/ro/file linked", "EXDEV", to(rec("linkat", ir.Write, "$D/ro/file", "EXDEV"), "$D/w/linked")},
		{"symlink anything $D/ro/link", "EROFS", rec("symlinkat", ir.Write, "$D/ro/link", "EROFS")},
		{"mknod $D/ro/pipe", "EROFS", rec("mknodat", ir.Write, "$D/ro/pipe", "EROFS")},
		{"chmod link", "EROFS", rec("fchmodat", ir.Write, "$D/ro/file", "EROFS")},
		{"chown $D/ro/file", "EROFS", rec("lchown", ir.Write, "$D/ro/file", "EROFS")},
		{"truncate $D/ro/file", "EROFS", rec("truncate", ir.Write, "$D/ro/file", "EROFS")},
		{"utimes $D/ro/file", "EROFS", rec("utimensat", ir.Write, "$D/ro/file", "EROFS")},
		{"setxattr $D/ro/file", "EROFS", rec("setxattr", ir.Write, "$D/ro/file", "EROFS")},

		{"connect 192.0.2.1:443", "ENETUNREACH", &trace.Record{Call: "connect", Family: "inet", Addr: "192.0.2.1:443", Errno: "ENETUNREACH", Count: 1}},
		{"connect [2001:db8::1]:80", "ENETUNREACH", &trace.Record{Call: "connect", Family: "inet6", Addr: "[2001:db8::1]:80", Errno: "ENETUNREACH", Count: 1}},
		{"connect 127.0.0.1:9", "ECONNREFUSED", &trace.Record{Call: "connect", Family: "inet", Addr: "127.0.0.1:9", Errno: "ECONNREFUSED", Count: 1}},
		{"sendto 192.0.2.1:53", "ENETUNREACH", &trace.Record{Call: "sendto", Family: "inet", Addr: "192.0.2.1:53", Errno: "ENETUNREACH", Count: 1}},
		{"sendmsg 192.0.2.1:53", "ENETUNREACH", &trace.Record{Call: "sendmsg", Family: "inet", Addr: "192.0.2.1:53", Errno: "ENETUNREACH", Count: 1}},
		// Refused by the filter: there is no stop, and so no record.
		{"connectunix $D/w/socket", "EAFNOSUPPORT", nil},
		{"socket 17", "EAFNOSUPPORT", nil},
	}
	eachUser(t, func(t *testing.T, uid int) {
		w := newWorld(t, uid)
		var ops, answers []string
		for _, tc := range tests {
			ops, answers = append(ops, tc.op), append(answers, tc.answer)
		}
		r := w.probe(t, job{}, ops...)
		if diff := cmp.Diff(answers, strings.Fields(r.Out)); diff != "" {
			t.Fatalf("answers (-want +got):\n%s", diff)
		}
		// Records are counted together, in the order of the first.
		var want []trace.Record
		for _, tc := range tests {
			if tc.want == nil {
				continue
			}
			if i := slices.IndexFunc(want, func(r trace.Record) bool { r.Count = 1; return r == *tc.want }); i >= 0 {
				want[i].Count++
				continue
			}
			want = append(want, *tc.want)
		}
		if diff := cmp.Diff(want, r.Records, alone); diff != "" {
			t.Errorf("records (-want +got):\n%s", diff)
		}
		for _, rec := range r.Records {
			if rec.PID <= r.Child || rec.Exe != filepath.Join(scratch, "probe") {
				t.Errorf("process %d %s, want one after %d", rec.PID, rec.Exe, r.Child)
			}
		}
		if r.Lost != (trace.Lost{}) {
			t.Errorf("lost: %+v", r.Lost)
		}
	})
}

// TestUnixSockets: where they are permitted, their paths are recorded.
func TestUnixSockets(t *testing.T) {
	t.Parallel()
	eachUser(t, func(t *testing.T, uid int) {
		w := newWorld(t, uid)
		r := w.probe(t, job{Unix: true, Missing: []string{"$D/none"}},
			"connectunix ../secret/socket", "bindunix $D/ro/socket", "bindunix mine", "connectunix mine", "connectunix $D/none", "connectunix $D/absent")
		if got, want := strings.Fields(r.Out), []string{"EACCES", "EROFS", "ok", "ECONNREFUSED", "ENOENT", "ENOENT"}; !slices.Equal(got, want) {
			t.Fatalf("answers %q, want %q", got, want)
		}
		want := []trace.Record{
			{Call: "connect", Path: "$D/secret/socket", Family: "unix", Errno: "EACCES", Count: 1},
			{Call: "bind", Op: ir.Write, Path: "$D/ro/socket", Family: "unix", Errno: "EROFS", Count: 1},
			{Call: "connect", Path: "$D/w/mine", Family: "unix", Errno: "ECONNREFUSED", Count: 1},
			{Call: "connect", Path: "$D/none", Family: "unix", Errno: "ENOENT", Count: 1},
		}
		if diff := cmp.Diff(want, r.Records, alone); diff != "" {
			t.Errorf("records (-want +got):\n%s", diff)
		}
	})
}

// TestMissing: names that are missing are recorded where the caller says so.
func TestMissing(t *testing.T) {
	t.Parallel()
	eachUser(t, func(t *testing.T, uid int) {
		w := newWorld(t, uid)
		j := job{Args: []string{"--perms", "555", "--tmpfs", w.dir + "/ro/dir", "--remount-ro", w.dir + "/ro/dir"}, Missing: []string{"$D/ro/dir"}}
		r := w.probe(t, j, "read $D/ro/dir/a", "read $D/ro/dir/a", "read $D/other", "read $D/w/file/a", "rename $D/ro/dir/b $D/w/b", "rename none no")
		want := []trace.Record{
			{Call: "openat", Op: ir.Read, Path: "$D/ro/dir/a", Errno: "ENOENT", Count: 2},
		}
		if strings.Contains(r.Out, "EXDEV") { // the two directories are two mounts, which the kernel looks at first
			want = append([]trace.Record{{Call: "renameat", Op: ir.Unlink, Path: "$D/ro/dir/b", To: "$D/w/b", Errno: "EXDEV", Count: 1}}, want...)
		}
		if diff := cmp.Diff(want, r.Records, alone); diff != "" {
			t.Errorf("records (-want +got):\n%s", diff)
		}
	})
}

// TestBounds: records beyond the bound are counted.
func TestBounds(t *testing.T) {
	t.Parallel()
	eachUser(t, func(t *testing.T, uid int) {
		w := newWorld(t, uid)
		r := w.probe(t, job{Max: 2}, "read $D/secret/1", "read $D/secret/2", "read $D/secret/3", "read $D/secret/1", "read $D/secret/3")
		var got []string
		for _, rec := range r.Records {
			got = append(got, fmt.Sprint(rec.Path, " ", rec.Count))
		}
		if want := []string{"$D/secret/1 2", "$D/secret/2 1"}; !slices.Equal(got, want) || r.Lost != (trace.Lost{Beyond: 2}) {
			t.Errorf("records %q, lost %+v; want %q and 2 beyond", got, r.Lost, want)
		}
	})
}

// TestTree: threads, children, exec by a thread, and processes that are killed.
func TestTree(t *testing.T) {
	t.Parallel()
	one := func(path string, n int) []trace.Record {
		return []trace.Record{{Call: "openat", Op: ir.Read, Path: path, Errno: "EACCES", Count: n}}
	}
	var threads []trace.Record
	for i := range 200 {
		threads = append(threads, one(fmt.Sprintf("$D/secret/t%d", i), 5)...)
	}
	tests := []struct {
		name, op string
		want     []trace.Record
	}{
		{"threads", "threads 200 $D/secret", threads},
		{"exec by a thread", "threadexec $D/hidden", one("$D/hidden", 1)},
		{"children", "children 20 $D/hidden EACCES", one("$D/hidden", 20)},
		{"signals", "signals 300", nil},
		{"job control", "jobcontrol $D/w/file", nil},
		{"death at any moment", "die 20 $D/w/file", nil},
	}
	eachUser(t, func(t *testing.T, uid int) {
		for _, tc := range tests {
			t.Run(tc.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, uid)
				r := w.probe(t, job{}, tc.op)
				answer := "ok\n"
				if strings.HasPrefix(tc.op, "threadexec") {
					answer = "EACCES\n"
				}
				if r.Out != answer {
					t.Fatalf("answer %q, want %q", r.Out, answer)
				}
				byPath := cmpopts.SortSlices(func(a, b trace.Record) bool { return a.Path < b.Path })
				if diff := cmp.Diff(tc.want, r.Records, alone, byPath, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
			})
		}
	})
}

// TestBlind: under the filter and without a tracer nothing can be executed.
func TestBlind(t *testing.T) {
	t.Parallel()
	eachUser(t, func(t *testing.T, uid int) {
		r := job{Command: []string{"/bin/true"}, Blind: true}.run(t, uid)
		if r.Exit == 0 || !strings.Contains(r.Err, "Function not implemented") {
			t.Errorf("status %d, %q", r.Exit, r.Err)
		}
		if r := (job{Command: []string{"/bin/true"}}).run(t, uid); r.Exit != 0 || len(r.Records) != 0 {
			t.Errorf("traced: status %d, %q, %v", r.Exit, r.Err, r.Records)
		}
	})
}
