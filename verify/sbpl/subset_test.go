package sbpl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sandboxc/sbc/verify/sbpl"
)

func TestSubsetRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1000)
	tests := []struct {
		name, profile string
		want          []string
	}{
		{"nothing", ``, nil},
		{"a rule", `(allow file-read* file-write* (literal "/a") (subpath "/b"))`, nil},
		{"no-sandbox", `(allow process-exec* (literal "/bin/ps") (with no-sandbox))`, []string{"3:42: no-sandbox: what is started would run without the sandbox"}},
		{"no-sandbox by its other name", `(allow process-exec* (with no-profile))`, []string{"3:22: no-sandbox: what is started would run without the sandbox"}},
		{"another modifier", `(deny file-read* (with no-log))`, []string{"3:18: a modifier"}},
		{"a group that never matches", `(deny file-read* (regex #"^/w/(?:a/)?b$"))`, []string{"3:25: the regular expression has (?:...), which macOS takes and which then matches nothing"}},
		{"case folding", `(deny file-read* (regex #"(?i)^/w$"))`, []string{`3:25: in the regular expression "(?i)^/w$" at byte 0: (? is not supported: the profile would not compile`}},
		{"a count", `(deny file-read* (regex #"^/a{2}$"))`, []string{"3:25: the regular expression has a counted repetition"}},
		{"a dot", `(deny file-read* (regex #"^/w/(.*/)?b$"))`, []string{"3:25: the regular expression has a dot"}},
		{"doubled backslashes in a raw string", `(deny file-read* (regex #"^/w/\\.env$"))`, []string{"3:25: the regular expression has a dot"}},
		{"a class by name", `(deny file-read* (regex #"^/\w$"))`, []string{"3:25: the regular expression has a class by name"}},
		{"an escaped letter", `(deny file-read* (regex #"^/\b$"))`, []string{"3:25: the regular expression has an escaped letter or digit"}},
		{"two quantifiers", `(deny file-read* (regex #"^/a*?$"))`, []string{"3:25: the regular expression has two quantifiers in a row"}},
		{"no anchor", `(deny file-read* (regex #"/b$"))`, []string{"3:25: the regular expression does not start with ^"}},
		{"a long expression", `(deny file-read* (regex #"^/` + long + `"))`, []string{"3:25: the regular expression has 1002 bytes, more than 1000"}},
		{"an expression through a link", `(deny file-read* (regex #"^/[Tt][Mm][Pp]/x$"))`, []string{"3:25: the regular expression passes the link /tmp, which the kernel resolves to /private/tmp: the rule would match nothing"}},
		{"a quote in a raw string", `(deny file-read* (regex #"^/a\") (subpath "b$"))`, []string{`3:25: \" in #"...": what it means is not known`, `3:43: "b$" is not absolute: the rule would match nothing`}},
		{"a host", `(allow network-outbound (remote ip "127.0.0.1:*"))`, []string{"3:36: host must be * or localhost in network address"}},
		{"a port", `(allow network-outbound (remote ip "*:http"))`, []string{"3:36: port must be a number or * in network address"}},
		{"another protocol", `(allow network-outbound (remote tcp "*:80"))`, []string{`3:25: remote of something other than ip "HOST:PORT"`}},
		{"no address", `(allow network-inbound (local ip))`, []string{`3:24: local of something other than ip "HOST:PORT"`}},
		{"the own address of outgoing connections", `(allow network-bind network-outbound (local ip "*:*"))`, []string{"3:38: (local ip ...) on network-outbound opens every outgoing connection"}},
		{"and of all", `(allow network* (local ip "*:*"))`, []string{"3:17: (local ip ...) on network* opens every outgoing connection"}},
		{"the other side of incoming connections", `(allow network-inbound (remote ip "*:*"))`, []string{"3:24: (remote ip ...) on network-inbound has no effect"}},
		{"an address on files", `(allow file-read* (local ip "*:*"))`, []string{"3:19: (local ip ...) on file-read*"}},
		{"sockets in the old form", `(allow network-outbound (remote unix-socket))`, []string{`3:25: remote of something other than ip "HOST:PORT"`}},
		{"a path through a link", `(deny file-read* (literal "/tmp/x"))`, []string{`3:27: "/tmp/x" passes the link /tmp, which the kernel resolves to /private/tmp: the rule would match nothing`}},
		{"a tree through a link", `(deny file-read* (subpath "/var/db"))`, []string{`3:27: "/var/db" passes the link /var, which the kernel resolves to /private/var: the rule would match nothing`}},
		{"a tree that is a link", `(deny file-read* (subpath "/etc"))`, []string{`3:27: "/etc" passes the link /etc, which the kernel resolves to /private/etc: the rule would match nothing`}},
		{"the link itself", `(allow file-read-metadata (literal "/etc"))`, nil},
		{"a slash at the end", `(deny file-read* (subpath "/a/"))`, []string{`3:27: "/a/" ends in a slash: the rule would match nothing`}},
		{"two slashes", `(deny file-read* (literal "/a//b"))`, []string{`3:27: "/a//b" is not clean: the rule would match nothing`}},
		{"a dot segment", `(deny file-read* (literal "/a/./b"))`, []string{`3:27: "/a/./b" is not clean: the rule would match nothing`}},
		{"two dots", `(deny file-read* (literal "/a/.."))`, []string{`3:27: "/a/.." is not clean: the rule would match nothing`}},
		{"a relative path", `(deny file-read* (literal "a"))`, []string{`3:27: "a" is not absolute: the rule would match nothing`}},
		{"a zero byte", `(deny file-read* (literal "/a\x00"))`, []string{`3:27: "/a\x00" holds a zero byte: the rule would match nothing`}},
		{"a name with dots", `(deny file-read* (literal "/a/..b"))`, nil},
		{"a definition", `(define x 1)`, []string{"3:1: sbc does not write (define ...)"}},
		{"an import", `(import "system.sb")`, []string{"3:1: sbc does not write (import ...)"}},
		{"a parameter", `(allow file-read* (subpath (param "P")))`, []string{"3:28: subpath of something other than a string"}},
		{"another filter", `(allow file-read* (prefix "/a"))`, []string{"3:19: sbc does not write (prefix ...)"}},
		{"a filter that is not known", `(allow file-read* (extension "x"))`, []string{"3:19: sbc does not write (extension ...)"}},
		{"several arguments", `(allow file-read* (subpath "/a" "/b"))`, []string{"3:19: subpath with 2 arguments"}},
		{"no filters", `(allow file-read* (require-all))`, []string{"3:19: require-all with 0 filters"}},
		{"two filters to negate", `(allow file-read* (require-not (literal "/a") (literal "/b")))`, []string{"3:19: require-not with 2 filters"}},
		{"within a filter", `(allow file-read* (require-all (subpath "/a") (require-not (literal "/tmp/x"))))`, []string{`3:69: "/tmp/x" passes the link /tmp, which the kernel resolves to /private/tmp: the rule would match nothing`}},
		{"another constant", `(allow file-read* (vnode-type TTY))`, []string{"3:31: vnode-type of something other than REGULAR-FILE, DIRECTORY, SYMLINK, CHARACTER-DEVICE, BLOCK-DEVICE, FIFO, SOCKET"}},
		{"a word for a number", `(allow system-socket (socket-protocol IPPROTO_TCP))`, []string{"3:39: socket-protocol of something other than a number"}},
		{"an alias", `(allow process-exec (literal "/a"))`, []string{"3:8: process-exec is no operation, or not the name that sbc writes"}},
		{"an operation of newer systems", `(allow syscall-mach)`, []string{"3:8: what syscall-mach means is not known for every system"}},
		{"an operation that means more", `(allow sysctl-write)`, []string{"3:8: what sysctl-write means is not known for every system"}},
		{"no operation", `(allow (literal "/a"))`, []string{"3:1: a rule without an operation"}},
		{"default again", `(allow default)`, []string{"3:8: a second rule for default"}},
		{"a symbol", `allow`, []string{"3:1: sbc writes lists that start with a name"}},
		{"a quoted form", `'(allow)`, []string{"3:1: sbc writes lists that start with a name"}},
		{"a string for a name", `("allow")`, []string{"3:2: sbc writes lists that start with a name"}},
		{"a leaf that cuts off its parent", "(deny file-read* (subpath \"/s\"))\n(allow file-read-metadata)", []string{"4:1: this rule without filters on file-read-metadata cuts off the rules on file-read*, such as the one at 3:1"}},
		{"a leaf that cuts off its grandparent", "(deny file-write-data)\n(allow file* (subpath \"/s\"))", []string{"3:1: this rule without filters on file-write-data cuts off the rules on file*, such as the one at 4:1"}},
		{"an operation that falls back to nothing", `(deny file-link)(deny file-clone)(deny nvram*)(deny process-info*)`, nil},
		{"operations without rules behind them", `(allow sysctl-read)(allow process-fork)(allow ipc-posix-sem*)(allow pseudo-tty)`, nil},
		{"an open list", `(allow`, []string{"3:1: the list is not closed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, problems(sbpl.Subset("", []byte("(version 1)\n(deny default)\n"+tt.profile)))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSubsetWantsItsHead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, profile string
		want          []string
	}{
		{"empty", ``, []string{"p.sb:1:1: the first form is not (version 1)", "p.sb:1:1: the second form is not (deny default)"}},
		{"another version", `(version 3)(deny default)`, []string{"p.sb:1:1: the first form is not (version 1)"}},
		{"open by default", `(version 1)(allow default)`, []string{"p.sb:1:1: the second form is not (deny default)"}},
		{"with a modifier", `(version 1)(deny default (with no-log))`, []string{"p.sb:1:1: the second form is not (deny default)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, problems(sbpl.Subset("p.sb", []byte(tt.profile)))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func problems(ps []sbpl.Problem) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.String())
	}
	return out
}

// TestSubsetTakesWhatSbcWrites holds the checker against every profile in the
// goldens.
func TestSubsetTakesWhatSbcWrites(t *testing.T) {
	t.Parallel()
	n := 0
	for _, dir := range []string{"../../golden", "../../target/seatbelt/testdata", "../../examples"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range txtar.Parse(src).Files {
				if !strings.HasPrefix(string(f.Data), "(version 1)\n") {
					continue
				}
				n++
				for _, p := range sbpl.Subset(filepath.Base(file)+"/"+f.Name, f.Data) {
					t.Error(p)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("%d profiles found", n)
	}
}
