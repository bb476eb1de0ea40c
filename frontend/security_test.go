package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// question is what a policy is asked, and the answer.
type question struct {
	target string // linux unless set
	op     ir.Op
	path   string
	want   ir.Effect
}

// ask loads a policy and asks it. The options are changed first.
func ask(t *testing.T, src string, change func(*frontend.Options), questions ...question) {
	t.Helper()
	p, ds := load(t, memFiles{"/w/policy.hcl": "version = 1\n" + src}, change)
	if p == nil {
		t.Fatalf("%s\n%v", src, ds)
	}
	for _, q := range questions {
		if q.target == "" {
			q.target = ir.Linux
		}
		d := p.Decide(ir.Query{Target: q.target, Op: q.op, Path: q.path})
		if d.Effect == q.want {
			continue
		}
		by := "nothing"
		if d.Rule >= 0 {
			by = p.Files[d.Rule].Origin.Address + " " + p.Files[d.Rule].Match.String()
		}
		t.Errorf("%s %v %s = %v by %s, want %v", q.target, q.op, q.path, d.Effect, by, q.want)
	}
}

const noGuards = `guards {
  exclude = ["credentials", "git-exec", "git-config", "shell-startup", "agent-config", "editor-config", "sbc-files"]
  reason  = "test"
}
`

func TestSecurity(t *testing.T) {
	t.Parallel()
	const (
		agent  = "extends = [\"workspace-write-no-network\"]\n"
		r, w   = ir.Read, ir.Write
		a      = ir.Allow
		no     = ir.Deny
		darwin = ir.Darwin
	)
	view := func(paths ...string) func(*frontend.Options) { return withView(newView(paths...)) }
	tests := []struct {
		name   string
		src    string
		change func(*frontend.Options)
		ask    []question
	}{
		{
			"a darwin block means what the kernel of macOS calls /etc",
			noGuards + "filesystem { read = [\"/\"] }\ntarget \"darwin\" {\n  filesystem {\n    deny \"x\" { paths = [\"/etc/x\", \"/var/x/*\"] }\n  }\n}\n", nil,
			[]question{
				{darwin, r, "/private/etc/x", no},
				{darwin, r, "/private/var/x/y", no},
				{"", r, "/etc/x", a},
			},
		},
		{
			"a linux block on a Mac means what Linux calls it",
			noGuards + "filesystem { read = [\"/\"] }\ntarget \"linux\" {\n  filesystem {\n    deny \"x\" { paths = [\"/etc/x\"] }\n  }\n}\n",
			func(o *frontend.Options) {
				o.Facts = &host.Facts{OS: ir.Darwin, Home: "/Users/u", Temp: "/private/tmp"}
				o.Host = newView("/private/etc/x", "/etc -> private/etc")
			},
			[]question{{"", r, "/etc/x", no}, {darwin, r, "/private/etc/x", a}},
		},
		{
			"a glob from the root means the directories of macOS too",
			noGuards + "filesystem {\n  read = [\"/\"]\n  deny \"x\" {\n    paths  = [\"/{etc,opt}/x\", \"/?mp/y\"]\n    except = [\"/etc/x/open\"]\n  }\n}\n", nil,
			[]question{
				{"", r, "/etc/x", no},
				{"", r, "/etc/x/open", a},
				{darwin, r, "/private/etc/x", no},
				{darwin, r, "/private/etc/x/open", a},
				{darwin, r, "/opt/x", no},
				{darwin, r, "/private/tmp/y", no},
				{darwin, r, "/private/tmp/z", a},
			},
		},
		{
			"every alternative of a glob is resolved",
			noGuards + "filesystem {\n  read = [\"/\"]\n  deny \"x\" { paths = [\"~/{.aws,.x}/**\", \"~/{a,b}\"] }\n}\n",
			view("/home/u/.aws -> /data/aws", "/data/aws/key", "/home/u/b -> /data/b", "/data/b"),
			[]question{{"", r, "/data/aws/key", no}, {"", r, "/data/b", no}, {"", r, "/data/c", a}, {"", r, "/home/u/.x/k", no}},
		},
		{
			"on a target that folds, a closing wins over an opening of the same path",
			noGuards + "filesystem {\n  write = [\"/w\", \"/w/a\"]\n  none  = [\"/w/A\"]\n}\n", nil,
			[]question{{darwin, w, "/w/a", no}, {darwin, r, "/w/a/b", no}, {"", w, "/w/a", a}, {"", r, "/w/A", no}},
		},
		{
			"and in another normal form",
			noGuards + "filesystem {\n  write = [\"/w\", \"/w/É\"]\n  none  = [\"/w/é\"]\n}\n", nil,
			[]question{{darwin, r, "/w/E\u0301", no}, {darwin, r, "/w/e\u0301", no}, {darwin, r, "/w/é", no}, {"", r, "/w/é", no}},
		},
		{
			"guards hold beneath a root that only a grant gives, for writing",
			agent, func(o *frontend.Options) { o.Write = []string{"/other"} },
			[]question{
				{"", w, "/other/x", a},
				{"", w, "/other/.git/hooks/pre-commit", no},
				{"", w, "/other/.env", ir.Ask},
				{"", r, "/other/.env", a}, // it could be read before: a grant never narrows
			},
		},
		{
			"and for reading too where nothing could be read before",
			"extends = [\"strict\"]\n", func(o *frontend.Options) { o.Write = []string{"/other"} },
			[]question{{"", r, "/other/.env", ir.Ask}, {"", r, "/other/x", a}},
		},
		{
			"a narrow file that says the same of tmp moves it to no other layer",
			noGuards + "filesystem {\n  allow \"x\" { paths = [\"/tmp\"] }\n}\n",
			func(o *frontend.Options) {
				o.Narrow = []string{"narrow.hcl"}
				files, ok := o.Files.(memFiles)
				if !ok {
					t.Fatal("no files")
				}
				files["/w/narrow.hcl"] = "version = 1\nfilesystem { tmp = \"shared\" }\n"
			},
			[]question{{darwin, r, "/private/tmp/x", a}, {darwin, w, "/private/tmp/x", no}},
		},
		{
			"guards hold beneath a grant above a write root",
			agent, func(o *frontend.Options) { o.Write = []string{"/"} },
			[]question{{"", w, "/other/.git/hooks/pre-commit", no}, {"", r, "/w/.env", ir.Ask}, {"", w, "/w/.env", ir.Ask}, {"", w, "/other/x", a}},
		},
		{
			"guards hold when / is a write root",
			"filesystem { write = [\"/\"] }\n", nil,
			[]question{{"", w, "/x/.git/hooks/pre-commit", no}, {"", r, "/x/.env", ir.Ask}, {darwin, w, "/private/tmp/x/.git/hooks/p", no}},
		},
		{
			"guards hold beneath the root of one target",
			"target \"darwin\" {\n  filesystem { write = [\"/opt/x\"] }\n}\n", nil,
			[]question{{darwin, r, "/opt/x/.env", ir.Ask}, {darwin, w, "/opt/x/y", a}, {"", r, "/opt/x/.env", no}},
		},
		{
			"guards hold beneath a root within another, with a closed one between",
			"filesystem {\n  write = [\"/w\", \"/w/a/b\"]\n  none  = [\"/w/a\"]\n}\n", nil,
			[]question{{"", r, "/w/a/b/.env", ir.Ask}, {"", w, "/w/a/b/.git/hooks/p", no}},
		},
		{
			"a grant answers an asking glob of a rule list",
			noGuards + "rules = [\n  { path = \"**/*.pem\", action = \"ask\" },\n  { path = \"/w\", action = \"allow\" },\n]\n",
			func(o *frontend.Options) { o.Read = []string{"/w/a.pem"} },
			[]question{{"", r, "/w/a.pem", a}, {"", w, "/w/a.pem", ir.Ask}, {"", r, "/w/b.pem", ir.Ask}},
		},
		{
			"private storage wins over the host's directory in one layer",
			noGuards + "filesystem {\n  write = [\"/tmp\"]\n  tmp   = \"private\"\n}\n", nil,
			[]question{{"", w, "/tmp/x", a}},
		},
		{
			"a temporary directory that is no absolute path is none",
			noGuards, func(o *frontend.Options) { o.Facts = &host.Facts{OS: "linux", Home: "/home/u", Temp: "tmp"} },
			[]question{{"", w, "/w/tmp", no}, {"", w, "/tmp/x", a}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ask(t, tt.src, tt.change, tt.ask...)
		})
	}
}

// TestPrivateTmp holds the private storage to stand above a root of its layer.
func TestPrivateTmp(t *testing.T) {
	t.Parallel()
	src := "version = 1\n" + noGuards + "filesystem {\n  write = [\"/tmp\"]\n  tmp   = \"private\"\n}\n"
	p, ds := load(t, memFiles{"/w/policy.hcl": src}, nil)
	if diff := cmp.Diff([]string{"SBC1002 warning policy.hcl:7:12"}, codes(ds)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	d := p.Decide(ir.Query{Target: ir.Linux, Op: ir.Write, Path: "/tmp/x"})
	if r := p.Files[d.Rule]; !r.Private {
		t.Errorf("decided by %v", r)
	}
}

// TestPlantedLinks holds what a link opens that one run can plant for the next
// to be refused, whatever opens it.
func TestPlantedLinks(t *testing.T) {
	t.Parallel()
	const agent = "extends = [\"workspace-write-no-network\"]\n"
	tests := []struct {
		name   string
		src    string
		view   memView
		change func(*frontend.Options)
		want   []string // errors
	}{
		{
			"an exception of a guard", agent + "guards {\n  except \"credentials\" {\n    paths  = [\"./.npmrc\"]\n    reason = \"x\"\n  }\n}\n",
			newView("/w/.npmrc -> /home/u/.npmrc", "/home/u/.npmrc"), nil,
			[]string{"SBC0016 error policy.hcl:5:15"},
		},
		{
			"an exception of a guard, to what is open anyway", agent + "guards {\n  except \"credentials\" {\n    paths  = [\"./.npmrc\"]\n    reason = \"x\"\n  }\n}\n",
			newView("/w/.npmrc -> /opt/npmrc", "/opt/npmrc"), nil, nil,
		},
		{
			"an exception of a guard, through a link that nobody can plant", agent + "guards {\n  except \"credentials\" {\n    paths  = [\"/opt/ln/.npmrc\"]\n    reason = \"x\"\n  }\n}\n",
			newView("/opt/ln -> /home/u", "/home/u/.npmrc"), nil, nil,
		},
		{
			"an exception of a deny", agent + "filesystem {\n  deny \"x\" {\n    paths  = [\"/opt/**/key\", \"./**/key\"]\n    except = [\"./key\"]\n  }\n}\n",
			newView("/w/key -> /opt/a/key", "/opt/a/key"), nil,
			[]string{"SBC0016 error policy.hcl:6:15"},
		},
		{
			"an opening that stands before a glob", noGuards + "filesystem { read = [\"/\"] }\nrules = [\n  { path = \"./build\", access = \"read\", action = \"allow\" },\n  { path = \"**/key\", action = \"deny\" },\n  { path = \".\", action = \"allow\" },\n]\n",
			newView("/w/build -> /opt/key", "/opt/key/x"), nil,
			[]string{"SBC0016 error policy.hcl:8:12"},
		},
		{
			"a socket", agent + "network { unix_sockets = [\"./s\"] }\n",
			newView("/w/s -> /run/docker.sock", "/run/docker.sock"), nil,
			[]string{"SBC0016 error policy.hcl:3:27"},
		},
		{
			"a socket that is open by its own name", agent + "network { unix_sockets = [\"./s\", \"/run/docker.sock\"] }\n",
			newView("/w/s -> /run/docker.sock", "/run/docker.sock"), nil, nil,
		},
		{
			"a socket through a link that nobody can plant", agent + "network { unix_sockets = [\"/var/run/s\"] }\n",
			newView("/var/run -> /run", "/run/s"), nil, nil,
		},
		{
			"a device", agent + "process { devices = [\"./d\"] }\n",
			newView("/w/d -> /dev/mem", "/dev/mem"), nil,
			[]string{"SBC0016 error policy.hcl:3:22"},
		},
		{
			"the temporary directory", agent, newView("/w/tmp -> /srv/x", "/srv/x/"),
			func(o *frontend.Options) { o.Facts = &host.Facts{OS: "linux", Home: "/home/u", Temp: "/w/tmp"} },
			[]string{"SBC0016 error"},
		},
		{
			"a grant", agent, newView("/w/out -> /srv/x", "/srv/x/"),
			func(o *frontend.Options) { o.Write = []string{"/w/out"} },
			[]string{"SBC0016 error"},
		},
		{
			"a closing of a narrow layer does not make a link safe", agent + "filesystem { write = [\"./build\"] }\n",
			newView("/w/build -> /srv/x", "/srv/x/"), func(o *frontend.Options) { o.Narrow = []string{"narrow.hcl"} },
			[]string{"SBC0016 error policy.hcl:3:23"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := memFiles{
				"/w/policy.hcl": "version = 1\n" + tt.src,
				"/w/narrow.hcl": "version = 1\nfilesystem {\n  deny \"x\" {\n    paths  = [\"./build\"]\n    access = \"write\"\n  }\n}\n",
			}
			_, ds := load(t, files, func(o *frontend.Options) {
				o.Host = tt.view
				if tt.change != nil {
					tt.change(o)
				}
			})
			var got []string
			for i, d := range ds {
				if d.Severity.String() == "error" {
					got = append(got, codes(ds)[i])
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s\n%v", diff, ds)
			}
		})
	}
}

// TestNarrowAndGrants holds an ask of a narrow layer not to help a grant: what
// the grant opens without the layer is all that it opens.
func TestNarrowAndGrants(t *testing.T) {
	t.Parallel()
	src := "version = 1\n" + noGuards + "filesystem {\n  read = [\"/home/u\"]\n  none = [\"~/d/secret\"]\n}\n"
	narrow := "version = 1\nfilesystem {\n  ask \"d\" { paths = [\"~/d\"] }\n  ask \"glob\" { paths = [\"~/**/*.key\"] }\n}\n"
	grants := func(o *frontend.Options) {
		o.Narrow = []string{"narrow.hcl"}
		o.Read, o.Write = []string{"~/d"}, []string{"~/e/x.key"}
	}
	p, ds := load(t, memFiles{"/w/policy.hcl": src, "/w/narrow.hcl": narrow}, grants)
	if p == nil || len(ds) > 0 {
		t.Fatal(ds)
	}
	for _, q := range []question{
		{"", ir.Read, "/home/u/d/x", ir.Allow},
		{"", ir.Write, "/home/u/d/x", ir.Ask},
		{"", ir.Read, "/home/u/d/x.key", ir.Ask},
		{"", ir.Read, "/home/u/d/secret", ir.Deny},
		{"", ir.Write, "/home/u/e/x.key", ir.Allow},
		{"", ir.Read, "/home/u/e/y.key", ir.Ask},
	} {
		if d := p.Decide(ir.Query{Target: ir.Linux, Op: q.op, Path: q.path}); d.Effect != q.want {
			t.Errorf("%v %s = %v, want %v", q.op, q.path, d.Effect, q.want)
		}
	}
	_, ds = load(t, memFiles{"/w/policy.hcl": src, "/w/narrow.hcl": strings.ReplaceAll(narrow, "ask", "deny")}, grants)
	if diff := cmp.Diff([]string{"SBC0015 error", "SBC0015 error"}, codes(ds)); diff != "" {
		t.Errorf("a narrow deny that covers a grant (-want +got):\n%s", diff)
	}
}

// TestGrantAgainstRuleList holds a grant that a denying glob of a rule list
// covers to be an error, since it opens nothing.
func TestGrantAgainstRuleList(t *testing.T) {
	t.Parallel()
	src := "version = 1\n" + noGuards + "rules = [\n  { path = \"**/a.pem\", action = \"deny\" },\n  { path = \"**/*.pem\", action = \"ask\" },\n  { path = \"./x\", action = \"deny\" },\n]\n"
	for grant, want := range map[string][]string{"/w/a.pem": {"SBC0015 error"}, "/w/b.pem": nil, "/w/x": nil} {
		_, ds := load(t, memFiles{"/w/policy.hcl": src}, func(o *frontend.Options) { o.Read = []string{grant} })
		if diff := cmp.Diff(want, codes(ds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", grant, diff)
		}
	}
}

func TestRuleLists(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		rules string
		view  memView
		diags []string
		want  []string
	}{
		{
			"reading and writing in two entries",
			`{ path = "/w", access = "read", action = "allow" }, { path = "/w", access = "write", action = "allow" }`, nil, nil,
			[]string{"root: allow/allow subtree /w workspace rules[1]", "root: allow/pass subtree /w workspace rules[0]"},
		},
		{
			"a closed reading behind an ask for writing closes writing",
			`{ path = "/w", access = "write", action = "ask" }, { path = "/w", access = "read", action = "deny" }`, nil, nil,
			[]string{"root: pass/ask subtree /w workspace rules[0]", "root: deny/deny subtree /w workspace rules[1]"},
		},
		{
			"a dead opening for writing opens no reading",
			`{ path = "/w", access = "write", action = "deny" }, { path = "/w/a", access = "write", action = "allow" }`, nil,
			[]string{"SBC1001 warning policy.hcl:6:71"},
			[]string{"root: pass/deny subtree /w workspace rules[0]"},
		},
		{
			"a dead closing for reading closes no writing",
			`{ path = "/w", access = "read", action = "allow" }, { path = "/w/a", access = "read", action = "deny" }, { path = "/w", access = "write", action = "allow" }`, nil,
			[]string{"SBC1001 warning policy.hcl:6:71"},
			[]string{"root: allow/allow subtree /w workspace rules[2]", "root: allow/pass subtree /w workspace rules[0]"},
		},
		{
			"a closing through a link covers a later opening of what the link leads to",
			`{ path = "/ln", action = "deny" }, { path = "/real/a", action = "allow" }`, newView("/ln -> /real", "/real/a/"),
			[]string{"SBC1001 warning policy.hcl:6:54"},
			[]string{"root: deny/deny subtree /ln workspace rules[0]", "root: deny/deny subtree /real workspace rules[0] written /ln"},
		},
		{
			"an opening does not cover a later closing through a link to elsewhere",
			`{ path = "/w", action = "allow" }, { path = "/w/ln", action = "deny" }, { path = "/", access = "read", action = "allow" }`, newView("/w/ln -> /secret", "/secret/"),
			[]string{"SBC1009 warning policy.hcl:6:54"},
			[]string{
				"root: deny/deny subtree /secret workspace rules[1] written /w/ln",
				"root: allow/allow subtree /w workspace rules[0]",
				"root: allow/pass subtree / workspace rules[2]",
			},
		},
		{
			"on darwin a closing covers another spelling",
			`{ path = "/w/Secret", action = "deny" }, { path = "/w/secret/pub", action = "allow" }`, nil, nil,
			[]string{
				"root: allow/allow subtree /w/secret/pub workspace rules[1] on linux",
				"root: deny/deny subtree /w/Secret workspace rules[0]",
			},
		},
		{
			"an opening through a link is an exception of a later glob",
			`{ path = "/ln", access = "read", action = "allow" }, { path = "/**/key", action = "deny" }`, newView("/ln -> /real", "/real/key"), nil,
			[]string{
				"glob: deny/deny glob /**/key except /ln except /real workspace rules[1]",
				"glob: pass/deny glob /**/key workspace rules[1]",
				"root: allow/pass subtree /real workspace rules[0] written /ln",
			},
		},
		{
			"a dead opening is no exception",
			`{ path = "/w/**/a", action = "deny" }, { path = "/w/a", action = "allow" }, { path = "/w/**/b", action = "deny" }`, nil,
			[]string{"SBC1001 warning policy.hcl:6:58"},
			[]string{"glob: deny/deny glob /w/**/a workspace rules[0]", "glob: deny/deny glob /w/**/b workspace rules[2]"},
		},
		{
			"globs in their order",
			`{ path = "**/a", action = "ask" }, { path = "**/a", action = "deny" }, { path = "**/*", access = "write", action = "deny" }`, nil,
			[]string{"SBC1001 warning policy.hcl:6:54"},
			[]string{"glob: ask/ask glob /**/a workspace rules[0]", "glob: pass/deny glob /**/* workspace rules[2]"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			change := func(*frontend.Options) {}
			if tt.view != nil {
				change = withView(tt.view)
			}
			got := rules(t, memFiles{"/w/policy.hcl": bare + "rules = [" + tt.rules + "]\n"}, change, tt.diags...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExtends holds a file to be read once however often it is extended.
func TestExtends(t *testing.T) {
	t.Parallel()
	files := memFiles{"/w/policy.hcl": bare + "extends = [\"./0.hcl\", \"./0.hcl\"]\n"}
	for i := range 40 {
		files[fmt.Sprintf("/w/%d.hcl", i)] = fmt.Sprintf("version = 1\nextends = [\"./%d.hcl\", \"../w/%d.hcl\"]\nlimits { wall = \"%dm\" }\n", i+1, i+1, i+1)
	}
	files["/w/40.hcl"] = "version = 1\nfilesystem { read = [\"/x\"] }\nlimits { cpu = \"1h\" }\n"
	p, ds := load(t, files, nil)
	if p == nil || len(ds) > 0 {
		t.Fatal(ds)
	}
	if got := len(p.Sources); got != 42 {
		t.Errorf("%d sources, want 42", got)
	}
	if got := []string{p.Limits.Wall.Value.String(), p.Limits.CPU.Value.String()}; !cmp.Equal(got, []string{"1m0s", "1h0m0s"}) {
		t.Errorf("limits %v", got)
	}
}

// TestNarrowExtends holds a narrow file to read no file outside of the
// workspace and its own directory: messages show what they read.
func TestNarrowExtends(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, narrow, extends string
		want                  []string
	}{
		{"a file beside it", "/w/n/narrow.hcl", "./more.hcl", nil},
		{"a file of the workspace", "/w/n/narrow.hcl", "../more.hcl", nil},
		{"a profile", "/w/n/narrow.hcl", "readonly", nil},
		{"a file of home", "/w/n/narrow.hcl", "~/more.hcl", []string{"SBC0010 error /w/n/narrow.hcl:2:12"}},
		{"a file outside", "/w/n/narrow.hcl", "/opt/more.hcl", []string{"SBC0010 error /w/n/narrow.hcl:2:12"}},
		{"a link to a file outside", "/w/n/narrow.hcl", "./ln.hcl", []string{"SBC0010 error /w/n/narrow.hcl:2:12"}},
		{"itself through a link", "/w/n/out.hcl", "readonly", []string{"SBC0008 error /w/n/out.hcl:0:0"}},
		{"beside a narrow file outside", "/opt/n/narrow.hcl", "./more.hcl", nil},
		{"above a narrow file outside", "/opt/n/narrow.hcl", "../more.hcl", []string{"SBC0010 error /opt/n/narrow.hcl:2:12"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const more = "version = 1\nfilesystem { none = [\"/x\"] }\n"
			files := memFiles{
				"/w/policy.hcl": "version = 1\n" + noGuards, tt.narrow: "version = 1\nextends = [\"" + tt.extends + "\"]\n",
				"/w/n/more.hcl": more, "/w/more.hcl": more, "/w/n/ln.hcl": more, "/home/u/more.hcl": more, "/opt/more.hcl": more, "/opt/n/more.hcl": more,
			}
			_, ds := load(t, files, func(o *frontend.Options) {
				o.Narrow = []string{tt.narrow}
				o.Host = newView("/w/n/ln.hcl -> /home/u/.netrc", "/w/n/out.hcl -> /home/u/.netrc", "/home/u/.netrc")
			})
			if diff := cmp.Diff(tt.want, codes(ds)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s\n%v", diff, ds)
			}
		})
	}
}

// TestUnknownVars holds every value without a variable to be named, in order.
func TestUnknownVars(t *testing.T) {
	t.Parallel()
	_, ds := load(t, memFiles{"/w/policy.hcl": "version = 1\nvariable \"b\" { default = \"\" }\n"}, func(o *frontend.Options) {
		o.Vars = map[string]string{"a": "1", "b": "2", "c": "3"}
	})
	var got []string
	for _, d := range ds {
		got = append(got, d.Summary)
	}
	if diff := cmp.Diff([]string{`no policy declares the variable "a"`, `no policy declares the variable "c"`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSurroundings holds a workspace or home that is no absolute path to be
// refused: without a home the guards would close nothing.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, workspace, home string
		want                  []string
	}{
		{"both", "/w", "/home/u", nil},
		{"no home", "/w", "", []string{"SBC0011 error"}},
		{"a relative home", "/w", "home", []string{"SBC0011 error"}},
		{"a home that is not clean", "/w/", "/home//u/", nil},
		{"no workspace", "", "/home/u", []string{"SBC0020 error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, ds := load(t, memFiles{"/w/policy.hcl": "version = 1\n"}, func(o *frontend.Options) {
				o.Workspace, o.Facts = tt.workspace, &host.Facts{OS: "linux", Home: tt.home, Temp: "/tmp"}
			})
			if diff := cmp.Diff(tt.want, codes(ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
