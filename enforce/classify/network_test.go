package classify_test

import (
	"testing"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/ir"
)

// TestHostMessages: what resolvers and clients say, most of it from runs of them
// in a network name space of their own; that of ping, apt, requests, cargo and
// Ruby is in the form that these are known to use.
func TestHostMessages(t *testing.T) {
	t.Parallel()
	const example = "connect example.com none likely"
	for _, tc := range []struct{ text, want string }{
		{"curl: (6) Could not resolve host: example.com", example},
		{"curl: (7) Failed to connect to 192.0.2.1 port 80 after 15 ms: Couldn't connect to server", "connect 192.0.2.1:80 none possible"},
		{"fatal: unable to access 'https://example.com/x/': Could not resolve host: example.com", example},
		{"ssh: Could not resolve hostname github.com: Temporary failure in name resolution\nfatal: Could not read from remote repository.", "connect github.com none likely"},
		{"ssh: connect to host 192.0.2.1 port 22: Network is unreachable", "connect 192.0.2.1 none likely"},
		{"wget: unable to resolve host address ‘example.com’", example},
		{"Auflösen des Hostnamens example.com (example.com)… fehlgeschlagen: Temporärer Fehler bei der Namensauflösung.\nwget: Host-Adresse »example.com« kann nicht aufgelöst werden", example + "; connect  none possible"},
		{"wget : impossible de résoudre l’adresse de l’hôte « example.com »", example},
		{"Resolving example.com (example.com)... failed: Temporary failure in name resolution.", example},
		{"Error: getaddrinfo EAI_AGAIN example.com\n    at GetAddrInfoReqWrap.onlookup", example},
		{"npm error request to https://registry.example.org/left-pad failed, reason: getaddrinfo EAI_AGAIN registry.example.org", "connect registry.example.org none likely"},
		{"Error: getaddrinfo ENOTFOUND example.com", example},
		{"Error: connect ENETUNREACH 192.0.2.1:80 - Local (0.0.0.0:0)", "connect 192.0.2.1:80 none likely"},
		{"Error: connect ECONNREFUSED 127.0.0.1:5432", "connect 127.0.0.1:5432 none possible"},
		{`go: module example.com/x: Get "https://modules.example.org/example.com/x/@v/list": dial tcp: lookup modules.example.org on 10.0.0.53:53: dial udp 10.0.0.53:53: connect: network is unreachable`, "connect modules.example.org none likely"},
		{"dial tcp: lookup example.com: no such host", example},
		{"dial tcp 192.0.2.1:443: connect: network is unreachable", "connect 192.0.2.1:443 none likely"},
		{"dial tcp [2001:db8::1]:443: connect: network is unreachable", "connect [2001:db8::1]:443 none likely"},
		{`Exception in thread "main" java.net.UnknownHostException: example.com`, example},
		{`Exception in thread "main" java.net.SocketException: Network is unreachable`, "connect  none possible"},
		{"ping: example.com: Temporary failure in name resolution", example},
		{"Err:1 http://packages.example.org/debian bookworm InRelease\n  Temporary failure resolving 'packages.example.org'", "connect packages.example.org none likely"},
		{"socket.gaierror: [Errno -3] Temporary failure in name resolution", "connect  none possible"},
		{"OSError: [Errno 101] Network is unreachable", "connect  none possible"},
		{"requests.exceptions.ConnectionError: HTTPSConnectionPool(host='python.example.org', port=443): Max retries exceeded with url: / (Caused by NewConnectionError('...: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution'))", "connect python.example.org none likely"},
		{"warning: spurious network error (3 tries remaining): [6] Couldn't resolve host name (Could not resolve host: index.example.org)", "connect index.example.org none likely"},
		{"a.rb:1: Failed to open TCP connection to example.com:443 (getaddrinfo: Temporary failure in name resolution) (SocketError)", "connect example.com:443 none likely"},
	} {
		if got := said(tc.text); got != tc.want {
			t.Errorf("%q:\n got %q\nwant %q", tc.text, got, tc.want)
		}
		in := input()
		in.Stderr, in.Network = tc.text, ir.NetFull
		if got := short(classify.Classify(in)); got != "" {
			t.Errorf("%q with an open network: %s", tc.text, got)
		}
	}
}

// TestProxy: what the policy permits through the proxy is at most possible.
func TestProxy(t *testing.T) {
	t.Parallel()
	p := policy()
	host := func(pattern string, port uint16) ir.HostRule {
		return ir.HostRule{Host: pattern, Port: port, Origin: ir.Origin{Address: "network.allow[" + pattern + "]"}}
	}
	p.Network.Mode.Value = ir.NetProxy
	p.Network.Allow = []ir.HostRule{host("*.example.com", 443), host("**.example.org", 0), host("one.test", 0)}
	p.Network.Deny = []ir.HostRule{host("bad.example.org", 0)}
	for _, tc := range []struct{ host, want string }{
		{"a.example.com", "connect a.example.com none possible"},
		{"example.com", "connect example.com none likely"},
		{"b.a.example.org", "connect b.a.example.org none possible"},
		{"example.org", "connect example.org none possible"},
		{"notexample.org", "connect notexample.org none likely"},
		{"bad.example.org", "connect bad.example.org deny likely"},
		{"ONE.test", "connect ONE.test none possible"},
	} {
		in := input()
		in.Decider, in.Network, in.Stderr = ir.NewDecider(p, ir.Linux), ir.NetProxy, "curl: (6) Could not resolve host: "+tc.host
		if got := short(classify.Classify(in)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.host, got, tc.want)
		}
	}
	for _, tc := range []struct{ addr, want string }{
		{"192.0.2.1:443", "connect 192.0.2.1:443 none certain"},
	} {
		in := input()
		in.Decider, in.Network = ir.NewDecider(p, ir.Linux), ir.NetProxy
		in.Trace = []trace.Record{{Call: "connect", Family: "inet", Addr: tc.addr, Errno: "ENETUNREACH"}}
		if got := short(classify.Classify(in)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.addr, got, tc.want)
		}
	}
}
