package launch_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/enforce/launch"
	"github.com/sandboxc/sbc/enforce/recheck"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/internal/program"
	"github.com/sandboxc/sbc/target/bwrap"
)

// closing is what a helper is to cover, and what goes wrong.
type closing struct {
	MaskFile    string
	Files, Dirs []string

	Least    int       // how few are worth a helper; 0 means cover.Least
	Plain    bool      // bubblewrap does it
	Omit     string    // the helper does not cover this one
	Swap     [2]string // renamed, when the plan is made
	Remove   string    // when the plan is made
	NoSpaces bool      // a user namespace alone is refused
	Bwrap    string    // another bubblewrap
	Nested   bool      // the command may make user namespaces
	Look     bool      // look at the finished sandbox
}

// close closes the files and directories in a plan.
func (e *closing) close(p *bwrap.Plan) {
	if e == nil {
		return
	}
	p.MaskFile = e.MaskFile
	p.DisableUserns = !e.Nested
	for _, path := range e.Files {
		p.Mounts = append(p.Mounts, bwrap.Mount{Kind: bwrap.ClosedFile, Path: path, Host: "file"})
	}
	for _, path := range e.Dirs {
		p.Mounts = append(p.Mounts, bwrap.Mount{Kind: bwrap.ClosedDir, Path: path, Host: "dir"})
	}
}

// arrange splits the plan, and lets something go wrong.
func (e *closing) arrange(s *launch.Spec) error {
	was := host.NewMemo(host.Live{})
	plan := s.Artifact.Plan
	if !e.Plain {
		s.Cover = cover.Split(&plan, was, cmp.Or(e.Least, cover.Least))
	}
	if s.Cover == nil != e.Plain {
		return fmt.Errorf("the plan is split: %t", s.Cover != nil)
	}
	if e.Omit != "" {
		s.Cover.Paths = slices.DeleteFunc(s.Cover.Paths, func(c cover.Path) bool { return c.Name == e.Omit })
	}
	if e.Bwrap != "" {
		s.Bwrap = e.Bwrap
	}
	if e.Look {
		s.Held = func(pid int) error { return recheck.Mounted(pid, &plan, was) }
	}
	if e.NoSpaces {
		return closeSpaces()
	}
	if e.Remove != "" {
		return os.Remove(e.Remove)
	}
	if e.Swap != [2]string{} {
		return os.Rename(e.Swap[0], e.Swap[1])
	}
	return nil
}

// closeSpaces refuses a process in a new user namespace and the same process
// namespace, as the stage is; bubblewrap makes both.
func closeSpaces() error {
	return refuse([]unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_CLONE, Jf: 4},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 16}, // the low half of its flags
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: unix.CLONE_NEWUSER | unix.CLONE_NEWPID},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.CLONE_NEWUSER, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	})
}

// closed makes files and directories, and the mask file.
func closed(t testing.TB, uid, files, dirs int) (string, *closing) {
	t.Helper()
	dir := workDir(t, uid)
	e := &closing{MaskFile: filepath.Join(dir, "mask"), Look: true}
	write := func(name, text string, mode fs.FileMode) {
		err := os.WriteFile(name, []byte(text), mode)
		if err == nil {
			err = os.Chown(name, uid, uid)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(e.MaskFile, "", 0)
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("f%03d", i))
		write(name, "secret", 0o644)
		e.Files = append(e.Files, name)
	}
	for i := range dirs {
		name := filepath.Join(dir, fmt.Sprintf("d%03d", i))
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(name, uid, uid); err != nil {
			t.Fatal(err)
		}
		write(name+"/in", "secret", 0o644)
		e.Dirs = append(e.Dirs, name)
	}
	return dir, e
}

// steps says who covered what, from the table of mounts inside: the covers of the
// helper are noexec, those of bubblewrap are not.
const steps = `covers() { grep ' /[^ ]*/[fd][0-9]* ro' /proc/self/mountinfo | grep $1 noexec | cut -d' ' -f5 | sort -u | wc -l; };` +
	"echo $(covers) by the helper, $(covers -v) not;"

// TestCover holds that what the helper covers is closed, and that the command does
// not see in any other way that there was one. Without covers it can be read.
func TestCover(t *testing.T) {
	t.Parallel()
	line := steps + " cat f* d*/in 2>/dev/null; rm -f f* 2>/dev/null; ls -d f* | wc -l; touch d000/x 2>/dev/null && echo made;" +
		"echo /proc/self/fd/*; cat /proc/1/environ /proc/1/cmdline | tr '\\0' ' ' | head -c 24; echo; grep -c ^Cap.*:.0000000000000000$ /proc/self/status; ulimit -n"
	asUsers(t, func(t *testing.T, uid int) {
		dir, e := closed(t, uid, 60, 60)
		want, _ := run(t, uid, job{Command: sh("ulimit -n")})
		text, out := run(t, uid, job{Command: sh(line), Dir: dir, Writable: []string{dir}, Closing: e, Env: []string{"PATH=/usr/bin:/bin"}})
		want = "120 by the helper, 0 not\n60\n/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\nPATH=/usr/bin:/bin bwrap\n5\n" + want
		if diff := gocmp.Diff(want, text); diff != "" || out.Error != "" {
			t.Errorf("%+v (-want +got):\n%s", out, diff)
		}
		text, _ = run(t, uid, job{Command: sh("cat f059 d059/in"), Dir: dir, Writable: []string{dir}})
		if text != "secretsecret" {
			t.Errorf("the control reads %q", text)
		}
	})
}

// TestCoverRefused: where the system permits no user namespace for the helper, or
// none in it, bubblewrap covers everything.
func TestCoverRefused(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		dir, e := closed(t, uid, 60, 0)
		script := filepath.Join(dir, "bwrap")
		// It fails in another user namespace than the launcher's.
		text := "#!/bin/sh\nif [ /proc/self/ns/user -ef /proc/$PPID/ns/user ]; then exec /usr/bin/bwrap \"$@\"; fi\nexit 1\n"
		if err := program.Write(script, []byte(text)); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			name string
			set  func(e *closing)
			want string
		}{
			{"the control", func(*closing) {}, "60 by the helper, 0 not\n"},
			{"no namespaces", func(e *closing) { e.NoSpaces = true }, "0 by the helper, 60 not\n"},
			{"no sandbox in it", func(e *closing) { e.Bwrap = script }, "0 by the helper, 60 not\n"},
		} {
			one := *e
			tt.set(&one)
			text, out := run(t, uid, job{Command: sh(steps), Closing: &one})
			if text != tt.want || out.Error != "" {
				t.Errorf("%s: %q, want %q; %+v", tt.name, text, tt.want, out)
			}
		}
	})
}

// TestCoverChanged: something that is not what it was when the plan was made is an
// error that names it, and the command does not run.
func TestCoverChanged(t *testing.T) {
	t.Parallel()
	const changed = "the machine has changed since the policy was compiled: "
	for _, tt := range []struct {
		name string
		set  func(dir string, e *closing)
		want string
	}{
		{"vanished", func(dir string, e *closing) { e.Remove = dir + "/f007" }, changed + `"$D/f007" has vanished`},
		{"another one", func(dir string, e *closing) { e.Swap = [2]string{dir + "/other", dir + "/f007"} }, changed + `"$D/f007" is not what it was`},
		{"a link", func(dir string, e *closing) { e.Swap = [2]string{dir + "/link", dir + "/f007"} }, changed + `"$D/f007" is not what it was`},
		{
			"one that is left out", func(dir string, e *closing) { e.Omit = dir + "/f007" },
			"cannot prepare the command: " + changed + `"$D/f007" was exchanged while the sandbox was made, and is not covered; the command did not run`,
		},
		{"the control", func(string, *closing) {}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asUsers(t, func(t *testing.T, uid int) {
				dir, e := closed(t, uid, 60, 0)
				if err := os.WriteFile(dir+"/other", nil, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink("f008", dir+"/link"); err != nil {
					t.Fatal(err)
				}
				tt.set(dir, e)
				text, out := run(t, uid, job{Command: sh("echo ran"), Closing: e})
				if got := strings.ReplaceAll(out.Error, dir, "$D"); got != tt.want || strings.Contains(text, "ran") != (tt.want == "") {
					t.Errorf("%q, %q, want %q", got, text, tt.want)
				}
			})
		})
	}
}

// TestCoverLeaves holds that nothing is left of a helper in the launcher, whether it
// did its work or not: no descriptor and no child.
func TestCoverLeaves(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		dir, e := closed(t, uid, 60, 0)
		bad := *e
		bad.Omit = dir + "/f007"
		for _, one := range []*closing{e, &bad} {
			_, out := run(t, uid, job{Command: []string{"/bin/true"}, Closing: one, Repeat: 3, Census: true})
			if out.Before != out.After || !strings.HasSuffix(out.After, "children []") || (out.Error == "") != (one == e) {
				t.Errorf("%+v", out)
			}
		}
	})
}

// TestCoverKill kills the launcher or what it has started at moments of the whole
// start, and holds that nothing survives.
func TestCoverKill(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		_, e := closed(t, uid, 60, 0)
		const kills = 40
		took := whole(t, uid, e)
		for i := range kills {
			killOnce(t, uid, i%4, time.Duration(i)*took/kills, e)
		}
	})
}

// whole measures how long a start takes.
func whole(t *testing.T, uid int, e *closing) time.Duration {
	t.Helper()
	start := time.Now()
	p := prepare(t, uid, job{Command: []string{"/bin/true"}, Closing: e})
	if err := p.Run(); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}
