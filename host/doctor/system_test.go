package doctor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/host/doctor"
	"github.com/sandboxc/sbc/ir/diag"
)

func TestDarwin(t *testing.T) {
	t.Parallel()
	holds := runner(func(c host.Command) (host.Output, error) {
		if c.Path != "/usr/bin/sandbox-exec" || len(c.Args) != 3 || c.Args[0] != "-p" || c.Args[2] != "/usr/bin/true" {
			t.Errorf("got the command %+v", c)
		}
		if strings.Contains(c.Args[1], "deny process-exec") {
			return host.Output{Code: 71, Stderr: []byte("sandbox-exec: execvp() of '/usr/bin/true' failed: Operation not permitted\n")}, nil
		}
		return host.Output{}, nil
	})
	says := func(out host.Output, err error) runner {
		return func(host.Command) (host.Output, error) { return out, err }
	}
	for _, tt := range []struct {
		name   string
		runner runner
		want   doctor.Check
	}{
		{"holds", holds, doctor.Check{Status: doctor.OK, Detail: "A profile loads and holds."}},
		{"does not hold", says(host.Output{}, nil), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed,
			Detail: "A profile loads but does not hold: it denies to start programs, and one started.",
		}},
		{"inside another", says(host.Output{Code: 71, Stderr: []byte("sandbox-exec: sandbox_apply: Operation not permitted\n")}, nil), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed,
			Detail: `A profile does not load. It said "sandbox-exec: sandbox_apply: Operation not permitted".`,
			Remedy: "Start sbc outside of the sandbox that it is in: profiles do not nest.",
		}},
		{"does not load", says(host.Output{Code: 65, Stderr: []byte("version error")}, nil), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed, Detail: `A profile does not load. It said "version error".`,
		}},
		{"does not start", says(host.Output{}, errors.New("did not end in time")), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed, Detail: "/usr/bin/sandbox-exec cannot be started: did not end in time.",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks := doctor.Run(t.Context(), host.Facts{OS: "darwin"}, machine(tt.runner, nil))
			if first := named(t, checks, "sandbox-exec"); first.Status != doctor.OK {
				t.Errorf("got %+v", first)
			}
			tt.want.Name = "profile"
			if diff := cmp.Diff(tt.want, named(t, checks, "profile")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDarwinWithoutProgram(t *testing.T) {
	t.Parallel()
	m := machine(runner(fine), nil)
	m.Sources.View = host.Empty{}
	want := []doctor.Check{
		{
			Name: "sandbox-exec", Status: doctor.Fail, Code: diag.CodeBinaryMissing, Detail: "There is no /usr/bin/sandbox-exec.",
			Remedy: "It is a part of macOS: run sbc on macOS 13 or newer.",
		},
		{Name: "profile", Status: doctor.Unknown, Detail: "Not asked: sandbox-exec is missing."},
	}
	if diff := cmp.Diff(want, doctor.Run(t.Context(), host.Facts{OS: "darwin"}, m)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOtherSystem(t *testing.T) {
	t.Parallel()
	got := doctor.Run(t.Context(), host.Facts{OS: "plan9"}, doctor.Machine{})
	if len(got) != 1 || got[0].Code != diag.CodeHostUnsupported || doctor.Usable(got) || got[0].Detail != "Sandboxes run on Linux and macOS; this is plan9." {
		t.Errorf("got %+v", got)
	}
}
