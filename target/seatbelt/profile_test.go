package seatbelt_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
	model "github.com/sandboxc/sbc/verify/sbpl"

	"github.com/sandboxc/sbc/internal/program"
)

func samplePolicy(t testing.TB) *ir.Policy {
	return parsePolicy(t, `
deny  deny  tree /Users/me/w/it's
allow allow tree /Users/me/w
allow deny  tree /usr`)
}

func TestFormats(t *testing.T) {
	t.Parallel()
	p, text, _ := compile(t, samplePolicy(t), nil, target.Options{})
	if diff := cmp.Diff([]target.Format{target.Text, target.JSON, target.Shell}, p.Formats()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, f := range p.Formats() {
		first, err := p.Render(f)
		if err != nil {
			t.Fatal(err)
		}
		again, _, _ := compile(t, samplePolicy(t), nil, target.Options{})
		second, err := again.Render(f)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: two runs differ, %v", f, err)
		}
		if !bytes.HasSuffix(first, []byte("\n")) {
			t.Errorf("%s does not end in a newline", f)
		}
	}
	if _, err := p.Render(target.Args0); err == nil || err.Error() != `the format "args0" does not exist for darwin; it has text, json and sh` {
		t.Errorf("args0: %v", err)
	}
	raw, err := p.Render(target.JSON)
	if err != nil || !json.Valid(raw) || strings.Count(string(raw), `"subpath"`) != strings.Count(text, "(subpath ") {
		t.Errorf("the JSON form has other filters than the text, %v", err)
	}
}

// runWith runs a script with another program in the place of sandbox-exec: it
// prints its arguments, each with a line above.
func runWith(t *testing.T, dir, script string, args ...string) string {
	t.Helper()
	stub := filepath.Join(dir, "stub")
	if err := program.Write(stub, []byte("#!/bin/sh\nfor a; do printf '<%s>\\n' \"$a\"; done\n")); err != nil {
		t.Fatal(err)
	}
	if strings.Count(script, seatbelt.Exec) != 1 {
		t.Fatalf("the script names %s not once:\n%s", seatbelt.Exec, script)
	}
	name := filepath.Join(dir, "run")
	if err := program.Write(name, []byte(strings.Replace(script, seatbelt.Exec, stub, 1))); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(name, args...).CombinedOutput()
	if len(args) == 0 {
		return fmt.Sprintf("%v\n%s", err, out)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestScript(t *testing.T) {
	t.Parallel()
	p, text, _ := compile(t, samplePolicy(t), nil, target.Options{})
	script, err := p.Render(target.Shell)
	if err != nil {
		t.Fatal(err)
	}
	got := runWith(t, t.TempDir(), string(script), "echo", "a b", "$c")
	want := "<-p>\n<" + strings.TrimSuffix(text, "\n") + "\n>\n<-->\n<echo>\n<a b>\n<$c>\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	dir := t.TempDir()
	if diff := cmp.Diff("exit status 125\nusage: "+dir+"/run CMD ARG...\n", runWith(t, dir, string(script))); diff != "" {
		t.Errorf("without a command (-want +got):\n%s", diff)
	}
}

func TestBundle(t *testing.T) {
	t.Parallel()
	p, text, _ := compile(t, samplePolicy(t), nil, target.Options{})
	files, err := p.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, fmt.Sprintf("%s %o", f.Name, f.Mode))
	}
	if diff := cmp.Diff([]string{"profile.sb 644", "run 755"}, names); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(text, string(files[0].Data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	dir := t.TempDir()
	want := "<-f>\n<" + dir + "/profile.sb>\n<-->\n<echo>\n<a b>\n"
	if diff := cmp.Diff(want, runWith(t, dir, string(files[1].Data), "echo", "a b")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// manyRoots is a policy with n roots in directories of a hundred.
func manyRoots(n int, write ir.Effect) *ir.Policy {
	p := &ir.Policy{Version: 1}
	for i := range n {
		p.Files = append(p.Files, ir.FileRule{
			Match: ir.Subtree(fmt.Sprintf("/srv/data/part-%d/item-%d", i/100, i)), Read: ir.Allow, Write: write,
			Group: ir.GroupRoot, Layer: ir.LayerWorkspace, Origin: ir.Origin{Address: fmt.Sprintf("filesystem.read[%d]", i)},
		})
	}
	return p
}

// A rule never holds more clauses than the system can store.
func TestManyRoots(t *testing.T) {
	t.Parallel()
	_, text, report := compile(t, manyRoots(10_000, ir.Deny), nil, target.Options{})
	p, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if p.clauses() > 16<<10 {
		t.Errorf("a rule has %d bytes of clauses", p.clauses())
	}
	if got := strings.Count(text, "(literal \"/srv"); got != 102 {
		t.Errorf("%d directories above the roots are named, want 102", got)
	}
	for _, path := range []string{"/srv/data/part-0/item-0/x", "/srv/data/part-99/item-9999"} {
		if !p.allows(query{"file-read-data", model.Subject{Path: path}}) || p.allows(query{"file-write-data", model.Subject{Path: path}}) {
			t.Errorf("%s cannot be read, or can be written", path)
		}
	}
	if len(report.Diagnostics) != 0 {
		t.Errorf("diagnostics: %+v", report.Diagnostics)
	}
}

func TestSizeDiagnostics(t *testing.T) {
	t.Parallel()
	profile, text, report := compile(t, manyRoots(20_000, ir.Allow), nil, target.Options{})
	var got []string
	for _, d := range report.Diagnostics {
		got = append(got, fmt.Sprintf("%s %s %s", d.Code, d.Severity, d.Summary))
	}
	want := []string{fmt.Sprintf("%s warning the profile has %d bytes, more than fit into an argument", diag.CodeProfileSize, len(text))}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := profile.Render(target.Shell); err == nil {
		t.Error("a script was made of a profile that is too large for an argument")
	}
}

func BenchmarkLower(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		p := manyRoots(n, ir.Allow)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				a, _ := seatbelt.Backend{}.Lower(p, nil, target.Options{})
				if _, err := a.Render(target.Text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
