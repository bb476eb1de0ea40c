package irtest

import (
	"strings"
	"time"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// Full returns a valid policy in which every list has an entry and no field,
// of the entries together, is zero. Tests that walk the fields of a policy
// start from it.
func Full() *ir.Policy {
	return &ir.Policy{
		Version:   1,
		Name:      "full",
		Workspace: "/home/u/w",
		Home:      "/home/u",
		Temp:      "/tmp",
		Files:     fullFiles(),
		Tmp:       setting(ir.TmpPrivate, "filesystem.tmp", 10),
		Network: ir.Network{
			Mode:     setting(ir.NetProxy, "network.mode", 20),
			Loopback: setting(ir.LoopbackSandbox, "network.loopback", 21),
			Allow: []ir.HostRule{
				{Host: "*.example.com", Port: 443, Layer: ir.LayerWorkspace, Origin: origin("network.allow[*.example.com:443]", 22)},
				{Host: "::1", Layer: ir.LayerUser, Origin: origin("network.allow[::1]", 23)},
			},
			Deny: []ir.HostRule{{Host: "**.example.org", Port: 80, Layer: ir.LayerProfile, Origin: origin("network.deny[**.example.org:80]", 24)}},
			UnixSockets: []ir.SocketRule{{
				Path: "/run/user/1000/agent.sock", Written: "/var/run/user/1000/agent.sock",
				Layer: ir.LayerWorkspace, Origin: origin("network.unix_sockets[/var/run/user/1000/agent.sock]", 25),
			}},
		},
		Env: ir.Env{
			Inherit: setting(ir.EnvAll, "env", 30),
			Pass:    []ir.EnvRule{{Pattern: "GO*", Layer: ir.LayerWorkspace, Origin: origin("env.pass[GO*]", 31)}},
			Deny:    []ir.EnvRule{{Pattern: "*_KEY", Layer: ir.LayerProfile, Origin: origin("env.deny[*_KEY]", 32)}},
			Set: []ir.EnvVar{
				{Name: "CI", Value: "1", Layer: ir.LayerWorkspace, Origin: origin("env.set[CI]", 33)},
				{Name: "NOTE", Value: "two\nlines \u202e\xff", Layer: ir.LayerWorkspace, Origin: origin("env.set[NOTE]", 34)},
			},
		},
		Process: ir.Process{
			Ptrace:     setting(true, "process.ptrace", 40),
			Namespaces: setting(true, "process.namespaces", 41),
			Terminal:   setting(true, "process.terminal", 42),
			Supervise:  setting(ir.SuperviseOpen, "process.supervise", 44),
			Devices:    []ir.DeviceRule{{Path: "/dev/kvm", Layer: ir.LayerWorkspace, Origin: origin("process.devices[/dev/kvm]", 43)}},
		},
		Limits: ir.Limits{
			Wall:      setting(10*time.Minute, "limits.wall", 50),
			CPU:       setting(90*time.Second, "limits.cpu", 51),
			Memory:    setting(int64(2<<30), "limits.memory", 52),
			Processes: setting(int64(256), "limits.processes", 53),
			OpenFiles: setting(int64(1024), "limits.open_files", 54),
			FileSize:  setting(int64(1<<30), "limits.file_size", 55),
			Output:    setting(int64(1<<20), "limits.output", 56),
		},
		Extras: []ir.Extra{{
			Target: ir.Darwin, Kind: ir.ExtraMach, Value: "com.apple.trustd.agent",
			Layer: ir.LayerWorkspace, Origin: origin("target.darwin.mach_services[com.apple.trustd.agent]", 60),
		}},
		Accepts: []ir.Accept{{
			Code: diag.CodeLimit, Rule: "limits.memory", Target: ir.Linux, Reason: "no cgroup on our runners",
			Layer: ir.LayerWorkspace, Origin: origin("accept.SBC2110", 70),
		}},
		Tests: []ir.Test{{
			Name:   "keeps secrets",
			Allow:  []ir.TestPath{{Op: ir.Write, Pattern: "/home/u/w/dist/app", Origin: origin("test.keeps secrets.allow", 81)}},
			Deny:   []ir.TestPath{{Op: ir.Read, Pattern: "/home/u/.ssh/**", Origin: origin("test.keeps secrets.deny", 82)}},
			Origin: origin("test.keeps secrets", 80),
		}},
		Sources: []ir.Source{
			{File: "policy.hcl", Path: "/home/u/w/policy.hcl", SHA256: strings.Repeat("0f", 32), Layer: ir.LayerWorkspace, Narrow: true},
			{File: "strict.hcl", SHA256: strings.Repeat("a1", 32), Layer: ir.LayerProfile},
		},
	}
}

// fullFiles has a rule of every group, layer and kind of match.
func fullFiles() []ir.FileRule {
	const w = "/home/u/w"
	hooks := ir.Glob{
		Pattern: glob.MustParse(w + "/**/.git/hooks/*"),
		Except:  []*glob.Pattern{glob.MustParse(w + "/**/.git/hooks/*.sample")},
	}
	return []ir.FileRule{
		{
			Match: hooks, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerGuard, OnMissing: ir.MissingSkip,
			Sweep: ir.SweepQuarantine, Guard: "git-exec", Reason: "git runs hooks", Origin: origin("guards.git-exec.hooks", 1),
		},
		{
			Match: ir.Path(w + "/.git"), Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerGuard, NonDir: true,
			Guard: "git-exec", Origin: origin("guards.git-exec.file", 2),
		},
		{
			Match: ir.Subtree("/home/u/.npmrc"), Read: ir.Allow, Group: ir.GroupGrant, Layer: ir.LayerSession,
			Origin: ir.Origin{Address: "session.read[~/.npmrc]"},
		},
		{
			Match: ir.Subtree("/home/u/.npmrc"), Read: ir.Ask, Write: ir.Ask, Group: ir.GroupAsk, Layer: ir.LayerWorkspace,
			OnMissing: ir.MissingReserve, Origin: origin("filesystem.ask.npm token", 4),
		},
		{
			Match: ir.Glob{Pattern: glob.MustParse("/**/*.pem")}, Read: ir.Deny, Write: ir.Deny, Group: ir.GroupGlob,
			Layer: ir.LayerWorkspace, Origin: origin("rules[3]", 5),
		},
		{
			Match: ir.Subtree(w + "/a b"), Read: ir.Ask, Write: ir.Ask, Group: ir.GroupNarrowAsk, Layer: ir.LayerWorkspace,
			Origin: origin("filesystem.ask.spaces", 7),
		},
		{
			Match: ir.Path("/"), Read: ir.Allow, Group: ir.GroupRequired, Layer: ir.LayerFloor, Target: ir.Darwin,
			Origin: origin("floor.root", 8),
		},
		{
			Match: ir.Subtree(w + "/\xff"), Read: ir.Deny, Write: ir.Deny, Group: ir.GroupRoot, Layer: ir.LayerUser,
			Origin: origin("filesystem.none[./\xff]", 9),
		},
		{
			Match: ir.Subtree(w), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerWorkspace,
			OnMissing: ir.MissingCreate, Written: "/home/user/w", Origin: origin("filesystem.write[workspace]", 11),
		},
		{
			Match: ir.Subtree("/dev"), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerFloor,
			Target: ir.Linux, Private: true, Origin: origin("floor.devices", 12),
		},
		{
			Match: ir.Subtree("/usr"), Read: ir.Allow, Write: ir.Deny, Group: ir.GroupRoot, Layer: ir.LayerProfile,
			OnMissing: ir.MissingRefuse, Origin: origin("filesystem.read[/usr]", 13),
		},
		{
			Match: ir.Glob{Pattern: glob.MustParse("/dev/ttys[0-9]*")}, Read: ir.Allow, Write: ir.Allow, Group: ir.GroupFloor,
			Layer: ir.LayerFloor, Target: ir.Darwin, Origin: origin("floor.terminals", 14),
		},
	}
}

func setting[T any](v T, address string, line int) ir.Setting[T] {
	return ir.Setting[T]{Value: v, Set: true, Layer: ir.LayerWorkspace, Origin: origin(address, line)}
}

func origin(address string, line int) ir.Origin {
	return ir.Origin{
		Address: address,
		Range: diag.Range{
			File:  "policy.hcl",
			Start: diag.Pos{Line: line, Column: 5, Byte: 40 * line},
			End:   diag.Pos{Line: line, Column: 15, Byte: 40*line + 10},
		},
		Via: []string{"extends.hcl"},
	}
}
