package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
)

func (cs *changes) network(old, new *ir.Network) {
	scalar(cs, "network.mode", old.Mode, new.Mode, func(m ir.NetworkMode) int {
		return slices.Index([]ir.NetworkMode{ir.NetNone, ir.NetProxy, ir.NetFull}, m)
	})
	if old.Mode.Value != ir.NetNone && new.Mode.Value != ir.NetNone {
		cs.hosts(old, new)
	}
	a, b := old.Loopback, new.Loopback
	a.Value, b.Value = old.EffectiveLoopback(), new.EffectiveLoopback()
	scalar(cs, "network.loopback", a, b, func(m ir.LoopbackMode) int {
		return slices.Index([]ir.LoopbackMode{ir.LoopbackNone, ir.LoopbackSandbox, ir.LoopbackHost}, m)
	})
	listed(cs, "network.unix_sockets", old.UnixSockets, new.UnixSockets,
		func(s ir.SocketRule) (string, ir.Origin) { return s.Path, s.Origin },
		func(x, by ir.SocketRule) bool { return x.Path == by.Path })
}

// hosts finds the hosts and ports that become reachable, or cease to be, once
// for each pair of rules that decide. If the mode changes as well, only what goes
// against its direction is said.
func (cs *changes) hosts(old, new *ir.Network) {
	seen := map[[2]string]bool{}
	hosts, ports := connectionsOf(old, new)
	for _, h := range hosts {
		for _, port := range ports {
			was, from := reaches(old, h, port)
			is, to := reaches(new, h, port)
			key := [2]string{from.Address, to.Address}
			if was == is || seen[key] || is && new.Mode.Value == ir.NetFull && old.Mode.Value == ir.NetProxy || was && new.Mode.Value == ir.NetProxy && old.Mode.Value == ir.NetFull {
				continue
			}
			seen[key] = true
			c := SettingChange{Field: "network.hosts", Relation: relation(is, was), What: hostPort(h, port), Old: valueNo, New: valueYes, From: from, To: to}
			if was {
				c.Old, c.New = valueYes, valueNo
			}
			*cs = append(*cs, c)
		}
	}
}

// connectionsOf returns hosts and ports that stand for all. Rules name hosts
// and the domains beneath them, so that a host which no rule names is as any
// other beneath the nearest one that a rule names, and likewise for ports. Those
// that are named come first.
func connectionsOf(policies ...*ir.Network) (hosts []string, ports []uint16) {
	var beneath []string
	for _, n := range policies {
		for _, r := range slices.Concat(n.Allow, n.Deny) {
			name := strings.TrimPrefix(strings.TrimPrefix(r.Host, "**."), "*.")
			hosts = append(hosts, name)
			beneath = append(beneath, "any."+name)
			if r.Port != 0 {
				ports = append(ports, r.Port)
			}
		}
	}
	unused := func(name string) string {
		for slices.ContainsFunc(hosts, func(h string) bool { return h == name || strings.HasSuffix(h, "."+name) }) {
			name = "x" + name
		}
		return name
	}
	for i := range beneath {
		beneath[i] = unused(beneath[i])
	}
	hosts = append(append(hosts, beneath...), unused("any.example"))
	slices.Sort(ports)
	ports = slices.Compact(ports)
	free := uint16(443)
	for slices.Contains(ports, free) {
		free++
	}
	return unique(hosts), append([]uint16{free}, ports...)
}

// unique drops repetitions and keeps the order.
func unique(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

// reaches reports whether a host and port can be reached, and what says so;
// nothing if no rule does. A denial wins; under full all others are reached.
func reaches(n *ir.Network, host string, port uint16) (bool, ir.Origin) {
	for i, list := range [][]ir.HostRule{n.Deny, n.Allow} {
		if i == 1 && n.Mode.Value == ir.NetFull {
			return true, n.Mode.Origin
		}
		for _, r := range list {
			if (r.Port == 0 || r.Port == port) && hostMatches(r.Host, host) {
				return i == 1, r.Origin
			}
		}
	}
	return false, ir.Origin{}
}

// hostMatches reports whether a host pattern holds the host.
func hostMatches(pattern, host string) bool {
	if name, ok := strings.CutPrefix(pattern, "**."); ok {
		return host == name || strings.HasSuffix(host, "."+name)
	}
	if name, ok := strings.CutPrefix(pattern, "*."); ok {
		return strings.HasSuffix(host, "."+name)
	}
	return host == pattern
}

func hostPort(host string, port uint16) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return fmt.Sprintf("%s:%d", host, port)
}
