package audit_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/audit"
)

func TestRecord(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	l, err := audit.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	exit := 3
	r := audit.Record{
		Time: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Status: "exited", Command: "/bin/a\n\xff", Args: 2, Env: []string{"PATH"}, Target: "linux",
		Program: "1", Exit: &exit, Seconds: 0.25, Verdicts: []audit.Verdict{{Rule: "limits.memory", Verdict: "wider", Code: "SBC2110"}},
	}
	for range 2 {
		if err := l.Append(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	const line = `{"version":1,"time":"2026-01-02T03:04:05.000000006Z","status":"exited","command":"/bin/a\n\ufffd","args":2,"uid":0,"env":["PATH"],` +
		`"target":"linux","sbc_version":"1","verdicts":[{"rule":"limits.memory","verdict":"wider","code":"SBC2110"}],"exit":3,"seconds":0.25}` + "\n"
	text, err := os.ReadFile(name)
	if diff := cmp.Diff(line+line, string(text)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if st, err := os.Stat(name); err != nil || st.Mode() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
}

// TestTorn: what an earlier writer left unfinished spoils no line after it.
func TestTorn(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, []byte(`{"version":1,"ti`), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := audit.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Append(&audit.Record{}); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(name)
	lines := strings.Split(string(text), "\n")
	if len(lines) != 3 || lines[0] != `{"version":1,"ti` || !json.Valid([]byte(lines[1])) || lines[2] != "" {
		t.Errorf("%q", lines)
	}
}

// TestConcurrent: writers that each have the file open never mix their lines.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "a")
	long := strings.Repeat("x", 10_000)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			l, err := audit.Open(name)
			if err != nil {
				t.Error(err)
				return
			}
			defer l.Close()
			for n := range 5 {
				if err := l.Append(&audit.Record{Command: fmt.Sprint(i, " ", n), Dir: long}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var r audit.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Dir != long {
			t.Fatalf("%v: %.100q", err, line)
		}
		seen[r.Command] = true
	}
	if len(seen) != 40 {
		t.Errorf("%d records, want 40", len(seen))
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("real"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", path("link")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(path("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		path("link"):  fmt.Sprintf("the audit file %q is a symbolic link", path("link")),
		path("fifo"):  fmt.Sprintf("the audit file %q is no regular file", path("fifo")),
		"/dev/null":   `the audit file "/dev/null" is no regular file`,
		dir:           fmt.Sprintf("cannot open the audit file %q: is a directory", dir),
		path("no/no"): fmt.Sprintf("cannot open the audit file %q: no such file or directory", path("no/no")),
	} {
		if l, err := audit.Open(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v, want %s", name, l, err, want)
		}
	}
	l, err := audit.Open(path("real")) // the control
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}
