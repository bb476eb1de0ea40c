package sbpl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/verify/sbpl"
)

func TestChain(t *testing.T) {
	t.Parallel()
	p := read(t, `(version 1)
(deny default)
(allow file* (subpath "/a"))
(allow file-write* (subpath "/b"))
(deny file-write*)
(deny file-write* (subpath "/c"))
(allow file-write-data (subpath "/d"))
(allow file-read*)
(allow default (process-attribute is-plugin))
(deny file-link (literal "/e"))`)
	show := func(op string) string {
		chain, err := p.Chain(op)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, s := range chain {
			fmt.Fprintf(&b, "%s %s", s.Op, s.Action)
			if s.Filter != nil {
				b.WriteString(" " + s.Filter.String())
			}
			if s.Rule != nil {
				fmt.Fprintf(&b, " line %d", s.Rule.Pos.Line)
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	tests := []struct{ op, want string }{
		{"file-write-data", `file-write-data allow (subpath "/d") line 7
file-write* deny (subpath "/c") line 6
file-write* allow (subpath "/b") line 4
file-write* deny line 5
`},
		{"file-mknod", `file* allow (subpath "/a") line 3
default allow (process-attribute is-plugin) line 9
default deny line 2
`},
		{"file-read-data", "file-read* allow line 8\n"},
		{"file-link", "file-link deny (literal \"/e\") line 10\nfile-link allow\n"},
		{"file-write-setugid", "file-write-setugid deny\n"},
		{"nvram-get", "nvram* allow\n"},
		{"signal", "signal allow (target self)\ndefault allow (process-attribute is-plugin) line 9\ndefault deny line 2\n"},
	}
	for _, tt := range tests {
		t.Run(tt.op, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, show(tt.op)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if _, err := p.Chain("nothing"); err == nil || err.Error() != "unknown operation nothing" {
		t.Errorf("error %v", err)
	}
}

func TestAssumed(t *testing.T) {
	t.Parallel()
	at := func(p string) sbpl.Subject { return sbpl.Subject{Path: p, Vnode: "REGULAR-FILE"} }
	tests := []struct {
		name, profile, op string
		subject           sbpl.Subject
		want              string // the names
	}{
		{"nothing", `(deny default)(allow file-read* (subpath "/w"))`, "file-read-data", at("/w/a"), ""},
		{"a name with a byte from 0x80", `(deny default)(allow file-read* (regex #"^/w/[^/]*$"))`, "file-read-data", at("/w/é"), "class-bytes"},
		{"without one", `(deny default)(allow file-read* (regex #"^/w/[^/]*$"))`, "file-read-data", at("/w/e"), ""},
		{"a newline at the end", `(deny default)(allow file-read* (regex #"^/w/a$"))`, "file-read-data", at("/w/a\n"), "dollar"},
		{"a count", `(deny default)(allow file-read* (regex #"^/w/a{2}"))`, "file-read-data", at("/w/aa"), "regex-syntax"},
		{"a repeated group", `(deny default)(allow file-read* (regex #"^/w(/a)*$"))`, "file-read-data", at("/w/a"), "regex-syntax"},
		{"a group that never matches", `(allow default)(deny file-read* (regex #"^/(?:w)"))`, "file-read-data", at("/w"), "never-group"},
		{"a doubt that changes nothing", `(deny default)(deny file-read* (regex #"^/(?:w)"))`, "file-read-data", at("/w"), ""},
		{"a kind on creation", `(deny default)(allow file-write-create (vnode-type REGULAR-FILE))`, "file-write-create", at("/w"), "vnode-create"},
		{"a kind on reading", `(deny default)(allow file-read* (vnode-type REGULAR-FILE))`, "file-read-data", at("/w"), ""},
		{"no kind", `(deny default)(allow file-read* (vnode-type REGULAR-FILE))`, "file-read-data", sbpl.Subject{Path: "/w"}, "not-given"},
		{"no kind within a filter that fails anyway", `(deny default)(allow file-read* (require-all (literal "/x") (vnode-type REGULAR-FILE)))`, "file-read-data", sbpl.Subject{Path: "/w"}, ""},
		{"a kind beside a filter that holds anyway", `(deny default)(allow file-read* (vnode-type REGULAR-FILE) (literal "/w"))`, "file-read-data", sbpl.Subject{Path: "/w"}, ""},
		{"a link", `(deny default)(deny file-link)`, "file-link", at("/w"), "link-clone"},
		{"a socket", `(deny default)(allow network-bind (subpath "/w"))`, "network-bind", sbpl.Subject{Path: "/w/s"}, "bind-path"},
		{"a file as a root", `(deny default)(allow file-read* (subpath "/w"))`, "file-read-data", at("/w"), "subpath-file"},
		{"a directory as a root", `(deny default)(allow file-read* (subpath "/w"))`, "file-read-data", sbpl.Subject{Path: "/w", Vnode: "DIRECTORY"}, ""},
		{"a slash at the end", `(deny default)(allow file-read* (subpath "/w/"))`, "file-read-data", at("/w/a"), "subpath-slash"},
		{"an empty path", `(deny default)(allow file-read* (subpath ""))`, "file-read-data", at("/w/a"), "subpath-slash"},
		{"an own port", `(deny default)(allow network-outbound (local ip "*:80"))`, "network-outbound", sbpl.Subject{Remote: "1.1.1.1:1"}, "local-outbound"},
		{"an own port that is given", `(deny default)(allow network-outbound (local ip "*:80"))`, "network-outbound", sbpl.Subject{Remote: "1.1.1.1:1", Local: "10.0.0.1:80"}, ""},
		{"another loopback address", `(deny default)(allow network-outbound (remote ip "localhost:1"))`, "network-outbound", sbpl.Subject{Remote: "127.0.0.2:1"}, "localhost-range"},
		{"a leaf that cuts off its parent", `(deny default)(allow file-read-metadata)(deny file-read* (subpath "/w"))`, "file-read-metadata", at("/w"), "leaf-unfiltered"},
		{"a leaf whose parent agrees", `(deny default)(allow file-read-metadata)(allow file-read* (subpath "/w"))`, "file-read-metadata", at("/w/a"), ""},
		{"no default", ``, "file-read-data", at("/w"), "no-default"},
		{"a newer operation", `(deny default)`, "iokit-open-service", sbpl.Subject{}, "newer-operation"},
		{"a newer operation with its own rule", `(deny default)(allow mach-bootstrap)`, "mach-bootstrap", sbpl.Subject{}, "newer-operation"},
		{"open by a table", `(deny default)`, "file-test-existence", at("/w"), "default-allow"},
		{"open by what programs need", `(deny default)`, "file-map-executable", at("/w"), ""},
		{"sysctl-write", `(deny default)(allow sysctl-write)`, "sysctl-read", sbpl.Subject{Name: "kern.x"}, "sysctl-write"},
		{"sysctl-write itself", `(deny default)(allow sysctl-write)`, "sysctl-write", sbpl.Subject{Name: "kern.x"}, ""},
		{"a filter that cannot be answered", `(deny default)(allow file-read* (extension "a"))`, "file-read-data", at("/w"), "opaque-filter"},
		{"one behind the rule that decides", `(deny default)(allow file-read* (extension "a"))(allow file-read* (literal "/w"))`, "file-read-data", at("/w"), ""},
		{"one that would decide the same", `(deny default)(allow file-read* (literal "/w"))(allow file-read* (extension "a"))`, "file-read-data", at("/w"), ""},
		{"one that would not", `(deny default)(allow file-read* (literal "/w"))(deny file-read* (extension "a"))`, "file-read-data", at("/w"), "opaque-filter"},
		{"one that is negated", `(deny default)(allow file-read* (require-not (extension "a")))`, "file-read-data", at("/w"), "opaque-filter"},
		{"two of them", `(deny default)(allow file-read* (require-any (extension "a") (uid 0)))`, "file-read-data", at("/w"), "opaque-filter opaque-filter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := read(t, "(version 1)"+tt.profile).Decide(tt.op, tt.subject)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, a := range d.Assumed {
				names = append(names, a.Name)
				if strings.HasPrefix(a.Text, "internal error") {
					t.Error(a)
				}
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("assumed %q, want %q", got, tt.want)
			}
		})
	}
	d, err := read(t, `(version 3)(deny default)`).Decide("file*", sbpl.Subject{Path: "/w"})
	if err != nil || len(d.Assumed) != 1 || d.Assumed[0].Name != "version" {
		t.Errorf("version 3: %+v, %v", d.Assumed, err)
	}
}

func TestMatched(t *testing.T) {
	t.Parallel()
	p := read(t, `(version 1)(allow file-read* (literal "/a") (require-any (literal "/b") (subpath "/c")))(deny default)`)
	d, err := p.Decide("file-read-data", sbpl.Subject{Path: "/c/d"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.Matched.String(), `(subpath "/c")`; got != want {
		t.Errorf("matched %s, want %s", got, want)
	}
	if d, err = p.Decide("file-read-data", sbpl.Subject{Path: "/x"}); err != nil || d.Matched != nil {
		t.Errorf("matched %v, %v", d.Matched, err)
	}
}

// oracle decides as the description of the chain says, word by word.
func oracle(p *sbpl.Profile, op string, s sbpl.Subject) bool {
	for o := op; ; o = sbpl.Parent(o) {
		for i := len(p.Rules) - 1; i >= 0; i-- {
			if r := p.Rules[i]; r.Op == o && r.Filter != nil && sbpl.Matches(r.Filter, op, s) {
				return r.Action == sbpl.Allow
			}
		}
		for i := len(p.Rules) - 1; i >= 0; i-- {
			if r := p.Rules[i]; r.Op == o && r.Filter == nil {
				return r.Action == sbpl.Allow
			}
		}
		if sbpl.Parent(o) == "" {
			return o == "file-link" || o == "file-clone"
		}
	}
}

func TestDecideIsTheChain(t *testing.T) {
	t.Parallel()
	ops := []string{"default", "file*", "file-read*", "file-read-data", "file-read-metadata", "file-write*", "file-write-unlink", "file-link"}
	filters := []string{
		"", `(subpath "/a")`, `(subpath "/a/b")`, `(literal "/a")`, `(prefix "/a")`, `(regex #"b$")`,
		`(require-all (subpath "/a") (require-not (literal "/a/b")))`, `(literal "/b") (literal "/a/c")`,
	}
	rapid.Check(t, func(t *rapid.T) {
		src := "(version 1)"
		for range rapid.IntRange(0, 8).Draw(t, "rules") {
			src += fmt.Sprintf("(%s %s %s)", rapid.SampledFrom([]string{"allow", "deny"}).Draw(t, "action"),
				rapid.SampledFrom(ops).Draw(t, "op"), rapid.SampledFrom(filters).Draw(t, "filter"))
		}
		p, err := sbpl.Read("p.sb", []byte(src), sbpl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		op := rapid.SampledFrom(ops).Draw(t, "question")
		s := sbpl.Subject{Path: rapid.SampledFrom([]string{"/", "/a", "/ab", "/a/b", "/a/b/c", "/a/c", "/b"}).Draw(t, "path")}
		d, err := p.Decide(op, s)
		if err != nil {
			t.Fatal(err)
		}
		if want := oracle(p, op, s); d.Allow != want {
			t.Errorf("%s of %s under %s: %t, want %t", op, s.Path, src, d.Allow, want)
		}
	})
}
