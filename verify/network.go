package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// connection is one question about the network. Addresses differ to Seatbelt
// only in being of the loopback or not, ports only if a rule names one, so that
// a few stand for all.
type connection struct {
	op, what string
	subject  sbpl.Subject
	want     bool
}

// connections are the questions, with the policy's answers. Ports are those that
// rules of the profile name.
func connections(p *ir.Policy, ports []string) []connection {
	full := p.Network.Mode.Value == ir.NetFull
	loopback := p.Network.EffectiveLoopback() != ir.LoopbackNone
	var out []connection
	for _, proto := range []string{"tcp", "udp"} {
		for _, host := range []string{"93.184.215.14", "[2606:2800:21f::1]", "10.0.0.1"} {
			for _, port := range append([]string{"443", "22", "53"}, ports...) {
				out = append(out, connection{"network-outbound", "a connection to another host", sbpl.Subject{Remote: host + ":" + port, Proto: proto}, full})
			}
		}
		for _, host := range []string{"127.0.0.1", "[::1]"} {
			for _, port := range append([]string{"80", "8080", "65535"}, ports...) {
				out = append(out, connection{"network-outbound", "a connection to this machine", sbpl.Subject{Remote: host + ":" + port, Proto: proto}, loopback})
			}
			for _, op := range []string{"network-bind", "network-inbound"} {
				for _, port := range append([]string{"8080"}, ports...) {
					out = append(out, connection{op, "a port of the loopback", sbpl.Subject{Local: host + ":" + port, Proto: proto}, full || loopback})
				}
			}
		}
		for _, op := range []string{"network-bind", "network-inbound"} {
			for _, port := range append([]string{"8080"}, ports...) {
				out = append(out, connection{op, "a port of every address", sbpl.Subject{Local: "0.0.0.0:" + port, Proto: proto}, full})
			}
		}
	}
	return out
}

// ports are those that the profile names.
func (v *profileProof) ports() []string {
	var out []string
	for i := range v.profile.Rules {
		for _, f := range inner(v.profile.Rules[i].Filter) {
			if a, ok := f.(sbpl.Address); ok && a.Port != sbpl.AnyPort {
				out = append(out, strconv.Itoa(a.Port))
			}
		}
	}
	return sorted(out)
}

// network finds what the profile opens of the network although the policy does
// not, or closes although the policy opens it.
func (v *profileProof) network() error {
	said := map[string]bool{}
	for _, c := range connections(v.policy, v.ports()) {
		got, err := v.profile.Decide(c.op, c.subject)
		if err != nil {
			return err
		}
		if got.Allow == c.want {
			continue
		}
		h := Hole{Name: "network", Line: -1, Text: fmt.Sprintf("%s is closed (%s)", c.what, c.op)}
		if got.Allow {
			h.Text = fmt.Sprintf("%s is open (%s)", c.what, c.op)
		}
		if got.Rule != nil {
			h.Line = got.Rule.Pos.Line
		}
		if !said[h.Text] {
			said[h.Text] = true
			v.proof.Holes = append(v.proof.Holes, h)
		}
	}
	return nil
}

// resolver is the socket that finds host names. Who has the whole network may
// ask it.
const resolver = "/private/var/run/mDNSResponder"

// sockets are the sockets in the file system that a command may connect to.
func sockets(p *ir.Policy) entries {
	var out entries
	add := func(path string) {
		out = append(out, entry{key: "socket " + path, when: automata.In{Lang: automata.Literal(path)}, label: allowed, group: groupPlain})
	}
	for _, s := range p.Network.UnixSockets {
		add(onMac(s.Path))
	}
	if p.Network.Mode.Value == ir.NetFull {
		add(resolver)
	}
	return out
}

// onMac returns the name by which the kernel of macOS knows a path: /tmp, /var
// and /etc are links into /private.
func onMac(path string) string {
	for _, link := range rootLinks {
		if strings.HasPrefix(path, link+"/") {
			return "/private" + path
		}
	}
	return path
}

// rootLinks are the links that every Mac has at its root.
var rootLinks = []string{"/tmp", "/var", "/etc"}
