package readme_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSession runs the commands of the terminal session again, in a home
// directory with a checkout in it, and compares what they print. The session
// shows the home directory as /home/me. The policy is what the first command
// prints.
func TestSession(t *testing.T) {
	t.Parallel()
	home, bin := scene(t)
	policy, commands := session(t)
	write(t, filepath.Join(home, "app", "policy.hcl"), policy)

	var want strings.Builder
	want.WriteString("\n```console\n")
	for _, command := range commands {
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir = filepath.Join(home, "app")
		cmd.Env = []string{"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"), "LC_ALL=C"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		want.WriteString("$ " + command + "\n")
		want.Write(bytes.ReplaceAll(out, []byte(home), []byte("/home/me")))
	}
	want.WriteString("```\n\n")
	generated(t, "session", want.String())
}

// session reads the policy and the commands from README.md.
func session(t *testing.T) (policy string, commands []string) {
	t.Helper()
	readmeLock.Lock()
	defer readmeLock.Unlock()
	_, rest, _ := strings.Cut(readFile(t, file), "```console\n")
	block, _, ok := strings.Cut(rest, "```\n")
	if !ok || !strings.HasPrefix(block, "$ cat policy.hcl\n") {
		t.Fatal("the session of README.md does not start with $ cat policy.hcl")
	}
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, strings.TrimSpace(command))
		} else if len(commands) == 1 {
			policy += line
		}
	}
	return policy, commands
}

// scene makes a home directory with a checkout that holds one key, outside of
// the temporary directories, which policies treat in their own way. It builds
// sbc into a directory for PATH.
func scene(t *testing.T) (home, bin string) {
	t.Helper()
	parent := "/srv"
	if os.Getuid() != 0 {
		var err error
		if parent, err = os.UserHomeDir(); err != nil {
			t.Fatal(err)
		}
	}
	base, err := os.MkdirTemp(parent, "readme")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	home, bin = filepath.Join(base, "me"), filepath.Join(base, "bin")
	write(t, filepath.Join(home, "app", "certs", "server.pem"), "KEY\n")
	run(t, "git", "init", "-q", filepath.Join(home, "app"))
	run(t, "go", "build", "-o", filepath.Join(bin, "sbc"), "github.com/sandboxc/sbc/cmd/sbc")
	return home, bin
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
