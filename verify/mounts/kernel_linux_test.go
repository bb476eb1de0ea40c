package mounts_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/verify/mounts"
)

// ordinary is the user that the tests act as besides root.
const ordinary = 65534

// scratch holds what all tests share; it is removed in the end.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sbc-mounts")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// probe builds testdata/probe once and returns its directory.
var probe = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "probe")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "probe"), "./testdata/probe")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

// asUsers runs a test as root and as an ordinary user, or only as the one who
// runs the tests.
func asUsers(t *testing.T, f func(t *testing.T, uid int)) {
	t.Helper()
	users := []int{os.Getuid()}
	if users[0] == 0 {
		users = append(users, ordinary)
	}
	for _, uid := range users {
		t.Run("uid "+strconv.Itoa(uid), func(t *testing.T) {
			t.Parallel()
			f(t, uid)
		})
	}
}

// failer is what a test and a property have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// world is a little tree of one user: w is what the sandbox may show; empty, mask
// and half, beside it, are closed by their modes.
type world struct {
	uid   int
	dir   string       // $D
	outer []string     // the sandbox around the sandbox, if any
	extra []host.Mount // what that mounts
	alias [2]string    // what it shows at another place, and where
	dirs  []string     // the directories that it makes; the first is new storage
}

var planted = []string{"w/a/b/f", "w/a/f", "w/b/c/f", "w/f", "w/c/", "half/f"}

func newWorld(t failer, uid int) *world {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp(scratch, "w")
	check(err)
	w := &world{uid: uid, dir: dir}
	for _, name := range planted {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			check(os.MkdirAll(path, 0o755))
			continue
		}
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		check(os.WriteFile(path, []byte("content of "+path), 0o644))
	}
	check(os.Mkdir(filepath.Join(dir, "empty"), 0o700))
	check(os.WriteFile(filepath.Join(dir, "mask"), nil, 0o600))
	for _, p := range everything(dir) {
		check(os.Lchown(p, uid, uid))
	}
	check(os.Chmod(dir, 0o755))
	check(os.Chmod(filepath.Join(dir, "half"), 0o444))
	check(os.Chmod(filepath.Join(dir, "empty"), 0))
	check(os.Chmod(filepath.Join(dir, "mask"), 0))
	return w
}

func (w *world) remove() {
	for _, p := range everything(w.dir) {
		if st, err := os.Lstat(p); err == nil && st.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
	}
	_ = os.RemoveAll(w.dir)
}

// everything lists a directory and all beneath it.
func everything(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(p string, _ fs.DirEntry, _ error) error {
		out = append(out, p)
		return nil
	})
	return out
}

// view is the host as the sandbox sees it: this machine with what the outer
// sandbox, if there is one, puts over it.
type view struct {
	host.Live
	w *world
}

func (v view) Mounts() ([]host.Mount, error) {
	list, err := v.Live.Mounts()
	return append(list, v.w.extra...), err
}

func (v view) Lstat(p string) (host.Node, error) {
	if slices.Contains(v.w.dirs, p) {
		return host.Node{Type: host.Dir, Perm: 0o755}, nil
	}
	if len(v.w.dirs) > 0 && strings.HasPrefix(p, v.w.dirs[0]+"/") {
		return host.Node{}, fs.ErrNotExist
	}
	return v.Live.Lstat(v.w.origin(p))
}

// origin is where a path of the host really lies.
func (w *world) origin(p string) string {
	if rest, ok := strings.CutPrefix(p, w.alias[1]); ok && w.alias[1] != "" && (rest == "" || rest[0] == '/') {
		return w.alias[0] + rest
	}
	return p
}

// args puts what every test needs around the arguments under test.
func (w *world) args(t failer, args []string) []string {
	dir, err := probe()
	if err != nil {
		t.Fatalf("build the probe: %v", err)
	}
	return append([]string{
		"--unshare-user", "--unshare-pid", "--cap-drop", "ALL", "--die-with-parent", "--ro-bind", dir, dir,
	}, args...)
}

func (w *world) build(t failer, args []string) (*mounts.Sandbox, *mounts.Table, error) {
	s, err := mounts.Read(w.args(t, args), mounts.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := mounts.Build(s, mounts.Options{View: view{w: w}})
	return s, table, err
}

// run starts bubblewrap with the probe, which gets the questions.
func (w *world) run(t failer, args []string, questions string) (answers []string, errs string, ok bool) {
	t.Helper()
	argv := append(append([]string{}, w.outer...), "bwrap")
	argv = append(argv, w.args(t, args)...)
	dir, _ := probe()
	argv = append(argv, "--", filepath.Join(dir, "probe"))
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/local/bin"}
	cmd.Dir = "/"
	cmd.Stdin = strings.NewReader(questions)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	for range 10 {
		f := w.content(t)
		defer f.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	}
	if w.uid != os.Getuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(w.uid), Gid: uint32(w.uid)}}
	}
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("start bwrap: %v", err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n") {
		if line == "" {
			continue
		}
		a, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("the probe said %q, %s", line, stderr.String())
		}
		answers = append(answers, a)
	}
	return answers, stderr.String(), err == nil
}

// content is a file of which one can read "data", once.
func (w *world) content(t failer) *os.File {
	r, p, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = p.WriteString("data")
	_ = p.Close()
	return r
}

var operations = []string{"read", "write", "create", "unlink"}

// compare asks the kernel about paths and holds the table to the answers.
func (w *world) compare(t failer, args, paths []string) {
	t.Helper()
	s, table, err := w.build(t, args)
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(args, " "))
	}
	var in strings.Builder
	for _, p := range paths {
		for _, op := range append([]string{"exists"}, operations...) {
			fmt.Fprintf(&in, "%s %q", op, p)
			if h := table.Access(p).HostPath; h != "" {
				for _, other := range table.Shows(h) {
					fmt.Fprintf(&in, " %q", other)
				}
			}
			in.WriteString("\n")
		}
	}
	answers, errs, ok := w.run(t, args, in.String())
	if !ok || len(answers) != len(paths)*(len(operations)+1) {
		t.Fatalf("bubblewrap does not start: %s\n%s", errs, strings.Join(args, " "))
	}
	probe, _ := probe()
	short := strings.NewReplacer(w.dir, "$D", probe, "$P").Replace
	wrong := 0
	for i, p := range paths {
		a := table.Access(p)
		missing := answers[i*5] == syscall.ENOENT.Error() || answers[i*5] == syscall.ENOTDIR.Error()
		for j, open := range []bool{a.Read, a.Write, a.Create, a.Unlink} {
			op, got := operations[j], answers[i*5+1+j]
			if op == "read" && open && missing && !a.Write && a.HostPath != "" {
				continue // nothing there to read
			}
			if strings.HasPrefix(got, "ok") != open {
				if wrong++; wrong < 4 {
					t.Errorf("%s %s: the kernel says %q, the model %s, by argument %d\n%s",
						op, short(p), got, letters(a), a.Entry, short(strings.Join(s.Args[7:], " ")))
				}
			}
			content, isFile := strings.CutPrefix(got, "ok content of ")
			if op == "read" && isFile && content != w.origin(a.HostPath) {
				t.Errorf("%s shows %s, the model says %q\n%s", short(p), short(content), short(a.HostPath), short(strings.Join(s.Args, " ")))
			}
		}
	}
}

// paths are those worth asking about: every node of the tree, and names beneath
// it, but not in what every sandbox has for the probe.
func (w *world) paths(table *mounts.Table) []string {
	var out []string
	var walk func(n *mounts.Node)
	walk = func(n *mounts.Node) {
		for _, p := range []string{n.Path, join(n.Path, "new"), join(n.Path, "new/new"), join(n.Path, "f"), join(n.Path, "b/f")} {
			resolved, ok := table.Resolve(p, true)
			if ok && resolved == p && !strings.HasPrefix(p, filepath.Join(scratch, "probe")) {
				out = append(out, p)
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(table.Tree())
	return out
}

func join(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }
