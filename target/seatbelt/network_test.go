package seatbelt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	model "github.com/sandboxc/sbc/verify/sbpl"
)

func networkPolicy(mode ir.NetworkMode, loopback ir.LoopbackMode, set bool) *ir.Policy {
	p := &ir.Policy{Version: 1}
	p.Network.Mode = ir.Setting[ir.NetworkMode]{Value: mode, Set: true}
	p.Network.Loopback = ir.Setting[ir.LoopbackMode]{Value: loopback, Set: set}
	p.Network.UnixSockets = []ir.SocketRule{{Path: "/private/tmp/agent.sock"}}
	return p
}

func TestNetworkAnswers(t *testing.T) {
	t.Parallel()
	const (
		far = iota
		local
		listen
		listenLocal
	)
	questions := []query{
		far:         {"network-outbound", model.Subject{Local: "10.0.0.2:50000", Remote: "1.2.3.4:443"}},
		local:       {"network-outbound", model.Subject{Local: "localhost:50000", Remote: "localhost:5432"}},
		listen:      {"network-inbound", model.Subject{Local: "*:8080"}},
		listenLocal: {"network-bind", model.Subject{Local: "localhost:8080"}},
	}
	tests := []struct {
		name     string
		mode     ir.NetworkMode
		loopback ir.LoopbackMode
		set      bool
		want     [4]bool
	}{
		{"none", ir.NetNone, 0, false, [4]bool{}},
		{"none with the host's loopback", ir.NetNone, ir.LoopbackHost, true, [4]bool{local: true, listenLocal: true}},
		{"none with a loopback of its own", ir.NetNone, ir.LoopbackSandbox, true, [4]bool{local: true, listenLocal: true}},
		{"proxy", ir.NetProxy, 0, false, [4]bool{}},
		{"full", ir.NetFull, 0, false, [4]bool{true, true, true, true}},
		{"full without loopback", ir.NetFull, ir.LoopbackNone, true, [4]bool{far: true, listen: true, listenLocal: true}},
		{"full with a loopback of its own", ir.NetFull, ir.LoopbackSandbox, true, [4]bool{true, true, true, true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := lower(t, networkPolicy(tt.mode, tt.loopback, tt.set), nil).profile
			var got [4]bool
			for i, q := range questions {
				got[i] = p.allows(q)
			}
			if got != tt.want {
				t.Errorf("far, local, listen, listen locally: %v, want %v", got, tt.want)
			}
			if !p.allows(query{"network-outbound", model.Subject{Path: "/private/tmp/agent.sock"}}) {
				t.Error("the socket that is listed cannot be reached")
			}
			if p.allows(query{"network-outbound", model.Subject{Path: "/private/var/run/docker.sock"}}) {
				t.Error("a socket that is not listed can be reached")
			}
		})
	}
}

// The links at the root are not what the kernel compares.
func TestSocketPaths(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Version: 1}
	p.Network.UnixSockets = []ir.SocketRule{{Path: "/var/run/docker.sock"}, {Path: "/Users/me/agent.sock"}}
	s := lower(t, p, nil)
	for path, want := range map[string]bool{"/private/var/run/docker.sock": true, "/var/run/docker.sock": false, "/Users/me/agent.sock": true} {
		if got := s.profile.allows(query{"network-outbound", model.Subject{Path: path}}); got != want {
			t.Errorf("connection to %s: %t, want %t", path, got, want)
		}
	}
}

// A profile reaches the launcher's proxy once it is told the port, and nothing
// else then; the profile that it was made from does not change.
func TestWithProxy(t *testing.T) {
	t.Parallel()
	profile, before, _ := compile(t, networkPolicy(ir.NetProxy, 0, false), nil, target.Options{})
	text, err := profile.WithProxy(40123).Render(target.Text)
	if err != nil {
		t.Fatal(err)
	}
	want := before + "\n; the launcher's proxy\n(allow network-outbound (remote ip \"localhost:40123\"))\n"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, after, _ := compile(t, networkPolicy(ir.NetProxy, 0, false), nil, target.Options{}); after != before {
		t.Error("the profile changed")
	}
	p, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for remote, want := range map[string]bool{"localhost:40123": true, "localhost:40124": false, "1.2.3.4:40123": false} {
		if got := p.allows(query{"network-outbound", model.Subject{Remote: remote}}); got != want {
			t.Errorf("connection to %s: %t, want %t", remote, got, want)
		}
	}
}

func TestNetworkEntries(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		mode     ir.NetworkMode
		loopback ir.LoopbackMode
		set      bool
		want     string
	}{
		{"none", ir.NetNone, 0, false, `
network.mode network.none exact kernel
network.allow[example.com:443] network.hosts exact kernel opens
network.deny[*.example.org] network.hosts exact kernel
network.loopback loopback.none exact kernel
network.unix_sockets[/private/tmp/agent.sock] unix_sockets exact kernel opens
`},
		{"proxy", ir.NetProxy, 0, false, `
network.mode network.proxy exact proxy SBC2115 opens
network.allow[example.com:443] network.hosts exact proxy SBC2115 opens
network.deny[*.example.org] network.hosts exact proxy SBC2115
network.loopback loopback.none exact kernel
network.unix_sockets[/private/tmp/agent.sock] unix_sockets exact kernel opens
`},
		{"full", ir.NetFull, 0, false, `
network.mode network.full exact kernel opens
network.allow[example.com:443] network.hosts exact kernel opens
network.deny[*.example.org] network.hosts dropped kernel SBC2115
network.loopback loopback.host exact kernel opens
network.unix_sockets[/private/tmp/agent.sock] unix_sockets exact kernel opens
`},
		{"full without loopback", ir.NetFull, ir.LoopbackNone, true, `
network.loopback loopback.none wider kernel SBC2127
`},
		{"full with a loopback of its own", ir.NetFull, ir.LoopbackSandbox, true, `
network.loopback loopback.sandbox wider kernel SBC2127
`},
		{"a loopback of its own", ir.NetNone, ir.LoopbackSandbox, true, `
network.loopback loopback.sandbox wider kernel SBC2127
network.loopback loopback.sandbox wider kernel SBC2114
`},
		{"the host's loopback", ir.NetProxy, ir.LoopbackHost, true, `
network.loopback loopback.host wider kernel SBC2114 opens
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := networkPolicy(tt.mode, tt.loopback, tt.set)
			p.Network.Allow = []ir.HostRule{{Host: "example.com", Port: 443}}
			p.Network.Deny = []ir.HostRule{{Host: "*.example.org"}}
			_, _, report := compile(t, p, nil, target.Options{})
			prefix := "network."
			if tt.set {
				prefix = "network.loopback"
			}
			if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), entries(report, prefix)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// entries returns the entries of rules whose address starts with the prefix.
func entries(r target.Report, prefix string) string {
	var b strings.Builder
	for _, e := range r.Entries {
		if !strings.HasPrefix(e.Rule, prefix) {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s %s", e.Rule, e.Feature, e.Verdict, e.Enforcer)
		if e.Code != "" {
			fmt.Fprintf(&b, " %s", e.Code)
			if e.Loss == "" {
				b.WriteString(" WITHOUT A LOSS")
			}
		}
		if e.Opens {
			b.WriteString(" opens")
		}
		b.WriteString("\n")
	}
	return b.String()
}
