package docs_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/profiles"
)

var update = flag.Bool("update", false, "rewrite the reference in language.md")

// snippet is a fenced block of a page. Its info string is "hcl" or "json", and
// "bad CODE" behind it if it must not load.
type snippet struct {
	page string
	line int
	ext  string
	bad  string
	src  string
}

var fence = regexp.MustCompile("(?m)^```(hcl|json)(?: bad (SBC[0-9]{4}))?\n((?s:.*?)\n)```$")

// snippets returns the policies in the pages of this directory and in the
// README.
func snippets(t *testing.T) []snippet {
	t.Helper()
	pages := []string{"../README.md"}
	err := filepath.WalkDir(".", func(p string, _ fs.DirEntry, err error) error {
		if filepath.Ext(p) == ".md" {
			pages = append(pages, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []snippet
	for _, page := range pages {
		text := read(t, page)
		for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
			s := snippet{page: page, line: strings.Count(text[:m[0]], "\n") + 1, ext: text[m[2]:m[3]], src: text[m[6]:m[7]]}
			if m[4] >= 0 {
				s.bad = text[m[4]:m[5]]
			}
			out = append(out, s)
		}
	}
	return out
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type oneFile struct{ name, text string }

func (f oneFile) ReadFile(path string) ([]byte, error) {
	if path != f.name {
		return nil, fs.ErrNotExist
	}
	return []byte(f.text), nil
}

// TestSnippets loads every policy in the documentation.
func TestSnippets(t *testing.T) {
	t.Parallel()
	all := snippets(t)
	if len(all) < 10 {
		t.Errorf("only %d snippets", len(all))
	}
	for _, s := range all {
		t.Run(fmt.Sprintf("%s:%d", s.page, s.line), func(t *testing.T) {
			t.Parallel()
			name := "policy." + s.ext
			_, ds := frontend.Load(frontend.Options{
				Policy: name, Workspace: "/vols/app", WorkDir: "/vols/app", GitDirs: []string{"/vols/app/.git"},
				Facts: &host.Facts{OS: "linux", Home: "/home/user", Temp: "/tmp", Cache: "/home/user/.cache"},
				Host:  host.Empty{}, Files: oneFile{"/vols/app/" + name, s.src},
			})
			got := ""
			for _, d := range ds {
				if d.Severity == diag.Error {
					got = string(d.Code)
					break
				}
			}
			if got != s.bad {
				t.Errorf("error %q, want %q: %v", got, s.bad, ds)
			}
			if s.bad == "" && len(ds) > 0 {
				t.Errorf("warnings: %v", ds)
			}
		})
	}
}

// TestNames holds the page to name every function, guard and profile.
func TestNames(t *testing.T) {
	t.Parallel()
	page := read(t, "language.md")
	for _, list := range [][]string{document.FunctionNames(), profiles.Guards(), profiles.Names()} {
		for _, name := range list {
			if !strings.Contains(page, "`"+name+"`") && !strings.Contains(page, "`"+name+"(") {
				t.Errorf("language.md does not name `%s`", name)
			}
		}
	}
}

const (
	begin = "<!-- begin generated: reference -->\n"
	end   = "<!-- end generated: reference -->"
)

// TestReference holds the reference to what the decoder knows.
//
// It is not parallel: with -update it writes what the others read.
func TestReference(t *testing.T) {
	head, rest, ok := strings.Cut(read(t, "language.md"), begin)
	got, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("language.md has no section between %q and %q", begin, end)
	}
	want := reference(document.Schema(), "") + "\n"
	if *update && got != want {
		if err := os.WriteFile("language.md", []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run go test ./docs -update (-want +got):\n%s", diff)
	}
}

// reference describes a block and the blocks within it. A block that stands in
// two places is described once.
func reference(b document.BlockType, within string) string {
	var out strings.Builder
	if b.Name != "" {
		out.WriteString("\n### " + heading(b, within) + "\n\n" + b.Doc + labels(b) + "\n")
	}
	if b.Free {
		out.WriteString("\nIt takes any attributes.\n")
	}
	if len(b.Attrs) > 0 {
		out.WriteString("\n| attribute | type | meaning |\n|---|---|---|\n")
	}
	for _, a := range b.Attrs {
		required := ""
		if a.Required {
			required = ", required"
		}
		fmt.Fprintf(&out, "| `%s` | %s%s | %s |\n", a.Name, kind(a), required, a.Doc)
	}
	if names := blockNames(b); b.Name != "" && len(names) > 0 {
		out.WriteString("\nBlocks: " + strings.Join(names, ", ") + ".\n")
	}
	path := strings.TrimSpace(within + " " + b.Name)
	for _, c := range b.Blocks {
		if b.Name == "target" && c.Name == "filesystem" {
			continue // described above
		}
		out.WriteString(reference(c, path))
	}
	return out.String()
}

// heading is the block as it is written, within the blocks around it.
func heading(b document.BlockType, within string) string {
	name := strings.TrimSpace(within + " " + b.Name)
	if b.Label != "" {
		name += " NAME"
	}
	return "`" + name + "`"
}

func labels(b document.BlockType) string {
	switch {
	case b.LabelEnum != nil:
		return " The name is " + words(b.LabelEnum) + "."
	case b.Repeat:
		return " The name is the " + b.Label + "; it may stand more than once."
	case b.Label != "" && b.Label != "name":
		return " The name is that of the " + b.Label + "."
	}
	return ""
}

func blockNames(b document.BlockType) []string {
	var out []string
	for _, c := range b.Blocks {
		out = append(out, "`"+c.Name+"`")
	}
	return out
}

func words(list []string) string {
	quoted := slices.Clone(list)
	for i := range quoted {
		quoted[i] = "`\"" + quoted[i] + "\"`"
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}

func kind(a document.Attr) string {
	switch a.Kind {
	case document.String:
		if a.Enum != nil {
			return words(a.Enum)
		}
		return "string"
	case document.Strings:
		return "list of strings"
	case document.Paths:
		return "list of paths"
	case document.Bool:
		return "`true` or `false`"
	case document.Int:
		return "whole number"
	case document.Size:
		return "size"
	case document.Duration:
		return "duration"
	case document.StringMap:
		return "object of strings"
	case document.PathsByOp:
		return "object: lists of paths for `read`, `write`, `unlink`"
	case document.Rules:
		return "list of objects: `path`, `access`, `action`"
	case document.Any:
		return "any"
	}
	panic(fmt.Sprintf("no name for the kind of %q", a.Name))
}
