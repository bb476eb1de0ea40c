package frontend_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
)

// TestBadPolicies holds every kind of bad input to its code and place, in HCL
// and, where the text has a JSON twin, in JSON.
func TestBadPolicies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		file string // policy.hcl unless set
		src  string
		want string // the first error
	}{
		{"unknown block", "", "version = 1\nfilesystm {}\n", "SBC0002 error policy.hcl:2:1"},
		{"unknown attribute", "", "version = 1\nfilesystem {\n  reed = []\n}\n", "SBC0002 error policy.hcl:3:3"},
		{"unknown key in a rule", "", "version = 1\nrules = [{ path = \"a\", action = \"deny\", acess = \"read\" }]\n", "SBC0002 error policy.hcl:2:41"},
		{"unknown key in a test", "", "version = 1\ntest \"t\" {\n  deny = { reed = [\"/a\"] }\n}\n", "SBC0002 error policy.hcl:3:12"},
		{"unknown enum value", "", "version = 1\nnetwork { mode = \"of\" }\n", "SBC0002 error policy.hcl:2:18"},
		{"unknown action", "", "version = 1\nrules = [{ path = \"a\", action = \"block\" }]\n", "SBC0002 error policy.hcl:2:33"},
		{"unknown target", "", "version = 1\ntarget \"windows\" {}\n", "SBC0002 error policy.hcl:2:8"},
		{"unknown version", "", "version = 2\n", "SBC0006 error policy.hcl:1:11"},
		{"no version", "", "name = \"x\"\n", "SBC0006 error policy.hcl:1:1"},
		{"unknown profile", "", "version = 1\nextends = [\"readonli\"]\n", "SBC0010 error policy.hcl:2:12"},
		{"extends a bare file name", "", "version = 1\nextends = [\"base.hcl\"]\n", "SBC0010 error policy.hcl:2:12"},
		{"extends a missing file", "", "version = 1\nextends = [\"./base.hcl\"]\n", "SBC0008 error policy.hcl:2:12"},
		{"extends itself", "", "version = 1\nextends = [\"./policy.hcl\"]\n", "SBC0010 error policy.hcl:2:12"},
		{"unknown variable", "", "version = 1\nfilesystem { read = [var.x] }\n", "SBC0007 error policy.hcl:2:25"},
		{"unknown name", "", "version = 1\nfilesystem { read = [workspce] }\n", "SBC0007 error policy.hcl:2:22"},
		{"unknown function", "", "version = 1\nfilesystem { read = [upper(\"a\")] }\n", "SBC0007 error policy.hcl:2:22"},
		{"variable without a value", "", "version = 1\nvariable \"x\" {\n  env = \"NOT_SET\"\n}\nname = var.x\n", "SBC0007 error policy.hcl:2:1"},
		{"local that refers to itself", "", "version = 1\nlocals {\n  a = local.b\n  b = local.a\n}\n", "SBC0007 error policy.hcl:3:3"},
		{"string for a number", "", "version = \"1\"\n", "SBC0003 error policy.hcl:1:11"},
		{"number for a string", "", "version = 1\nname = 7\n", "SBC0003 error policy.hcl:2:8"},
		{"string for a list", "", "version = 1\nfilesystem { read = \"/usr\" }\n", "SBC0003 error policy.hcl:2:21"},
		{"number in a list", "", "version = 1\nfilesystem { read = [\"/usr\", 7] }\n", "SBC0003 error policy.hcl:2:30"},
		{"list within a list within a list", "", "version = 1\nfilesystem { read = [[[\"/usr\"]]] }\n", "SBC0003 error policy.hcl:2:22"},
		{"null", "", "version = 1\nname = null\n", "SBC0003 error policy.hcl:2:8"},
		{"null in a list", "", "version = 1\nfilesystem { read = [null] }\n", "SBC0003 error policy.hcl:2:22"},
		{"string for a boolean", "", "version = 1\nprocess { ptrace = \"true\" }\n", "SBC0003 error policy.hcl:2:20"},
		{"fraction", "", "version = 1\nlimits { processes = 1.5 }\n", "SBC0013 error policy.hcl:2:22"},
		{"duplicate attribute", "", "version = 1\nversion = 1\n", "SBC0004 error policy.hcl:2:1"},
		{"duplicate block", "", "version = 1\nfilesystem {}\nfilesystem {}\n", "SBC0004 error policy.hcl:3:1"},
		{"duplicate nested block", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\"/a\"] }\n  deny \"a\" { paths = [\"/b\"] }\n}\n", "SBC0004 error policy.hcl:4:3"},
		{"duplicate key", "", "version = 1\nenv { set = { A = \"1\", A = \"2\" } }\n", "SBC0004 error policy.hcl:2:24"},
		{"duplicate key, quoted", "", "version = 1\nenv { set = { A = \"1\", \"A\" = \"2\" } }\n", "SBC0004 error policy.hcl:2:24"},
		{"duplicate key, computed", "", "version = 1\nlocals { n = \"A\" }\nenv { set = { A = \"1\", (local.n) = \"2\" } }\n", "SBC0004 error policy.hcl:3:24"},
		{"duplicate key in a rule", "", "version = 1\nrules = [{ path = \"a\", path = \"b\", action = \"deny\" }]\n", "SBC0004 error policy.hcl:2:24"},
		{"duplicate key in JSON", "policy.json", `{"version": 1, "filesystem": {"read": ["/a"], "read": ["/b"]}}`, "SBC0004 error policy.json:1:47"},
		{"duplicate block in JSON", "policy.json", `{"version": 1, "filesystem": {}, "filesystem": {}}`, "SBC0004 error policy.json:1:34"},
		{"duplicate block in a JSON list", "policy.json", `{"version": 1, "filesystem": [{}, {}]}`, "SBC0004 error policy.json:1:30"},
		{"unknown key in JSON", "policy.json", `{"version": 1, "filesystem": {"reed": ["/a"]}}`, "SBC0002 error policy.json:1:31"},
		{"key in the wrong case in JSON", "policy.json", `{"Version": 1}`, "SBC0002 error policy.json:1:2"},
		{"trailing data in JSON", "policy.json", `{"version": 1} x`, "SBC0001 error policy.json:1:16"},
		{"unclosed class", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\"./[a\"] }\n}\n", "SBC0012 error policy.hcl:3:23"},
		{"star star within a segment", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\"./a**\"] }\n}\n", "SBC0012 error policy.hcl:3:23"},
		{"bare name in deny", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\".env\"] }\n}\n", "SBC0011 error policy.hcl:3:23"},
		{"bare glob in ask", "", "version = 1\nfilesystem {\n  ask \"a\" { paths = [\"*.pem\"] }\n}\n", "SBC0011 error policy.hcl:3:22"},
		{"bare name with a slash at its end", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\"node_modules/\"] }\n}\n", "SBC0011 error policy.hcl:3:23"},
		{"class by name", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\"./[[:alpha:]]x\"] }\n}\n", "SBC0012 error policy.hcl:3:23"},
		{"bang", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\"!**/.env\"] }\n}\n", "SBC0012 error policy.hcl:3:23"},
		{"opening glob", "", "version = 1\nfilesystem { write = [\"./src/*.ts\"] }\n", "SBC0012 error policy.hcl:2:23"},
		{"opening glob in an allow block", "", "version = 1\nfilesystem {\n  allow \"a\" { paths = [\"./src/*.ts\"] }\n}\n", "SBC0012 error policy.hcl:3:24"},
		{"opening glob in a rule list", "", "version = 1\nrules = [{ path = \"./src/*.ts\", action = \"allow\" }]\n", "SBC0012 error policy.hcl:2:19"},
		{"closing glob as a root", "", "version = 1\nfilesystem { none = [\"**/x\"] }\n", "SBC0012 error policy.hcl:2:22"},
		{"negative size", "", "version = 1\nlimits { memory = \"-1GiB\" }\n", "SBC0013 error policy.hcl:2:19"},
		{"ambiguous size", "", "version = 1\nlimits { memory = \"2G\" }\n", "SBC0013 error policy.hcl:2:19"},
		{"absurd size", "", "version = 1\nlimits { memory = \"99999999999TiB\" }\n", "SBC0013 error policy.hcl:2:19"},
		{"size without a unit", "", "version = 1\nlimits { memory = \"1024\" }\n", "SBC0013 error policy.hcl:2:19"},
		{"size as a number", "", "version = 1\nlimits { memory = 1024 }\n", "SBC0003 error policy.hcl:2:19"},
		{"negative count", "", "version = 1\nlimits { processes = -1 }\n", "SBC0013 error policy.hcl:2:22"},
		{"absurd count", "", "version = 1\nlimits { processes = 99999999 }\n", "SBC0013 error policy.hcl:2:22"},
		{"negative duration", "", "version = 1\nlimits { wall = \"-5m\" }\n", "SBC0013 error policy.hcl:2:17"},
		{"absurd duration", "", "version = 1\nlimits { wall = \"99999h\" }\n", "SBC0013 error policy.hcl:2:17"},
		{"empty path", "", "version = 1\nfilesystem { read = [\"\"] }\n", "SBC0011 error policy.hcl:2:22"},
		{"path with NUL", "", "version = 1\nfilesystem { read = [\"/a\\u0000b\"] }\n", "SBC0011 error policy.hcl:2:22"},
		{"path above the root", "", "version = 1\nfilesystem { read = [\"/../x\"] }\n", "SBC0011 error policy.hcl:2:22"},
		{"another user's home", "", "version = 1\nfilesystem { read = [\"~bob/x\"] }\n", "SBC0011 error policy.hcl:2:22"},
		{"decomposed text", "", "version = 1\nfilesystem { read = [\"/e\u0301\"] }\n", "SBC0019 error policy.hcl:2:23"},
		{"decomposed text behind an escape", "", "version = 1\nfilesystem { read = [\"/e\\u0301\"] }\n", "SBC0019 error policy.hcl:2:23"},
		{"decomposed text in JSON", "policy.json", "{\"version\": 1, \"filesystem\": {\"read\": [\"/e\\u0301\"]}}", "SBC0019 error policy.json:1:40"},
		{"not UTF-8", "", "version = 1\nname = \"\xff\"\n", "SBC0008 error policy.hcl:2:9"},
		{"empty file", "", "", "SBC0008 error policy.hcl:0:0"},
		{"not HCL", "", "{bad", "SBC0001 error policy.hcl:1:1"},
		{"host with a path", "", "version = 1\nnetwork { allow = [\"https://x.org\"] }\n", "SBC0014 error policy.hcl:2:20"},
		{"host with a star inside", "", "version = 1\nnetwork { allow = [\"a.*.org\"] }\n", "SBC0014 error policy.hcl:2:20"},
		{"port zero", "", "version = 1\nnetwork { allow = [\"x.org:0\"] }\n", "SBC0014 error policy.hcl:2:20"},
		{"variable name with =", "", "version = 1\nenv { pass = [\"A=B\"] }\n", "SBC0021 error policy.hcl:2:15"},
		{"unknown guard", "", "version = 1\nguards {\n  exclude = [\"credential\"]\n  reason  = \"x\"\n}\n", "SBC0018 error policy.hcl:3:14"},
		{"guard excluded without a reason", "", "version = 1\nguards { exclude = [\"credentials\"] }\n", "SBC0018 error policy.hcl:2:10"},
		{"accept of what is no loss", "", "version = 1\naccept \"SBC0001\" {\n  rule   = \"x\"\n  reason = \"y\"\n}\n", "SBC0002 error policy.hcl:2:8"},
		{"mach services on linux", "", "version = 1\ntarget \"linux\" { mach_services = [\"x\"] }\n", "SBC0002 error policy.hcl:2:35"},
		{"host with two stars", "", "version = 1\nnetwork { allow = [\"**.*.org\"] }\n", "SBC0014 error policy.hcl:2:20"},
		{"path of a heredoc", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\n<<EOT\n/secret\nEOT\n] }\n}\n", "SBC0011 error policy.hcl:4:1"},
		{"glob that starts with a brace", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [\"{~/.ssh,~/.aws}/**\"] }\n}\n", "SBC0012 error policy.hcl:3:23"},
		{"literal tilde", "", "version = 1\nfilesystem {\n  deny \"a\" { paths = [literal(\"~/x\")] }\n}\n", "SBC0011 error policy.hcl:3:23"},
		{"splat", "", "version = 1\nfilesystem { read = git_dirs[*] }\n", "SBC0001 error policy.hcl:2:21"},
		{"null as a block in JSON", "policy.json", `{"version": 1, "filesystem": {"deny": {"keys": null}}}`, "SBC0003 error policy.json:1:48"},
		{"list of documents in JSON", "policy.json", `[{"version": 1}, {"name": "x"}]`, "SBC0003 error policy.json:1:1"},
		{"accept of no rule", "", "version = 1\naccept \"SBC2110\" {\n  rule   = \"\"\n  reason = \"y\"\n}\n", "SBC0005 error policy.hcl:3:3"},
		{"name with NUL", "", "version = 1\nname = \"\\u0000\"\n", "SBC0001 error policy.hcl:2:8"},
		{"missing paths", "", "version = 1\nfilesystem {\n  deny \"a\" {}\n}\n", "SBC0005 error policy.hcl:3:12"},
		{"missing label", "", "version = 1\nfilesystem {\n  deny { paths = [\"/a\"] }\n}\n", "SBC0005 error policy.hcl:3:8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name := tt.file
			if name == "" {
				name = "policy.hcl"
			}
			p, ds := load(t, memFiles{"/w/" + name: tt.src}, func(o *frontend.Options) { o.Policy = name })
			if p != nil || len(ds) == 0 {
				t.Fatalf("loaded, diagnostics %v", ds)
			}
			var first string
			for i, d := range ds {
				if d.Severity.String() == "error" {
					first = codes(ds)[i]
					if d.Summary == "" || strings.HasSuffix(d.Summary, ".") || d.Detail == "" {
						t.Errorf("summary %q, detail %q", d.Summary, d.Detail)
					}
					break
				}
			}
			if diff := cmp.Diff(tt.want, first); diff != "" {
				t.Errorf("first error (-want +got):\n%s\n%v", diff, ds)
			}
		})
	}
}
