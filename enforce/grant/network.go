package grant

import (
	"net/netip"
	"strings"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/ir"
)

// network is the suggestion for a connection.
func (o *Options) network(v classify.Violation) (Suggestion, string) {
	if v.Path != "" {
		if !text(v.Path) {
			return Suggestion{}, "the socket's path cannot be written in a policy, which is UTF-8 text"
		}
		return Suggestion{Socket: v.Path}, ""
	}
	// A host that is not named can be let through by opening all.
	if v.Host == "" {
		return Suggestion{Mode: ir.NetFull.String()}, ""
	}
	host, ok := hostRule(v.Host)
	if !ok {
		return Suggestion{}, "no host rule can be written for " + v.Host
	}
	s := Suggestion{Host: host}
	if o.Policy.Network.Mode.Value == ir.NetNone {
		s.Mode = ir.NetProxy.String()
	}
	return s, ""
}

// hostRule writes a host as a policy has it.
func hostRule(host string) (string, bool) {
	if at, err := netip.ParseAddrPort(host); err == nil {
		return at.String(), true
	}
	if at, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return at.String(), true
	}
	ok := host != "" && !strings.ContainsFunc(host, func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune("-._:", r)
	})
	return strings.ToLower(host), ok
}
