package e2e_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// runCase is one case of testdata/cases.json. W stands for a fresh directory
// that holds p/pub.txt and out/o.txt.
type runCase struct {
	ID     string
	Setup  [][]string // dir, file, link, hard, git or sock, and its arguments
	Policy struct {
		Write     []string
		DenyWrite []string
		DenyRead  []string
		AllowRead []string
		Net       string
		DenyEnv   []string
		Mandatory bool
		Extra     map[string][]string
		Raw       string
		Missing   bool
	}
	Cwd    string
	Probe  string // a line of bash
	Expect struct {
		Exit     any // a number, or "!0"
		Out      []string
		Lack     []string
		Empty    bool
		Host     map[string]*string // nil means absent
		MaxInt   int                `json:"max_int"`
		OrStderr []string           `json:"or_stderr"` // or sbc itself says one of these
	}
}

// TestCases runs neutral cases: what a command may and may not do, whatever
// the sandbox is made of.
func TestCases(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []runCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 49 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, w *world) { w.runCase(c) })
		})
	}
}

func (w *world) runCase(c runCase) {
	w.t.Helper()
	root := w.home
	in := func(s string) string { return strings.ReplaceAll(s, "W/", root+"/") }
	for _, step := range append([][]string{{"dir", "p"}, {"file", "p/pub.txt", "PUB\n"}, {"dir", "out"}, {"file", "out/o.txt", "OUT\n"}}, c.Setup...) {
		w.step(step, in)
	}
	w.work = in(c.Cwd)
	name := filepath.Join(root, "policy.hcl")
	if !c.Policy.Missing {
		w.file("policy.hcl", c.policy(in))
	}
	script := filepath.Join(root, "run.sh")
	compiled := w.exec(shared.sbc, "compile", name, "--workspace", in("W/p"), "--target", "linux", "--format", "sh", "-o", script)
	r := result{code: compiled.code}
	if compiled.code == 0 {
		stop := w.late(c, in)
		r = w.exec("bash", "-c", `FOO_TOKEN=s3cret exec bash "$0" bash -c "$1" <<<IN`, script, in(c.Probe))
		stop()
	}
	said := compiled.stderr + r.stderr
	if slices.ContainsFunc(c.Expect.OrStderr, func(s string) bool { return strings.Contains(said, s) }) {
		return
	}
	for _, p := range w.problems(c, r) {
		w.t.Errorf("%s\n%v\ncompile said:\n%s", p, r, compiled.stderr)
	}
}

// problems compares how a case ended with what it expects.
func (w *world) problems(c runCase, r result) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch want := c.Expect.Exit.(type) {
	case float64:
		if r.code != int(want) {
			bad("exit %d, want %v", r.code, want)
		}
	case string:
		if r.code == 0 {
			bad("exit 0")
		}
	}
	for _, s := range c.Expect.Out {
		if !strings.Contains(r.stdout, s) {
			bad("stdout lacks %q", s)
		}
	}
	for _, s := range c.Expect.Lack {
		if strings.Contains(r.stdout, s) {
			bad("stdout holds %q", s)
		}
	}
	if c.Expect.Empty && r.stdout != "" {
		bad("stdout is not empty")
	}
	if c.Expect.MaxInt > 0 {
		if n, err := strconv.Atoi(strings.TrimSpace(r.stdout)); err != nil || n > c.Expect.MaxInt {
			bad("stdout is no number up to %d", c.Expect.MaxInt)
		}
	}
	for name, want := range c.Expect.Host {
		got, err := os.ReadFile(filepath.Join(w.home, name))
		switch {
		case want == nil && err == nil:
			bad("%s is on the host", name)
		case want != nil && string(got) != *want:
			bad("%s holds %q on the host, want %q", name, got, *want)
		}
	}
	return out
}

func (w *world) step(step []string, in func(string) string) {
	w.t.Helper()
	path := filepath.Join(w.home, step[1])
	must := func(err error) {
		if err != nil {
			w.t.Fatal(step, err)
		}
	}
	switch step[0] {
	case "dir":
		must(os.MkdirAll(path, 0o755))
		for p := path; p != w.home; p = filepath.Dir(p) {
			w.own(p)
		}
	case "file":
		w.file(step[1], step[2])
	case "link":
		must(os.Symlink(in(step[2]), path))
		w.own(path)
	case "hard":
		must(os.Link(filepath.Join(w.home, step[2]), path))
	case "git":
		for _, args := range [][]string{{"init", "-q", "--template="}, {"-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", "m"}} {
			if r := w.exec("git", append([]string{"-C", path}, args...)...); r.code != 0 {
				w.t.Fatal(r)
			}
		}
		if r := w.exec("bash", "-c", "cd "+path+" && git add -A && git -c user.name=n -c user.email=e@x commit -q -m files"); r.code != 0 {
			w.t.Fatal(r)
		}
	case "sock":
		l, err := net.Listen("unix", path)
		must(err)
		must(os.Chmod(path, 0o777))
		w.t.Cleanup(func() { l.Close() })
	default:
		w.t.Fatalf("unknown step %q", step)
	}
}

// late writes the file that the case about later files waits for.
func (w *world) late(c runCase, in func(string) string) (stop func()) {
	if c.ID != "R14" {
		return func() {}
	}
	timer := time.AfterFunc(1200*time.Millisecond, func() { _ = os.WriteFile(in("W/p/late/.env"), []byte("SECRET"), 0o644) })
	return func() { timer.Stop() }
}

// policy writes the case's policy in HCL.
func (c runCase) policy(in func(string) string) string {
	if c.Policy.Raw != "" {
		return c.Policy.Raw
	}
	var b strings.Builder
	list := func(paths []string) string {
		var out []string
		for _, p := range paths {
			out = append(out, strconv.Quote(in(p)))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	b.WriteString("version = 1\n")
	if !c.Policy.Mandatory {
		b.WriteString(strings.TrimPrefix(bare, "version = 1\n"))
	}
	read := c.Policy.AllowRead
	if !slices.Contains(c.Policy.DenyRead, "/") {
		read = append(read, "/")
	}
	var none, globs []string
	for _, p := range c.Policy.DenyRead {
		if strings.ContainsAny(p, "*?[") {
			globs = append(globs, p)
		} else {
			none = append(none, p)
		}
	}
	fmt.Fprintf(&b, "filesystem {\n  read = %s\n  write = %s\n  none = %s\n", list(read), list(c.Policy.Write), list(none))
	if len(globs) > 0 {
		fmt.Fprintf(&b, "  deny \"read\" { paths = %s }\n", list(globs))
	}
	if len(c.Policy.DenyWrite) > 0 {
		fmt.Fprintf(&b, "  deny \"write\" {\n    paths = %s\n    access = \"write\"\n  }\n", list(c.Policy.DenyWrite))
	}
	for key, paths := range c.Policy.Extra {
		fmt.Fprintf(&b, "  %s = %s\n", key, list(paths))
	}
	b.WriteString("}\n")
	if c.Policy.Net != "" {
		fmt.Fprintf(&b, "network { mode = %q }\n", c.Policy.Net)
	}
	if len(c.Policy.DenyEnv) > 0 {
		fmt.Fprintf(&b, "env { deny = %s }\n", list(c.Policy.DenyEnv))
	}
	return b.String()
}
