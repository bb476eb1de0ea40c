package sbpltest_test

import (
	"testing"

	"github.com/sandboxc/sbc/target/seatbelt/sbpltest"
)

// The profiles in this test are the evidence that the model stands on: each
// was measured on macOS or follows from two sources at least.
func TestAllows(t *testing.T) {
	t.Parallel()
	data := func(p string) sbpltest.Query { return sbpltest.Query{Op: "file-read-data", Path: p} }
	tests := []struct {
		name    string
		profile string
		query   sbpltest.Query
		want    bool
	}{
		{"a later rule wins", `(deny default)(allow file-read* (subpath "/w"))(deny file-read* (subpath "/w/s"))`, data("/w/s/k"), false},
		{"a deeper path does not win", `(deny default)(deny file-read* (subpath "/w/s"))(allow file-read* (subpath "/w"))`, data("/w/s/k"), true},
		{"a deeper later opening", `(deny default)(deny file-write* (subpath "/w"))(allow file-write* (subpath "/w/o"))`, sbpltest.Query{Op: "file-write-data", Path: "/w/o/x"}, true},
		{"beside the deeper opening", `(deny default)(deny file-write* (subpath "/w"))(allow file-write* (subpath "/w/o"))`, sbpltest.Query{Op: "file-write-data", Path: "/w/p"}, false},
		{"the last of three", `(deny default)(allow file-read* (literal "/w/a"))(deny file-read* (literal "/w/a"))(allow file-read* (literal "/w/a"))`, data("/w/a"), true},
		{"a leaf beats its wildcard", `(deny default)(allow file-read-data (subpath "/"))(deny file-read* (literal "/w/.env"))`, data("/w/.env"), true},
		{"a leaf beats a leaf by order", `(deny default)(allow file-read-data (subpath "/"))(deny file-read-data (literal "/w/.env"))`, data("/w/.env"), false},
		{"a leaf beats a later wildcard", `(deny default)(deny file-read-metadata (subpath "/h"))(allow file-read* (subpath "/h"))`, sbpltest.Query{Op: "file-read-metadata", Path: "/h/x"}, false},
		{"another leaf is left alone", `(deny default)(deny file-read-metadata (subpath "/h"))(allow file-read* (subpath "/h"))`, data("/h/x"), true},
		{"a pin", `(deny default)(deny file-write-unlink (literal "/w/d"))(allow file-write* (subpath "/w"))`, sbpltest.Query{Op: "file-write-unlink", Path: "/w/d"}, false},
		{"below a pin", `(deny default)(deny file-write-unlink (literal "/w/d"))(allow file-write* (subpath "/w"))`, sbpltest.Query{Op: "file-write-unlink", Path: "/w/d/f"}, true},
		{"an unfiltered leaf stops the walk", `(deny default)(allow file-read-metadata)(deny file-read* (subpath "/s"))`, sbpltest.Query{Op: "file-read-metadata", Path: "/s/k"}, true},
		{"a filtered leaf before an unfiltered one", `(deny default)(allow file-write* (subpath "/w"))(allow file-write-mode (subpath "/w"))(deny file-write-mode)`, sbpltest.Query{Op: "file-write-mode", Path: "/w/x"}, true},
		{"an unfiltered rule does not beat a filtered one", `(allow file-write* (subpath "/w"))(deny file-write*)(allow default)`, sbpltest.Query{Op: "file-write-data", Path: "/w/x"}, true},
		{"an unfiltered rule beats default", `(allow file-write* (subpath "/w"))(deny file-write*)(allow default)`, sbpltest.Query{Op: "file-write-data", Path: "/e"}, false},
		{"a socket under an open network", `(deny default)(deny network-outbound (subpath "/r"))(allow network-outbound)`, sbpltest.Query{Op: "network-outbound", Path: "/r/s.sock"}, false},
		{"in the other order", `(deny default)(allow network-outbound)(deny network-outbound (subpath "/r"))`, sbpltest.Query{Op: "network-outbound", Path: "/r/s.sock"}, false},
		{"and the network itself", `(deny default)(deny network-outbound (subpath "/r"))(allow network-outbound)`, sbpltest.Query{Op: "network-outbound", Remote: "1.2.3.4:443"}, true},
		{"the last default", `(allow default)(deny default)`, data("/x"), false},
		{"no rules", ``, data("/x"), false},
		{"a subpath holds itself", `(deny default)(allow file-read* (subpath "/a/b"))`, data("/a/b"), true},
		{"a subpath ends at a slash", `(deny default)(allow file-read* (subpath "/a/b"))`, data("/a/bc"), false},
		{"filters are alternatives", `(deny default)(allow file-read* (literal "/a") (subpath "/c"))`, data("/c/d"), true},
		{"require-all", `(deny default)(allow file-read-metadata (require-all (literal "/v") (vnode-type DIRECTORY)))`, sbpltest.Query{Op: "file-read-metadata", Path: "/other", Vnode: "DIRECTORY"}, false},
		{"require-not", `(deny default)(allow file-write* (require-all (subpath "/w") (require-not (subpath "/w/.git"))))`, sbpltest.Query{Op: "file-write-create", Path: "/w/.git"}, false},
		{"require-not elsewhere", `(deny default)(allow file-write* (require-all (subpath "/w") (require-not (subpath "/w/.git"))))`, sbpltest.Query{Op: "file-write-data", Path: "/w/.gitignore"}, true},
		{"a mach prefix", `(deny default)(allow mach-lookup (global-name-prefix "com.apple.trustd"))`, sbpltest.Query{Op: "mach-lookup", Name: "com.apple.trustd.agent"}, true},
		{"the kernel's path", `(deny default)(allow file-read* (literal "/tmp/foo"))`, data("/private/tmp/foo"), false},
		{"a regex from the start", `(allow default)(deny file-read* (regex #"^/w/[^/]*\.pem$"))`, data("/w/k.pem"), false},
		{"a regex stays in its segment", `(allow default)(deny file-read* (regex #"^/w/[^/]*\.pem$"))`, data("/w/d/k.pem"), true},
		{"doubled backslashes in an ordinary string", `(allow default)(deny file-read* (regex "^/w/\\.env$"))`, data("/w/.env"), false},
		{"a port", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, sbpltest.Query{Op: "network-outbound", Remote: "localhost:8080"}, true},
		{"another port", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, sbpltest.Query{Op: "network-outbound", Remote: "localhost:8081"}, false},
		{"another host", `(deny default)(allow network-outbound (remote ip "localhost:8080"))`, sbpltest.Query{Op: "network-outbound", Remote: "1.1.1.1:8080"}, false},
		{"local opens everything outbound", `(deny default)(allow network-outbound (local ip "localhost:*"))`, sbpltest.Query{Op: "network-outbound", Local: "localhost:5000", Remote: "1.1.1.1:443"}, true},
		{"bind falls back to inbound", `(deny default)(allow network-inbound (local ip "*:*"))`, sbpltest.Query{Op: "network-bind", Local: "0.0.0.0:80"}, true},
		{"a socket by its path", `(deny default)(allow network-outbound (literal "/private/var/run/mDNSResponder"))`, sbpltest.Query{Op: "network-outbound", Path: "/private/var/run/mDNSResponder"}, true},
		{"a socket by its path is no network", `(deny default)(allow network-outbound (literal "/private/var/run/mDNSResponder"))`, sbpltest.Query{Op: "network-outbound", Remote: "1.1.1.1:53"}, false},
		{"executable mappings are open", `(deny default)`, sbpltest.Query{Op: "file-map-executable", Path: "/usr/lib/x.dylib"}, true},
		{"process information is open", `(deny default)`, sbpltest.Query{Op: "process-info-pidinfo"}, true},
		{"hard links are open", `(deny default)(allow file-write* (subpath "/w"))`, sbpltest.Query{Op: "file-link", Path: "/etc/x"}, true},
		{"hard links can be closed", `(deny default)(deny file-link (subpath "/s"))`, sbpltest.Query{Op: "file-link", Path: "/s/k"}, false},
		{"an escaped path", `(allow file-read* (literal "/a\"b\\c"))`, data(`/a"b\c`), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := sbpltest.Parse([]byte("(version 1)" + tt.profile))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Allows(tt.query); got != tt.want {
				t.Errorf("Allows(%+v) = %v, want %v", tt.query, got, tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, profile, want string }{
		{"no version", `(deny default)`, "no version specified"},
		{"another version", `(version 3)`, "unsupported version"},
		{"an unknown operation", `(version 1)(allow made-up-op)`, "unbound variable: made-up-op"},
		{"an unknown form", `(version 1)(setenv "A" "b")`, "unbound variable: setenv"},
		{"a host", `(version 1)(allow network-outbound (remote ip "127.0.0.1:*"))`, "host must be * or localhost in network address"},
		{"a param", `(version 1)(allow file-read* (subpath (param "P")))`, "subpath wants a string"},
		{"an open list", `(version 1)(allow file-read*`, "at byte 28: a list is not closed"},
		{"case folding", `(version 1)(deny file-read* (regex "(?i)^/w"))`, `the regular expression "(?i)^/w" uses "(?"`},
		{"a group that never matches", `(version 1)(deny file-read* (regex #"^/w/(?:a/)?b$"))`, `the regular expression "^/w/(?:a/)?b$" uses "(?"`},
		{"bounded repetition", `(version 1)(deny file-read* (regex #"^/a{2}$"))`, `the regular expression "^/a{2}$" uses "{"`},
		{"a dot", `(version 1)(deny file-read* (regex #"^/a.b$"))`, `the regular expression "^/a.b$" uses a dot`},
		{"doubled backslashes in a raw string", `(version 1)(deny file-read* (regex #"^/w/\\.env$"))`, `the regular expression "^/w/\\\\.env$" uses a dot`},
		{"no anchor", `(version 1)(deny file-read* (regex #"\.env$"))`, `the regular expression "\\.env$" is not anchored`},
		{"a character class escape", `(version 1)(deny file-read* (regex #"^/\w$"))`, `the regular expression "^/\\w$" uses "\\w"`},
		{"an unknown constant", `(version 1)(deny file-read* (vnode-type WHITEOUT))`, "unbound variable: WHITEOUT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := sbpltest.Parse([]byte(tt.profile))
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}
