package run_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// TestSandboxExecArgs: the program is named by its absolute path, the profile is
// an argument, and nothing of the command is taken for an option.
func TestSandboxExecArgs(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Version: 1, Workspace: "/w", Home: "/Users/u", Temp: "/private/tmp", Files: []ir.FileRule{{Match: ir.Subtree("/w"), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot}}}
	art, rep := seatbelt.Backend{}.Lower(p, nil, target.Options{})
	profile, ok := art.(*seatbelt.Profile)
	if !ok {
		t.Fatalf("%T %v", art, rep.Diagnostics)
	}
	text, err := profile.Render(target.Text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := run.SandboxExecArgs(profile, []string{"/bin/echo", "-p", "(version 1)", "--"})
	want := []string{"/usr/bin/sandbox-exec", "-p", string(text), "--", "/bin/echo", "-p", "(version 1)", "--"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
