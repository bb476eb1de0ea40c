package seatbelt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sandboxc/sbc/target"
)

// Each golden is a decision list with what becomes of it: the sections of the
// profile that depend on files, with notes, and the losses. The host is in the
// file "host", one path a line; without it nothing is known.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			golden(t, file)
		})
	}
}

func golden(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, f := range a.Files {
		in[f.Name] = string(f.Data)
	}
	var h mac
	if paths, ok := in["host"]; ok {
		h = newMac(strings.Fields(paths)...)
	}
	p := parsePolicy(t, in["policy"])
	_, text, report := compile(t, p, h, target.Options{Annotate: true})
	if _, err := parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	out := &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		if f.Name == "policy" || f.Name == "host" {
			out.Files = append(out.Files, f)
		}
	}
	for _, s := range []struct{ name, title string }{
		{"names", "names on the way"}, {"read", "read and execute"}, {"write", "write, link to"}, {"pins", "pins"},
	} {
		if got := section(t, text, s.title); got != "" {
			out.Files = append(out.Files, txtar.File{Name: s.name, Data: []byte(got)})
		}
	}
	if got := losses(report); got != "" {
		out.Files = append(out.Files, txtar.File{Name: "losses", Data: []byte(got)})
	}
	got := txtar.Format(out)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
