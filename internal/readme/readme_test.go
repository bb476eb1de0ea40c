package readme_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	root = "../.."
	file = root + "/README.md"
)

// readmeLock serialises the tests that rewrite README.md.
var readmeLock sync.Mutex

// generated compares the text between two markers of README.md with want, or
// replaces it.
func generated(t *testing.T, name, want string) {
	t.Helper()
	readmeLock.Lock()
	defer readmeLock.Unlock()
	begin, end := "<!-- begin generated: "+name+" -->\n", "<!-- end generated: "+name+" -->"
	head, rest, ok := strings.Cut(readFile(t, file), begin)
	got, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("README.md has no section between %q and %q", strings.TrimSpace(begin), end)
	}
	if *update && got != want {
		if err := os.WriteFile(file, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s in README.md; run go test ./internal/readme -update (-want +got):\n%s", name, diff)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// link is a link of Markdown whose target is no address and no place on the
// same page.
var link = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)

// code is what Markdown shows as it stands.
var code = regexp.MustCompile("(?s)```.*?\n```|`[^`\n]*`")

// TestLinks: what the documentation links to is there.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages, links := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root, d.IsDir() && d.Name() == "bin":
			return filepath.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		pages++
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(readFile(t, path), ""), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 10 || links < 10 {
		t.Errorf("%d links on %d pages; the test looks at the wrong place", links, pages)
	}
}
