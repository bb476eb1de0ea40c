package conformance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	hclv2 "github.com/hashicorp/hcl/v2"

	"github.com/sandboxc/sbc/verify/conformance"
)

func TestCases(t *testing.T) {
	t.Parallel()
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, c := range cases {
		kinds[c.ID[:1]]++
	}
	if want := map[string]int{"W": 8, "D": 12, "R": 11, "N": 6, "X": 12, "E": 36, "P": 10}; !cmp.Equal(want, kinds) {
		t.Errorf("cases (-want +got):\n%s", cmp.Diff(want, kinds))
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const rest = `"policy": {}, "probe": "true", "expect": {}`
	for _, tc := range []struct{ name, text, want string }{
		{"an unknown key", `[{"id": "A", "setups": [], ` + rest + `}]`, `unknown field "setups"`},
		{"an unknown step", `[{"id": "A", "setup": [["chown", "p"]], ` + rest + `}]`, `case A: the step ["chown" "p"] does not exist`},
		{"a step with too little", `[{"id": "A", "meanwhile": [["link", "p"]], ` + rest + `}]`, `case A: the step ["link" "p"] does not exist`},
		{"an empty step", `[{"id": "A", "setup": [[]], ` + rest + `}]`, `case A: the step [] does not exist`},
		{"no name", `[{` + rest + `}]`, "case : it has no name"},
		{"no probe", `[{"id": "A", "policy": {}, "probe": "", "expect": {}}]`, "case A: it has no probe"},
		{"the same name", `[{"id": "A", ` + rest + `}, {"id": "A", ` + rest + `}]`, "case A: two cases have this name"},
		{"one path to exchange", `[{"id": "A", "swap": ["p"], ` + rest + `}]`, "case A: two paths are exchanged, not 1"},
		{"copies that wait", `[{"id": "A", "copies": 2, "meanwhile": [["remove", "p"]], ` + rest + `}]`, "case A: one command can wait, not 2"},
		{"no control for a status", `[{"id": "A", "policy": {}, "probe": "false", "expect": {"exit": "!0"}}]`, "case A: it denies something"},
		{"no control for an answer", `[{"id": "A", "policy": {}, "probe": "false", "expect": {"answers": {"x": "no"}}}]`, "case A: it denies something"},
		{"no control for what runs beside", `[{"id": "A", "beside": [{"policy": {}, "probe": "x", "expect": {"lack": ["x"]}}], ` + rest + `}]`, "case A: it denies something"},
		{"a byte that is none", `[{"id": "A", "setup": [["dir", "p\u0000zz"]], ` + rest + `}]`, "after U+0000 stand two hexadecimal digits"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if _, err := conformance.Read([]byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
	if _, err := conformance.Read([]byte(`[{"id": "A", ` + rest + `}]`)); err != nil {
		t.Errorf("the control: %v", err)
	}
}

// TestText: what is no UTF-8 comes through JSON, in one form.
func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[conformance.Text]string{
		"plain": `"plain"`, "a\xff": `"a\u0000ff"`, "ü\xc3": `"ü\u0000c3"`, "\x00": `"\u000000"`, "\xed\xa0\x80": `"\u0000ed\u0000a0\u000080"`, `\x`: `"\\x"`,
	} {
		got, err := json.Marshal(text)
		if err != nil || string(got) != want {
			t.Errorf("%q became %s, %v; want %s", text, got, err, want)
		}
		var back conformance.Text
		if err := json.Unmarshal(got, &back); err != nil || back != text {
			t.Errorf("%q came back as %q, %v", text, back, err)
		}
	}
}

func TestHCL(t *testing.T) {
	t.Parallel()
	p := conformance.Policy{
		Write: conformance.Texts("W/p"), AllowRead: conformance.Texts("/usr"), DenyWrite: conformance.Texts("literal:W/p/a[1]"),
		DenyRead: conformance.Texts("/", "W/sec", "W/**/*.key", "deny:W/x"), Net: "full", Sockets: conformance.Texts("W/s"), DenyEnv: []string{"A"},
		Limits: map[string]any{"processes": 5, "wall": "1m"}, Tmp: "private", Skip: true, Mandatory: true,
	}
	const want = `version = 1
filesystem {
  tmp = "private"
  read = ["/usr"]
  write = ["/w/p"]
  none = ["/", "/w/sec"]
  deny "read" {
    paths  = ["/w/**/*.key", "/w/x"]
    access = "all"
    on_missing = "skip"
  }
  deny "write" {
    paths  = [literal("/w/p/a[1]")]
    access = "write"
    on_missing = "skip"
  }
}
network {
  mode = "full"
  unix_sockets = ["/w/s"]
}
env {
  deny = ["A"]
}
limits {
  processes = 5
  wall = "1m"
}
`
	if diff := cmp.Diff(want, p.HCL("/w")); diff != "" {
		t.Errorf("the policy (-want +got):\n%s", diff)
	}
	plain := conformance.Policy{}
	if got := plain.HCL("/w"); !strings.Contains(got, "exclude = [\"credentials\"") || !strings.Contains(got, `read = ["/"]`) {
		t.Errorf("no guards are excluded, or / is no root:\n%s", got)
	}
	if got := (&conformance.Policy{Raw: "{bad"}).HCL("/w"); got != "{bad" {
		t.Errorf("a raw policy became %q", got)
	}
}

// TestQuoting holds the quoting against a parser of HCL.
func TestQuoting(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", `"`, `\`, "\n\r\t", "${x}", "%{if}", "$", "$$", "$${", "%%{x", "\x01\x7f", "ü😀\u202e", `\u0041`} {
		p := conformance.Policy{Write: conformance.Texts("/" + name)}
		f, ds := hclsyntax.ParseConfig([]byte(p.HCL("/w")), "p.hcl", hclv2.InitialPos)
		if ds.HasErrors() {
			t.Errorf("%q: %v", name, ds)
			continue
		}
		for _, b := range f.Body.(*hclsyntax.Body).Blocks {
			if b.Type != "filesystem" {
				continue
			}
			v, ds := b.Body.Attributes["write"].Expr.Value(nil)
			if ds.HasErrors() || v.Index(number(0)).AsString() != "/"+name {
				t.Errorf("%q: %v %v", name, v, ds)
			}
		}
	}
}
