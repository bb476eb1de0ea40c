package host_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sandboxc/sbc/internal/program"
)

const nobody = 65534

// asUser runs the rest of the current test as an ordinary user: at once if the
// tests run as one, and in a second process of the test binary if they run as
// root.
func asUser(t *testing.T, test func(*testing.T)) {
	t.Helper()
	if os.Getuid() != 0 {
		test(t)
		return
	}
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // an ordinary user comes through
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "test")
	copyFile(t, "/proc/self/exe", bin)
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-test.run=^"+t.Name()+"$", "-test.v", "-test.count=1")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name()+" ")) {
		t.Fatalf("as uid %d: %v\n%s", nobody, err, out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = program.Write(to, text)
	}
	if err != nil {
		t.Fatal(err)
	}
}
