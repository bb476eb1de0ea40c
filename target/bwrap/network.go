package bwrap

import (
	"strconv"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// networkEntries covers the network. Without full network the command has a
// network namespace of its own with nothing but a loopback in it.
func (l *lowering) networkEntries() []target.Entry {
	n := &l.policy.Network
	var out []target.Entry
	mode := verdict{feature: target.NetworkNone}
	var emitted []string
	switch n.Mode.Value {
	case ir.NetNone:
		emitted = []string{"--unshare-net"}
	case ir.NetProxy:
		emitted = []string{"--unshare-net"}
		mode = verdict{
			feature: target.NetworkProxy, code: diag.CodeProxy, enforcer: target.Proxy,
			loss: "nothing can be reached but the launcher's proxy; without it nothing at all",
		}
	case ir.NetFull:
		mode = verdict{feature: target.NetworkFull}
	}
	e := setting(n.Mode.Layer, n.Mode.Origin, "network.mode", mode)
	e.Emitted, e.Opens = emitted, n.Mode.Value != ir.NetNone
	out = append(out, e)
	for _, h := range n.Allow {
		e := setting(h.Layer, h.Origin, "network.allow["+hostText(h)+"]", hostVerdict(n.Mode.Value, false))
		e.Opens = true
		out = append(out, e)
	}
	for _, h := range n.Deny {
		out = append(out, setting(h.Layer, h.Origin, "network.deny["+hostText(h)+"]", hostVerdict(n.Mode.Value, true)))
	}
	loop := loopbackVerdict(n)
	e = setting(n.Loopback.Layer, n.Loopback.Origin, "network.loopback", loop)
	e.Opens = n.EffectiveLoopback() == ir.LoopbackHost
	out = append(out, e)
	for _, s := range n.UnixSockets {
		for _, v := range l.socketVerdicts(s) {
			e := setting(s.Layer, s.Origin, "network.unix_sockets["+s.Path+"]", v)
			e.Opens = v.verdict != target.Wider && v.verdict != target.Snapshot
			out = append(out, e)
		}
	}
	return out
}

func hostText(h ir.HostRule) string {
	if h.Port == 0 {
		return h.Host
	}
	return h.Host + ":" + strconv.Itoa(int(h.Port))
}

// hostVerdict is for a rule on a host, which only a proxy can keep.
func hostVerdict(mode ir.NetworkMode, deny bool) verdict {
	v := verdict{feature: target.NetworkHosts}
	switch {
	case mode == ir.NetProxy:
		v.code, v.enforcer, v.loss = diag.CodeProxy, target.Proxy, "names of hosts are known to the launcher's proxy only"
	case mode == ir.NetFull && deny:
		v.verdict, v.code = target.Dropped, diag.CodeProxy
		v.loss = "with full network nothing passes the proxy, so the host can be reached"
		v.instead = `mode = "proxy"`
	}
	return v
}

func loopbackVerdict(n *ir.Network) verdict {
	mode := n.EffectiveLoopback()
	full := n.Mode.Value == ir.NetFull
	switch mode {
	case ir.LoopbackNone, ir.LoopbackSandbox:
		v := verdict{feature: target.LoopbackNone}
		if mode == ir.LoopbackSandbox {
			v.feature = target.LoopbackSelf
		}
		if full {
			v.verdict, v.code = target.Wider, diag.CodeLoopback
			v.loss = "with full network the host's loopback is the command's too"
			v.instead = `mode = "proxy", or loopback = "host"`
		}
		return v
	case ir.LoopbackHost:
		v := verdict{feature: target.LoopbackHost}
		if !full {
			v.verdict, v.code = target.Narrower, diag.CodeLoopback
			v.loss = "without full network the command has a loopback of its own, and the host's services are not on it"
		}
		return v
	}
	return verdict{feature: target.LoopbackNone, verdict: target.Dropped, code: diag.CodeLoopback, loss: "the loopback mode is not known"}
}

// socketVerdicts is for a listed socket. Listing one permits sockets of that
// family at all, so all others that can be seen are covered.
func (l *lowering) socketVerdicts(s ir.SocketRule) []verdict {
	n := l.tree.at(s.Path)
	v := verdict{feature: target.UnixSockets, code: diag.CodeSocket}
	p := Quote(s.Path)
	switch {
	case n.state == absent || n.state == blocked:
		v.verdict, v.loss = target.Narrower, p+" does not exist, so the command cannot connect to it"
		if n.given >= ReadOnly {
			v.loss = p + " does not exist; the command can connect to it once it does"
			v.verdict = target.Exact
		}
	case n.given == Closed && n.state != unknown:
		v.verdict, v.loss = target.Narrower, p+" is closed by a rule that stands above, so it stays closed"
	default:
		v.code = ""
	}
	rest := verdict{
		feature: target.UnixSockets, verdict: target.Snapshot, code: diag.CodeSocket,
		loss: "every other socket that was found is covered (" + plural(l.covered, "socket", "sockets") + "); not one that appears later, or that the kernel does not list by its path and that lies outside of the home directory, the temporary directories, /run and what the policy opens",
	}
	if l.scan.sockets >= socketNames {
		rest.loss += "; the search ended after " + plural(l.scan.sockets, "name", "names")
	}
	if l.tree.blind || l.opts.Facts == nil {
		rest.verdict = target.Wider
		rest.loss = "the host's sockets are not known, so the command can connect to any that it can see"
		rest.instead = "compile on the host that it is for"
	}
	out := []verdict{v, rest}
	if l.policy.Network.Mode.Value == ir.NetFull {
		out = append(out, verdict{
			feature: target.UnixSockets, verdict: target.Wider, code: diag.CodeSocket,
			loss:    "with full network and sockets of this family the host's abstract sockets can be reached too",
			instead: `mode = "proxy" or "none"`,
		})
	}
	return out
}
