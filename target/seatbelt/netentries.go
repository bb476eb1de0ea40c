package seatbelt

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

func (l *lowering) networkEntries() []target.Entry {
	n := &l.policy.Network
	mode := n.Mode.Value
	features := map[ir.NetworkMode]target.Feature{ir.NetNone: target.NetworkNone, ir.NetProxy: target.NetworkProxy, ir.NetFull: target.NetworkFull}
	e := l.setting(features[mode], n.Mode.Layer, n.Mode.Origin, "network.mode", loss{})
	e.Opens = mode != ir.NetNone
	switch mode {
	case ir.NetNone, ir.NetProxy:
		e.Emitted = []string{"(deny default)"}
	case ir.NetFull:
		e.Emitted = []string{permits(sbpl.Address{Remote: true}, outbound), permits(sbpl.Address{}, bind, inbound)}
	}
	out := []target.Entry{e}
	for _, h := range n.Allow {
		e := l.setting(target.NetworkHosts, h.Layer, h.Origin, "network.allow["+hostText(h)+"]", hostLoss(mode, false))
		e.Opens = true
		out = append(out, e)
	}
	for _, h := range n.Deny {
		out = append(out, l.setting(target.NetworkHosts, h.Layer, h.Origin, "network.deny["+hostText(h)+"]", hostLoss(mode, true)))
	}
	for _, x := range loopbackLosses(n) {
		e := l.setting(x.feature, n.Loopback.Layer, n.Loopback.Origin, "network.loopback", x)
		e.Opens = n.EffectiveLoopback() == ir.LoopbackHost
		out = append(out, e)
	}
	for _, s := range n.UnixSockets {
		e := l.setting(target.UnixSockets, s.Layer, s.Origin, "network.unix_sockets["+s.Path+"]", exact)
		e.Opens, e.Emitted = true, []string{permits(sbpl.Literal(kernelPath(s.Path)), outbound)}
		out = append(out, e)
	}
	return out
}

// permits is the line of an allow rule with one clause.
func permits(f sbpl.Filter, ops ...sbpl.Op) string { return one(sbpl.Allow, f, "", ops...).String() }

// hostLoss is for a rule on a host, which only a proxy can keep.
func hostLoss(mode ir.NetworkMode, denies bool) loss {
	switch mode {
	case ir.NetProxy:
		return loss{} // as the table says
	case ir.NetFull:
		if denies {
			return loss{
				verdict: target.Dropped, code: diag.CodeProxy, instead: `mode = "proxy"`,
				text: "with full network nothing passes the proxy, so the host can be reached",
			}
		}
	case ir.NetNone:
	}
	return exact // nothing is reachable, or everything
}

// loopbackLosses returns what the loopback mode comes to, one entry each.
func loopbackLosses(n *ir.Network) []loss {
	full := n.Mode.Value == ir.NetFull
	switch n.EffectiveLoopback() {
	case ir.LoopbackNone:
		x := loss{feature: target.LoopbackNone, verdict: target.Exact}
		if full {
			x.verdict, x.code, x.instead = target.Wider, diag.CodeLoopback, `mode = "proxy" or "none"`
			x.text = "connections to localhost are refused, but the same services answer at the machine's other addresses and at IPv6-mapped ones"
		}
		return []loss{x}
	case ir.LoopbackSandbox:
		out := []loss{{
			feature: target.LoopbackSelf, verdict: target.Wider, code: diag.CodeLoopback, instead: `loopback = "none", or "host" if that is meant`,
			text: "there is only the loopback of the host, so its services can be reached too",
		}}
		if !full {
			out = append(out, listenLoss(target.LoopbackSelf))
		}
		return out
	case ir.LoopbackHost:
		if !full {
			return []loss{listenLoss(target.LoopbackHost)}
		}
		return []loss{{feature: target.LoopbackHost, verdict: target.Exact}}
	}
	return []loss{{feature: target.LoopbackNone, verdict: target.Dropped, code: diag.CodeLoopback, text: "the loopback mode is not known"}}
}

func listenLoss(f target.Feature) loss {
	return loss{
		feature: f, verdict: target.Wider, code: diag.CodeListen, instead: `loopback = "none"`,
		text: "a server of the command that is meant for loopback may listen on every address of the machine",
	}
}
