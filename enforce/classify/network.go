package classify

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/ir"
)

// connection is a socket call that failed.
func (c *classifier) connection(r *trace.Record, what string) {
	switch {
	case r.Path != "":
		c.socket(r, what)
	case r.Family == "inet" || r.Family == "inet6":
		v, ok := c.host(r.Addr)
		if !ok {
			return
		}
		v.Evidence = ByTrace
		at, err := netip.ParseAddrPort(r.Addr)
		switch {
		case err != nil || r.Errno == "EADDRNOTAVAIL" || r.Errno == "EAFNOSUPPORT":
			v.Confidence = Possible
		case at.Addr().IsLoopback():
			if c.Decider.Policy().Network.EffectiveLoopback() == ir.LoopbackHost {
				return
			}
			v.Confidence = Possible // the host may have nothing there either
		case r.Errno == "ECONNREFUSED" || r.Errno == "ETIMEDOUT":
			v.Confidence = Possible
		case v.Confidence == "":
			v.Confidence = Certain
		}
		v.Text = fmt.Sprintf("%s (%s)", v.Text, what)
		c.add(v)
	}
}

// socket is a unix socket in the file system that could not be connected to.
func (c *classifier) socket(r *trace.Record, what string) {
	n := &c.Decider.Policy().Network
	at := c.resolve(r.Path)
	if slices.ContainsFunc(n.UnixSockets, func(s ir.SocketRule) bool { return s.Path == at || s.Written == r.Path }) {
		return
	}
	v := Violation{Op: Connect, Path: at, Rule: Rule{Index: -1, Address: "network.unix_sockets"}, Effect: None, Evidence: ByTrace, Confidence: Certain}
	if r.Errno != "EACCES" && r.Errno != "EPERM" {
		// A socket that is covered or not shown looks as if nobody listened.
		if c.Exists == nil || !c.Exists(at) {
			return
		}
		v.Confidence, v.Missing = Likely, r.Errno == "ENOENT" || r.Errno == "ENOTDIR"
	}
	v.Text = fmt.Sprintf("connect %s: network.unix_sockets does not name the socket (%s)", visible(at), what)
	c.add(v)
}

// host is a host that could not be reached. ok is false where the network is
// open. The confidence is empty unless the policy permits the host.
func (c *classifier) host(name string) (v Violation, ok bool) {
	if c.Network == ir.NetFull {
		return v, false
	}
	n := &c.Decider.Policy().Network
	v = Violation{Op: Connect, Host: name, Effect: None, Rule: Rule{Index: -1, Address: "network.mode", Position: n.Mode.Origin.Range}}
	bare, port := splitPort(name)
	shown := visible(name)
	if name == "" {
		shown = "a host that the message does not name"
	}
	v.Text = fmt.Sprintf("connect %s: the network is closed (mode %q)", shown, c.Network)
	if c.Network != ir.NetProxy {
		return v, true
	}
	if r := matchHost(n.Deny, bare, port); r != nil {
		v.Effect, v.Rule.Address, v.Rule.Position = Deny, r.Origin.Address, r.Origin.Range
		v.Text = fmt.Sprintf("connect %s: closed by %s", shown, r.Origin.Address)
		return v, true
	}
	if r := matchHost(n.Allow, bare, port); r != nil {
		v.Confidence, v.Rule.Address, v.Rule.Position = Possible, r.Origin.Address, r.Origin.Range
		v.Text = fmt.Sprintf("connect %s: %s permits it through the proxy, which the program did not use", shown, r.Origin.Address)
		return v, true
	}
	v.Text = fmt.Sprintf("connect %s: network.allow does not name it, and only the proxy leads out", shown)
	return v, true
}

// splitPort parts a host from a port, which is 0 if there is none.
func splitPort(name string) (host string, port uint16) {
	if at, err := netip.ParseAddrPort(name); err == nil {
		return at.Addr().String(), at.Port()
	}
	host, text, ok := strings.Cut(name, ":")
	if !ok || strings.Contains(text, ":") { // an IPv6 address has no port without brackets
		return name, 0
	}
	for _, r := range text {
		if r < '0' || r > '9' || port > 6553 {
			return name, 0
		}
		port = port*10 + uint16(r-'0')
	}
	return host, port
}

// matchHost returns the first rule that matches a host. A rule for one port
// matches where the port is not known.
func matchHost(rules []ir.HostRule, host string, port uint16) *ir.HostRule {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for i := range rules {
		r := &rules[i]
		if r.Port != 0 && port != 0 && r.Port != port {
			continue
		}
		p := strings.ToLower(r.Host)
		switch {
		case strings.HasPrefix(p, "**."):
			if host == p[3:] || strings.HasSuffix(host, p[2:]) {
				return r
			}
		case strings.HasPrefix(p, "*."):
			if strings.HasSuffix(host, p[1:]) && len(host) >= len(p) {
				return r
			}
		case host == p:
			return r
		}
	}
	return nil
}
