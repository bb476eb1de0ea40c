package frontend

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// network merges the network blocks: mode and loopback nearest first, lists as
// a union.
func (b *builder) network(n *ir.Network) {
	for _, u := range b.units {
		blk := u.doc.Child("network")
		if blk == nil {
			continue
		}
		was := n.Mode.Value
		setting(b, &n.Mode, u, blk, "network.", "mode", netMode(blk.Text("mode").Value), func(now, to ir.NetworkMode) bool { return to <= now })
		loop := n.EffectiveLoopback()
		setting(b, &n.Loopback, u, blk, "network.", "loopback", loopbackMode(blk.Text("loopback").Value), func(_, to ir.LoopbackMode) bool { return to <= loop })
		for _, t := range blk.Texts("allow") {
			// From full, a narrow proxy mode with its hosts is narrower.
			if u.narrow && was != ir.NetFull {
				b.setAside(u, t.Range, "network.allow["+t.Source+"]", "the host rule")
				continue
			}
			b.host(&n.Allow, u, t, "allow")
		}
		for _, t := range blk.Texts("deny") {
			b.host(&n.Deny, u, t, "deny")
		}
		for _, t := range blk.Texts("unix_sockets") {
			b.socket(n, u, t)
		}
	}
	b.checkHosts(n)
}

func netMode(word string) ir.NetworkMode {
	for _, m := range []ir.NetworkMode{ir.NetProxy, ir.NetFull} {
		if m.String() == word {
			return m
		}
	}
	return ir.NetNone
}

func loopbackMode(word string) ir.LoopbackMode {
	for _, m := range []ir.LoopbackMode{ir.LoopbackSandbox, ir.LoopbackHost} {
		if m.String() == word {
			return m
		}
	}
	return ir.LoopbackNone
}

// checkHosts warns of host rules that nothing looks at.
func (b *builder) checkHosts(n *ir.Network) {
	if n.Mode.Value == ir.NetNone {
		for _, h := range n.Allow {
			b.warn(diag.CodeDeadRule, h.Origin.Range, h.Origin.Address, fmt.Sprintf("the host rule %q opens nothing", h.Host),
				`The network mode is "none". Write mode = "proxy", or remove the rule.`)
		}
	}
}

func (b *builder) socket(n *ir.Network, u unit, t document.Text) {
	address := "network.unix_sockets[" + t.Source + "]"
	if u.narrow {
		b.setAside(u, t.Range, address, "the socket")
		return
	}
	p, ok := b.paths.read(t, true)
	if !ok {
		return
	}
	if p.isGlob() {
		b.globRoot(p, "read", address)
		return
	}
	res, ok := b.resolve(p.literal, t.Range, address)
	if !ok {
		return
	}
	r := ir.SocketRule{Path: res.Path, Layer: u.layer, Origin: u.origin(address, t.Range)}
	if res.Path != p.literal {
		r.Written = p.literal
		b.others = append(b.others, linked{rule: ir.FileRule{Match: ir.Subtree(res.Path), Origin: r.Origin}, links: res.Links, rng: t.Range})
	} else {
		b.listed = append(b.listed, res.Path)
	}
	n.UnixSockets = append(n.UnixSockets, r)
}

func (b *builder) host(list *[]ir.HostRule, u unit, t document.Text, kind string) {
	text := document.Plain(t.Value)
	host, port, err := parseHost(text)
	if err != nil {
		b.fail(diag.CodeHostPattern, t.Range, "network."+kind, fmt.Sprintf("%q is no host rule: %v", text, err),
			`Write "host", "*.domain", "**.domain" or an IP address, optionally with ":port" ("[::1]:443" for IPv6).`)
		return
	}
	*list = append(*list, ir.HostRule{Host: host, Port: port, Layer: u.layer, Origin: u.origin(fmt.Sprintf("network.%s[%s]", kind, t.Source), t.Range)})
}

// parseHost reads a host pattern with an optional port. Names come out in lower
// case, addresses in their shortest form.
func parseHost(text string) (host string, port uint16, err error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return ipHost(a)
	}
	host = text
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		n, err := strconv.ParseUint(text[i+1:], 10, 16)
		if err != nil || n == 0 || text[i+1] == '+' || text[i+1] == '0' {
			return "", 0, fmt.Errorf("the port %q is not a number from 1 to 65535", text[i+1:])
		}
		host, port = text[:i], uint16(n)
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		a, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !strings.HasSuffix(inner, "]") || !a.Is6() {
			return "", 0, fmt.Errorf("%q is no IPv6 address", host)
		}
		h, _, err := ipHost(a)
		return h, port, err
	}
	if a, err := netip.ParseAddr(host); err == nil && a.Is4() {
		return a.String(), port, nil
	}
	name, all := strings.CutPrefix(host, "**.")
	if !all {
		name = strings.TrimPrefix(host, "*.")
	}
	if err := checkName(name); err != nil {
		return "", 0, err
	}
	return strings.ToLower(host), port, nil
}

func ipHost(a netip.Addr) (string, uint16, error) {
	if a.Zone() != "" {
		return "", 0, fmt.Errorf("an address with a zone means something else on every machine")
	}
	return a.String(), 0, nil
}

// checkName checks a domain name: labels of letters, digits, "-" and "_", each
// up to 63 bytes, 253 in all (RFC 1035, section 2.3.4).
func checkName(name string) error {
	if name == "" || len(name) > 253 {
		return fmt.Errorf("the name is empty or longer than 253 bytes")
	}
	labels := strings.Split(name, ".")
	numeric := true
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' {
			return fmt.Errorf("the label %q of the name is not valid", l)
		}
		for _, c := range l {
			switch {
			case '0' <= c && c <= '9':
			case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '-', c == '_':
				numeric = false
			case c == '*':
				return fmt.Errorf(`"*" stands only at the start, as "*." or "**."`)
			default:
				return fmt.Errorf("the name holds %q; write international names in their xn-- form", c)
			}
		}
	}
	if numeric {
		return fmt.Errorf("%q is neither a name nor a whole IP address", name)
	}
	return nil
}
