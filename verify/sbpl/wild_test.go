package sbpl_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/verify/sbpl"
)

// wild reads a profile of testdata/wild. They are written in the manner of
// profiles of browsers, package managers and services.
func wild(t *testing.T, name string, params map[string]string) *sbpl.Profile {
	t.Helper()
	src, err := os.ReadFile("testdata/wild/" + name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sbpl.Read(name, src, sbpl.Options{Params: params, Files: os.DirFS("testdata"), Search: []string{"/nowhere", "/wild"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var renderer = map[string]string{
	"BUNDLE": "/Applications/B.app", "HOME": "/Users/m.e", "OS": "1015", "ID": "com.example.browser", "PID": "42",
	"STORAGE_COUNT": "2", "STORAGE_0": "/Users/m.e/s0", "STORAGE_1": "/Users/m.e/s1", "HELPER_APP": "com.example.helper",
}

var packages = map[string]string{"BUILD": "/private/tmp/build", "PREFIX": "/opt/p", "TMP": "/private/tmp/t", "HOME": "/Users/me"}

func TestWild(t *testing.T) {
	t.Parallel()
	file := func(p string) sbpl.Subject { return sbpl.Subject{Path: p, Vnode: "REGULAR-FILE"} }
	name := func(n string) sbpl.Subject { return sbpl.Subject{Name: n} }
	local := map[string]string{"NETWORK": "local"}
	for k, v := range packages {
		local[k] = v
	}
	service := map[string]string{"_HOME": "/Users/me"}
	tests := []struct {
		name    string
		file    string
		params  map[string]string
		op      string
		subject sbpl.Subject
		allow   bool
		line    int // of the rule that decides; 0 if the system does
	}{
		{"the bundle", "renderer.sb", renderer, "file-read-data", file("/Applications/B.app/x"), true, 27},
		{"a framework", "renderer.sb", renderer, "file-map-executable", file("/usr/lib/libx.dylib"), true, 27},
		{"a mapping elsewhere", "renderer.sb", renderer, "file-map-executable", file("/Users/m.e/x.dylib"), true, 0},
		{"above the bundle", "renderer.sb", renderer, "file-read-metadata", file("/Applications"), true, 26},
		{"a font", "renderer.sb", renderer, "file-read-data", file("/Library/Fonts/a.ttf"), true, 27},
		{"beside the fonts", "renderer.sb", renderer, "file-read-data", file("/Library/Fontsx"), false, 15},
		{"preferences", "renderer.sb", renderer, "file-read-data", file("/Users/m.e/Library/Preferences/com.example.browser.a-1.plist"), true, 31},
		{"a quoted dot", "renderer.sb", renderer, "file-read-data", file("/Users/mxe/Library/Preferences/com.example.browser.a-1.plist"), false, 15},
		{"the second storage", "renderer.sb", renderer, "file-write-create", file("/Users/m.e/s1/x"), true, 48},
		{"a third storage", "renderer.sb", renderer, "file-write-create", file("/Users/m.e/s2/x"), false, 15},
		{"a service", "renderer.sb", renderer, "mach-lookup", name("com.apple.fonts"), true, 55},
		{"its own service", "renderer.sb", renderer, "mach-lookup", name("com.example.browser.rendezvous.42"), true, 56},
		{"a helper", "renderer.sb", renderer, "mach-lookup", name("com.example.helper.x"), true, 61},
		{"a service that is denied", "renderer.sb", renderer, "mach-lookup", sbpl.Subject{Name: "com.example.secret.x", NameKind: "xpc-service-name"}, false, 62},
		{"a sysctl by expression", "renderer.sb", renderer, "sysctl-read", name("net.routetable.1"), true, 80},
		{"another sysctl", "renderer.sb", renderer, "sysctl-read", name("kern.procargs2"), false, 15},
		{"itself", "renderer.sb", renderer, "process-info-pidinfo", sbpl.Subject{Target: "self"}, true, 86},
		{"others", "renderer.sb", renderer, "process-info-pidinfo", sbpl.Subject{Target: "others"}, false, 85},
		{"a system call", "renderer.sb", renderer, "syscall-unix", sbpl.Subject{}, false, 94},
		{"a newer service", "renderer.sb", renderer, "mach-lookup", name("com.apple.diagnosticd"), true, 102},

		{"the build", "packages.sb", packages, "file-write-create", file("/private/tmp/build/x"), true, 13},
		{"its modes", "packages.sb", packages, "file-write-mode", file("/private/tmp/build/x"), true, 19},
		{"other modes", "packages.sb", packages, "file-write-mode", file("/private/tmp/x"), false, 24},
		{"a temporary directory", "packages.sb", packages, "file-write-data", file("/private/var/folders/a/b/T/x"), true, 13},
		{"the prefix", "packages.sb", packages, "file-write-data", file("/opt/p/etc/x"), false, 20},
		{"elsewhere", "packages.sb", packages, "file-write-data", file("/x"), false, 23},
		{"reading", "packages.sb", packages, "file-read-data", file("/x"), true, 48},
		{"a secret", "packages.sb", packages, "file-read-data", file("/Users/me/.ssh/id"), false, 47},
		{"setuid bits", "packages.sb", packages, "file-write-setugid", file("/private/tmp/build/x"), false, 25},
		{"the network", "packages.sb", packages, "network-outbound", sbpl.Subject{Remote: "1.1.1.1:443"}, false, 34},
		{"a socket", "packages.sb", packages, "network-outbound", sbpl.Subject{Path: "/x.sock"}, true, 35},
		{"the local network that opens all", "packages.sb", local, "network-outbound", sbpl.Subject{Remote: "1.1.1.1:443"}, true, 41},

		{"a cache", "service.sb", service, "file-write-data", file("/Users/me/Library/Caches/com.example.indexd/x"), true, 41},
		{"making the directory above", "service.sb", service, "file-write-create", sbpl.Subject{Path: "/Users/me/Library/Caches", Vnode: "DIRECTORY"}, true, 11},
		{"making a file there", "service.sb", service, "file-write-create", file("/Users/me/Library/Caches"), false, 4},
		{"a preference of this host", "service.sb", service, "file-read-data", file("/Users/me/Library/Preferences/ByHost/.GlobalPreferences.01234567-89AB-CDEF-0123-456789ABCDEF.plist"), true, 44},
		{"of no host", "service.sb", service, "file-read-data", file("/Users/me/Library/Preferences/ByHost/.GlobalPreferences.0123.plist"), false, 4},
		{"by prefix", "service.sb", service, "file-read-data", file("/Users/me/Library/Preferences/.GlobalPreferences.x"), true, 44},
		{"the index", "service.sb", service, "file-write-create", file("/Library/Index/Spool/x"), true, 51},
		{"a link in its place", "service.sb", service, "file-write-create", sbpl.Subject{Path: "/Library/Index/Spool", Vnode: "SYMLINK"}, false, 52},
		{"an attribute there", "service.sb", service, "file-read-xattr", file("/Library/Index/x"), true, 61},
		{"an attribute elsewhere", "service.sb", service, "file-read-xattr", file("/Library/x"), false, 4},
		{"a device setting of a directory", "service.sb", service, "file-ioctl", sbpl.Subject{Path: "/Library/Index/x", Vnode: "DIRECTORY"}, true, 62},
		{"of a link", "service.sb", service, "file-ioctl", sbpl.Subject{Path: "/Library/Index/x", Vnode: "SYMLINK"}, false, 4},
		{"preferences of a process", "service.sb", service, "user-preference-read", sbpl.Subject{}, false, 4},
		{"a web server", "service.sb", service, "network-outbound", sbpl.Subject{Remote: "1.1.1.1:443"}, true, 64},
		{"the older one", "service.sb", service, "network-outbound", sbpl.Subject{Remote: "[2001:db8::1]:80"}, false, 4},
		{"over UDP", "service.sb", service, "network-outbound", sbpl.Subject{Remote: "1.1.1.1:443", Proto: "udp"}, false, 4},
		{"with more operations", "service.sb", service, "file-test-existence", file("/Volumes/Index/x"), true, 66},
		{"a name with a star", "service.sb", service, "mach-lookup", name("com.example.index.spool"), true, 26},
		{"a hard link", "service.sb", service, "file-link", file("/Library/Index/x"), false, 68},
		{"a chosen number", "service.sb", service, "mach-register", name("com.example.indexd.123"), true, 69},
		{"too large a number", "service.sb", service, "mach-register", name("com.example.indexd.1234x"), false, 4},
		{"a kernel control", "service.sb", service, "system-socket", sbpl.Subject{Domain: "AF_SYSTEM", Protocol: "2", Type: "SOCK_STREAM"}, true, 70},
		{"another one", "service.sb", service, "system-socket", sbpl.Subject{Domain: "AF_SYSTEM", Protocol: "1", Type: "SOCK_STREAM"}, false, 4},
		{"an operation without an entitlement", "service.sb", service, "device-camera", sbpl.Subject{}, false, 4},
		{"what the else says", "service.sb", service, "system-sched", sbpl.Subject{}, true, 78},
	}
	for _, tt := range tests {
		t.Run(tt.file+"/"+tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := wild(t, tt.file, tt.params).Decide(tt.op, tt.subject)
			if err != nil {
				t.Fatal(err)
			}
			line := 0
			if d.Rule != nil {
				line = d.Rule.Pos.Line
			}
			if d.Allow != tt.allow || line != tt.line {
				t.Errorf("allow %t by line %d, want %t by line %d", d.Allow, line, tt.allow, tt.line)
			}
		})
	}
}

func TestWildEscapes(t *testing.T) {
	t.Parallel()
	p := wild(t, "packages.sb", packages)
	d, err := p.Decide("process-exec", sbpl.Subject{Path: "/usr/bin/top"})
	if err != nil {
		t.Fatal(err)
	}
	if !d.Allow || !d.Escape {
		t.Errorf("allow %t, escape %t, want both", d.Allow, d.Escape)
	}
	if got, want := d.Rule.String(), `(allow process-exec* (literal "/usr/bin/top") (with no-sandbox))`; got != want {
		t.Errorf("rule %s, want %s", got, want)
	}
	if got, want := p.Line(d.Rule.Pos), `(allow process-exec (literal tool) (with no-sandbox)))`; got != want {
		t.Errorf("line %s, want %s", got, want)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"System/Library/Sandbox/Profiles/a.sb": {Data: []byte(`(version 3)(define (f) (allow file-read* (literal "/a")))`)},
		"usr/share/sandbox/a.sb":               {Data: []byte(`(error "the wrong one")`)},
		"usr/share/sandbox/b.sb":               {Data: []byte(`(import "a.sb")`)},
		"other/a.sb":                           {Data: []byte(`(define (f) (allow file-read* (literal "/other")))`)},
		"usr/share/sandbox/dir/x":              {Data: []byte(`x`)},
		"usr/share/sandbox/loop.sb":            {Data: []byte(`(import "loop.sb")`)},
		"usr/share/sandbox/bad.sb":             {Data: []byte("\n (nothing)")},
	}
	tests := []struct {
		name, src, want string
		options         sbpl.Options
	}{
		{"the first directory", `(import "a.sb") (f)`, `(allow file-read* (literal "/a"))`, sbpl.Options{Files: files}},
		{"one import in another", `(import "b.sb") (f)`, `(allow file-read* (literal "/a"))`, sbpl.Options{Files: files}},
		{"an absolute name", `(import "/other/a.sb") (f)`, `(allow file-read* (literal "/other"))`, sbpl.Options{Files: files}},
		{"a directory of the caller's", `(import "a.sb") (f)`, `(allow file-read* (literal "/other"))`, sbpl.Options{Files: files, Search: []string{"/other"}}},
		{"a directory by parameter", `(import "a.sb") (f)`, `(allow file-read* (literal "/other"))`, sbpl.Options{Files: files, Params: map[string]string{"IMPORT_DIR": "/other"}}},
		{"nowhere", `(import "c.sb")`, "p.sb:1:13: unable to open c.sb: not found in /System/Library/Sandbox/Profiles/c.sb, /usr/share/sandbox/c.sb", sbpl.Options{Files: files}},
		{"no files", `(import "a.sb")`, "p.sb:1:13: unable to open a.sb: not found in /System/Library/Sandbox/Profiles/a.sb, /usr/share/sandbox/a.sb", sbpl.Options{}},
		{"a directory", `(import "dir")`, "p.sb:1:13: unable to open dir: not found in /System/Library/Sandbox/Profiles/dir, /usr/share/sandbox/dir", sbpl.Options{Files: files}},
		{"a name that climbs", `(import "/../../other/../nothing.sb")`, "p.sb:1:13: unable to open /../../other/../nothing.sb: not found in /../../other/../nothing.sb", sbpl.Options{Files: files}},
		{"in a circle", `(import "loop.sb")`, "/usr/share/sandbox/loop.sb:1:1: imports nest deeper than 32", sbpl.Options{Files: files}},
		{"an error in it", `(import "bad.sb")`, "/usr/share/sandbox/bad.sb:2:3: unbound variable: nothing", sbpl.Options{Files: files}},
		{"no string", `(import (param "X"))`, "p.sb:1:13: import wants a string, not #f", sbpl.Options{Files: files}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			p, err := sbpl.Read("p.sb", []byte("(version 1) "+tt.src), tt.options)
			if err != nil {
				got = err.Error()
			} else {
				got = p.Rules[0].String()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
