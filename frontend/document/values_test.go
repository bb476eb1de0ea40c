package document_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend/document"
)

// TestExpressions evaluates each expression as a name, in HCL and as the
// template that JSON has for it.
func TestExpressions(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, expr, want string }{
		{"string", `"x"`, "x"},
		{"escapes", `"a\tb\\c\"d\u00e9"`, "a\tb\\c\"d\u00e9"},
		{"template", `"${os}-${"x"}"`, "linux-x"},
		{"escaped template", `"$${os} %%{ if }"`, "${os} %{ if }"},
		{"nested template", `"a${"b${"c"}"}"`, "abc"},
		{"number in a template", `"<${7}>"`, "<7>"},
		{"truth in a template", `"<${true}>"`, "<true>"},
		{"directive", `"%{ if os == "linux" }yes%{ else }no%{ endif }"`, "yes"},
		{"loop directive", `"%{ for x in ["a", "b"] }<${x}>%{ endfor }"`, "<a><b>"},
		{"conditional", `os == "darwin" ? "yes" : "no"`, "no"},
		{"operators", `1 + 2 * 3 == 7 && !false ? "yes" : "no"`, "yes"},
		{"workspace", `workspace`, "/w[1]"},
		{"home", `home`, "/home/u"},
		{"tmp", `tmp`, "/tmp"},
		{"user_cache", `user_cache`, "/home/u/.cache"},
		{"git_dirs", `join(",", git_dirs)`, "/w[1]/.git,/m/.git"},
		{"index", `git_dirs[1]`, "/m/.git"},
		{"concat", `join(",", concat(["a"], [], ["b", "c"]))`, "a,b,c"},
		{"concat of a value from outside", `join(",", concat(git_dirs, ["x"]))`, "/w[1]/.git,/m/.git,x"},
		{"format", `format("%s-%03d-%q-%v", "a", 7, "b", true)`, `a-007-"b"-true`},
		{"format with an index", `format("%[2]s%[1]s", "a", "b")`, "ba"},
		{"join of several lists", `join("/", ["a"], ["b"])`, "a/b"},
		{"join of nothing", `join("/", [])`, ""},
		{"lower", `lower("AbÉ")`, "abé"},
		{"replace", `replace("a-b-c", "-", "/")`, "a/b/c"},
		{"replace in a value from outside", `replace(workspace, "/w", "/v")`, "/v[1]"},
		{"trimprefix", `trimprefix("/a/b", "/a/")`, "b"},
		{"trimprefix with a value from outside", `trimprefix("${workspace}/x", "${workspace}/")`, "x"},
		{"literal", `literal("a*b")`, "a*b"},
		{"expanded arguments", `format(["%s%s", "a", "b"]...)`, "ab"},
		{"for", `join(",", [for x in ["a", "b"] : "${x}!"])`, "a!,b!"},
		{"for with an index", `join(",", [for i, x in ["a", "b"] : "${i}${x}"])`, "0a,1b"},
		{"for with a condition", `join(",", [for x in ["a", "b"] : x if x != "a"])`, "b"},
		{"for to an object", `join(",", [for k, v in {for x in ["b", "a"] : x => "${x}!"} : "${k}=${v}"])`, "a=a!,b=b!"},
		{"for that groups", `join(",", [for k, v in {for x in ["a1", "b1", "a2"] : trimprefix(trimprefix(x, "a"), "b") => x...} : "${k}=${join("+", v)}"])`, "1=a1+b1,2=a2"},
		{"for in a for", `join(",", concat([for x in ["a", "b"] : [for y in ["1", "2"] : "${x}${y}"]]...))`, "a1,a2,b1,b2"},
		{"parentheses", `("x")`, "x"},
		{"object", `{ a = "x" }.a`, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			template := "${" + tt.expr + "}"
			for _, src := range []string{
				"version = 1\nname = " + tt.expr + "\n",
				"version = 1\nname = \"" + template + "\"\n",
				`{"version": 1, "name": ` + quote(template) + `}`,
			} {
				if got := document.Plain(good(t, src).Text("name").Value); got != tt.want {
					t.Errorf("%s = %q, want %q", src, got, tt.want)
				}
			}
		})
	}
}

// quote writes a JSON string. The texts of these tests need no other escapes.
func quote(s string) string {
	out := `"`
	for _, r := range s {
		switch r {
		case '"', '\\':
			out += `\` + string(r)
		case '\t':
			out += `\t`
		default:
			out += string(r)
		}
	}
	return out + `"`
}

func TestRefusedExpressions(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, expr, want string }{
		{"unknown function", `upper("a")`, `SBC0007 2:8-2:13 call to unknown function`},
		{"function of a namespace", `core::lower("a")`, `SBC0007 2:8-2:19 call to unknown function`},
		{"too few arguments", `lower()`, `SBC0001 2:14-2:15 not enough function arguments`},
		{"splat", `git_dirs[*]`, `SBC0001 2:8-2:19 "name" holds a splat`},
		{"attribute splat", `git_dirs.*`, `SBC0001 2:8-2:18 "name" holds a splat`},
		{"null", `null`, `SBC0003 2:8-2:12 "name" is null`},
		{"null in a template", `"x${null}"`, `SBC0003 2:12-2:16 invalid template interpolation value`},
		{"list in a template", `"x${git_dirs}"`, `SBC0003 2:12-2:20 invalid template interpolation value`},
		{"number", `7`, `SBC0003 2:8-2:9 "name" is a number, not a string`},
		{"truth", `true`, `SBC0003 2:8-2:12 "name" is true or false, not a string`},
		{"list", `["a"]`, `SBC0003 2:8-2:13 "name" is a list, not a string`},
		{"object", `{ a = "a" }`, `SBC0003 2:8-2:19 "name" is an object, not a string`},
		{"index out of range", `git_dirs[7]`, `SBC0003 2:16-2:19 invalid index`},
		{"unknown name", `workspce`, `SBC0007 2:8-2:16 unknown variable`},
		{"unknown name in a loop is reported once", `join("", [for x in ["a", "b"] : y])`, `SBC0007 2:40-2:41 unknown variable`},
		{"loop over a string", `join("", [for x in "ab" : x])`, `SBC0003 2:27-2:31 iteration over non-iterable value`},
		{"two keys from a loop", `{for x in ["a", "b"] : "k" => x}.k`, `SBC0004 2:31-2:34 duplicate object key`},
		{"computed key beside another", `{ a = "x", (os) = "y" }.a`, `SBC0004 2:19-2:23 a computed key stands beside other keys`},
		{"width", `format("%100s", "x")`, `SBC0003 2:16-2:21 invalid function argument`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, ds := decode(t, "version = 1\nname = "+tt.expr+"\n", nil)
			if diff := cmp.Diff([]string{tt.want}, problems(ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestLists holds lists within a list to be flattened one level.
func TestLists(t *testing.T) {
	t.Parallel()
	type text struct {
		Value, Source string
		At            int // column
	}
	const perPair = `[for d in ["a", "b"] : [d, "c"]]`
	tests := []struct {
		name, expr string
		want       []text
	}{
		{"strings", `["a", "b"]`, []text{{"a", "a", 24}, {"b", "b", 29}}},
		{"none", `[]`, nil},
		{"a list within", `["a", git_dirs]`, []text{{"a", "a", 24}, {"/w[1]/.git", "git_dirs", 29}, {"/m/.git", "git_dirs", 29}}},
		{"a written list within", `["a", ["b", "c"]]`, []text{{"a", "a", 24}, {"b", `["b", "c"]`, 29}, {"c", `["b", "c"]`, 29}}},
		{"an empty list within", `[[], "a"]`, []text{{"a", "a", 28}}},
		{"a computed list", `git_dirs`, []text{{"/w[1]/.git", "git_dirs", 23}, {"/m/.git", "git_dirs", 23}}},
		{"lists within a computed list", perPair, []text{{"a", perPair, 23}, {"c", perPair, 23}, {"b", perPair, 23}, {"c", perPair, 23}}},
		{"the source of a template", `["${user_cache}/x"]`, []text{{"/home/u/.cache/x", "${user_cache}/x", 24}}},
		{"the source of a name", `[workspace]`, []text{{"/w[1]", "workspace", 24}}},
		{"the source of a call", `[format("%s/x", home)]`, []text{{"/home/u/x", `format("%s/x", home)`, 24}}},
		{"the source of a long expression", `["/${home}/${home}/${home}/${home}/${home}/${home}/${home}/${home}/${home}/${home}/${home}/${home}/${home}"]`, []text{{strings.Repeat("//home/u", 13), strings.Repeat("//home/u", 13), 24}}},
		{"the source of an escape", `["a\tb"]`, []text{{"a\tb", "a\tb", 24}}},
		{"behind a tab and other letters", `[/*é	*/ "a"]`, []text{{"a", "a", 32}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc := good(t, "version = 1\nfilesystem {   read = "+tt.expr+" }\n")
			var got []text
			for _, x := range doc.Child("filesystem").Texts("read") {
				got = append(got, text{document.Plain(x.Value), x.Source, x.Range.Start.Column})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestHeredoc holds a heredoc to be a string with its line breaks.
func TestHeredoc(t *testing.T) {
	t.Parallel()
	doc := good(t, "version = 1\nname = <<-EOT\n  a ${os}\n    b\nEOT\n")
	if got, want := doc.Text("name").Value, "a linux\n  b\n"; got != want {
		t.Errorf("name = %q, want %q", got, want)
	}
}

func TestObjects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src string
		want      map[string]string
	}{
		{"words", `version = 1
env { set = { B = "2", A = "1" } }`, map[string]string{"A": "1", "B": "2"}},
		{"none", `version = 1
env { set = {} }`, map[string]string{}},
		{"computed key", `version = 1
env { set = { (os) = "1", A = os } }`, map[string]string{"linux": "1", "A": "linux"}},
		{"computed object", `version = 1
env { set = {for x in ["A", "B"] : x => lower(x)} }`, map[string]string{"A": "a", "B": "b"}},
		{"local", `version = 1
locals { e = { A = "1" } }
env { set = local.e }`, map[string]string{"A": "1"}},
		{"JSON", `{"version": 1, "env": {"set": {"B": "2", "//": "why", "A": "${os}"}}}`, map[string]string{"A": "linux", "B": "2"}},
		{"JSON local with a comment", `{"version": 1, "locals": {"e": {"//": "why", "A": "1"}}, "env": {"set": "${local.e}"}}`, map[string]string{"A": "1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := map[string]string{}
			last := ""
			for _, p := range good(t, tt.src).Child("env").Pairs("set") {
				if p.Name <= last {
					t.Errorf("%q stands behind %q", p.Name, last)
				}
				got[p.Name], last = p.Value, p.Name
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTypes holds types to be exact in both syntaxes.
func TestTypes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, attr string
		values     map[string]bool // in JSON, and in HCL too
	}{
		{"Int", "processes", map[string]bool{`7`: true, `"7"`: false, `7.5`: false, `7.0`: true, `true`: false, `"${7}"`: true, `1e2`: true, `[7]`: false, `9223372036854775808`: false}},
		{"Duration", "wall", map[string]bool{`"10m"`: true, `600`: false, `"${"10m"}"`: true, `["10m"]`: false}},
		{"Size", "memory", map[string]bool{`"1GiB"`: true, `1073741824`: false, `"1GB"`: false}},
	}
	for _, tt := range tests {
		for value, ok := range tt.values {
			t.Run(tt.name+" "+value, func(t *testing.T) {
				t.Parallel()
				json := value
				if value == `"${"10m"}"` {
					json = `"${\"10m\"}"`
				}
				for _, src := range []string{
					"version = 1\nlimits { " + tt.attr + " = " + value + " }\n",
					`{"version": 1, "limits": {"` + tt.attr + `": ` + json + `}}`,
				} {
					doc, ds := decode(t, src, nil)
					if (doc != nil) != ok {
						t.Errorf("%s: loaded %v, want %v: %v", src, doc != nil, ok, problems(ds))
					}
				}
			})
		}
	}
}

// TestJSONComments holds a key "//" to be a comment wherever a key stands.
func TestJSONComments(t *testing.T) {
	t.Parallel()
	doc := good(t, `{
  "//": "of the policy, ${nothing}",
  "version": 1,
  "locals": {"//": 7, "x": "a"},
  "filesystem": {
    "//": ["of a block", {"a": 1}],
    "read": ["/a"],
    "deny": {
      "//": "among names",
      "keys": {"paths": ["/b"], "//": {"of": "a named block"}}
    }
  },
  "rules": [
    {"//": "of a rule", "path": "${workspace}", "action": "deny"},
    {"path": "b", "action": "deny", "//": "behind, and  not // composed: é"}
  ],
  "env": {"set": {"A": "1", "//": null}}
}`)
	if got := values(doc.Child("filesystem").Texts("read")); !cmp.Equal(got, []string{"/a"}) {
		t.Errorf("read = %q", got)
	}
	deny := doc.Child("filesystem").Children("deny")
	if len(deny) != 1 || deny[0].Label.Value != "keys" || deny[0].Label.Range.Start.Line != 10 || deny[0].Label.Range.Start.Column != 7 {
		t.Errorf("deny blocks %v", deny)
	}
	var paths []string
	for _, r := range doc.Rules("rules") {
		paths = append(paths, r.Path.Value)
	}
	if diff := cmp.Diff([]string{"${workspace}", "b"}, paths); diff != "" {
		t.Errorf("paths of rules (-want +got):\n%s", diff)
	}
	if got := doc.Child("env").Pairs("set"); len(got) != 1 || got[0].Name != "A" {
		t.Errorf("set = %v", got)
	}
}

// TestRuleTemplates holds strings in rules to be templates in HCL and literal in
// JSON.
func TestRuleTemplates(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, path, action string }{
		{"HCL", `version = 1
rules = [{ path = "${os}/%{ if true }a%{ endif }", action = os == "linux" ? "deny" : "ask" }]`, "linux/a", "deny"},
		{"JSON", `{"version": 1, "rules": [{"path": "${os}/%{ if true }a%{ endif }$${x}", "action": "deny"}]}`, "${os}/%{ if true }a%{ endif }$${x}", "deny"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := good(t, tt.src).Rules("rules")
			if len(r) != 1 || r[0].Path.Value != tt.path || r[0].Action.Value != tt.action {
				t.Errorf("rules = %+v", r)
			}
		})
	}
	_, ds := decode(t, `{"version": 1, "rules": [{"path": "a", "action": "${\"deny\"}"}]}`, nil)
	if diff := cmp.Diff([]string{`SBC0002 1:50-1:63 unknown action "${\"deny\"}"`}, problems(ds)); diff != "" {
		t.Errorf("a template as an action (-want +got):\n%s", diff)
	}
}

// TestRanges holds ranges to count bytes, behind tabs and letters of several
// bytes too.
func TestRanges(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"HCL", "version = 1\n\tname = /*\té🙂*/ 7\n", `SBC0003 2:21-2:22 "name" is a number, not a string`},
		{"HCL with carriage returns", "version = 1\r\nname = 7\r\n", `SBC0003 2:8-2:9 "name" is a number, not a string`},
		{"JSON", "{\"version\": 1,\n\t\"//\": \"é🙂\",\t\"name\": 7}", `SBC0003 2:26-2:27 "name" is a number, not a string`},
		{"in a template", "version = 1\nname = \"é🙂\t${nothing}\"\n", `SBC0007 2:18-2:25 unknown variable`},
		{"in a template in JSON", `{"version": 1, "name": "é🙂${nothing}"}`, `SBC0007 1:33-1:40 unknown variable`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, ds := decode(t, tt.src, nil)
			if diff := cmp.Diff([]string{tt.want}, problems(ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
