package diag_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/sandboxc/sbc/ir/diag"
)

var update = flag.Bool("update", false, "rewrite docs/codes/README.md")

// constants returns the codes that code.go declares, in its order.
func constants(t *testing.T) []diag.Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []diag.Code
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			typ, ok := spec.Type.(*ast.Ident)
			if !ok || typ.Name != "Code" || i >= len(spec.Values) {
				t.Errorf("%s is not a constant of type Code with a value of its own", name.Name)
				continue
			}
			literal, ok := spec.Values[i].(*ast.BasicLit)
			if !ok {
				t.Errorf("the value of %s is not a literal", name.Name)
				continue
			}
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, diag.Code(value))
		}
		return true
	})
	return codes
}

// Every code has a page, every page has a code.
func TestCodes(t *testing.T) {
	t.Parallel()
	want := constants(t)
	if !slices.IsSorted(want) {
		t.Error("code.go is not in ascending order")
	}
	if diff := cmp.Diff(want, diag.Codes()); diff != "" {
		t.Errorf("code.go and pages/ (-want +got)\n%s", diff)
	}
	for _, c := range want {
		if !regexp.MustCompile(`^SBC[0-4]\d{3}$`).MatchString(string(c)) {
			t.Errorf("%s is not a code", c)
		}
	}
}

func TestPageOf(t *testing.T) {
	t.Parallel()
	got, ok := diag.PageOf(diag.CodeVersion)
	want := diag.Page{
		Code:  "SBC0006",
		Title: "the version is missing or not known",
		Meaning: `Every policy file says which version of the policy language it is written in, and this file does not
or names one that this sbc does not know. The meaning of a rule may differ between versions, so a
file of an unknown version is not read at all. The only version so far is 1.`,
		Example: "```hcl\nversion = 2\n\nfilesystem {\n  read = [\"/usr\"]\n}\n```\n\n```sh\nsbc check policy.hcl\n```",
		Remedy:  "Write `version = 1` as the first line. If the file was written for a newer sbc, update sbc.",
		Body:    got.Body,
	}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("%v (-want +got)\n%s", ok, diff)
	}
	if !strings.HasPrefix(got.Body, "# SBC0006: the version") || !strings.HasSuffix(got.Body, "update sbc.\n") {
		t.Errorf("body: %q", got.Body)
	}
	for _, c := range []diag.Code{"", "SBC9999", "sbc0006", "../code", "SBC0006.md"} {
		if _, ok := diag.PageOf(c); ok {
			t.Errorf("PageOf(%q) exists", c)
		}
	}
}

func TestPageFences(t *testing.T) {
	t.Parallel()
	p := diag.Page{Example: "Text.\n\n```hcl\na = 1\n\n```\n\n`dir/b.json`:\n\n```json\n{}\n```\n\n```sh\nls\nsbc check policy.hcl\n```"}
	want := []diag.Fence{
		{Name: "policy.hcl", Language: "hcl", Text: "a = 1\n\n"},
		{Name: "dir/b.json", Language: "json", Text: "{}\n"},
		{Language: "sh", Text: "ls\nsbc check policy.hcl\n"},
	}
	if diff := cmp.Diff(want, p.Fences()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPageForm holds every page to the one form that readers, `sbc explain` and
// the test that runs the examples rely on.
func TestPageForm(t *testing.T) {
	t.Parallel()
	for _, c := range diag.Codes() {
		t.Run(string(c), func(t *testing.T) {
			t.Parallel()
			p, _ := diag.PageOf(c)
			rebuilt := fmt.Sprintf("# %s: %s\n\n%s\n\n## Example\n\n%s\n\n## Remedy\n\n%s\n", c, p.Title, p.Meaning, p.Example, p.Remedy)
			if diff := cmp.Diff(rebuilt, p.Body); diff != "" {
				t.Errorf("the sections (-form +page)\n%s", diff)
			}
			if headings := regexp.MustCompile(`(?m)^#+ [A-Z].*$`).FindAllString(p.Body, -1); len(headings) != 3 {
				t.Errorf("headings: %q", headings)
			}
			if p.Title == "" || strings.HasSuffix(p.Title, ".") || strings.Contains(p.Title, "`") {
				t.Errorf("title: %q", p.Title)
			}
			if n := sentences(p.Meaning); n < 2 || n > 6 || strings.Contains(p.Meaning, "```") {
				t.Errorf("the meaning has %d sentences, want 2 to 6 and no code block", n)
			}
			if n := sentences(p.Remedy); n < 1 {
				t.Error("the remedy has no sentence")
			}
			for n, line := range strings.Split(p.Body, "\n") {
				if utf8.RuneCountInString(line) > 105 || strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
					t.Errorf("line %d is long, ends in a space or has a tab: %q", n+1, line)
				}
			}
			checkExample(t, p)
			checkBlocks(t, p.Remedy)
		})
	}
}

// sentences counts the sentences of prose, with code taken out.
func sentences(text string) int {
	text = regexp.MustCompile("(?s)```.*?```|`[^`]*`").ReplaceAllString(text, "x")
	return len(regexp.MustCompile(`[.!?:](\s|$)`).FindAllString(text+" ", -1))
}

// checkExample checks the blocks of an example: files first, then one block of
// commands whose last one is sbc.
func checkExample(t *testing.T, p diag.Page) {
	t.Helper()
	fences := p.Fences()
	if len(fences) == 0 || strings.Count(p.Example, "```") != 2*len(fences) {
		t.Fatalf("%d whole blocks of code", len(fences))
	}
	names := map[string]bool{}
	for i, f := range fences {
		if last := i == len(fences)-1; (f.Language == "sh") != last {
			t.Errorf("block %d has language %q", i, f.Language)
		}
		if f.Language == "sh" {
			if f.Name != "" || !regexp.MustCompile(`(?m)^ *(sbc|env .*sbc.*) [a-z]+`).MatchString(f.Text) {
				t.Errorf("not a command line of sbc: %q", f.Text)
			}
			continue
		}
		if names[f.Name] {
			t.Errorf("two files %q", f.Name)
		}
		names[f.Name] = true
		err := parseBlock(f.Language, f.Text)
		if p.Code == diag.CodeSyntax {
			if err == nil {
				t.Error("the example of a syntax error has none")
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// checkBlocks checks the blocks of code in a section other than the example.
func checkBlocks(t *testing.T, section string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```(\\w*)\n(.*?)```").FindAllStringSubmatch(section, -1) {
		if err := parseBlock(m[1], m[2]); err != nil {
			t.Error(err)
		}
	}
}

func parseBlock(language, text string) error {
	switch language {
	case "hcl":
		if _, ds := hclsyntax.ParseConfig([]byte(text), "example", hclv2.InitialPos); ds.HasErrors() {
			return ds
		}
		return nil
	case "json":
		var v any
		return json.Unmarshal([]byte(text), &v)
	}
	return fmt.Errorf("a block of language %q", language)
}

// TestIndex keeps docs/codes/README.md equal to the pages.
func TestIndex(t *testing.T) {
	t.Parallel()
	const file = "../../docs/codes/README.md"
	groups := []struct{ prefix, title string }{
		{"SBC0", "Syntax, types and files"},
		{"SBC1", "Lint and layers"},
		{"SBC2", "Losses on targets"},
		{"SBC3", "Verification"},
		{"SBC4", "Host and sandbox programs"},
	}
	var b bytes.Buffer
	b.WriteString("# Codes\n\nEvery message of sbc has a code. `sbc explain CODE` prints its page: what it means, an example that\n" +
		"provokes it, and what to do. Codes are never renumbered or reused.\n")
	listed := 0
	for _, g := range groups {
		heading := false
		for _, c := range diag.Codes() {
			if !strings.HasPrefix(string(c), g.prefix) {
				continue
			}
			if !heading {
				fmt.Fprintf(&b, "\n## %s\n\n| code | title |\n|---|---|\n", g.title)
				heading = true
			}
			p, _ := diag.PageOf(c)
			fmt.Fprintf(&b, "| [%s](../../ir/diag/pages/%s.md) | %s |\n", c, c, strings.ReplaceAll(p.Title, "|", `\|`))
			listed++
		}
	}
	if listed != len(diag.Codes()) {
		t.Errorf("%d codes are listed, want %d", listed, len(diag.Codes()))
	}
	if old, err := os.ReadFile(file); *update && (err != nil || string(old) != b.String()) {
		if err := os.MkdirAll("../../docs/codes", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), string(got)); diff != "" {
		t.Errorf("run the tests with -update (-want +got)\n%s", diff)
	}
}
