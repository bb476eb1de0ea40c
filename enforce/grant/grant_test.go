package grant_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/grant"
	"github.com/sandboxc/sbc/ir"
)

// agent is a policy with something of each kind.
const agent = `version = 1
filesystem {
  read  = ["/usr", "/etc"]
  write = [workspace]
  none  = ["/etc/none"]
  tmp   = "private"
  deny "secrets" {
    paths  = ["~/secrets"]
    reason = "they are secret"
  }
  ask "conf" {
    paths = ["./conf"]
  }
  ask "notes" {
    paths  = ["/usr/notes"]
    access = "write"
  }
}
`

func TestFor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name         string
		violations   []string
		want, closed string
	}{
		{"a file that nothing opens", []string{"read /opt/file"}, "--read /opt/file [0]", ""},
		{"a file to be written that nothing opens", []string{"write /opt/file"}, "--write /opt/file [0]", ""},
		{"a file of a read root", []string{"write /etc/hosts"}, "--write /etc/hosts [0]", ""},
		{"a file beneath a closed root", []string{"read /etc/none/x"}, "--read /etc/none/x [0]", ""},
		{"what a rule asks about", []string{"read /home/u/ws/conf"}, "--read /home/u/ws/conf [0]", ""},
		{"what a rule asks about, to be written", []string{"write /home/u/ws/conf/a"}, "--write /home/u/ws/conf/a [0]", ""},
		{"what a rule asks about before writing", []string{"write /usr/notes"}, "--write /usr/notes [0]", ""},
		{"what a guard asks about", []string{"read /home/u/.npmrc"}, "--read /home/u/.npmrc [0]", ""},
		{"git's configuration", []string{"write /home/u/ws/.git/config"}, "--write /home/u/ws/.git/config [0]", ""},
		{"a missing file", []string{"write /opt/data/new"}, "--write /opt/data [0]", ""},
		{"a missing directory in a missing one", []string{"write /opt/data/a/b/"}, "--write /opt/data [0]", ""},
		{"a missing file that a rule asks about, in a directory that it asks about too", []string{"write /home/u/ws/conf/missing"}, "--write /home/u/ws/conf [0]", ""},
		{"a missing file that a guard asks about, in an open directory", []string{"write /home/u/ws/.env"}, "--write /home/u/ws/.env [0]", ""},
		{"a file to be removed", []string{"unlink /opt/file"}, "--write /opt [0]", ""},
		{"a file to be removed from an open directory", []string{"unlink /home/u/ws/.git/config"}, "--write /home/u/ws/.git/config [0]", ""},
		{"the home directory", []string{"write /home/u/new"}, "", "0: it would take a grant for all of /home/u"},
		{"the root directory", []string{"write /new"}, "", "0: it would take a grant for all of /"},
		{"what a rule denies", []string{"read /home/u/secrets/key"}, "", "0: filesystem.deny.secrets denies it, and a deny is absolute: no grant opens it (they are secret)"},
		{"what a guard denies", []string{"write /home/u/ws/.git/hooks/pre-commit"}, "", "0: guards.git-exec.hooks denies it, and a deny is absolute: no grant opens it (git runs hooks)"},
		{"a pin", []string{"unlink /home/u/ws/.git/"}, "", "0: it holds something that is closed, which would move away with it"},
		{"one grant for two", []string{"write /opt/data/new", "read /opt/file", "write /opt/data/more", "write /opt/data"}, "--read /opt/file [1]; --write /opt/data [0 2 3]", ""},
		{"reading and writing one file", []string{"read /opt/file", "write /opt/file"}, "--write /opt/file [0 1]", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld("/home/u/ws/.git/config", "/home/u/ws/.git/hooks/", "/home/u/ws/conf/a", "/home/u/.npmrc", "/etc/hosts", "/etc/none/x", "/usr/notes", "/home/u/secrets/key")
			o := w.options(t)
			vs := w.violations(t, o.Policy, tc.violations...)
			if tc.name == "a pin" {
				vs[0].Effect = classify.Deny
			}
			got, closed := grant.For(vs, o)
			if flags(got) != tc.want || !strings.HasPrefix(reasons(closed), tc.closed) || tc.closed == "" && len(closed) > 0 {
				t.Errorf("grants %q, want %q; closed %q, want %q", flags(got), tc.want, reasons(closed), tc.closed)
			}
			for _, g := range got {
				if v := vs[g.Violations[0]]; g.Request != "abc" || g.Rule.Address == "" && v.Rule.Index >= 0 {
					t.Errorf("%+v", g)
				}
			}
		})
	}
}

// TestDarwin: where rules and not mounts decide, a missing file is opened itself.
func TestDarwin(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.target = ir.Darwin
	o := w.options(t)
	got, closed := grant.For(w.violations(t, o.Policy, "write /opt/data/new"), o)
	if flags(got) != "--write /opt/data/new [0]" || len(closed) != 0 {
		t.Errorf("%q %q", flags(got), reasons(closed))
	}
}

// TestNever: what gets no grant whatever is tried.
func TestNever(t *testing.T) {
	t.Parallel()
	w := newWorld()
	o := w.options(t)
	file := w.violations(t, o.Policy, "read /opt/file")[0]
	possible := file
	possible.Confidence, possible.Text = classify.Possible, "read /opt/file: because"
	for _, tc := range []struct {
		name   string
		v      classify.Violation
		change func(*grant.Options)
		want   string
	}{
		{"only possible", possible, nil, "0: it is only possible that the policy was the cause: read /opt/file: because"},
		{"a signal", classify.Violation{Op: classify.Syscall, Effect: classify.Deny, Confidence: classify.Certain}, nil, "0: no policy opens a system call that the filter answers with SIGSYS"},
		{"a host", classify.Violation{Op: classify.Connect, Host: "example.com", Effect: classify.None, Confidence: classify.Likely}, nil, "0: no grant opens the network: the policy's network block must"},
		{"a socket", classify.Violation{Op: classify.Connect, Path: "/run/x", Effect: classify.None, Confidence: classify.Certain}, nil, "0: no grant opens a socket: the policy must list it in network.unix_sockets"},
		{"it cannot be loaded", file, func(o *grant.Options) {
			o.Apply = func(grant.Grant) (*ir.Policy, error) { return nil, errors.New("no") }
		}, "0: --read /opt/file: no"},
		{"it opens nothing", file, func(o *grant.Options) {
			o.Apply = func(grant.Grant) (*ir.Policy, error) { return o.Policy, nil }
		}, "0: --read /opt/file would not open it"},
		{"it opens what a deny closes", file, func(o *grant.Options) {
			o.Apply = func(grant.Grant) (*ir.Policy, error) {
				p := *o.Policy
				above := ir.FileRule{Match: ir.Subtree("/"), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupDeny, Layer: ir.LayerSession}
				p.Files = append([]ir.FileRule{above}, p.Files...)
				return &p, nil
			}
		}, "0: --read /opt/file would open "},
		{"nothing to try it with", file, func(o *grant.Options) { o.Apply = nil }, "0: there is nothing to try a grant with"},
	} {
		o := o
		if tc.change != nil {
			tc.change(&o)
		}
		got, closed := grant.For([]classify.Violation{tc.v}, o)
		if len(got) != 0 || !strings.HasPrefix(reasons(closed), tc.want) {
			t.Errorf("%s: %q, %q; want %q", tc.name, flags(got), reasons(closed), tc.want)
		}
	}
}
