package ir_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/irtest"
)

// problemLines returns each problem as "address: summary".
func problemLines(ds diag.List) []string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Rule+": "+d.Summary)
	}
	return out
}

func TestValidateFiles(t *testing.T) {
	t.Parallel()
	rule := func(change func(*ir.FileRule)) func(*ir.Policy) {
		return func(p *ir.Policy) {
			p.Files = []ir.FileRule{{
				Match: ir.Subtree("/w"), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerWorkspace,
				Origin: ir.Origin{Address: "r"},
			}}
			change(&p.Files[0])
		}
	}
	effects := func(group ir.Group, read, write ir.Effect) func(*ir.Policy) {
		return rule(func(r *ir.FileRule) { r.Group, r.Read, r.Write = group, read, write })
	}
	list := func(rules ...ir.FileRule) func(*ir.Policy) {
		return func(p *ir.Policy) {
			for i := range rules {
				rules[i].Origin.Address = string(rune('a' + i))
				if rules[i].Layer == 0 {
					rules[i].Layer = ir.LayerWorkspace
				}
			}
			p.Files = rules
		}
	}
	layered := func(l ir.Layer, r ir.FileRule) ir.FileRule {
		r.Layer = l
		return grouped(ir.GroupRoot, r)
	}
	tests := []struct {
		name   string
		change func(*ir.Policy)
		want   []string
	}{
		{"a root", rule(func(*ir.FileRule) {}), nil},
		{"no match", rule(func(r *ir.FileRule) { r.Match = nil }), []string{"r: a rule without a match", "r: a root is a subtree"}},
		{"a relative path", rule(func(r *ir.FileRule) { r.Match = ir.Subtree("w") }), []string{`r: the path "w" is not absolute and clean`}},
		{"an unclean path", rule(func(r *ir.FileRule) { r.Match = ir.Subtree("/w/") }), []string{`r: the path "/w/" is not absolute and clean`}},
		{"an empty path", rule(func(r *ir.FileRule) { r.Match = ir.Subtree("") }), []string{"r: match/path is empty"}},
		{"a NUL", rule(func(r *ir.FileRule) { r.Match = ir.Subtree("/w\x00") }), []string{`r: a NUL in "/w\x00"`}},
		{"a glob without a pattern", rule(func(r *ir.FileRule) {
			*r = grouped(ir.GroupDeny, deny(ir.Glob{}))
			r.Layer, r.Origin.Address = ir.LayerGuard, "r"
		}), []string{"r: a glob without a pattern"}},
		{"says nothing", effects(ir.GroupRoot, ir.Pass, ir.Pass), []string{"r: a rule that says nothing"}},
		{"closes reading only", effects(ir.GroupRoot, ir.Deny, ir.Pass), []string{"r: reading is closed and writing is not"}},
		{"opens writing only", effects(ir.GroupRoot, ir.Pass, ir.Allow), []string{"r: writing is open and reading is not"}},
		{"closes reading and opens writing", effects(ir.GroupRoot, ir.Ask, ir.Allow), []string{
			"r: reading is closed and writing is not", "r: writing is open and reading is not",
		}},
		{"an unknown effect", effects(ir.GroupRoot, 9, ir.Deny), []string{"r: invalid effect"}},
		{"an unknown group", effects(0, ir.Allow, ir.Deny), []string{"r: invalid group"}},
		{"a deny that asks", effects(ir.GroupDeny, ir.Ask, ir.Deny), []string{"r: a rule of this group only denies"}},
		{"a deny that opens", effects(ir.GroupDeny, ir.Allow, ir.Deny), []string{"r: a rule of this group only denies"}},
		{"an ask that denies", effects(ir.GroupAsk, ir.Pass, ir.Deny), []string{"r: a rule of this group only asks"}},
		{"a narrow ask that opens", effects(ir.GroupNarrowAsk, ir.Allow, ir.Pass), []string{"r: a rule of this group only asks"}},
		{"a grant that closes", effects(ir.GroupGrant, ir.Deny, ir.Deny), []string{"r: a grant opens a subtree"}},
		{"a glob group without a glob", effects(ir.GroupGlob, ir.Deny, ir.Deny), []string{"r: a rule of this group is a glob"}},
		{"a glob that opens", list(grouped(ir.GroupGlob, ir.FileRule{Match: pattern("/w/*"), Read: ir.Allow})), []string{
			"a: a glob that opens, outside of the floor",
		}},
		{"a floor's glob may open", list(ir.FileRule{Match: pattern("/w/*"), Read: ir.Allow, Group: ir.GroupFloor, Layer: ir.LayerFloor}), nil},
		{"but not with exceptions", list(ir.FileRule{Match: pattern("/w/*", "/w/a"), Read: ir.Allow, Group: ir.GroupFloor, Layer: ir.LayerFloor}), []string{
			"a: a glob that opens and has exceptions",
		}},
		{"a path outside of the floor", list(grouped(ir.GroupDeny, deny(ir.Path("/w")))), []string{
			"a: a path without what is beneath it, outside of the floor",
		}},
		{"a path of what is not a directory", list(grouped(ir.GroupDeny, nonDir(deny(ir.Path("/w"))))), nil},
		{"an opening of what is not a directory", list(grouped(ir.GroupRoot, nonDir(write("/w")))), []string{
			"a: an opening for what is not a directory only",
		}},
		{"private and closed", rule(func(r *ir.FileRule) { r.Private, r.Read, r.Write = true, ir.Deny, ir.Deny }), []string{
			"r: private storage that is not an open subtree",
		}},
		{"a root of the floor", list(layered(ir.LayerFloor, write("/w"))), []string{"a: a root of the floor that is not private"}},
		{"a deny of the floor", list(ir.FileRule{Match: ir.Subtree("/w"), Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerFloor}), []string{
			"a: a rule of the floor in the group deny",
		}},
		{"a floor of the policy", list(grouped(ir.GroupFloor, read("/w"))), []string{"a: a rule of the group floor is of the floor"}},
		{"a required subtree", list(ir.FileRule{Match: ir.Subtree("/w"), Read: ir.Allow, Group: ir.GroupRequired, Layer: ir.LayerFloor}), []string{
			"a: a required rule is not for a subtree",
		}},
		{"an unknown layer", rule(func(r *ir.FileRule) { r.Layer = 0 }), []string{"r: invalid layer"}},
		{"an unknown target", rule(func(r *ir.FileRule) { r.Target = "windows" }), []string{`r: unknown target "windows"`}},
		{"an unknown on_missing", rule(func(r *ir.FileRule) { r.OnMissing = 9 }), []string{"r: invalid on_missing"}},
		{"a reserved opening", rule(func(r *ir.FileRule) { r.OnMissing = ir.MissingReserve }), []string{"r: reserve is for closings"}},
		{"a created closing", rule(func(r *ir.FileRule) { r.Read, r.Write, r.OnMissing = ir.Deny, ir.Deny, ir.MissingCreate }), []string{
			"r: create is for openings",
		}},
		{"an unknown sweep", rule(func(r *ir.FileRule) { r.Sweep = 9 }), []string{"r: invalid sweep"}},
		{"a relative written form", rule(func(r *ir.FileRule) { r.Written = "w" }), []string{`r: "w" is not absolute`}},
		{"a NUL in a reason", rule(func(r *ir.FileRule) { r.Reason = "\x00" }), []string{`r: a NUL in "\x00"`}},
		{"no address", rule(func(r *ir.FileRule) { r.Origin.Address = "" }), []string{": origin/address is empty"}},
		{"an unnamed extender", rule(func(r *ir.FileRule) { r.Origin.Via = []string{""} }), []string{"r: origin/via/0 is empty"}},
		{"a place without a file", rule(func(r *ir.FileRule) { r.Origin.Range.Start = diag.Pos{Line: 1, Column: 1} }), []string{
			"r: a place without a file", "r: a range whose ends are not places in their order",
		}},
		{"an end without a start", rule(func(r *ir.FileRule) { r.Origin.Range.End.Byte = 1 }), []string{"r: a range that ends and does not start"}},
		{"groups in disorder", list(grouped(ir.GroupAsk, ask(subtree("/w"))), grouped(ir.GroupDeny, deny(subtree("/w")))), []string{
			"b: a rule of the group deny stands below the group ask",
		}},
		{"roots in order", list(
			layered(ir.LayerProfile, write("/w/a/b")), layered(ir.LayerSession, write("/v/a")), layered(ir.LayerSession, write("/w/a")),
			layered(ir.LayerWorkspace, write("/w/a")), layered(ir.LayerUser, write("/")),
		), nil},
		{"a deep root below", list(layered(ir.LayerWorkspace, write("/w")), layered(ir.LayerWorkspace, write("/v/a"))), []string{
			"b: a root stands below one that is less deep",
		}},
		{"a root below everything", list(layered(ir.LayerWorkspace, write("/")), layered(ir.LayerWorkspace, write("/v"))), []string{
			"b: a root stands below one that is less deep",
		}},
		{"a high layer below", list(layered(ir.LayerUser, write("/w")), layered(ir.LayerUser, write("/v")), layered(ir.LayerSession, write("/w"))), []string{
			"c: a root stands below one of a lower layer at the same path",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := irtest.Full()
			tt.change(p)
			if diff := cmp.Diff(tt.want, problemLines(ir.Validate(p))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidateParts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*ir.Policy)
		want   []string
	}{
		{"all is well", func(*ir.Policy) {}, nil},
		{"version", func(p *ir.Policy) { p.Version = 2 }, []string{": version 2 of the policy language, which is not 1"}},
		{"name", func(p *ir.Policy) { p.Name = "a\x00" }, []string{`: a NUL in "a\x00"`}},
		{"no workspace", func(p *ir.Policy) { p.Workspace = "" }, []string{": workspace is empty"}},
		{"relative workspace", func(p *ir.Policy) { p.Workspace = "w" }, []string{`: the path "w" is not absolute and clean`}},
		{"relative home", func(p *ir.Policy) { p.Home = "~" }, []string{`: the path "~" is not absolute and clean`}},
		{"no home and no temporary directory", func(p *ir.Policy) { p.Home, p.Temp = "", "" }, nil},
		{"unclean temporary directory", func(p *ir.Policy) { p.Temp = "/tmp/" }, []string{`: the path "/tmp/" is not absolute and clean`}},
		{"tmp mode", func(p *ir.Policy) { p.Tmp.Value = 9 }, []string{"filesystem.tmp: invalid tmp mode"}},
		{"tmp that is not set", func(p *ir.Policy) { p.Tmp.Set = false }, []string{"filesystem.tmp: tmp is not set and has a value, a layer or an origin"}},
		{"unset with an extender", func(p *ir.Policy) { p.Tmp = ir.Tmp{Origin: ir.Origin{Via: []string{"x"}}} }, []string{": tmp is not set and has a value, a layer or an origin"}},
		{"unset", func(p *ir.Policy) { p.Tmp = ir.Tmp{} }, nil},
		{"network mode", func(p *ir.Policy) { p.Network.Mode.Value = 9 }, []string{"network.mode: invalid network mode"}},
		{"setting without a layer", func(p *ir.Policy) { p.Network.Mode.Layer = 0 }, []string{"network.mode: invalid layer"}},
		{"loopback mode", func(p *ir.Policy) { p.Network.Loopback.Value = 9 }, []string{"network.loopback: invalid loopback mode"}},
		{"host in capitals", func(p *ir.Policy) { p.Network.Allow[0].Host = "X.org" }, []string{`network.allow[*.example.com:443]: the host pattern "X.org" means nothing`}},
		{"no host", func(p *ir.Policy) { p.Network.Deny[0].Host = "**." }, []string{`network.deny[**.example.org:80]: the host pattern "**." means nothing`}},
		{"star within a host", func(p *ir.Policy) { p.Network.Allow[1].Host = "a.*.b" }, []string{`network.allow[::1]: the host pattern "a.*.b" means nothing`}},
		{"host of no layer", func(p *ir.Policy) { p.Network.Allow[1].Layer = 7 }, []string{"network.allow[::1]: invalid layer"}},
		{"relative socket", func(p *ir.Policy) { p.Network.UnixSockets[0].Path = "s" }, []string{`network.unix_sockets[/var/run/user/1000/agent.sock]: the path "s" is not absolute and clean`}},
		{"relative written socket", func(p *ir.Policy) { p.Network.UnixSockets[0].Written = "s" }, []string{`network.unix_sockets[/var/run/user/1000/agent.sock]: the path "s" is not absolute and clean`}},
		{"inherit", func(p *ir.Policy) { p.Env.Inherit.Value = 9 }, []string{"env: invalid inherit"}},
		{"empty name to pass", func(p *ir.Policy) { p.Env.Pass[0].Pattern = "" }, []string{"env.pass[GO*]: pattern is empty"}},
		{"assignment to deny", func(p *ir.Policy) { p.Env.Deny[0].Pattern = "A=B" }, []string{`env.deny[*_KEY]: "A=B" holds =`}},
		{"empty name to set", func(p *ir.Policy) { p.Env.Set[0].Name = "" }, []string{"env.set[CI]: name is empty"}},
		{"value with a NUL", func(p *ir.Policy) { p.Env.Set[0].Value = "a\x00" }, []string{`env.set[CI]: a NUL in "a\x00"`}},
		{"names in disorder", func(p *ir.Policy) { p.Env.Set[0].Name = "Z" }, []string{`env.set[NOTE]: the variable "NOTE" is not in its place`}},
		{"a name twice", func(p *ir.Policy) { p.Env.Set[1].Name = "CI" }, []string{`env.set[NOTE]: the variable "CI" is not in its place`}},
		{"relative device", func(p *ir.Policy) { p.Process.Devices[0].Path = "kvm" }, []string{`process.devices[/dev/kvm]: the path "kvm" is not absolute and clean`}},
		{"unset process setting", func(p *ir.Policy) { p.Process.Ptrace.Set = false }, []string{"process.ptrace: process.ptrace is not set and has a value, a layer or an origin"}},
		{"negative wall", func(p *ir.Policy) { p.Limits.Wall.Value = -1 }, []string{"limits.wall: a negative limit"}},
		{"negative cpu", func(p *ir.Policy) { p.Limits.CPU.Value = -1 }, []string{"limits.cpu: a negative limit"}},
		{"negative memory", func(p *ir.Policy) { p.Limits.Memory.Value = -1 }, []string{"limits.memory: a negative limit"}},
		{"negative processes", func(p *ir.Policy) { p.Limits.Processes.Value = -1 }, []string{"limits.processes: a negative limit"}},
		{"negative open files", func(p *ir.Policy) { p.Limits.OpenFiles.Value = -1 }, []string{"limits.open_files: a negative limit"}},
		{"negative file size", func(p *ir.Policy) { p.Limits.FileSize.Value = -1 }, []string{"limits.file_size: a negative limit"}},
		{"negative output", func(p *ir.Policy) { p.Limits.Output.Value = -1 }, []string{"limits.output: a negative limit"}},
		{"extra of no target", func(p *ir.Policy) { p.Extras[0].Target = "" }, []string{
			`target.darwin.mach_services[com.apple.trustd.agent]: unknown target ""`,
			`target.darwin.mach_services[com.apple.trustd.agent]: the target "" has no "mach_services"`,
		}},
		{"extra of another target", func(p *ir.Policy) { p.Extras[0].Target = ir.Linux }, []string{
			`target.darwin.mach_services[com.apple.trustd.agent]: the target "linux" has no "mach_services"`,
		}},
		{"empty extra", func(p *ir.Policy) { p.Extras[0].Value = "" }, []string{"target.darwin.mach_services[com.apple.trustd.agent]: value is empty"}},
		{"accepted code", func(p *ir.Policy) { p.Accepts[0].Code = "SBC21" }, []string{`accept.SBC2110: "SBC21" is no code`}},
		{"accepted code with a letter", func(p *ir.Policy) { p.Accepts[0].Code = "SBC211x" }, []string{`accept.SBC2110: "SBC211x" is no code`}},
		{"accepted rule", func(p *ir.Policy) { p.Accepts[0].Rule = "" }, []string{"accept.SBC2110: rule is empty"}},
		{"accepted target", func(p *ir.Policy) { p.Accepts[0].Target = "bsd" }, []string{`accept.SBC2110: unknown target "bsd"`}},
		{"unnamed test", func(p *ir.Policy) { p.Tests[0].Name = "" }, []string{"test.keeps secrets: name is empty"}},
		{"test without an operation", func(p *ir.Policy) { p.Tests[0].Allow[0].Op = 0 }, []string{"test.keeps secrets.allow: invalid operation"}},
		{"relative test", func(p *ir.Policy) { p.Tests[0].Deny[0].Pattern = "a" }, []string{
			`test.keeps secrets.deny: glob "a", byte 0: the pattern is not absolute (patterns start with /)`,
		}},
		{"unnamed source", func(p *ir.Policy) { p.Sources[0].File = "" }, []string{": file is empty"}},
		{"relative source", func(p *ir.Policy) { p.Sources[0].Path = "p.hcl" }, []string{`: the path "p.hcl" is not absolute and clean`}},
		{"digest in capitals", func(p *ir.Policy) { p.Sources[0].SHA256 = strings.Repeat("A", 64) }, []string{
			`: "` + strings.Repeat("A", 64) + `" is no digest`,
		}},
		{"short digest", func(p *ir.Policy) { p.Sources[0].SHA256 = "0f" }, []string{`: "0f" is no digest`}},
		{"source of no layer", func(p *ir.Policy) { p.Sources[1].Layer = 0 }, []string{": invalid layer"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := irtest.Full()
			tt.change(p)
			if diff := cmp.Diff(tt.want, problemLines(ir.Validate(p))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// A problem is shown where its rule was written, and in the JSON form at the
// value that is wrong.
func TestValidatePlaces(t *testing.T) {
	t.Parallel()
	p := irtest.Full()
	p.Limits.Memory.Value = -1
	want := diag.List{{
		Code: diag.CodeIRForm, Severity: diag.Error, Summary: "a negative limit", Rule: "limits.memory",
		Subject: &diag.Range{
			File:  "policy.hcl",
			Start: diag.Pos{Line: 52, Column: 5, Byte: 2080},
			End:   diag.Pos{Line: 52, Column: 15, Byte: 2090},
		},
	}}
	if diff := cmp.Diff(want, ir.Validate(p)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	src := ir.Encode(p)
	got, ds := ir.Decode(src, "p.ir.json")
	if got != nil || len(ds) != 1 {
		t.Fatalf("Decode gives %v, %v", got, ds)
	}
	s := ds[0].Subject
	if text := string(src[s.Start.Byte:s.End.Byte]); s.File != "p.ir.json" || text != "-1" {
		t.Errorf("the place is %q in %s, want -1 in p.ir.json", text, s.File)
	}
}
