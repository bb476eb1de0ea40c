package sbpl_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/verify/sbpl"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// Aliases, orders and forms that come to the same rules.
func TestReadRules(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"several operations", `(allow file-read* file-write* (literal "/a"))`, `(allow file-read* (literal "/a"))(allow file-write* (literal "/a"))`},
		{"any order", `(allow (literal "/a") (with report) file-read* (subpath "/b"))`, `(allow file-read* (require-any (literal "/a") (subpath "/b")) (with report))`},
		{"aliases of operations", `(allow process-exec ipc-posix-sem file-unlink system-misc)`, `(allow process-exec*)(allow ipc-posix-sem*)(allow file-write-unlink)(allow system*)`},
		{"sysctl-write", `(allow sysctl-write)`, `(allow sysctl*)`},
		{"operations that are no more", `(allow mach-per-user-lookup) (allow qtn-download file-chroot)`, `(allow file-chroot)`},
		{"aliases of filters", `(allow file* (path "/a") (path-literal "/b") (path-prefix "/c") (path-regex "d"))`, `(allow file* (require-any (literal "/a") (literal "/b") (prefix "/c") (regex #"d")))`},
		{"both sides", `(allow network* (from ip) (to tcp "localhost:80"))`, `(allow network* (require-any (local ip "*:*") (remote tcp "localhost:80")))`},
		{"several strings", `(allow file* (subpath "/a" "/b"))`, `(allow file* (require-any (subpath "/a") (subpath "/b")))`},
		{"an empty alternative", `(allow file* (apply require-any '()))`, `(allow file* (require-any))`},
		{"names", `(allow mach-lookup (global-name "a") (global-name-prefix "b") (xpc-service-name-regex "^c"))`, `(allow mach-lookup (require-any (global-name "a") (global-name-prefix "b") (xpc-service-name-regex #"^c")))`},
		{"kinds of files", `(allow file* (vnode-type DIRECTORY) (tty))`, `(allow file* (require-any (vnode-type DIRECTORY) (vnode-type TTY)))`},
		{"sockets", `(allow system-socket (socket-domain AF_SYSTEM) (socket-protocol 2 IPPROTO_TCP))`, `(allow system-socket (require-any (socket-domain AF_SYSTEM) (require-any (socket-protocol 2) (socket-protocol IPPROTO_TCP))))`},
		{"unix sockets", `(allow network* (remote unix-socket) (local unix))`, `(allow network* (require-any (remote unix-socket) (local unix-socket)))`},
		{"entitlements", `(allow file* (require-entitlement "a" (entitlement-value #t)))`, `(allow file* (require-entitlement "a" (%entitlement-string #t)))`},
		{"modifiers by their other names", `(deny file* (with no-log)) (allow process-exec (with no-profile)) (deny file* (with message "x"))`, `(deny file* (with no-report))(allow process-exec* (with no-sandbox))(deny file* (with message "x"))`},
		{"a modifier in parentheses", `(deny file* (with (send-signal SIGKILL)))`, `(deny file* (with send-signal SIGKILL))`},
		{"a macro's operations", `(with-operations (list file-chroot) (allow file* (literal "/a")))`, `(allow file-chroot (literal "/a"))(allow file* (literal "/a"))`},
		{"a macro's filter", `(with-filter (uid 0) (allow file*) (deny file* (literal "/a") (literal "/b")))`, `(allow file* (uid 0))(deny file* (require-all (require-any (literal "/a") (literal "/b")) (uid 0)))`},
		{"a macro in a macro", `(with-filter (uid 0) (with-filter (uid 1) (allow file*)) (allow file*))(allow file*)`, `(allow file* (require-all (uid 1) (uid 0)))(allow file* (uid 0))(allow file*)`},
		{"a macro and what was allow before", `(define a allow) (with-filter (uid 0) (a file*) (allow file*))`, `(allow file*)(allow file* (uid 0))`},
		{"a procedure called in a macro", `(define (f) (allow file*)) (with-filter (uid 0) (f))`, `(allow file* (uid 0))`},
		{"a macro's modifier", `(with-modifier (with report) (allow file*))`, `(allow file* (with report))`},
		{"names that a profile defines", `(define literal subpath) (allow file* (literal "/a"))`, `(allow file* (subpath "/a"))`},
		{"filters are told from others", `(define (f . args) (length (car (partition sbpl-filter? args)))) (if (= 1 (f (literal "/a") file*)) (allow file*))`, `(allow file*)`},
		{"quoting", `(allow file* (regex (string-append "^" (regex-quote "/a.[b]$(c)|*+?{d}\\^"))))`, `(allow file* (regex #"^/a\.\[b]\$\(c\)\|\*\+\?\{d}\\\^"))`},
		{"ancestors", `(allow file* (path-ancestors "/a/b/" "${x}/c"))`, `(allow file* (require-any (require-any (literal "/") (literal "/a")) (require-any (literal "${x}"))))`},
		{"ancestors of the root", `(allow file* (path-ancestors "/"))`, `(allow file* (require-any))`},
		{"parts of a string", `(allow file* (apply subpath (split-string "/a::/b" ":")))`, `(allow file* (require-any (subpath "/a") (subpath "/b")))`},
		{"messages", `(allow mach-bootstrap (apply-message-filter (allow xpc-message-send (message-number 1))))`, `(allow mach-bootstrap (with apply-message-filter))`},
		{"constants by their form", `(allow syscall-unix (syscall-number SYS_read SYS___x) (syscall-group-open))`, `(allow syscall-unix (require-any (syscall-number SYS_read SYS___x) (syscall-group-open)))`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, r := range read(t, "(version 1)"+tt.src).Rules {
				b.WriteString(r.String())
			}
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"no version", `(define x 1)`, "p.sb:1:1: no version specified"},
		{"a rule before the version", "\n(deny default)(version 1)", "p.sb:2:1: no version specified"},
		{"another version", `(version 4)`, "p.sb:1:1: unsupported version"},
		{"a version that is none", `(version "1")`, "p.sb:1:1: unsupported version"},
		{"two versions", `(version 1)(version 2)`, "p.sb:1:12: the version is already 1"},
		{"an operation", "(version 1)\n(allow\n  file-reed*)", "p.sb:3:3: unbound variable: file-reed*"},
		{"a filter", `(version 1)(allow file* (subpaths "/a"))`, "p.sb:1:26: unbound variable: subpaths"},
		{"a prefix that does not exist", `(version 1)(allow file* (extension-prefix "a"))`, "p.sb:1:26: unbound variable: extension-prefix"},
		{"a number of another kind", `(version 1)(allow file* (vnode-type 1))`, "p.sb:1:25: vnode-type cannot take 1"},
		{"a constant of another filter", `(version 1)(allow file* (vnode-type self))`, "p.sb:1:25: vnode-type cannot take self"},
		{"a string for a constant", `(version 1)(allow file* (uid "0"))`, "p.sb:1:25: uid cannot take 0"},
		{"no argument", `(version 1)(allow file* (literal))`, "p.sb:1:25: literal wants an argument"},
		{"no argument of an unknown filter", `(version 1)(allow file* (extension))`, "p.sb:1:25: extension wants an argument"},
		{"a rule about nothing", `(version 1)(allow (literal "/a"))`, "p.sb:1:12: allow wants an operation"},
		{"a rule with a string", `(version 1)(allow file* "/a")`, "p.sb:1:12: allow cannot take /a"},
		{"a rule with a symbol", `(version 1)(allow 'file*)`, "p.sb:1:12: allow cannot take the symbol file*"},
		{"two filters to negate", `(version 1)(allow file* (require-not (literal "/a") (literal "/b")))`, "p.sb:1:25: require-not wants one filter, not 2"},
		{"no filter to negate", `(version 1)(allow file* (require-not "/a"))`, "p.sb:1:25: require-not wants filters, not /a"},
		{"a host by name", `(version 1)(allow network* (remote ip "example.com:80"))`, "p.sb:1:28: host must be * or localhost in network address"},
		{"a host without a port", `(version 1)(allow network* (remote ip "localhost"))`, "p.sb:1:28: port must be a number or * in network address"},
		{"a range of ports", `(version 1)(allow network* (remote ip "*:1-2"))`, "p.sb:1:28: port must be a number or * in network address"},
		{"a large port", `(version 1)(allow network* (remote ip "*:65536"))`, "p.sb:1:28: port must be a number or * in network address"},
		{"no protocol", `(version 1)(allow network* (remote "*:80"))`, "p.sb:1:28: remote cannot take *:80"},
		{"an expression", `(version 1)(allow file* (regex "a[b"))`, `p.sb:1:25: in the regular expression "a[b" at byte 1: the class is not closed`},
		{"an expression of a name", `(version 1)(allow mach-lookup (global-name-regex "(?i)a"))`, `p.sb:1:31: in the regular expression "(?i)a" at byte 0: (? is not supported: the profile would not compile`},
		{"an expression of an unknown filter", `(version 1)(allow file* (xattr-regex "*"))`, `p.sb:1:25: in the regular expression "*" at byte 0: there is nothing to repeat before *`},
		{"a relative path above nothing", `(version 1)(allow file* (path-ancestors "a/b"))`, "p.sb:1:25: path must start with a /"},
		{"a modifier", `(version 1)(allow file* (with nothing))`, "p.sb:1:31: unbound variable: nothing"},
		{"a filter as modifier", `(version 1)(allow file* (with (uid 0)))`, "p.sb:1:25: (uid 0) is no modifier"},
		{"no filter for the macro", `(version 1)(with-filter "x" (allow file*))`, "p.sb:1:25: with-filter wants a filter, not x"},
		{"no list for the macro", `(version 1)(with-operations file* (allow file*))`, "p.sb:1:29: with-operations wants a list, not file*"},
		{"no modifier for the macro", `(version 1)(with-modifier 1 (allow file*))`, "p.sb:1:27: with-modifier wants a modifier, not 1"},
		{"a parameter of a number", `(version 1)(param 1)`, "p.sb:1:12: param wants a string, not 1"},
		{"two traces", `(version 1)(trace "a")(trace "b")`, "p.sb:1:23: only one trace path may be specified"},
		{"a trace of nothing", `(version 1)(trace #f)`, "p.sb:1:12: argument to trace must be a string"},
		{"a quote in a raw string", `(version 1)(allow file* (regex #"^/a\"b"))`, "p.sb:1:40: the string is not closed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := sbpl.Read("p.sb", []byte(tt.src), sbpl.Options{})
			var at *syntax.Error
			if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// What a hostile profile tries ends in an error, soon.
func TestReadLimits(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"a filter that doubles", `(define f (literal "/a")) (let loop () (set! f (require-any f f)) (loop))`, "more than 100000 parts"},
		{"rules without end", `(let loop () (allow file*) (loop))`, "more than "},
		{"rules with large filters", `(define f (literal "/a")) (do ((i 0 (+ i 1))) ((= i 15)) (set! f (require-any f f))) (let loop () (allow file* f) (loop))`, "more than "},
		{"an expression that is large", `(allow file* (regex "((a{255}){255}){255}"))`, "more than 20000 states"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, err := sbpl.Read("p.sb", []byte("(version 1)"+tt.src), sbpl.Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

func TestOptionsOfProfiles(t *testing.T) {
	t.Parallel()
	p := read(t, "(version 1)\n(disable-callouts) (trace \"/x\") (debug deny) (eliminate-duplicate-rules)")
	if diff := cmp.Diff([]string{"disable-callouts", "trace", "eliminate-duplicate-rules"}, p.Options); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Every operation falls back to one that exists, and ends.
func TestOperations(t *testing.T) {
	t.Parallel()
	ops := sbpl.Operations()
	for _, op := range ops {
		if own, ok := sbpl.Operation(op); !ok || own != op {
			t.Errorf("%s is found as %s", op, own)
		}
		steps := 0
		for o := op; o != ""; o = sbpl.Parent(o) {
			if !slices.Contains(ops, o) {
				t.Errorf("%s falls back to %s, which does not exist", op, o)
			}
			if steps++; steps > 6 {
				t.Fatalf("%s falls back without end", op)
			}
		}
	}
	if len(ops) < 170 {
		t.Errorf("%d operations", len(ops))
	}
}

// read(print(read(x))) = read(x), for filters.
func TestFilterTextIsReadBack(t *testing.T) {
	t.Parallel()
	text := rapid.StringOf(rapid.SampledFrom([]rune("ab/.\"\\\n\x01é*[](")))
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	leaf := rapid.Custom(func(t *rapid.T) string {
		name := rapid.SampledFrom([]string{"literal", "subpath", "prefix", "global-name", "sysctl-name-prefix", "extension"}).Draw(t, "name")
		return "(" + name + " " + quote(text.Draw(t, "text")) + ")"
	})
	other := rapid.SampledFrom([]string{
		`(regex #"^/a\"b$")`, `(regex "^/a\\.b\"$")`, `(regex "a\\\\$")`, "(regex \"a\nb\")", `(vnode-type TTY)`, `(target others)`, `(remote tcp "*:80")`, `(local ip)`, `(remote unix-socket)`,
		`(socket-domain AF_ROUTE)`, `(socket-protocol 2)`, `(file-mode #o0004)`, `(global-name-regex #"^a\.b")`, `(require-any)`,
	})
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		for range rapid.IntRange(1, 3).Draw(t, "parts") {
			f := leaf.Draw(t, "filter")
			if rapid.Bool().Draw(t, "other") {
				f = strings.Replace(other.Draw(t, "filter"), `#"^/a\"b$"`, `"^/a\"b$"`, 1)
			}
			if rapid.Bool().Draw(t, "not") {
				f = "(require-not " + f + ")"
			}
			parts = append(parts, f)
		}
		src := "(version 1)(allow file* (require-all " + strings.Join(parts, " ") + "))"
		p, err := sbpl.Read("p.sb", []byte(src), sbpl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		first := p.Rules[0].String()
		again, err := sbpl.Read("p.sb", []byte("(version 1)"+first), sbpl.Options{})
		if err != nil {
			t.Fatalf("%v in %s", err, first)
		}
		if diff := cmp.Diff(first, again.Rules[0].String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzRead holds that no text makes the reader or the checker panic, that what
// the checker takes the reader takes, and that every question has an answer.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"(version 1)\n(deny default)\n(allow file-read* (subpath \"/a\"))\n", `(version 1)(with-filter (uid 0) (allow default))`,
		`(version 1)(allow network* (remote ip "*:80") (with report))`, "(version 1)(define (f . a) (apply allow a)) (f file* (regex #\"^/a\"))",
		`(version 1)(import "x")(allow signal (target self))`, `(version 1)(deny default)(deny file* (require-all (literal "/a") (require-not (vnode-type TTY))))`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		problems := sbpl.Subset("p.sb", src)
		p, err := sbpl.Read("p.sb", src, sbpl.Options{})
		if err != nil {
			if len(problems) == 0 {
				t.Fatalf("the checker takes what cannot be read: %v", err)
			}
			return
		}
		for _, op := range []string{"file-write-unlink", "network-bind", "signal", "mach-lookup"} {
			if _, err := p.Decide(op, sbpl.Subject{Path: "/a"}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
