package bwrap_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
)

// script writes the sandbox's script and returns a command that runs it.
func (s *sandbox) script(t testing.TB, command ...string) *exec.Cmd {
	t.Helper()
	text, err := s.art.Render(target.Shell)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(workDir(t), "run.sh")
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", append([]string{path}, command...)...) // which hands over to bash
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin"}
	cmd.WaitDelay = 5 * time.Second
	if s.uid != os.Getuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}}
	}
	return cmd
}

// status runs a command and returns its output and exit status.
func status(t testing.TB, cmd *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// odd are names that a shell or a terminal could take for something else.
var odd = []string{
	"plain", "with space", "new\nline", "tab\there", `quote'"back\slash`, "$(touch x)`y`", "-dash", "~", "*?[a]", "é", "\xff\xfe", "\u202e", "a=b", "#c", "!h",
}

func TestScript(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		dir := workDir(t)
		plant(t, dir, uid, "w/f", "w/key", "w/a/.env", "v/f")
		s := box(t, dir, uid, "deny $W/w/key\ndeny $W/w/**/.env\ndeny $W/w/new\nwrite $W/w\nread /")
		for _, tt := range []struct {
			name, line string
			out        string
			code       int
		}{
			{"reads and writes what is open", "cat $W/w/f && echo x > $W/w/made && cat $W/w/made", "content of $W/w/f\nx\n", 0},
			{"passes the status on", "exit 42", "", 42},
			{"passes a signal on", "kill -9 $$", "", 137},
			{"keeps what is closed", "cat $W/w/key || cat $W/w/a/.env || echo x > $W/w/new || echo x > $W/v/f || echo closed", "closed\n", 0},
			{"passes no descriptors but the streams", "echo /proc/self/fd/*", "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n", 0},
			{"has no capabilities", "grep CapEff /proc/self/status | cut -f 2", "0000000000000000\n", 0},
			{"cannot change the kernel's settings", "for f in /proc/sys/kernel/core_uses_pid /proc/sys/kernel/randomize_va_space; do [ ! -w $f ] || echo $f; done", "", 0},
			{"has the filter", "grep Seccomp: /proc/self/status | cut -f 2", "2\n", 0},
			{"passes standard input on", "cat", "input\n", 0},
		} {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				cmd := s.script(t, "/bin/sh", "-c", strings.ReplaceAll(tt.line, "$W", dir))
				cmd.Stdin = strings.NewReader("input\n")
				out, errs, code := status(t, cmd)
				if diff := cmp.Diff(strings.ReplaceAll(tt.out, "$W", dir), out); diff != "" || code != tt.code {
					t.Errorf("status %d, want %d; output (-want +got):\n%s\nstderr: %s", code, tt.code, diff, errs)
				}
			})
		}
	})
}

// TestScriptPlaceholder holds that a placeholder is there while a script runs,
// outlives the first of two scripts that need it, and is gone in the end.
func TestScriptPlaceholder(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		dir := workDir(t)
		plant(t, dir, uid, "w/")
		s := box(t, dir, uid, "deny $W/w/key\nwrite $W/w\nread /")
		key := filepath.Join(dir, "w/key")
		start := func() (*exec.Cmd, func() int) {
			cmd := s.script(t, "/bin/sh", "-c", "echo up; cat; ls -d "+key+" && ! ls "+key)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 3)); err != nil {
				t.Fatalf("the script did not start: %v", err)
			}
			return cmd, func() int {
				_ = in.Close()
				_ = cmd.Wait()
				return cmd.ProcessState.ExitCode()
			}
		}
		exists := func() bool {
			_, err := os.Lstat(key)
			return err == nil
		}
		_, end1 := start()
		second, end2 := start()
		if !exists() {
			t.Error("no placeholder while two scripts run")
		}
		if code := end1(); code != 0 || !exists() {
			t.Errorf("status %d; placeholder %v after the first script ended", code, exists())
		}
		if code := end2(); code != 0 || exists() {
			t.Errorf("status %d; placeholder %v after the last script ended", code, exists())
		}
		third, end3 := start()
		if err := third.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code := end3(); code == 0 || exists() {
			t.Errorf("status %d; placeholder %v after a signal", code, exists())
		}
		_ = second
	})
}

// TestScriptKilled holds that nothing goes on when a script is killed, since its
// placeholders are not locked any more.
func TestScriptKilled(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	uid := os.Getuid()
	plant(t, dir, uid, "w/")
	s := box(t, dir, uid, "deny $W/w/key\nwrite $W/w\nread /")
	for _, wall := range []time.Duration{0, time.Minute} {
		s.art.Plan.Wall = wall
		cmd := s.script(t, "/bin/sh", "-c", "sleep 0.3; echo up; sleep 60") // bubblewrap's init needs a moment to see to it
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 3)); err != nil {
			t.Fatalf("the script did not start: %v", err)
		}
		_ = cmd.Process.Kill()
		ended := make(chan error, 1)
		go func() {
			_, err := out.Read(make([]byte, 1)) // until nobody holds the other end
			ended <- err
		}()
		select {
		case err := <-ended:
			if !errors.Is(err, io.EOF) {
				t.Errorf("with a wall clock of %v: %v", wall, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("with a wall clock of %v the command goes on", wall)
		}
		_ = cmd.Wait()
	}
}

// TestScriptRefuses holds that a script does not start where the plan no longer
// fits, and leaves out what is no longer needed.
func TestScriptRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(dir string) error
		args   []string
		path   string
		code   int
		says   string
	}{
		{name: "nothing changed", change: func(string) error { return nil }, code: 0},
		{
			name: "a root is a link now", code: 125, says: "/w is a symbolic link now",
			change: func(dir string) error {
				return errors.Join(os.Rename(dir+"/w", dir+"/w2"), os.Symlink("w2", dir+"/w"))
			},
		},
		{
			name: "a directory above a closed file is a link now", code: 125, says: "/w/a is a symbolic link now",
			change: func(dir string) error {
				return errors.Join(os.Rename(dir+"/w/a", dir+"/w/b"), os.Symlink("b", dir+"/w/a"))
			},
		},
		{
			name: "a closed file is a directory now", code: 125, says: "/w/a/key is no longer a file",
			change: func(dir string) error {
				return errors.Join(os.Remove(dir+"/w/a/key"), os.Mkdir(dir+"/w/a/key", 0o755))
			},
		},
		{
			name: "a closed file has vanished", code: 125, says: "/w/a/key is no longer a file",
			change: func(dir string) error { return os.Remove(dir + "/w/a/key") },
		},
		{
			name: "a match has vanished", code: 0,
			change: func(dir string) error { return os.RemoveAll(dir + "/w/c") },
		},
		{
			name: "a file stands where a placeholder should", code: 125, says: "/w/new cannot be kept free",
			change: func(dir string) error { return os.WriteFile(dir+"/w/new", nil, 0o644) },
		},
		{name: "no command", change: func(string) error { return nil }, args: []string{}, code: 125, says: "usage:"},
		{name: "no bubblewrap", change: func(string) error { return nil }, path: "/nowhere", code: 125, says: "bubblewrap (bwrap) is not installed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := workDir(t)
			plant(t, dir, os.Getuid(), "w/a/key", "w/c/.env")
			s := box(t, dir, os.Getuid(), "deny $W/w/a/key\ndeny $W/w/**/.env\ndeny $W/w/new\nwrite $W/w\nread /")
			args := []string{"/bin/echo", "ran"}
			if tt.args != nil {
				args = tt.args
			}
			cmd := s.script(t, args...)
			if tt.path != "" {
				cmd.Path = "/bin/bash"
				cmd.Env = []string{"PATH=" + tt.path}
			}
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			out, errs, code := status(t, cmd)
			if code != tt.code || !strings.Contains(errs, tt.says) || (out == "ran\n") != (code == 0) {
				t.Errorf("status %d, want %d; stdout %q, stderr %q, which must have %q", code, tt.code, out, errs, tt.says)
			}
		})
	}
}

// TestScriptEnvironment holds the script's choice of variables to
// [ir.Env.Inherits] and to what is set.
func TestScriptEnvironment(t *testing.T) {
	t.Parallel()
	variables := []string{
		"PATH", "HOME", "LANG", "LC_ALL", "TERM", "FOO", "FOO_TOKEN", "foo_token", "MY_VAR", "MY_OTHER", "LD_LIBRARY_PATH", "BASH_ENV_X",
		"GIT_DIR", "GIT_SSL_CAINFO", "AWS_REGION", "aws_region", "NODE_OPTIONS", "PATTERN", "SESSION_ID", "PGPASSWORD", "MYSQL_PWD", "LUA_INIT", "X",
	}
	for _, tt := range []struct {
		name string
		env  ir.Env
	}{
		{"core", ir.Env{}},
		{"none", ir.Env{Inherit: ir.Setting[ir.EnvInherit]{Value: ir.EnvNone}, Pass: []ir.EnvRule{{Pattern: "FOO"}}}},
		{"all", ir.Env{
			Inherit: ir.Setting[ir.EnvInherit]{Value: ir.EnvAll},
			Pass:    []ir.EnvRule{{Pattern: "FOO_TOKEN"}, {Pattern: "GIT_*"}, {Pattern: "MY_OTHER"}},
			Deny:    []ir.EnvRule{{Pattern: "MY_*"}, {Pattern: "?"}},
		}},
		{"set", ir.Env{Set: []ir.EnvVar{{Name: "FOO", Value: "a b'c\n$x"}, {Name: "FOO_TOKEN", Value: ""}, {Name: "LANG", Value: "xx"}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := map[string]string{"PWD": "/"}
			p := policy("read /")
			p.Env = tt.env
			cmd := boxPolicy(t, "/", os.Getuid(), p).script(t, "/usr/bin/env", "-0")
			for _, v := range variables {
				value := "value of " + v
				if v == "PATH" {
					value = "/usr/local/bin:/usr/bin:/bin"
				}
				if v != "PATH" {
					cmd.Env = append(cmd.Env, v+"="+value)
				}
				if tt.env.Inherits(v) {
					want[v] = value
				}
			}
			cmd.Env = append(cmd.Env, "BASH_FUNC_f%%=() { echo hi; }", "a.b=c")
			for _, s := range tt.env.Set {
				want[s.Name] = s.Value
			}
			out, errs, code := status(t, cmd)
			got := map[string]string{}
			for pair := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
				name, value, _ := strings.Cut(pair, "=")
				got[name] = value
			}
			if diff := cmp.Diff(want, got); diff != "" || code != 0 {
				t.Errorf("status %d, stderr %q, environment (-want +got):\n%s", code, errs, diff)
			}
		})
	}
}

// TestScriptHidesEnvironment holds that neither variables nor the policy show
// in the sandbox's own /proc.
func TestScriptHidesEnvironment(t *testing.T) {
	t.Parallel()
	cmd := box(t, "/", os.Getuid(), "read /").script(t, "/bin/sh", "-c", "tr '\\0' ' ' < /proc/1/environ; echo; tr '\\0' ' ' < /proc/1/cmdline")
	cmd.Env = append(cmd.Env, "SECRET=s3cret")
	out, errs, code := status(t, cmd)
	if code != 0 || strings.Contains(out, "s3cret") || strings.Contains(out, "ro-bind") || !strings.Contains(out, "--args 4") {
		t.Errorf("status %d, stderr %q, output %q", code, errs, out)
	}
}

// TestScriptLimits holds the limits that a script can keep.
func TestScriptLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		limits ir.Limits
		line   string
		out    string
		code   int
	}{
		{"none", ir.Limits{}, "ulimit -f; ulimit -v", "unlimited\nunlimited\n", 0},
		{"open files", ir.Limits{OpenFiles: ir.Setting[int64]{Value: 64, Set: true}}, "ulimit -n; ulimit -Hn", "64\n64\n", 0},
		{"file size", ir.Limits{FileSize: ir.Setting[int64]{Value: 2 << 20, Set: true}}, "ulimit -f", "4096\n", 0}, // sh counts blocks of 512
		{"memory", ir.Limits{Memory: ir.Setting[int64]{Value: 1 << 30, Set: true}}, "ulimit -v", "1048576\n", 0},
		{"processor time", ir.Limits{CPU: ir.Setting[time.Duration]{Value: 1500 * time.Millisecond, Set: true}}, "ulimit -t", "2\n", 0},
		{"wall clock", ir.Limits{Wall: ir.Setting[time.Duration]{Value: 300 * time.Millisecond, Set: true}}, "sleep 30", "", 124},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := policy("read /")
			p.Limits = tt.limits
			out, errs, code := status(t, boxPolicy(t, "/", os.Getuid(), p).script(t, "/bin/sh", "-c", tt.line))
			if out != tt.out || code != tt.code {
				t.Errorf("status %d, want %d; output %q, want %q; stderr %q", code, tt.code, out, tt.out, errs)
			}
		})
	}
}

// TestScriptOddNames holds that paths stay what they are in every format.
func TestScriptOddNames(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	for _, name := range odd {
		plant(t, dir, os.Getuid(), "w/")
		path := filepath.Join(dir, "w", name)
		if err := os.WriteFile(path, []byte("content of "+path+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := policy("write " + dir + "/w\nread /")
	var closed []ir.FileRule
	for i, name := range odd {
		if i%2 == 0 {
			closed = append(closed, ir.FileRule{Match: ir.Subtree(filepath.Join(dir, "w", name)), Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace})
		}
	}
	p.Files = append(closed, p.Files...)
	s := boxPolicy(t, dir, os.Getuid(), p)
	for i, name := range odd {
		_, errs, code := status(t, s.script(t, "/bin/cat", "--", filepath.Join(dir, "w", name)))
		if want := i%2 == 0; (code != 0) != want {
			t.Errorf("%q: closed %v, want %v; stderr %q", name, code != 0, want, errs)
		}
	}
	text, err := s.art.Render(target.Text)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(text), "\n"), len(s.art.Args()); got != want {
		t.Errorf("%d lines of text for %d arguments", got, want)
	}
}
