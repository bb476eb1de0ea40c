package grant_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/grant"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// base is a policy whose blocks the lines can stand beside: it is extended.
const base = `version = 1
extends = ["./agent.hcl"]
`

// suggestWorld loads agent by another file, so that the lines come in blocks of
// their own.
type twoFiles struct{ *world }

// ReadFile implements frontend.Files.
func (w twoFiles) ReadFile(path string) ([]byte, error) {
	if strings.HasSuffix(path, "/agent.hcl") {
		return []byte(agent), nil
	}
	return []byte(w.policy), nil
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	host := func(name string) classify.Violation {
		return classify.Violation{Op: classify.Connect, Host: name, Effect: classify.None, Confidence: classify.Likely}
	}
	tests := []struct {
		name       string
		violations []string
		more       []classify.Violation
		want       string
		closed     string
	}{
		{"roots", []string{"read /opt/file", "write /etc/hosts"}, nil, "filesystem {\n  read = [\"/opt/file\"]\n  write = [\"/etc/hosts\"]\n}\n", ""},
		{"a missing file", []string{"write /opt/data/new"}, nil, "filesystem {\n  write = [\"/opt/data\"]\n}\n", ""},
		{"a file to be removed", []string{"unlink /opt/file"}, nil, "filesystem {\n  write = [\"/opt\"]\n}\n", ""},
		{"beneath a closed root", []string{"read /etc/none/x"}, nil, "filesystem {\n  read = [\"/etc/none/x\"]\n}\n", ""},
		{"a closed root itself", []string{"read /etc/none"}, nil, "", "0: filesystem.none[/etc/none] is about the very path, and wins over an opening of it; change it there"},
		{"a guard, and nothing that opens the path", []string{"read /home/u/.npmrc"}, nil, "filesystem {\n  read = [\"~/.npmrc\"]\n}\nguards {\n  except \"credentials\" {\n    paths = [\"~/.npmrc\"]\n    access = \"read\"\n    reason = \"say why\"\n  }\n}\n", ""},
		{"two guards", []string{"read /home/u/ws/.env", "write /home/u/ws/.git/config", "read /home/u/ws/.npmrc"}, nil, "guards {\n  except \"credentials\" {\n    paths = [\"./.env\", \"./.npmrc\"]\n    access = \"read\"\n    reason = \"say why\"\n  }\n  except \"git-config\" {\n    paths = [\"./.git/config\"]\n    access = \"write\"\n    reason = \"say why\"\n  }\n}\n", ""},
		{"odd names", []string{"read /opt/a*b", "read /opt/x${y}\"\\\nz", "read /opt/~z"}, nil, "filesystem {\n  read = [literal(\"/opt/a*b\"), literal(\"/opt/x$${y}\\\"\\\\\\nz\"), literal(\"/opt/~z\")]\n}\n", ""},
		{"a name that is no text", []string{"read /opt/\xff"}, nil, "", `0: "/opt/\xff" cannot be written in a policy, which is UTF-8 text without a line break at the end of a path`},
		{"a host", nil, []classify.Violation{host("Example.com"), host("192.0.2.1:443"), host("[2001:db8::1]:80")}, "network {\n  mode = \"proxy\"\n  allow = [\"192.0.2.1:443\", \"[2001:db8::1]:80\", \"example.com\"]\n}\n", ""},
		{"a host that is not named", nil, []classify.Violation{host("example.com"), host("")}, "network {\n  mode = \"full\"\n}\n", ""},
		{"a host that cannot be", nil, []classify.Violation{host("a b")}, "", "0: no host rule can be written for a b"},
		{"a socket", nil, []classify.Violation{{Op: classify.Connect, Path: "/run/docker.sock", Effect: classify.None, Confidence: classify.Certain}}, "network {\n  unix_sockets = [\"/run/docker.sock\"]\n}\n", ""},
		{"what is denied", []string{"read /home/u/secrets/key", "write /home/u/ws/.git/hooks/x"}, nil, "", "0: filesystem.deny.secrets denies it, and a deny is absolute: no grant opens it (they are secret); 1: guards.git-exec.hooks denies it, and a deny is absolute: no grant opens it (git runs hooks)"},
		{"the home directory", []string{"write /home/u/new"}, nil, "", "0: it would take to open all of /home/u"},
		{"an ask of the policy", []string{"read /home/u/ws/conf/a"}, nil, "# in filesystem.ask.conf: except = [\"./conf/a\"]\n", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld("/home/u/ws/.git/config", "/home/u/ws/conf/a", "/home/u/.npmrc", "/home/u/ws/.npmrc", "/home/u/ws/.env", "/etc/hosts", "/etc/none/x", "/home/u/secrets/key", "/opt/a*b", "/opt/x${y}\"\\\nz", "/opt/~z", "/opt/\xff")
			o := w.options(t)
			vs := append(w.violations(t, o.Policy, tc.violations...), tc.more...)
			for i := range vs {
				vs[i].Rule.Position = diag.Range{}
			}
			got, closed := grant.Suggest(vs, o)
			for i := range got {
				for k := range got[i].Edits {
					got[i].Edits[k].Rule.Position = diag.Range{}
				}
			}
			text := grant.Lines(got, o.Policy)
			if diff := cmp.Diff(tc.want, text); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if reasons(closed) != tc.closed {
				t.Errorf("closed: %q, want %q", reasons(closed), tc.closed)
			}
			if strings.Contains(text, "# in") {
				return // TestEdit
			}
			w.check(t, o.Policy, text, vs, closed)
		})
	}
}

// check loads the policy with the lines, and sees that what was refused is
// permitted, and what is denied is not.
func (w *world) check(t *testing.T, old *ir.Policy, lines string, vs []classify.Violation, closed []grant.Closed) {
	t.Helper()
	x := *w
	x.policy = base
	p, ds := x.loadBy(twoFiles{&world{policy: base + lines}})
	if p == nil || ds.HasErrors() {
		t.Fatalf("the lines cannot be loaded: %v\n%s", ds, lines)
	}
	shut := map[int]bool{}
	for _, c := range closed {
		shut[c.Violation] = true
	}
	for i, v := range vs {
		op, file := v.Op.File()
		switch {
		case file:
			effect := p.Decide(ir.Query{Target: w.target, Op: op, Path: v.Path, Dir: v.Dir}).Effect
			if (effect == ir.Allow) == shut[i] {
				t.Errorf("%s %s: %v with the lines\n%s", op, v.Path, effect, lines)
			}
		case v.Host != "" && !shut[i] && p.Network.Mode.Value == ir.NetProxy && len(p.Network.Allow) == 0:
			t.Errorf("%s: no host rule\n%s", v.Host, lines)
		case v.Path != "" && (len(p.Network.UnixSockets) != 1 || p.Network.UnixSockets[0].Path != v.Path):
			t.Errorf("%s: sockets %v", v.Path, p.Network.UnixSockets)
		}
	}
	for i := range old.Files {
		if r := &old.Files[i]; r.Group == ir.GroupDeny {
			if lit, ok := ir.Literal(r.Match); ok && !r.NonDir && p.Decide(ir.Query{Target: w.target, Op: ir.Write, Path: lit}).Effect == ir.Allow {
				t.Errorf("%s is open with the lines\n%s", lit, lines)
			}
		}
	}
}

// TestEdit: an ask of the policy itself is edited in its place.
func TestEdit(t *testing.T) {
	t.Parallel()
	w := newWorld("/home/u/ws/conf/a")
	o := w.options(t)
	vs := w.violations(t, o.Policy, "read /home/u/ws/conf/a")
	got, _ := grant.Suggest(vs, o)
	if len(got) != 1 || len(got[0].Edits) != 1 || got[0].Edits[0].Rule.Position.Start.Line != 12 {
		t.Fatalf("%+v", got)
	}
	w.policy = strings.Replace(agent, `["./conf"]`, "[\"./conf\"]\n"+got[0].Edits[0].Line, 1)
	p, ds := w.load("")
	if p == nil {
		t.Fatal(ds)
	}
	if d := p.Decide(ir.Query{Target: ir.Linux, Op: ir.Read, Path: "/home/u/ws/conf/a"}); d.Effect != ir.Allow {
		t.Errorf("%v with %s", d, got[0].Edits[0].Line)
	}
}

// TestSuggestOrder: the smallest comes first.
func TestSuggestOrder(t *testing.T) {
	t.Parallel()
	w := newWorld()
	o := w.options(t)
	vs := append(w.violations(t, o.Policy, "write /opt/data/new", "read /opt", "read /opt/file"),
		classify.Violation{Op: classify.Connect, Effect: classify.None, Confidence: classify.Likely},
		classify.Violation{Op: classify.Connect, Host: "x.test", Effect: classify.None, Confidence: classify.Likely},
		classify.Violation{Op: classify.Connect, Path: "/run/s", Effect: classify.None, Confidence: classify.Likely})
	got, closed := grant.Suggest(vs, o)
	var order []int
	for _, s := range got {
		order = append(order, s.Violations[0])
	}
	if diff := cmp.Diff([]int{2, 1, 0, 5, 4, 3}, order); diff != "" || len(closed) > 0 {
		t.Errorf("order (-want +got):\n%s%v", diff, closed)
	}
}

// TestSuggestDenied: the policy is asked again, whatever the violation says.
func TestSuggestDenied(t *testing.T) {
	t.Parallel()
	w := newWorld("/home/u/secrets/key")
	o := w.options(t)
	vs := w.violations(t, o.Policy, "read /home/u/secrets/key")
	vs[0].Effect = classify.None
	got, closed := grant.Suggest(vs, o)
	if len(got) > 0 || !strings.HasPrefix(reasons(closed), "0: filesystem.deny.secrets denies it") {
		t.Errorf("%+v %s", got, reasons(closed))
	}
	grants, closed := grant.For(vs, o)
	if len(grants) > 0 || !strings.Contains(reasons(closed), "is denied by filesystem.deny.secrets") {
		t.Errorf("%+v %s", grants, reasons(closed))
	}
}
