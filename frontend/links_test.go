package frontend_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

func withView(v host.View) func(*frontend.Options) {
	return func(o *frontend.Options) { o.Host = v }
}

func TestLinks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		src   string
		view  memView
		diags []string
		want  []string
	}{
		{
			name: "an opening is at its resolved path, on the host's system",
			src:  `filesystem { read = ["/bin"] }`,
			view: newView("/usr/bin/", "/bin -> usr/bin"),
			want: []string{
				"root: allow/deny subtree /usr/bin workspace filesystem.read[/bin] on linux written /bin",
				"root: allow/deny subtree /bin workspace filesystem.read[/bin] on darwin",
			},
		},
		{
			name: "a closing keeps both forms",
			src: `filesystem {
  write = ["/w"]
  deny "a" { paths = ["/opt/ln/f"] }
}`,
			view: newView("/opt/real/f", "/opt/ln -> real"),
			want: []string{
				"deny: deny/deny subtree /opt/ln/f workspace filesystem.deny.a",
				"deny: deny/deny subtree /opt/real/f workspace filesystem.deny.a written /opt/ln/f",
				"root: allow/allow subtree /w workspace filesystem.write[/w]",
			},
		},
		{
			name: "a closing through a link that a command may replace is a warning",
			src: `filesystem {
  write = ["/w"]
  deny "a" { paths = ["/w/ln/f"] }
}`,
			view:  newView("/w/real/f", "/w/ln -> real"),
			diags: []string{"SBC1009 warning policy.hcl:8:23"},
			want: []string{
				"deny: deny/deny subtree /w/ln/f workspace filesystem.deny.a",
				"deny: deny/deny subtree /w/real/f workspace filesystem.deny.a written /w/ln/f",
				"root: allow/allow subtree /w workspace filesystem.write[/w]",
			},
		},
		{
			name: "a dangling link leads to what is missing",
			src: `filesystem {
  deny "a" { paths = ["/w/dl"] }
}`,
			view: newView("/w/", "/w/dl -> gone/x"),
			want: []string{
				"deny: deny/deny subtree /w/dl workspace filesystem.deny.a",
				"deny: deny/deny subtree /w/gone/x workspace filesystem.deny.a written /w/dl",
			},
		},
		{
			name: "the base of a glob is resolved",
			src: `filesystem {
  deny "a" { paths = ["/ln/**/*.pem"] }
}`,
			view: newView("/real/", "/ln -> real"),
			want: []string{
				"deny: deny/deny glob /ln/**/*.pem workspace filesystem.deny.a",
				"deny: deny/deny glob /real/**/*.pem workspace filesystem.deny.a written /ln/**/*.pem",
			},
		},
		{
			name:  "an opening through a link that a command can re-point is an error",
			src:   `filesystem { write = ["/w", "/w/build"] }`,
			view:  newView("/w/", "/srv/x/", "/w/build -> /srv/x"),
			diags: []string{"SBC0016 error policy.hcl:6:29"},
		},
		{
			name: "unless its target is open by another rule",
			src:  `filesystem { write = ["/w", "/w/build", "/out"] }`,
			view: newView("/w/", "/out/dir/", "/w/build -> /out/dir"),
			want: []string{
				"root: allow/allow subtree /out/dir workspace filesystem.write[/w/build] written /w/build",
				"root: allow/allow subtree /out workspace filesystem.write[/out]",
				"root: allow/allow subtree /w workspace filesystem.write[/w]",
			},
		},
		{
			name:  "two such links do not vouch for each other",
			src:   `filesystem { write = ["/w", "/w/a", "/w/b"] }`,
			view:  newView("/w/", "/srv/x/", "/w/a -> /srv/x", "/w/b -> /srv/x"),
			diags: []string{"SBC0016 error policy.hcl:6:29", "SBC0016 error policy.hcl:6:37"},
		},
		{
			name: "the sandbox has a /dev and a /proc of its own",
			src:  `filesystem { read = ["/dev/stdin", "/proc/self/fd"] }`,
			view: newView("/dev/stdin -> /proc/self/fd/0", "/proc/self -> 4711", "/proc/4711/fd/"),
			want: []string{
				"root: allow/deny subtree /proc/self/fd workspace filesystem.read[/proc/self/fd]",
				"root: allow/deny subtree /dev/stdin workspace filesystem.read[/dev/stdin]",
			},
		},
		{
			name:  "a path that goes up behind a link is an error",
			src:   `filesystem { none = ["/a/ln/../x", "/a/ln/b/../x"] }`,
			view:  newView("/a/ln -> /b/c", "/b/c/"),
			diags: []string{"SBC0011 error policy.hcl:6:22"},
		},
		{
			name:  "a loop is an error",
			src:   `filesystem { read = ["/a"] }`,
			view:  newView("/a -> b", "/b -> a"),
			diags: []string{"SBC0011 error policy.hcl:6:22"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := memFiles{"/w/policy.hcl": bare + tt.src}
			if len(tt.diags) > 0 && strings.Contains(tt.diags[0], "error") {
				_, ds := load(t, files, withView(tt.view))
				if diff := cmp.Diff(tt.diags, codes(ds)); diff != "" {
					t.Errorf("diagnostics (-want +got):\n%s", diff)
				}
				return
			}
			if diff := cmp.Diff(tt.want, rules(t, files, withView(tt.view), tt.diags...)); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGuards(t *testing.T) {
	t.Parallel()
	decide := func(t *testing.T, src string, change func(*frontend.Options), op ir.Op, path string) ir.Effect {
		t.Helper()
		p, ds := load(t, memFiles{"/w/policy.hcl": "version = 1\n" + src}, change)
		if p == nil {
			t.Fatal(ds)
		}
		return p.Decide(ir.Query{Target: ir.Linux, Op: op, Path: path}).Effect
	}
	const agent = "extends = [\"workspace-write-no-network\"]\n"
	tests := []struct {
		name   string
		src    string
		change func(*frontend.Options)
		op     ir.Op
		path   string
		want   ir.Effect
	}{
		{"keys ask", agent, nil, ir.Read, "/home/u/.ssh/id_rsa", ir.Ask},
		{"dotenv asks beneath a write root", agent, nil, ir.Read, "/w/a/.env", ir.Ask},
		{"dotenv does not ask elsewhere", agent, nil, ir.Read, "/opt/a/.env", ir.Allow},
		{"example dotenv is open", agent, nil, ir.Write, "/w/.env.example", ir.Allow},
		{"hooks are denied", agent, nil, ir.Write, "/w/.git/hooks/pre-commit", ir.Deny},
		{"hooks may be read", agent, nil, ir.Read, "/w/.git/hooks/pre-commit", ir.Allow},
		{"sample hooks are open", agent, nil, ir.Write, "/w/.git/hooks/pre-commit.sample", ir.Allow},
		{"a sample directory opens no hooks", agent, nil, ir.Write, "/w/x.sample/.git/hooks/pre-commit", ir.Deny},
		{"a .git file is denied", agent, nil, ir.Write, "/w/sub/.git", ir.Deny},
		{"git's own files are open", agent, nil, ir.Write, "/w/.git/index", ir.Allow},
		{"git's configuration asks", agent, nil, ir.Write, "/w/.git/config", ir.Ask},
		{"a grant opens it", agent, func(o *frontend.Options) { o.Write = []string{"/w/.git/config"} }, ir.Write, "/w/.git/config", ir.Allow},
		{"startup files are denied", agent, nil, ir.Write, "/w/.bashrc", ir.Deny},
		{"agents' settings are denied", agent, nil, ir.Write, "/w/.claude/settings.json", ir.Deny},
		{"but not within node_modules", agent, nil, ir.Write, "/w/node_modules/x/.claude/settings.json", ir.Allow},
		{"an excluded guard is gone", agent + "guards {\n  exclude = [\"editor-config\"]\n  reason = \"x\"\n}\n", nil, ir.Write, "/w/.vscode/tasks.json", ir.Allow},
		{"an exception opens reading", agent + "guards {\n  except \"credentials\" {\n    paths = [\"./.npmrc\"]\n    reason = \"x\"\n  }\n}\n", nil, ir.Read, "/w/.npmrc", ir.Allow},
		{"and keeps writing closed", agent + "guards {\n  except \"credentials\" {\n    paths = [\"./.npmrc\"]\n    reason = \"x\"\n  }\n}\n", nil, ir.Write, "/w/.npmrc", ir.Ask},
		{"and no other path", agent + "guards {\n  except \"credentials\" {\n    paths = [\"./.npmrc\"]\n    reason = \"x\"\n  }\n}\n", nil, ir.Read, "/w/a/.npmrc", ir.Ask},
		{"an exception for writing opens both", agent + "guards {\n  except \"credentials\" {\n    paths  = [\"./.npmrc\"]\n    access = \"write\"\n    reason = \"x\"\n  }\n}\n", nil, ir.Write, "/w/.npmrc", ir.Allow},
		{"hooks of a git directory that is a write root", "filesystem { write = [git_dirs] }\n", func(o *frontend.Options) { o.GitDirs = []string{"/m/.git"} }, ir.Write, "/m/.git/hooks/pre-commit", ir.Deny},
		{"hooks of a bare repository that is a git directory", "filesystem { write = [git_dirs] }\n", func(o *frontend.Options) { o.GitDirs = []string{"/m/r.git"} }, ir.Write, "/m/r.git/hooks/pre-commit", ir.Deny},
		{"the policy file is closed for writing", agent, nil, ir.Write, "/w/policy.hcl", ir.Deny},
		{"the policy file may be read", agent, nil, ir.Read, "/w/policy.hcl", ir.Allow},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := decide(t, tt.src, tt.change, tt.op, tt.path); got != tt.want {
				t.Errorf("%v %s = %v, want %v", tt.op, tt.path, got, tt.want)
			}
		})
	}
}

func TestGrantIsDenied(t *testing.T) {
	t.Parallel()
	src := bare + "filesystem {\n  deny \"keys\" { paths = [\"~/keys\"] }\n}\n"
	for _, g := range []string{"/home/u/keys", "~/keys/a", "../home/u/keys"} {
		_, ds := load(t, memFiles{"/w/policy.hcl": src}, func(o *frontend.Options) { o.Read = []string{g} })
		if diff := cmp.Diff([]string{"SBC0015 error"}, codes(ds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", g, diff)
		}
		if len(ds) == 1 && (len(ds[0].Related) != 1 || ds[0].Related[0].Range.Start.Line != 7) {
			t.Errorf("related %v", ds[0].Related)
		}
	}
	// The control: the directory above is granted, and the deny is kept.
	p, ds := load(t, memFiles{"/w/policy.hcl": src}, func(o *frontend.Options) { o.Read = []string{"/home/u"} })
	if p == nil || len(ds) > 0 {
		t.Fatal(ds)
	}
	for path, want := range map[string]ir.Effect{"/home/u/keys/a": ir.Deny, "/home/u/b": ir.Allow} {
		if got := p.Decide(ir.Query{Target: ir.Linux, Op: ir.Read, Path: path}).Effect; got != want {
			t.Errorf("read %s = %v, want %v", path, got, want)
		}
	}
}

// TestOutsideText holds characters of directories and variables to be literal
// in globs and paths.
func TestOutsideText(t *testing.T) {
	t.Parallel()
	src := bare + `
variable "v" { default = "d*" }
filesystem {
  read = [workspace, literal("/a[1]"), "/x/${var.v}y"]
  deny "a" { paths = ["**/k", "./**/k", "${workspace}/${literal("*")}/?"] }
}`
	p, ds := load(t, memFiles{"/w[1]/policy.hcl": src}, func(o *frontend.Options) {
		o.Workspace, o.WorkDir = "/w[1]", "/w[1]"
		o.Vars = map[string]string{"v": "*"}
	})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	var got []string
	for _, r := range p.Files {
		if r.Layer == ir.LayerWorkspace && !strings.HasPrefix(r.Origin.Address, "filesystem.tmp") {
			got = append(got, r.Match.String())
		}
	}
	slices.Sort(got)
	want := []string{`glob /**/k`, `glob /w\[1\]/\*/?`, `glob /w\[1]/**/k`, `subtree /a[1]`, `subtree /w[1]`, `subtree /x/*y`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
}
