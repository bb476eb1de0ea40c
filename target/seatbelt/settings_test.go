package seatbelt_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// The column of the matrix is complete, in order, and every loss has a code.
func TestTable(t *testing.T) {
	t.Parallel()
	var got []target.Feature
	for _, c := range seatbelt.Table() {
		got = append(got, c.Feature)
		if c.Sentence == "" || c.Enforcer == "" || c.Verdict == 0 {
			t.Errorf("incomplete: %+v", c)
		}
		if (c.Verdict != target.Exact || c.Enforcer != target.Kernel) && c.Code == "" {
			t.Errorf("%s is a loss, or not the kernel's, and has no code", c.Feature)
		}
	}
	if diff := cmp.Diff(target.Features(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSettingEntries(t *testing.T) {
	t.Parallel()
	yes := ir.Setting[bool]{Value: true, Set: true}
	tests := []struct {
		name   string
		change func(*ir.Policy)
		prefix string
		want   string
	}{
		{"nothing said", func(*ir.Policy) {}, "", `
network.mode network.none exact kernel
network.loopback loopback.none exact kernel
env env exact launcher SBC2116
process.ptrace process.ptrace exact kernel
process.namespaces process.namespaces exact kernel
process.terminal process.terminal exact launcher SBC2118
`},
		{"temporary directories", func(p *ir.Policy) { p.Tmp.Set = true }, "filesystem", `
filesystem.tmp root.private exact kernel
`},
		{"private temporary directories without rules", func(p *ir.Policy) { p.Tmp.Set, p.Tmp.Value = true, ir.TmpPrivate }, "filesystem", `
filesystem.tmp root.private narrower launcher SBC2117
`},
		{"environment", func(p *ir.Policy) {
			p.Env.Pass = []ir.EnvRule{{Pattern: "GO*"}}
			p.Env.Deny = []ir.EnvRule{{Pattern: "GOPRIVATE"}}
			p.Env.Set = []ir.EnvVar{{Name: "CI", Value: "1"}}
		}, "env", `
env env exact launcher SBC2116
env.pass[GO*] env exact launcher SBC2116 opens
env.deny[GOPRIVATE] env exact launcher SBC2116
env.set.CI env exact launcher SBC2116
`},
		{"processes", func(p *ir.Policy) {
			p.Process = ir.Process{Ptrace: yes, Namespaces: yes, Terminal: yes, Devices: []ir.DeviceRule{{Path: "/dev/cu.usb"}, {Path: "/Users/me/w/fifo"}}}
		}, "process", `
process.ptrace process.ptrace narrower kernel SBC2118 opens
process.namespaces process.namespaces narrower kernel SBC2118 opens
process.terminal process.terminal exact kernel opens
process.devices[/dev/cu.usb] process.devices narrower kernel SBC2118 opens
process.devices[/Users/me/w/fifo] process.devices exact kernel opens
`},
		{"limits", func(p *ir.Policy) {
			p.Limits.Wall = ir.Setting[time.Duration]{Set: true}
			p.Limits.CPU = ir.Setting[time.Duration]{Set: true}
			for _, s := range []*ir.Setting[int64]{&p.Limits.Memory, &p.Limits.Processes, &p.Limits.OpenFiles, &p.Limits.FileSize, &p.Limits.Output} {
				s.Set = true
			}
		}, "limits", `
limits.wall limits.wall exact launcher SBC2110
limits.cpu limits.cpu exact launcher SBC2110
limits.memory limits.memory dropped kernel SBC2110
limits.processes limits.processes narrower launcher SBC2110
limits.open_files limits.open_files exact launcher SBC2110
limits.file_size limits.file_size exact launcher SBC2110
limits.output limits.output exact launcher SBC2110
`},
		{"Mach services", func(p *ir.Policy) {
			p.Extras = []ir.Extra{
				{Target: ir.Darwin, Kind: ir.ExtraMach, Value: "com.apple.FSEvents"},
				{Target: ir.Linux, Kind: "other", Value: "x"},
			}
		}, "target", `
target.darwin.mach_services[com.apple.FSEvents] mach_services exact kernel opens
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := parsePolicy(t, "allow allow tree /Users/me/w")
			tt.change(p)
			_, _, report := compile(t, p, nil, target.Options{})
			got := entries(report, tt.prefix)
			if tt.prefix == "" {
				_, got, _ = strings.Cut(got, "\n") // the file rule
			}
			if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMachServices(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Version: 1, Extras: []ir.Extra{{Target: ir.Darwin, Kind: ir.ExtraMach, Value: `a"b`}}}
	_, text, _ := compile(t, p, nil, target.Options{})
	want := "(allow mach-lookup (global-name \"a\\\"b\"))\n"
	if diff := cmp.Diff(want, section(t, text, "Mach services of the policy")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
