package sbpl_test

import (
	"strings"
	"testing"

	"github.com/sandboxc/sbc/verify/sbpl"
)

const (
	allow  = "allow"
	deny   = "deny"
	escape = "allow, escape"
)

// The profiles in this test are the evidence that the model stands on. Each
// was measured on macOS or follows from what programs rely on in production;
// those with one source, or a table as their source, are marked.
func TestVectors(t *testing.T) {
	t.Parallel()
	at := func(p string) sbpl.Subject { return sbpl.Subject{Path: p} }
	to := func(addr string) sbpl.Subject { return sbpl.Subject{Remote: addr} }
	const (
		data   = "file-read-data"
		meta   = "file-read-metadata"
		write  = "file-write-data"
		create = "file-write-create"
		unlink = "file-write-unlink"
		out    = "network-outbound"
	)
	tests := []struct {
		name    string
		profile string
		op      string
		subject sbpl.Subject
		want    string
	}{
		// Order within one operation.
		{"a later rule with a filter wins", `(deny default)(allow file-read* (subpath "/w"))(deny file-read* (subpath "/w/s"))`, data, at("/w/s/k"), deny},
		{"a deeper path does not win", `(deny default)(deny file-read* (subpath "/w/s"))(allow file-read* (subpath "/w"))`, data, at("/w/s/k"), allow},
		{"a deeper later opening", `(deny default)(deny file-write* (subpath "/w"))(allow file-write* (subpath "/w/o"))`, write, at("/w/o/x"), allow},
		{"beside the deeper opening", `(deny default)(deny file-write* (subpath "/w"))(allow file-write* (subpath "/w/o"))`, write, at("/w/p"), deny},
		{"the last of three", `(deny default)(allow file-read* (literal "/w/a"))(deny file-read* (literal "/w/a"))(allow file-read* (literal "/w/a"))`, data, at("/w/a"), allow},

		// An operation against the one it falls back to.
		{"a leaf beats its wildcard", `(deny default)(allow file-read-data (subpath "/"))(deny file-read* (literal "/w/.env"))`, data, at("/w/.env"), allow},
		{"a leaf against a leaf", `(deny default)(allow file-read-data (subpath "/"))(deny file-read-data (literal "/w/.env"))`, data, at("/w/.env"), deny},
		{"a leaf beats a later wildcard", `(deny default)(deny file-read-metadata (subpath "/h"))(allow file-read* (subpath "/h"))`, meta, at("/h/x"), deny},
		{"the other leaf is left alone", `(deny default)(deny file-read-metadata (subpath "/h"))(allow file-read* (subpath "/h"))`, data, at("/h/x"), allow},
		{"a pin", `(deny default)(deny file-write-unlink (literal "/w/d"))(allow file-write* (subpath "/w"))`, unlink, at("/w/d"), deny},
		{"below a pin", `(deny default)(deny file-write-unlink (literal "/w/d"))(allow file-write* (subpath "/w"))`, unlink, at("/w/d/f"), allow},
		{"an unfiltered leaf stops the walk (one source)", `(deny default)(allow file-read-metadata)(deny file-read* (subpath "/s"))`, meta, at("/s/k"), allow},
		{"but only its own", `(deny default)(allow file-read-metadata)(deny file-read* (subpath "/s"))`, data, at("/s/k"), deny},
		{"a filtered leaf before an unfiltered one", `(deny default)(allow file-write* (subpath "/w"))(allow file-write-mode (subpath "/w"))(deny file-write-mode)`, "file-write-mode", at("/w/x"), allow},

		// Rules without filters.
		{"an unfiltered rule does not beat a filtered one", `(allow file-write* (subpath "/w"))(deny file-write*)(allow default)`, write, at("/w/x"), allow},
		{"an unfiltered rule beats default", `(allow file-write* (subpath "/w"))(deny file-write*)(allow default)`, write, at("/e"), deny},
		{"a socket under an open network", `(deny default)(deny network-outbound (subpath "/r"))(allow network-outbound)`, out, at("/r/s.sock"), deny},
		{"in the other order", `(deny default)(allow network-outbound)(deny network-outbound (subpath "/r"))`, out, at("/r/s.sock"), deny},
		{"and the network itself", `(deny default)(deny network-outbound (subpath "/r"))(allow network-outbound)`, out, to("1.2.3.4:443"), allow},
		{"the last default", `(allow default)(deny default)`, data, at("/x"), deny},
		{"no default", ``, data, at("/x"), deny},

		// Filters.
		{"a subpath holds itself", `(deny default)(allow file-read* (subpath "/a/b"))`, data, at("/a/b"), allow},
		{"a subpath ends at a slash", `(deny default)(allow file-read* (subpath "/a/b"))`, data, at("/a/bc"), deny},
		{"a prefix does not", `(deny default)(allow file-read* (prefix "/a/b"))`, data, at("/a/bc"), allow},
		{"filters are alternatives", `(deny default)(allow file-read* (literal "/a") (subpath "/c"))`, data, at("/c/d"), allow},
		{"require-all", `(deny default)(allow file-read-metadata (require-all (literal "/v") (vnode-type DIRECTORY)))`, meta, sbpl.Subject{Path: "/other", Vnode: "DIRECTORY"}, deny},
		{"require-not", `(deny default)(allow file-write* (require-all (subpath "/w") (require-not (subpath "/w/.git"))))`, create, at("/w/.git"), deny},
		{"require-not elsewhere", `(deny default)(allow file-write* (require-all (subpath "/w") (require-not (subpath "/w/.git"))))`, write, at("/w/.gitignore"), allow},
		{"an ancestor", `(deny default)(allow file-read-metadata (path-ancestors "/a/b/c"))`, meta, at("/a/b"), allow},
		{"the root is an ancestor", `(deny default)(allow file-read-metadata (path-ancestors "/a/b/c"))`, meta, at("/"), allow},
		{"a path is none of its ancestors", `(deny default)(allow file-read-metadata (path-ancestors "/a/b/c"))`, meta, at("/a/b/c"), deny},
		{"a neighbour is none either", `(deny default)(allow file-read-metadata (path-ancestors "/a/b/c"))`, meta, at("/a/x"), deny},
		{"the prefix of a service", `(deny default)(allow mach-lookup (global-name-prefix "com.apple.trustd"))`, "mach-lookup", sbpl.Subject{Name: "com.apple.trustd.agent"}, allow},
		{"a service of another kind", `(deny default)(allow mach-lookup (xpc-service-name-prefix ""))`, "mach-lookup", sbpl.Subject{Name: "com.apple.trustd.agent"}, deny},
		{"a service of that kind", `(deny default)(allow mach-lookup (xpc-service-name-prefix ""))`, "mach-lookup", sbpl.Subject{Name: "a", NameKind: "xpc-service-name"}, allow},

		// Paths are the kernel's own.
		{"a filter through a link is dead", `(deny default)(allow file-read* (literal "/tmp/foo"))`, data, at("/private/tmp/foo"), deny},
		{"the resolved path", `(deny default)(allow file-read* (literal "/private/tmp/foo"))`, data, at("/private/tmp/foo"), allow},
		{"a dead deny fails open", `(allow default)(deny file-read* (subpath "/tmp/s"))`, data, at("/private/tmp/s/k"), allow},
		{"the link itself is asked for", `(deny default)(allow file-read* (literal "/etc/hosts") (literal "/private/etc/hosts"))`, meta, sbpl.Subject{Path: "/etc", Vnode: "SYMLINK"}, deny},
		{"and may be granted", `(deny default)(allow file-read* (literal "/etc/hosts") (literal "/private/etc/hosts"))(allow file-read-metadata (literal "/etc"))`, meta, sbpl.Subject{Path: "/etc", Vnode: "SYMLINK"}, allow},
		{"a rename removes its source", `(deny default)(allow file-write-create (subpath "/w"))`, unlink, at("/w/a"), deny},
		{"a rename asks nothing about reading", `(allow default)(deny file-read* (subpath "/h/.aws"))`, unlink, at("/h/.aws"), allow},

		// Regular expressions.
		{"a search", `(allow default)(deny file-read* (regex #"\.env$"))`, data, at("/w/a.env"), deny},
		{"no directory between", `(allow default)(deny file-read* (regex #"^/w/(.*/)?\.env$"))`, data, at("/w/.env"), deny},
		{"two directories between", `(allow default)(deny file-read* (regex #"^/w/(.*/)?\.env$"))`, data, at("/w/d/e/.env"), deny},
		{"within a name", `(allow default)(deny file-read* (regex #"^/w/(.*/)?\.env$"))`, data, at("/w/xenv"), allow},
		{"at the end of a name", `(allow default)(deny file-read* (regex #"^/w/(.*/)?\.env$"))`, data, at("/w/a.env"), allow},
		{"a group that never matches", `(allow default)(deny file-read* (regex #"^/w/(?:.*/)?\.env$"))`, data, at("/w/d/.env"), allow},
		{"doubled backslashes in an ordinary string", `(allow default)(deny file-read* (regex "^/w/\\.env$"))`, data, at("/w/.env"), deny},
		{"doubled backslashes in a raw string", `(allow default)(deny file-read* (regex #"^/w/\\.env$"))`, data, at("/w/.env"), allow},
		{"a class stays in its segment", `(allow default)(deny file-read* (regex #"^/w/[^/]*\.pem$"))`, data, at("/w/d/k.pem"), allow},
		{"and matches there", `(allow default)(deny file-read* (regex #"^/w/[^/]*\.pem$"))`, data, at("/w/k.pem"), deny},

		// The network.
		{"a port", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, out, to("127.0.0.1:8080"), allow},
		{"another port", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, out, to("127.0.0.1:8081"), deny},
		{"another host", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, out, to("1.1.1.1:8080"), deny},
		{"the loopback in IPv6", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, out, to("[::1]:8080"), allow},
		{"a mapped address is not localhost", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, out, to("[::ffff:127.0.0.1]:8080"), deny},
		{"local opens everything outbound", `(deny default)(allow network-outbound (local ip "localhost:*"))`, out, to("1.1.1.1:443"), allow},
		{"bind falls back to inbound", `(deny default)(allow network-inbound (local ip "*:*"))`, "network-bind", sbpl.Subject{Local: "0.0.0.0:80"}, allow},
		{"localhost is no wildcard (one source)", `(deny default)(allow network-bind (local ip "localhost:*"))`, "network-bind", sbpl.Subject{Local: "0.0.0.0:80"}, deny},
		{"localhost is every address of the machine", `(deny default)(allow network-inbound (local ip "localhost:*"))`, "network-inbound", sbpl.Subject{Local: "192.168.1.2:80"}, allow},
		{"remote has no effect inbound", `(deny default)(allow network-inbound (remote ip "*:*"))`, "network-inbound", sbpl.Subject{Local: "127.0.0.1:80", Remote: "127.0.0.1:5000"}, deny},
		{"a socket by its path", `(deny default)(allow network-outbound (literal "/private/var/run/mDNSResponder"))`, out, at("/private/var/run/mDNSResponder"), allow},
		{"a socket by its path is no network", `(deny default)(allow network-outbound (literal "/private/var/run/mDNSResponder"))`, out, to("1.1.1.1:53"), deny},
		{"the old form of a socket", `(deny default)(allow network-outbound (remote unix-socket (path-literal "/s")))`, out, at("/s"), allow},
		{"every socket", `(allow default)(deny network*)(allow network* (remote unix-socket))`, out, at("/any"), allow},
		{"every socket is no network", `(allow default)(deny network*)(allow network* (remote unix-socket))`, out, to("1.1.1.1:443"), deny},

		// What (deny default) leaves open.
		{"executable mappings", `(deny default)`, "file-map-executable", at("/usr/lib/x.dylib"), allow},
		{"information on processes", `(deny default)`, "process-info-pidinfo", sbpl.Subject{Target: "others"}, allow},
		{"properties of devices", `(deny default)`, "iokit-get-properties", sbpl.Subject{}, allow},
		{"boot settings", `(deny default)`, "nvram-get", sbpl.Subject{}, allow},
		{"hard links (a table)", `(deny default)(allow file-write* (subpath "/w"))`, "file-link", at("/etc/x"), allow},
		{"hard links can be closed (a table)", `(deny default)(deny file-link (subpath "/s"))`, "file-link", at("/s/k"), deny},
		{"setuid bits are not (a table)", `(allow default)`, "file-write-setugid", at("/x"), deny},
		{"a signal to itself (one source)", `(deny default)`, "signal", sbpl.Subject{Target: "self"}, allow},
		{"a signal to others", `(deny default)`, "signal", sbpl.Subject{Target: "others"}, deny},
		{"the name of its own task (one source)", `(deny default)`, "mach-task-name", sbpl.Subject{Target: "self"}, allow},

		// Text.
		{"a modifier without a filter", `(deny default (with no-log))`, data, at("/x"), deny},
		{"no-sandbox", `(allow process-exec (literal "/bin/ps") (with no-sandbox))`, "process-exec*", at("/bin/ps"), escape},
		{"an escaped path", `(allow file-read* (literal "/a\"b\\c"))`, data, at(`/a"b\c`), allow},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := read(t, "(version 1)"+tt.profile)
			d, err := p.Decide(tt.op, tt.subject)
			if err != nil {
				t.Fatal(err)
			}
			got := deny
			switch {
			case d.Escape:
				got = escape
			case d.Allow:
				got = allow
			}
			if got != tt.want {
				t.Errorf("%s of %+v: %s, want %s", tt.op, tt.subject, got, tt.want)
			}
			if (d.Rule == nil) == (d.Builtin == "") {
				t.Errorf("rule %v and builtin %q: want one of them", d.Rule, d.Builtin)
			}
		})
	}
}

func TestVectorsThatDoNotCompile(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, profile, want string }{
		{"case folding", `(deny file-read* (regex #"(?i)^/w"))`, `p.sb:1:29: in the regular expression "(?i)^/w" at byte 0: (? is not supported: the profile would not compile`},
		{"a host", `(allow network-outbound (remote ip "127.0.0.1:*"))`, "p.sb:1:36: host must be * or localhost in network address"},
		{"a parameter that is missing", `(allow file-read* (subpath (param "P")))`, "p.sb:1:30: subpath wants a string, not #f"},
		{"an operation", `(allow made-up-op)`, "p.sb:1:19: unbound variable: made-up-op"},
		{"a form", `(setenv "A" "b")`, "p.sb:1:13: unbound variable: setenv"},
		{"a constant", `(deny file-read* (vnode-type WHITEOUT))`, "p.sb:1:41: unbound variable: WHITEOUT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := sbpl.Read("p.sb", []byte("(version 1)"+tt.profile), sbpl.Options{})
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

func TestFileModeIsOctal(t *testing.T) {
	t.Parallel()
	p := read(t, `(version 1)(allow file-read-metadata (file-mode #o0004))`)
	if got, want := p.Rules[0].Filter.String(), "(file-mode 4)"; got != want {
		t.Errorf("filter %s, want %s", got, want)
	}
}

func read(t *testing.T, profile string) *sbpl.Profile {
	t.Helper()
	p, err := sbpl.Read("p.sb", []byte(profile), sbpl.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.TrimSpace(profile))
	}
	return p
}
