package frontend_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
)

// TestHostileInput holds input that is deep, long or asks for a long evaluation
// to be refused at once.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	rep := strings.Repeat
	ten := `["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]`
	locals := func(first, next string) string {
		var b strings.Builder
		b.WriteString("version = 1\nlocals {\n  l0 = " + first + "\n")
		for i := 1; i < 60; i++ {
			fmt.Fprintf(&b, "  l%d = %s\n", i, strings.ReplaceAll(next, "@", fmt.Sprintf("local.l%d", i-1)))
		}
		b.WriteString("}\n")
		return b.String()
	}
	tests := []struct{ name, file, src, want string }{
		{"HCL lists", "p.hcl", "version = " + rep("[", 10000), "SBC0009"},
		{"HCL blocks", "p.hcl", "version = 1\n" + rep("a {\n", 10000), "SBC0009"},
		{"HCL unary operators", "p.hcl", "version = " + rep("-", 2<<20) + "1", "SBC0009"},
		{"HCL conditionals", "p.hcl", "version = " + rep("true?", 100000) + "1", "SBC0009"},
		{"HCL templates", "p.hcl", "name = " + rep(`"${`, 10000), "SBC0009"},
		{"operators over many lines", "p.hcl", "version = (1" + rep("+\n1", 500000) + ")\n", "SBC0009"},
		{"operators over many lines in a for-object", "p.hcl", "locals {\n  a = {for x in [1] : \"k\" => 1" + rep("+\n1", 500000) + "}\n}\n", "SBC0009"},
		{"indices of indices", "p.hcl", "locals {\n  a = 0\n  b = local.a" + rep("[local.a]", 200000) + "\n}\n", "SBC0009"},
		{"directives within directives", "p.hcl", `name = "` + rep("%{ if true }", 100000) + rep("%{ endif }", 100000) + "\"\n", "SBC0009"},
		{"many interpolations", "p.hcl", `name = "` + rep("${os}", 200000) + "\"\n", "SBC0009"},
		{"JSON lists", "p.json", `{"version": ` + rep("[", 10000), "SBC0009"},
		{"JSON objects", "p.json", rep(`{"a":`, 10000), "SBC0009"},
		{"template in JSON", "p.json", `{"version": 1, "name": "${` + rep("(", 10000) + `"}`, "SBC0009"},
		{"template in JSON behind a large number", "p.json", `{"version": 1, "locals": {"n": 1` + rep("0", 400) + `}, "name": "${` + rep("(", 10000) + `"}`, "SBC0009"},
		{"too large", "p.hcl", rep("# x\n", 2<<20), "SBC0008"},
		{"loops within loops", "p.hcl", "version = 1\nlocals {\n  l = " + ten + "\n  n = " + rep("[for x in local.l : ", 20) + "x" + rep("]", 20) + "\n}\n", "SBC0009"},
		{"loops within loops in JSON", "p.json", `{"version": 1, "locals": {"l": ` + ten + `, "n": "${` + rep("[for x in local.l : ", 20) + "x" + rep("]", 20) + `}"}}`, "SBC0009"},
		{"loops over loops", "p.hcl", locals(ten, "[for x in @ : @]"), "SBC0009"},
		{"loops over pairs", "p.hcl", locals(ten, "concat([for x in @ : [for y in @ : y]]...)"), "SBC0009"},
		{"lists that double", "p.hcl", locals(ten, "concat(@, @)"), "SBC0009"},
		{"lists of lists", "p.hcl", locals(ten, "[@, @]"), "SBC0009"},
		{"objects that double", "p.hcl", locals(`{ a = "x" }`, "{ a = @, b = @ }"), "SBC0009"},
		{"groups that double", "p.hcl", locals(ten, "{ for x in [1, 2] : \"k\" => @... }"), "SBC0009"},
		{"strings that double", "p.hcl", locals(`"x"`, `"${@}${@}"`), "SBC0009"},
		{"strings that double in JSON", "p.json", `{"version": 1, "locals": {"a": "` + rep("x", 4096) + `", "b": "` + rep("${local.a}", 100) + `", "c": "` + rep("${local.b}", 100) + `"}}`, "SBC0009"},
		{"directives that loop", "p.hcl", "version = 1\nlocals { l = " + ten + " }\nname = \"" + rep("%{ for x in local.l }", 20) + "x" + rep("%{ endfor }", 20) + "\"\n", "SBC0009"},
		{"replacements", "p.hcl", locals(`"x"`, `replace(@, "", "0123456789")`), "SBC0009"},
		{"joins", "p.hcl", locals(`"x"`, `join(@, `+ten+`)`), "SBC0009"},
		{"formats", "p.hcl", locals(`"x"`, `format("%s%[1]s%[1]s", @)`), "SBC0009"},
		{"quotes of quotes", "p.hcl", locals(`"\""`, `format("%q", @)`), "SBC0009"},
		{"a width", "p.hcl", "version = 1\nname = format(\"%999999999s\", \"x\")\n", "SBC0003"},
		{"a precision", "p.hcl", "version = 1\nname = format(\"%.999999999f\", 1)\n", "SBC0003"},
		{"a large number", "p.hcl", "version = 1\nname = \"${1e999999999}\"\n", "SBC0013"},
		{"a small number", "p.hcl", "version = 1\nname = \"${1e-999999999}\"\n", "SBC0013"},
		{"a large number in JSON", "p.json", `{"version": 1, "locals": {"n": 1e999999999}, "name": "${local.n}"}`, "SBC0013"},
		{"numbers that grow", "p.hcl", locals("1e99", "@ * @"), "SBC0009"},
		{"numbers that grow in a template", "p.hcl", locals("1e99", "@ * @ * @ * @") + "name = \"${local.l50}\"\n", "SBC0009"},
		{"a default that loops", "p.hcl", "version = 1\nvariable \"v\" { default = " + rep("[for x in "+ten+" : ", 20) + "x" + rep("]", 20) + " }\n", "SBC0009"},
		{"a key that loops", "p.hcl", "version = 1\nenv { set = { (join(\"\", " + rep("[for x in "+ten+" : ", 20) + "x" + rep("]", 20) + ")) = \"x\" } }\n", "SBC0009"},
		{"a loop of problems", "p.hcl", "version = 1\nlocals { l = " + ten + " }\nname = " + rep("[for x in local.l : ", 8) + "nothing" + rep("]", 8) + "\n", "SBC0009"},
		{"many locals", "p.hcl", "version = 1\nlocals {\n" + lines(20000, "  a%d = 1\n") + "}\n", "SBC0009"},
		{"many variables", "p.hcl", "version = 1\n" + lines(5000, "variable \"a%d\" { default = 1 }\n"), "SBC0009"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			p, ds := load(t, memFiles{"/w/" + tt.file: tt.src}, func(o *frontend.Options) { o.Policy = tt.file })
			took := time.Since(start)
			t.Logf("%v, %d problems", took, len(ds))
			if took > 20*time.Second { // of a machine that does other things too
				t.Errorf("took %v", took)
			}
			if p != nil || len(ds) == 0 || string(ds[0].Code) != tt.want {
				t.Errorf("got %d diagnostics, first %v", len(ds), ds[:min(len(ds), 1)])
			}
		})
	}
}

func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestManyProblems holds a file with very many problems to be refused with a
// hundred of them, soon.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, src string }{
		{"attributes", "p.hcl", "version = 1\n" + lines(20000, "a%d = 1\n")},
		{"repeated attributes", "p.hcl", "version = 1\n" + strings.Repeat("name = \"x\"\n", 20000)},
		{"blocks", "p.hcl", "version = 1\n" + strings.Repeat("a {}\n", 20000)},
		{"syntax", "p.hcl", strings.Repeat("= \n", 20000)},
		{"decomposed strings", "p.hcl", "version = 1\n" + strings.Repeat("name = \"e\u0301\"\n", 20000)},
		{"keys", "p.json", "{" + lines(20000, `"a%d": 1,`) + `"version": 1}`},
		{"nulls", "p.json", `{"version": 1, "filesystem": {"read": [` + strings.Repeat("null,", 20000) + "null]}}"},
		{"types", "p.hcl", "version = 1\nfilesystem { read = [" + strings.Repeat("1,", 20000) + "] }\n"},
		{"bare names", "p.hcl", "version = 1\nfilesystem {\n  deny \"x\" { paths = [" + strings.Repeat("\"a\",", 20000) + "] }\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			p, ds := load(t, memFiles{"/w/" + tt.file: tt.src}, func(o *frontend.Options) { o.Policy = tt.file })
			t.Logf("%v, %d problems", time.Since(start), len(ds))
			if p != nil || len(ds) == 0 || len(ds) > 200 {
				t.Errorf("got %d diagnostics", len(ds))
			}
		})
	}
}

// TestLargePolicies holds policies that are long for a good reason to load.
func TestLargePolicies(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, src string }{
		{"roots", "p.hcl", bare + "filesystem {\n  read = [\n" + lines(10000, "    \"/data/a/b/c/%d\",\n") + "  ]\n}\n"},
		{"closings", "p.hcl", bare + "filesystem {\n" + lines(3000, "  deny \"d%d\" {\n    paths = [\"~/x\"]\n  }\n") + "}\n"},
		{"a loop over a list", "p.hcl", bare + "locals {\n  dirs = [" + lines(3000, "\"some/directory/of/it/%d\", ") + "]\n}\nfilesystem {\n  write = [for d in local.dirs : \"${workspace}/${lower(d)}\"]\n}\n"},
		{"a loop over pairs", "p.hcl", bare + "locals {\n  a = [" + lines(60, "\"a%d\",") + "]\n}\nfilesystem {\n  write = concat([for x in local.a : [for y in local.a : \"./${x}/${y}\"]]...)\n}\n"},
		{"JSON", "p.json", `{"version": 1, "filesystem": {"read": [` + lines(10000, `"/data/a/b/c/%d", `) + `"/x"]}}`},
		{"a rule list", "p.json", `{"version": 1, "rules": [` + lines(2000, `{"path": "/data/%d", "action": "deny"}, `) + `{"path": "/x", "action": "deny"}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			p, ds := load(t, memFiles{"/w/" + tt.file: tt.src}, func(o *frontend.Options) { o.Policy = tt.file })
			t.Logf("%v", time.Since(start))
			if diff := cmp.Diff([]string(nil), codes(ds)); p == nil || diff != "" {
				t.Errorf("diagnostics (-want +got):\n%.2000s", diff)
			}
		})
	}
}
