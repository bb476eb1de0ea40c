package frontend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// FuzzHCL loads any text as a policy in HCL.
func FuzzHCL(f *testing.F) {
	for _, s := range seeds(f, "hcl") {
		f.Add(s)
	}
	for _, s := range []string{
		"version = 1\nfilesystem {\n  deny \"x\" { paths = [<<EOT\n${home}/x\nEOT\n] }\n}\n",
		"version = 1\nlocals { a = [for x in [1, 2] : x if x > 1] }\nlimits { processes = local.a[0] }\n",
		"version = 1\nname = \"%{ for x in git_dirs }${x}%{ endfor }\"\n",
		"version = 1\nname = format(\"%[2]*.[1]*f\", 1, 2)\n",
		"version = 1\nrules = [{ path = \"*/{a,b}/**\", action = os == \"linux\" ? \"deny\" : \"ask\" }]\n",
		"version = 1\nenv { set = { (os) = \"\\u00e9\", \"a\" = lower(\"A\") } }\n",
		"a \"b\" \"c\" {\r\n\t}\n/* \xff", "version = 1e99\n", "{", "\"${", "<<-A\n%{", "version = 1\nname = [][*].a\n",
		"version = 1\nfilesystem { none = [\"/a/../../b\", \"~x\", \"!y\", \"[\", \"{\", \"**\"] }\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { loadAny(t, "policy.hcl", src) })
}

// FuzzJSON loads any text as a policy in JSON.
func FuzzJSON(f *testing.F) {
	for _, s := range seeds(f, "json") {
		f.Add(s)
	}
	for _, s := range []string{
		`{"version": 1, "//": {"a": [1, 2]}, "filesystem": {"//": "x", "deny": {"//": null, "a": {"paths": ["./a"], "//": 1}}}}`,
		`{"version": 1, "filesystem": [{"read": "${git_dirs}"}], "rules": [{"path": "${x", "action": "deny"}]}`,
		`{"version": 1, "locals": {"a": "${[for x in git_dirs : x]}", "b": {"${os}": 1, "linux": 2}}, "name": "%{ if true }a%{ endif }"}`,
		`{"version": 1, "accept": {"SBC2110": [{"rule": "a", "reason": "b"}, {"rule": "c", "reason": "d"}]}}`,
		`{"version": 1, "target": {"darwin": {"mach_services": ["a.b"]}, "linux": [{"filesystem": {"none": ["/x"]}}]}}`,
		`{"version": 1, "name": "\ud800\u0000\u00e9"}`, `[{"version": 1}]`, `{"version": null}`, `{"": {"": []}}`, `{"a":`, "\ufeff{}", `{"version": 1e400}`,
		`{"version":1,"//":1}`, `{"//":1,"version":1,"env":{"set":{"//":"","A":"${"}}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { loadAny(t, "policy.json", src) })
}

// seeds are the example policies and the built-in files of a syntax.
func seeds(f *testing.F, ext string) []string {
	f.Helper()
	var out []string
	for _, dir := range []string{"../examples", "../profiles/builtin", "../profiles/guards", "../profiles/floors"} {
		files, err := filepath.Glob(filepath.Join(dir, "*."+ext))
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			out = append(out, string(text))
		}
	}
	if len(out) < 2 {
		f.Fatalf("only %d seeds", len(out))
	}
	return out
}

// loadAny loads a text and holds the result to what every caller relies on.
func loadAny(t *testing.T, name, src string) {
	t.Helper()
	start := time.Now()
	p, ds := frontend.Load(frontend.Options{
		Policy: name, Workspace: "/w", WorkDir: "/w", Host: world(), GitDirs: []string{"/w/.git", "/m[1]/.git"},
		Files: memFiles{"/w/" + name: src}, Write: []string{"/w/out"}, SpareVars: true,
		Facts: &host.Facts{OS: "linux", Home: "/home/u", Temp: "/tmp", Cache: "/home/u/.cache"},
		Vars:  map[string]string{"x": "*"}, Env: func(string) (string, bool) { return "from the environment", true },
	})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if (p == nil) != ds.HasErrors() {
		t.Errorf("policy %v, but %v", p != nil, ds)
	}
	if p != nil {
		if bad := ir.Validate(p); len(bad) > 0 {
			t.Errorf("not valid: %v", bad)
		}
	}
	for _, d := range ds {
		if !oneLine(d.Summary) || !oneLine(d.Detail) || d.Code == "" || d.Severity < diag.Error || d.Severity > diag.Note {
			t.Errorf("diagnostic %+v", d)
		}
		if d.Subject != nil && d.Subject.File == name && !within(*d.Subject, src) {
			t.Errorf("%s at %+v lies outside of the %d bytes", d.Summary, *d.Subject, len(src))
		}
		for _, r := range d.Related {
			if r.Range.File == name && !within(r.Range, src) {
				t.Errorf("%s, related %+v lies outside of the %d bytes", d.Summary, r, len(src))
			}
		}
	}
}

func oneLine(s string) bool { return s != "" && !strings.ContainsAny(s, "\n\r") }

// within reports whether a range lies in a text, and its lines and columns are
// those of its bytes.
func within(r diag.Range, src string) bool {
	if r.Start == (diag.Pos{}) {
		return r.End == (diag.Pos{})
	}
	at := func(p diag.Pos) bool {
		if p.Byte < 0 || p.Byte > len(src) {
			return false
		}
		before := src[:p.Byte]
		return p.Line == strings.Count(before, "\n")+1 && p.Column == p.Byte-strings.LastIndexByte(before, '\n')
	}
	return at(r.Start) && at(r.End) && r.Start.Byte <= r.End.Byte
}
