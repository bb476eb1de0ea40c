package bwrap_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	var got []target.Feature
	for _, c := range bwrap.Table() {
		got = append(got, c.Feature)
		if c.Verdict == 0 || c.Enforcer == "" || c.Sentence == "" || strings.HasSuffix(c.Sentence, ".") {
			t.Errorf("%s has an empty or wrong cell: %+v", c.Feature, c)
		}
		if c.Verdict > target.Exact && c.Code == "" {
			t.Errorf("%s is %s without a code", c.Feature, c.Verdict)
		}
	}
	if diff := cmp.Diff(target.Features(), got); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
}

// settings returns the entries that are no file rules, a line each.
func settings(r target.Report) []string {
	var out []string
	for _, e := range r.Entries {
		if e.Index >= 0 {
			continue
		}
		opens := ""
		if e.Opens {
			opens = "opens"
		}
		text := fmt.Sprint(e.Rule, " ", e.Verdict, " ", e.Enforcer, " ", e.Code, " ", opens, " ", strings.Join(e.Emitted, " "))
		out = append(out, strings.Join(strings.Fields(text), " "))
	}
	return out
}

func TestSettings(t *testing.T) {
	t.Parallel()
	on := func(v bool) ir.Setting[bool] { return ir.Setting[bool]{Value: v, Set: true} }
	n := func(v int64) ir.Setting[int64] { return ir.Setting[int64]{Value: v, Set: true} }
	tests := []struct {
		name   string
		change func(p *ir.Policy)
		facts  *host.Facts
		args   string // those before --seccomp
		want   string
	}{
		{
			name:   "defaults: everything closed",
			change: func(*ir.Policy) {},
			args:   "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --cap-drop ALL --die-with-parent --new-session",
			want: `
network.mode exact kernel --unshare-net
network.loopback exact kernel
env exact launcher SBC2116
process.ptrace exact kernel
process.namespaces exact kernel --disable-userns
process.terminal exact kernel --new-session`,
		},
		{
			name: "everything open",
			change: func(p *ir.Policy) {
				p.Network.Mode.Value = ir.NetFull
				p.Process.Ptrace, p.Process.Namespaces, p.Process.Terminal = on(true), on(true), on(true)
				p.Env.Inherit.Value = ir.EnvAll
			},
			args: "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent",
			want: `
network.mode exact kernel opens
network.loopback exact kernel opens
env exact launcher SBC2116
process.ptrace exact kernel opens
process.namespaces exact kernel opens
process.terminal exact kernel opens`,
		},
		{
			name: "a proxy with rules on hosts",
			change: func(p *ir.Policy) {
				p.Network.Mode.Value = ir.NetProxy
				p.Network.Loopback = ir.Setting[ir.LoopbackMode]{Value: ir.LoopbackHost, Set: true}
				p.Network.Allow = []ir.HostRule{{Host: "*.example.com", Port: 443}}
				p.Network.Deny = []ir.HostRule{{Host: "x.example.com"}}
				p.Env.Pass = []ir.EnvRule{{Pattern: "GOPROXY"}}
				p.Env.Deny = []ir.EnvRule{{Pattern: "MY_*"}}
				p.Env.Set = []ir.EnvVar{{Name: "CI", Value: "1"}}
			},
			args: "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --cap-drop ALL --die-with-parent --new-session",
			want: `
network.mode exact proxy SBC2115 opens --unshare-net
network.allow[*.example.com:443] exact proxy SBC2115 opens
network.deny[x.example.com] exact proxy SBC2115
network.loopback narrower kernel SBC2127 opens
env exact launcher SBC2116
env.pass[GOPROXY] exact launcher SBC2116 opens
env.deny[MY_*] exact launcher SBC2116
env.set.CI exact launcher SBC2116
process.ptrace exact kernel
process.namespaces exact kernel --disable-userns
process.terminal exact kernel --new-session`,
		},
		{
			name: "what full network cannot keep",
			change: func(p *ir.Policy) {
				p.Network.Mode.Value = ir.NetFull
				p.Network.Loopback = ir.Setting[ir.LoopbackMode]{Value: ir.LoopbackNone, Set: true}
				p.Network.Deny = []ir.HostRule{{Host: "x.example.com"}}
				p.Network.UnixSockets = []ir.SocketRule{{Path: "/run/a.sock"}}
			},
			facts: &host.Facts{UID: 1000, Sockets: []string{"/run/a.sock", "/run/b.sock", "@abstract"}},
			args:  "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent --new-session",
			want: `
network.mode exact kernel opens
network.deny[x.example.com] dropped kernel SBC2115
network.loopback wider kernel SBC2127
network.unix_sockets[/run/a.sock] exact kernel opens
network.unix_sockets[/run/a.sock] snapshot kernel SBC2124
network.unix_sockets[/run/a.sock] wider kernel SBC2124
env exact launcher SBC2116
process.ptrace exact kernel
process.namespaces exact kernel --disable-userns
process.terminal exact kernel --new-session`,
		},
		{
			name: "limits, as an ordinary user",
			change: func(p *ir.Policy) {
				p.Limits = ir.Limits{
					Wall: ir.Setting[time.Duration]{Value: time.Minute, Set: true}, CPU: ir.Setting[time.Duration]{Value: time.Second, Set: true},
					Memory: n(1 << 30), Processes: n(100), OpenFiles: n(64), FileSize: n(1 << 20), Output: n(1 << 20),
				}
				p.Extras = []ir.Extra{{Target: ir.Darwin, Kind: ir.ExtraMach, Value: "x"}, {Kind: ir.ExtraMach, Value: "y"}}
			},
			facts: &host.Facts{UID: 1000},
			args:  "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --cap-drop ALL --die-with-parent --new-session",
			want: `
network.mode exact kernel --unshare-net
network.loopback exact kernel
env exact launcher SBC2116
process.ptrace exact kernel
process.namespaces exact kernel --disable-userns
process.terminal exact kernel --new-session
limits.wall exact launcher SBC2110
limits.cpu exact launcher SBC2110
limits.memory wider launcher SBC2110
limits.processes narrower launcher SBC2110
limits.open_files exact launcher SBC2110
limits.file_size exact launcher SBC2110
limits.output exact launcher SBC2110
mach_services dropped kernel SBC2119 opens`,
		},
		{
			name:   "the limit on processes, as root",
			change: func(p *ir.Policy) { p.Limits.Processes = n(100) },
			facts:  &host.Facts{UID: 0},
			args:   "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --cap-drop ALL --die-with-parent --new-session",
			want: `
network.mode exact kernel --unshare-net
network.loopback exact kernel
env exact launcher SBC2116
process.ptrace exact kernel
process.namespaces exact kernel --disable-userns
process.terminal exact kernel --new-session
limits.processes wider launcher SBC2110`,
		},
		{
			name: "devices",
			change: func(p *ir.Policy) {
				p.Process.Devices = []ir.DeviceRule{{Path: "/dev/dri"}, {Path: "/dev/none"}, {Path: "/dev/kvm"}}
				p.Files = append(rules("deny /dev/kvm"), p.Files...)
			},
			args: "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --cap-drop ALL --die-with-parent --new-session",
			want: `
network.mode exact kernel --unshare-net
network.loopback exact kernel
env exact launcher SBC2116
process.ptrace exact kernel
process.namespaces exact kernel --disable-userns
process.terminal exact kernel --new-session
process.devices[/dev/dri] exact kernel opens --dev-bind /dev/dri /dev/dri
process.devices[/dev/none] narrower kernel SBC2108 opens
process.devices[/dev/kvm] narrower kernel SBC2118 opens`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := policy("read /")
			tt.change(p)
			v := view("d /dev/dri\nf /dev/kvm\nd /proc\ns /run/a.sock\ns /run/b.sock")
			art, rep := compile(t, p, v, target.Options{Facts: tt.facts})
			if diff := cmp.Diff(lines(tt.want), settings(rep)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			args, _, _ := strings.Cut(strings.Join(art.Args(), " "), " --seccomp")
			if diff := cmp.Diff(tt.args, args); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSockets holds that listing a socket covers every other one, and one that
// the kernel's list does not name by its path too.
func TestSockets(t *testing.T) {
	t.Parallel()
	p := policy("write /w\nread /run")
	p.Network.UnixSockets = []ir.SocketRule{{Path: "/run/a.sock"}, {Path: "/srv/c.sock"}}
	v := view("d /dev\nd /proc\nd /w\ns /run/a.sock\ns /run/b.sock\ns /w/x.sock\ns /srv/c.sock\ns /srv/d.sock\ns /run/u/renamed.sock\nd /run/u/1/2/3/4/5/6")
	facts := &host.Facts{Sockets: []string{"/run/a.sock", "/run/b.sock", "/run/gone.sock", "/srv/d.sock", "/w/x.sock", "@x"}}
	art, _ := compile(t, p, v, target.Options{Facts: facts})
	want := lines(`
--ro-bind /run /run
--perms 0000 --ro-bind-data 5 /run/b.sock
--perms 0000 --ro-bind-data 6 /run/u/renamed.sock
--perms 0111 --dir /srv
--ro-bind /srv/c.sock /srv/c.sock
--bind /w /w
--perms 0000 --ro-bind-data 7 /w/x.sock
--chmod 0111 /
--remount-ro /`)
	if diff := cmp.Diff(want, mountLines(art)); diff != "" {
		t.Errorf("mounts (-want +got):\n%s", diff)
	}
	// Without a listed socket the filter closes them all, and nothing is covered.
	p.Network.UnixSockets = nil
	art, _ = compile(t, p, v, target.Options{Facts: facts})
	want = lines("--ro-bind /run /run\n--bind /w /w\n--chmod 0111 /\n--remount-ro /")
	if diff := cmp.Diff(want, mountLines(art)); diff != "" {
		t.Errorf("mounts without sockets (-want +got):\n%s", diff)
	}
}

// TestEmitted holds that a rule knows the mounts that it became.
func TestEmitted(t *testing.T) {
	t.Parallel()
	p := policy("deny /w/**/.env\nprotect /w/a/lock\nwrite /w\nread /")
	_, rep := compile(t, p, view("d /dev\nd /proc\nf /w/.env\nf /w/a/.env\nf /w/a/lock"), target.Options{})
	got := map[string][]string{}
	for _, e := range rep.Entries {
		if e.Index >= 0 && !strings.HasPrefix(e.Rule, "private") {
			got[e.Rule] = e.Emitted
		}
	}
	want := map[string][]string{
		"deny[/w/**/.env]":   {"--perms 0000 --ro-bind-data 5 /w/.env", "--perms 0000 --ro-bind-data 6 /w/a/.env"},
		"protect[/w/a/lock]": {"--bind /w/a /w/a", "--ro-bind /w/a/lock /w/a/lock"},
		"write[/w]":          {"--bind /w /w"},
		"read[/]":            {"--ro-bind / /"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMountOver holds that the nearest mount above a path is found.
func TestMountOver(t *testing.T) {
	t.Parallel()
	art, _ := compile(t, policy("protect /w/a\nwrite /w\nread /usr"), view("d /dev\nd /proc\nd /usr\nf /w/a/lock"), target.Options{})
	for path, want := range map[string]string{
		"/w/a/lock":  "--ro-bind /w/a /w/a",
		"/w/a":       "--ro-bind /w/a /w/a",
		"/w/ab":      "--bind /w /w",
		"/usr/b/c":   "--ro-bind /usr /usr",
		"/elsewhere": "",
	} {
		if got := art.Plan.MountOver(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
