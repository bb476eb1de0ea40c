package verify_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/verify"
)

func set[T any](v T) ir.Setting[T] { return ir.Setting[T]{Value: v, Set: true} }

func hostRules(hosts ...ir.HostRule) []ir.HostRule {
	for i := range hosts {
		hosts[i].Origin.Address = fmt.Sprintf("hosts[%s:%d]", hosts[i].Host, hosts[i].Port)
	}
	return hosts
}

func envRules(patterns ...string) []ir.EnvRule {
	var out []ir.EnvRule
	for _, p := range patterns {
		out = append(out, ir.EnvRule{Pattern: p, Origin: ir.Origin{Address: "env[" + p + "]"}})
	}
	return out
}

func TestDiffSettings(t *testing.T) {
	t.Parallel()
	net := func(n ir.Network) *ir.Policy { return &ir.Policy{Network: n} }
	proxy := func(allow, deny []ir.HostRule) *ir.Policy {
		return net(ir.Network{Mode: set(ir.NetProxy), Allow: allow, Deny: deny})
	}
	env := func(e ir.Env) *ir.Policy { return &ir.Policy{Env: e} }
	limits := func(l ir.Limits) *ir.Policy { return &ir.Policy{Limits: l} }
	accept := func(target string) *ir.Policy {
		return &ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeLimit, Rule: "limits.memory", Target: target}}}
	}
	none := &ir.Policy{}
	for _, tt := range []struct {
		name     string
		old, new *ir.Policy
		want     []string // of the change, and of the change back with the words turned
	}{
		{"nothing", none, none, nil},
		{"mode", none, net(ir.Network{Mode: set(ir.NetProxy)}), []string{"network.mode wider  none -> proxy"}},
		{
			"full brings the loopback", none, net(ir.Network{Mode: set(ir.NetFull)}),
			[]string{"network.mode wider  none -> full", "network.loopback wider  none -> host"},
		},
		{
			"full without loopback", none, net(ir.Network{Mode: set(ir.NetFull), Loopback: set(ir.LoopbackNone)}),
			[]string{"network.mode wider  none -> full"},
		},
		{"loopback", net(ir.Network{Loopback: set(ir.LoopbackSandbox)}), net(ir.Network{Loopback: set(ir.LoopbackHost)}), []string{"network.loopback wider  sandbox -> host"}},
		{"loopback as it was", none, net(ir.Network{Loopback: set(ir.LoopbackNone)}), nil},
		{"host rules without a proxy", none, net(ir.Network{Allow: hostRules(ir.HostRule{Host: "a.example"})}), nil},
		{
			"a host", proxy(nil, nil), proxy(hostRules(ir.HostRule{Host: "a.example", Port: 443}), nil),
			[]string{"network.hosts wider a.example:443 no -> yes"},
		},
		{
			"every port", proxy(hostRules(ir.HostRule{Host: "a.example", Port: 443}), nil), proxy(hostRules(ir.HostRule{Host: "a.example"}), nil),
			[]string{"network.hosts wider a.example:444 no -> yes"},
		},
		{
			"the domain and what is beneath", proxy(hostRules(ir.HostRule{Host: "*.a.example"}), nil), proxy(hostRules(ir.HostRule{Host: "**.a.example"}), nil),
			[]string{"network.hosts wider a.example:443 no -> yes"},
		},
		{
			"the same by two rules", proxy(hostRules(ir.HostRule{Host: "*.a.example"}, ir.HostRule{Host: "a.example"}), nil), proxy(hostRules(ir.HostRule{Host: "**.a.example"}), nil),
			nil,
		},
		{
			"a denial less", proxy(hostRules(ir.HostRule{Host: "**.a.example"}), hostRules(ir.HostRule{Host: "x.a.example"})), proxy(hostRules(ir.HostRule{Host: "**.a.example"}), nil),
			[]string{"network.hosts wider x.a.example:443 no -> yes"},
		},
		{"a denial of nothing", proxy(nil, nil), proxy(nil, hostRules(ir.HostRule{Host: "x.a.example"})), nil},
		{"an address", proxy(nil, nil), proxy(hostRules(ir.HostRule{Host: "::1", Port: 80}), nil), []string{"network.hosts wider [::1]:80 no -> yes"}},
		{
			"a socket", none, net(ir.Network{UnixSockets: []ir.SocketRule{{Path: "/run/x"}}}),
			[]string{"network.unix_sockets wider /run/x no -> yes"},
		},
		{
			"more is inherited", env(ir.Env{Inherit: set(ir.EnvNone)}), env(ir.Env{Inherit: set(ir.EnvCore)}),
			[]string{"env wider TZ no -> yes"},
		},
		{"the default is core", none, env(ir.Env{Inherit: set(ir.EnvCore)}), nil},
		{"a variable", none, env(ir.Env{Pass: envRules("GOPROXY")}), []string{"env wider GOPROXY no -> yes"}},
		{"a variable that is inherited anyhow", none, env(ir.Env{Pass: envRules("PATH", "LC_*")}), nil},
		{"secrets need their full name", none, env(ir.Env{Pass: envRules("AWS_*", "*_TOKEN", "LD_*")}), nil},
		{"a secret by its full name", none, env(ir.Env{Pass: envRules("AWS_PROFILE")}), []string{"env wider AWS_PROFILE no -> yes"}},
		{"a pattern", none, env(ir.Env{Pass: envRules("MY?")}), []string{"env wider MYa no -> yes"}},
		{"a denial", env(ir.Env{Deny: envRules("TZ")}), none, []string{"env wider TZ no -> yes"}},
		{
			"a value", none, env(ir.Env{Set: []ir.EnvVar{{Name: "CI", Value: "1"}}}),
			[]string{`env.set wider CI no -> "1"`},
		},
		{
			"another value", env(ir.Env{Set: []ir.EnvVar{{Name: "CI", Value: "1"}}}), env(ir.Env{Set: []ir.EnvVar{{Name: "CI", Value: "2"}}}),
			[]string{`env.set incomparable CI "1" -> "2"`},
		},
		{
			"a value instead of the caller's", none, env(ir.Env{Set: []ir.EnvVar{{Name: "TZ", Value: "UTC"}}}),
			[]string{`env.set incomparable TZ the caller's -> "UTC"`},
		},
		{
			"processes", none, &ir.Policy{Process: ir.Process{Ptrace: set(true), Namespaces: set(true), Terminal: set(true), Devices: []ir.DeviceRule{{Path: "/dev/kvm"}}}},
			[]string{
				"process.ptrace wider  false -> true", "process.namespaces wider  false -> true", "process.terminal wider  false -> true",
				"process.devices wider /dev/kvm no -> yes",
			},
		},
		{
			"a device of a directory", &ir.Policy{Process: ir.Process{Devices: []ir.DeviceRule{{Path: "/dev/dri/card0"}}}},
			&ir.Policy{Process: ir.Process{Devices: []ir.DeviceRule{{Path: "/dev/dri"}}}},
			[]string{"process.devices wider /dev/dri no -> yes"},
		},
		{"a larger limit", limits(ir.Limits{Wall: set(time.Minute)}), limits(ir.Limits{Wall: set(time.Hour)}), []string{"limits.wall wider  1m0s -> 1h0m0s"}},
		{
			"no limit", limits(ir.Limits{CPU: set(time.Second), Memory: set(int64(2 << 30)), Processes: set(int64(9)), OpenFiles: set(int64(8)), FileSize: set(int64(3 << 20)), Output: set(int64(1000))}), none,
			[]string{
				"limits.cpu wider  1s -> no limit", "limits.memory wider  2GiB -> no limit", "limits.processes wider  9 -> no limit",
				"limits.open_files wider  8 -> no limit", "limits.file_size wider  3MiB -> no limit", "limits.output wider  1000B -> no limit",
			},
		},
		{
			"a service", none, &ir.Policy{Extras: []ir.Extra{{Target: ir.Darwin, Kind: ir.ExtraMach, Value: "com.example.x"}, {Target: ir.Linux, Kind: ir.ExtraMach, Value: "y"}}},
			[]string{"target.darwin.mach_services wider com.example.x no -> yes"},
		},
		{"a loss is taken", none, accept(""), []string{"accept wider SBC2110:limits.memory no -> yes"}},
		{"a loss of the other target is taken", none, accept(ir.Linux), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, shownSettings(t, tt.old, tt.new, false)); diff != "" {
				t.Errorf("change (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, shownSettings(t, tt.new, tt.old, true)); diff != "" {
				t.Errorf("change back, turned round (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDiffSupervise: less of it permits more, and where closings decide by name
// anyway it says nothing.
func TestDiffSupervise(t *testing.T) {
	t.Parallel()
	with := func(m ir.SuperviseMode) *ir.Policy { return &ir.Policy{Process: ir.Process{Supervise: set(m)}} }
	for _, tt := range []struct {
		target string
		old    *ir.Policy
		new    ir.SuperviseMode
		want   string
	}{
		{ir.Linux, with(ir.SuperviseOpen), ir.SuperviseCreate, "wider open -> create"},
		{ir.Linux, with(ir.SuperviseCreate), ir.SuperviseOff, "wider create -> off"},
		{ir.Linux, with(ir.SuperviseOff), ir.SuperviseOpen, "narrower off -> open"},
		{ir.Linux, &ir.Policy{}, ir.SuperviseOff, "wider create -> off"},
		{ir.Linux, &ir.Policy{}, ir.SuperviseCreate, ""},
		{ir.Darwin, with(ir.SuperviseOpen), ir.SuperviseOff, ""},
	} {
		c, err := verify.Diff(tt.old, with(tt.new), tt.target, verify.DiffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range c.Settings {
			if s.Field != "process.supervise" {
				t.Errorf("%s changed as well", s.Field)
			}
			got = fmt.Sprintf("%v %s -> %s", s.Relation, s.Old, s.New)
		}
		if got != tt.want {
			t.Errorf("on %s from %v to %v: %q, want %q", tt.target, tt.old.Process.Supervise.Value, tt.new, got, tt.want)
		}
	}
}

// shownSettings are the changes of settings on darwin; back turns each round.
func shownSettings(t *testing.T, old, new *ir.Policy, back bool) []string {
	t.Helper()
	c, err := verify.Diff(old, new, ir.Darwin, verify.DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range c.Settings {
		if back {
			s.Old, s.New = s.New, s.Old
			switch s.Relation {
			case verify.Wider:
				s.Relation = verify.Narrower
			case verify.Narrower:
				s.Relation = verify.Wider
			case verify.Equivalent, verify.Incomparable, verify.Undecided:
			}
		}
		out = append(out, fmt.Sprintf("%s %s %s %s -> %s", s.Field, s.Relation, s.What, s.Old, s.New))
	}
	return out
}

// Who said what rides along.
func TestDiffSettingsOrigins(t *testing.T) {
	t.Parallel()
	old := &ir.Policy{Env: ir.Env{Deny: envRules("A*"), Inherit: set(ir.EnvAll)}}
	new := &ir.Policy{Env: ir.Env{Pass: envRules("AB"), Inherit: set(ir.EnvNone)}}
	old.Env.Inherit.Origin.Address = "old.inherit"
	new.Env.Inherit.Origin.Address = "new.inherit"
	c, err := verify.Diff(old, new, ir.Linux, verify.DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []verify.SettingChange{
		{Field: "env", Relation: verify.Narrower, What: "a", Old: "yes", New: "no", From: old.Env.Inherit.Origin},
		{Field: "env", Relation: verify.Wider, What: "AB", Old: "no", New: "yes", From: old.Env.Deny[0].Origin, To: new.Env.Pass[0].Origin},
	}
	if diff := cmp.Diff(want, c.Settings); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

// The list of variables decides as the policy does, whatever their names are.
func TestDiffEnvAgreesWithInherits(t *testing.T) {
	t.Parallel()
	names := rapid.SampledFrom([]string{
		"PATH", "LC_ALL", "A", "AB", "ABC", "GOPROXY", "AWS_X", "MY_TOKEN", "my_token", "Token2", "X_PAT", "PATX", "LD_X", "DB_PASSWORD_FILE",
		"GIT_SSL_CAINFO", "API_KEY", "apikey", "KEY", "A_KEY", "A-B", "*", "A*", "SSH_AUTH_SOCK", "NODE_OPTIONS", "XDG_DATA_DIRS", "CARGO_A", "a.b", "_", "PWD", "X_PWD",
	})
	patterns := rapid.OneOf(names, rapid.SampledFrom([]string{"*", "A*", "?", "A?", "*_*", "LC_*", "AWS_*", "*TOKEN*", "**", "*K*Y", "L?_*"}))
	differed := 0
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) *ir.Policy {
			return &ir.Policy{Env: ir.Env{
				Inherit: set(rapid.SampledFrom([]ir.EnvInherit{ir.EnvNone, ir.EnvCore, ir.EnvAll}).Draw(t, label)),
				Pass:    envRules(rapid.SliceOfN(patterns, 0, 3).Draw(t, label+" pass")...),
				Deny:    envRules(rapid.SliceOfN(patterns, 0, 2).Draw(t, label+" deny")...),
			}}
		}
		old, new := draw("old"), draw("new")
		c, err := verify.Diff(old, new, ir.Linux, verify.DiffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found := map[verify.Relation]bool{}
		for _, s := range c.Settings {
			found[s.Relation] = true
			differed++
		}
		for range 10 {
			name := names.Draw(t, "name")
			was, is := old.Env.Inherits(name), new.Env.Inherits(name)
			if is && !was && !found[verify.Wider] || was && !is && !found[verify.Narrower] {
				t.Fatalf("%q: was %v, is %v, but found %v", name, was, is, c.Settings)
			}
		}
	})
	if !t.Failed() && differed < 50 {
		t.Errorf("only %d differences", differed)
	}
}
