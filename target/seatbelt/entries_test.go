package seatbelt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// Every rule of the target has an entry, in the policy's order, with what it
// uses and the lines that it became.
func TestFileEntries(t *testing.T) {
	t.Parallel()
	h := newMac("/Users/me/w/", "/Users/me/w/key", "/Users/me/.npmrc", "/Users/me/w/link", "/opt/")
	h["/Users/me/w/link"] = host.Node{Type: host.Link}
	p := parsePolicy(t, `
deny  deny  tree   /Users/me/w/key
deny  deny  tree   /Users/me/w/later
deny  deny  tree   /Users/me/w/link
ask   ask   glob   /**/.env
pass  deny  nondir /Users/me/w/.git
allow allow tree   /Users/me/w
allow allow tree   /Users/me/.npmrc
allow deny  tree   /opt
allow deny  tree   /absent
deny  deny  tree   /elsewhere`)
	p.Files[9].Group = ir.GroupRoot
	p.Files = append(p.Files, ir.FileRule{Match: ir.Subtree("/proc"), Read: ir.Allow, Write: ir.Allow, Target: ir.Linux})
	p.Files[3].Guard = "credentials"
	_, _, report := compile(t, p, h, target.Options{})
	var b strings.Builder
	for _, e := range report.Entries {
		if e.Index < 0 {
			continue
		}
		fmt.Fprintf(&b, "%d %s %s %s", e.Index, e.Rule, e.Feature, e.Verdict)
		if e.Opens {
			b.WriteString(" opens")
		}
		if e.Guard != "" {
			b.WriteString(" guard " + e.Guard)
		}
		b.WriteString("\n  " + strings.Join(e.Emitted, "\n  ") + "\n")
	}
	want := `0 tree[/Users/me/w/key] close.literal exact
  (deny file-read* process-exec* file-clone (regex #"^/Users/me/w/[Kk][Ee][Yy](/|$)"))
  (deny file-write* file-link network-bind network-inbound (regex #"^/Users/me/w/[Kk][Ee][Yy](/|$)"))
  (deny file-write-unlink file-write-create (literal "/Users/me/w"))
1 tree[/Users/me/w/later] close.missing exact
  (deny file-read* process-exec* file-clone (regex #"^/Users/me/w/[Ll][Aa][Tt][Ee][Rr](/|$)"))
  (deny file-write* file-link network-bind network-inbound (regex #"^/Users/me/w/[Ll][Aa][Tt][Ee][Rr](/|$)"))
2 tree[/Users/me/w/link] close.link exact
  (deny file-read* process-exec* file-clone (regex #"^/Users/me/w/[Ll][Ii][Nn][Kk](/|$)"))
  (deny file-write* file-link network-bind network-inbound (regex #"^/Users/me/w/[Ll][Ii][Nn][Kk](/|$)"))
3 glob[/**/.env] close.glob exact guard credentials
  (deny file-read* process-exec* file-clone (regex #"^(/[^/]+)*/\.[Ee][Nn][Vv](/|$)"))
  (deny file-write* file-link network-bind network-inbound (regex #"^(/[^/]+)*/\.[Ee][Nn][Vv](/|$)"))
4 nondir[/Users/me/w/.git] close.nondirectory exact
  (deny network-bind network-inbound (regex #"^/Users/me/w/\.[Gg][Ii][Tt]$"))
  (deny file-write* file-link (require-all (regex #"^/Users/me/w/\.[Gg][Ii][Tt]$") (require-any (vnode-type REGULAR-FILE) (vnode-type SYMLINK) (vnode-type FIFO) (vnode-type SOCKET) (vnode-type CHARACTER-DEVICE) (vnode-type BLOCK-DEVICE))))
5 tree[/Users/me/w] root.write exact opens
  (allow file-read* process-exec* file-clone (subpath "/Users/me/w"))
  (allow file-write* file-link network-bind network-inbound (subpath "/Users/me/w"))
6 tree[/Users/me/.npmrc] root.file exact opens
  (allow file-read* process-exec* file-clone (subpath "/Users/me/.npmrc"))
  (allow file-write* file-link network-bind network-inbound (subpath "/Users/me/.npmrc"))
7 tree[/opt] root.read exact opens
  (allow file-read* process-exec* file-clone (subpath "/opt"))
8 tree[/absent] root.missing exact opens
  (allow file-read* process-exec* file-clone (subpath "/absent"))
9 tree[/elsewhere] root.none exact
  (deny default)
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a host that is no Mac has or lacks says nothing.
func TestOtherHost(t *testing.T) {
	t.Parallel()
	p := parsePolicy(t, "deny deny tree /Users/me/w/new/key\nallow allow tree /Users/me/w")
	for system, want := range map[string]string{
		ir.Darwin: `tree[/Users/me/w/new/key]: pin narrower SBC2109: "/Users/me/w/new" does not exist, and the command cannot make it: another directory could be moved to its place` + "\n",
		ir.Linux:  "",
	} {
		_, _, report := compile(t, p, newMac("/Users/me/w/"), target.Options{Facts: &host.Facts{OS: system}})
		if diff := cmp.Diff(want, losses(report)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", system, diff)
		}
	}
}

// A hard link to a closed file may lie where it can be reached.
func TestAlias(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		node host.Node
		want string
	}{
		{"one name", host.Node{Type: host.File, Nlink: 1}, ""},
		{"not known", host.Node{Type: host.File}, ""},
		{"a directory", host.Node{Type: host.Dir, Nlink: 7}, ""},
		{"two names", host.Node{Type: host.File, Nlink: 2}, `tree[/Users/me/w/key]: close.alias wider SBC2106: "/Users/me/w/key" has 2 hard links; by another name it may be open` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newMac("/Users/me/w/")
			h["/Users/me/w/key"] = tt.node
			p := parsePolicy(t, "deny deny tree /Users/me/w/key\nallow allow tree /Users/me/w")
			_, _, report := compile(t, p, h, target.Options{})
			if diff := cmp.Diff(tt.want, losses(report)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Every code that the target may give has a page.
func TestCodesHavePages(t *testing.T) {
	t.Parallel()
	codes := []diag.Code{
		diag.CodeMovable, diag.CodePlantable, diag.CodeAlias, diag.CodeClosedLink, diag.CodeMissingOpen, diag.CodeMissingClosed,
		diag.CodeFileRoot, diag.CodeCase, diag.CodeProfileSize, diag.CodeCharacter, diag.CodeExceptDir,
	}
	for _, c := range seatbelt.Table() {
		if c.Code != "" {
			codes = append(codes, c.Code)
		}
	}
	for _, c := range codes {
		if _, ok := diag.PageOf(c); !ok {
			t.Errorf("%s has no page", c)
		}
	}
}

// What is closed in a directory would come along with a clone of it.
func TestDirectoriesAreNotCloned(t *testing.T) {
	t.Parallel()
	s := lower(t, parsePolicy(t, "allow allow tree /w"), nil)
	if s.allows("file-clone", "/w/d", true) || !s.allows("file-clone", "/w/f", false) {
		t.Error("want files cloned and directories not")
	}
}

// A profile names the assumptions that it relies on, and no others.
func TestAssumptions(t *testing.T) {
	t.Parallel()
	always := []string{"rename-checks", "link-clone", "bind-path", "subpath-file", "disk-case", "firmlinks", "deny-all-sockets"}
	tests := []struct {
		name   string
		policy string
		want   []string
	}{
		{"roots only", "allow allow tree /w", []string{"dollar", "regex-length", "vnode-create"}},
		{"a closing", "deny deny tree /w/a\nallow allow tree /w", []string{"dollar", "regex-length", "vnode-create"}},
		{"a glob", "deny deny glob /**/*.a\nallow allow tree /w", []string{"class-bytes", "group-repeat", "dollar", "regex-length", "vnode-create"}},
		{"an exception", "deny deny glob /w/x except /w/x/y\nallow allow tree /w", []string{"dollar", "regex-length", "deny-require-not", "vnode-create"}},
		{"a letter beyond ASCII", "deny deny tree /w/é\nallow allow tree /w", []string{"bytes", "dollar", "regex-length", "vnode-create"}},
		{"a control character", "allow allow tree /w/\x01", []string{"dollar", "regex-length", "hex-escape", "vnode-create"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, _, _ := compile(t, parsePolicy(t, tt.policy), nil, target.Options{})
			var got []string
			for _, a := range p.Assumptions() {
				got = append(got, a.Name)
			}
			if diff := cmp.Diff(append(tt.want, always...), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
