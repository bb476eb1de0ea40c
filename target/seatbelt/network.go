package seatbelt

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

const (
	outbound sbpl.Op = "network-outbound"
	bind     sbpl.Op = "network-bind"
	inbound  sbpl.Op = "network-inbound"
)

// network returns the rules for the network and for connections to unix
// sockets. An address filter never concerns a socket in the file system, and
// the other way round.
func (l *lowering) network() []sbpl.Rule {
	n := &l.policy.Network
	out := []sbpl.Rule{one(sbpl.Deny, sbpl.Subpath("/"), "no socket in the file system", outbound)}
	var sockets []item
	for _, s := range n.UnixSockets {
		sockets = append(sockets, newItem(sbpl.Allow, []sbpl.Op{outbound}, single(sbpl.Literal(kernelPath(s.Path))), note(s.Origin)))
	}
	out = append(out, rules(sockets)...)
	out = append(out, l.floor(true)...)
	// "localhost" as the address of the other side is the loopback; as the own
	// address it is any address of the machine. To filter outgoing connections
	// by the own address would permit them all.
	loopback := sbpl.Address{Remote: true, Localhost: true}
	mode := n.EffectiveLoopback()
	if n.Mode.Value == ir.NetFull {
		out = append(out,
			one(sbpl.Allow, sbpl.Address{Remote: true}, note(n.Mode.Origin), outbound),
			one(sbpl.Allow, sbpl.Address{}, note(n.Mode.Origin), bind, inbound),
		)
		if mode == ir.LoopbackNone {
			out = append(out, one(sbpl.Deny, loopback, note(n.Loopback.Origin), outbound))
		}
		return out
	}
	if mode != ir.LoopbackNone {
		out = append(out,
			one(sbpl.Allow, loopback, note(n.Loopback.Origin), outbound),
			one(sbpl.Allow, sbpl.Address{Localhost: true}, note(n.Loopback.Origin), bind, inbound),
		)
	}
	return out
}

// services returns the rules for the Mach services that the policy lists.
func (l *lowering) services() []sbpl.Rule {
	var out []item
	for _, x := range l.policy.Extras {
		if x.Target == ir.Darwin && x.Kind == ir.ExtraMach {
			out = append(out, newItem(sbpl.Allow, []sbpl.Op{"mach-lookup"}, single(globalName(x.Value)), note(x.Origin)))
		}
	}
	return rules(out)
}

func globalName(s string) sbpl.Filter { return sbpl.Text{Name: "global-name", Value: s} }

// one is a rule with one clause.
func one(a sbpl.Action, f sbpl.Filter, note string, ops ...sbpl.Op) sbpl.Rule {
	return sbpl.Rule{Action: a, Ops: ops, Clauses: []sbpl.Clause{{Filter: f, Note: note}}}
}
