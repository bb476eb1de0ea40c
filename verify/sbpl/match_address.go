package sbpl

import (
	"net/netip"
	"strconv"
	"strings"
)

// address answers whether an address filter matches. On outgoing connections
// one on the own address matches whatever the other side is, and on incoming
// ones a filter on the other side has no effect: both were measured.
func (m *matcher) address(f Address) (bool, []Assumption) {
	s := m.subject
	switch {
	case s.Path != "":
		return false, nil // a socket in the file system has no address
	case s.Remote == "" && s.Local == "":
		return notGiven()
	}
	outgoing := m.op == "network-outbound"
	if f.Remote {
		if !outgoing || s.Remote == "" {
			return false, nil
		}
		e := endpointOf(s.Remote)
		if !f.protoMatches(e, s.Proto) || !f.portMatches(e) {
			return false, nil
		}
		return f.Host == "*" || e.loopback, f.loopbackDoubt(e)
	}
	if outgoing && s.Local == "" {
		e := endpointOf(s.Remote)
		if !f.protoMatches(e, s.Proto) {
			return false, nil
		}
		if f.Port == AnyPort {
			return true, nil
		}
		return false, assumption(assumeLocalPort)
	}
	if s.Local == "" {
		return false, nil
	}
	e := endpointOf(s.Local)
	if !f.protoMatches(e, s.Proto) || !f.portMatches(e) {
		return false, nil
	}
	if outgoing {
		return true, nil
	}
	// As the own address, localhost is every address of the machine, but not
	// the wildcard.
	return f.Host == "*" || !e.wildcard, nil
}

// endpoint is one side of a connection.
type endpoint struct {
	port     string
	six      bool // an IPv6 address
	named    bool // not an address but a name, which may be either
	loopback bool
	wildcard bool
	near     bool // in the range of the loopback, but not its usual address
}

func endpointOf(s string) endpoint {
	host, port, _ := cutLast(s)
	e := endpoint{port: port}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	a, err := netip.ParseAddr(host)
	switch {
	case err != nil:
		e.named = true
		e.loopback = host == "localhost"
		e.wildcard = host == "*" || host == ""
		return e
	case a.Is4():
		e.loopback = a == netip.AddrFrom4([4]byte{127, 0, 0, 1})
		e.near = a.IsLoopback() && !e.loopback
	default:
		e.six = true
		e.loopback = a == netip.IPv6Loopback() // ::ffff:127.0.0.1 was measured not to be
	}
	e.wildcard = a.IsUnspecified()
	return e
}

func (f Address) protoMatches(e endpoint, proto string) bool {
	if proto == "" {
		proto = "tcp"
	}
	kind := strings.TrimRight(f.Proto, "46")
	if kind != "ip" && kind != proto {
		return false
	}
	switch {
	case e.named:
		return true
	case strings.HasSuffix(f.Proto, "4"):
		return !e.six
	case strings.HasSuffix(f.Proto, "6"):
		return e.six
	}
	return true
}

func (f Address) portMatches(e endpoint) bool {
	return f.Port == AnyPort || e.port == strconv.Itoa(f.Port)
}

func (f Address) loopbackDoubt(e endpoint) []Assumption {
	if f.Host == "localhost" && e.near {
		return assumption(assumeLoopback)
	}
	return nil
}
