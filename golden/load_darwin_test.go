package golden_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestLoadOnDarwin hands each darwin.sb to sandbox-exec. The profiles are for
// recorded hosts, so a case may rightly refuse to start /usr/bin/true here; what
// must not happen is that the system does not accept the profile itself.
func TestLoadOnDarwin(t *testing.T) {
	t.Parallel()
	loaded := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".txtar" {
			return err
		}
		archive, err := txtar.ParseFile(name)
		if err != nil {
			return err
		}
		for _, file := range archive.Files {
			if file.Name == "darwin.sb" {
				loaded++
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					load(t, file.Data)
				})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if loaded == 0 {
		t.Error("no golden has a darwin.sb")
	}
}

// load fails the test if sandbox-exec rejects the profile. It exits with 65 for
// a profile that does not compile, with 71 for one that the kernel does not take
// ("sandbox_apply") and also for a command that the applied profile refuses to
// start ("execvp"); only the last of the three is fine.
func load(t *testing.T, profile []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "darwin.sb")
	if err := os.WriteFile(path, profile, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("/usr/bin/sandbox-exec", "-f", path, "/usr/bin/true").CombinedOutput()
	if err == nil {
		return
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 71 && strings.Contains(string(out), "execvp") {
		t.Logf("loaded; the profile refuses /usr/bin/true: %s", out)
		return
	}
	t.Errorf("sandbox-exec: %v\n%s", err, out)
}
