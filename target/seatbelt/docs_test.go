package seatbelt_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target/seatbelt"
)

var update = flag.Bool("update", false, "rewrite the golden files and the tables of the documentation")

const page = "../../docs/targets/darwin.md"

// The tables of the documentation are the data of the package.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := string(raw)
	want = between(t, want, "floor", floorTable())
	want = between(t, want, "assumptions", assumptionTable())
	if *update && want != string(raw) {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("%s differs from the data; run with -update (-want +got):\n%s", page, diff)
	}
}

func between(t *testing.T, text, mark, table string) string {
	t.Helper()
	start, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
	i, j := strings.Index(text, start), strings.Index(text, end)
	if i < 0 || j < i {
		t.Fatalf("%s has no place for the %s", page, mark)
	}
	return text[:i+len(start)] + table + text[j:]
}

func floorTable() string {
	var b strings.Builder
	b.WriteString("| line | for | reason |\n|---|---|---|\n")
	for _, f := range seatbelt.Floor() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Rule, f.Need, f.Reason)
	}
	return b.String()
}

func assumptionTable() string {
	var b strings.Builder
	b.WriteString("| name | assumed | if it is wrong | |\n|---|---|---|---|\n")
	for _, a := range seatbelt.Assumptions() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", a.Name, a.Text, a.IfWrong, a.Risk)
	}
	return b.String()
}
