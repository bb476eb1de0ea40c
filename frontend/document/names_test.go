package document_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend/document"
)

func TestVariables(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, want string
		problems        []string
	}{
		{name: "the command line beats the environment and the default", src: `variable "given" {
  env     = "SET"
  default = "from the default"
}
name = var.given`, want: "from --var"},
		{name: "the environment beats the default", src: `variable "x" {
  env     = "SET"
  default = "from the default"
}
name = var.x`, want: "from the environment"},
		{name: "an empty variable is set", src: `variable "x" {
  env     = "EMPTY"
  default = "from the default"
}
name = "<${var.x}>"`, want: "<>"},
		{name: "the default", src: `variable "x" {
  env     = "UNSET"
  default = "from the default"
}
name = var.x`, want: "from the default"},
		{name: "a default may use what is outside", src: `variable "x" { default = "${os}!" }
name = var.x`, want: "linux!"},
		{name: "a default that is no string", src: `variable "x" { default = ["a", "b"] }
name = join("+", var.x)`, want: "a+b"},
		{name: "a name with a dash", src: `variable "x-y" { default = "a" }
name = var.x-y`, want: "a"},
		{name: "no value", src: `variable "x" { env = "UNSET" }
name = var.x`, problems: []string{`SBC0007 2:1-2:13 the variable "x" has no value`}},
		{name: "no source", src: `variable "x" {}
name = var.x`, problems: []string{`SBC0007 2:1-2:13 the variable "x" has no value`}},
		{name: "a default that uses a variable", src: `variable "y" { default = "a" }
variable "x" { default = var.y }
name = var.x`, problems: []string{`SBC0007 3:26-3:29 unknown variable`}},
		{name: "a default that uses itself", src: `variable "x" { default = var.x }`, problems: []string{`SBC0007 2:26-2:29 unknown variable`}},
		{name: "a default that uses a local", src: `variable "x" { default = local.y }
locals { y = "a" }`, problems: []string{`SBC0007 2:26-2:31 unknown variable`}},
		{name: "a default that is null", src: `variable "x" { default = null }`, problems: []string{`SBC0003 2:26-2:30 "default" is null`}},
		{name: "an environment variable named by a local", src: `variable "x" { env = local.y }
locals { y = "SET" }`, problems: []string{
			`SBC0007 2:1-2:13 the variable "x" has no value`, `SBC0007 2:22-2:27 unknown variable`,
		}},
		{name: "not a name", src: `variable "x y" { default = "a" }`, problems: []string{`SBC0001 2:10-2:15 "x y" is not a name`}},
		{name: "unknown", src: `name = var.x`, problems: []string{`SBC0007 2:11-2:13 unsupported attribute`}},
		{name: "a variable twice", src: `variable "x" { default = "a" }
variable "x" { default = "b" }
name = var.x`, problems: []string{`SBC0004 3:1-3:13 duplicate block "variable x"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc, ds := decode(t, "version = 1\n"+tt.src+"\n", nil)
			if diff := cmp.Diff(tt.problems, problems(ds.Sorted())); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if doc != nil && document.Plain(doc.Text("name").Value) != tt.want {
				t.Errorf("name = %q, want %q", doc.Text("name").Value, tt.want)
			}
		})
	}
}

// TestOutside holds text from outside that evaluation would change to be
// refused: it would no longer name the same file.
func TestOutside(t *testing.T) {
	t.Parallel()
	const refused = "is not UTF-8 in normal form C"
	for _, bad := range []string{"/e\u0301", "/\xff", "/\uFDD0", "\u0301", "/\u212b"} {
		sets := map[string]func(*document.Scope){
			"workspace": func(s *document.Scope) { s.Workspace = bad },
			"home":      func(s *document.Scope) { s.Home = bad },
			"tmp":       func(s *document.Scope) { s.Tmp = bad },
			"cache":     func(s *document.Scope) { s.UserCache = bad },
			"git dirs":  func(s *document.Scope) { s.GitDirs = []string{bad} },
			"--var":     func(s *document.Scope) { s.Vars = map[string]string{"x": bad} },
			"env":       func(s *document.Scope) { s.Env = func(string) (string, bool) { return bad, true } },
		}
		for name, set := range sets {
			_, ds := decode(t, "version = 1\nvariable \"x\" {\n  env     = \"X\"\n  default = \"\"\n}\n", set)
			if len(ds) != 1 || ds[0].Code != "SBC0019" || !strings.HasSuffix(ds[0].Summary, refused) {
				t.Errorf("%s %q: %v", name, bad, problems(ds))
			}
		}
	}
}

func TestLocals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, want string
		problems        []string
	}{
		{name: "in order", src: "locals {\n  a = \"x\"\n  b = \"${local.a}y\"\n}\nname = local.b", want: "xy"},
		{name: "against the order", src: "locals {\n  c = \"${local.b}z\"\n  b = \"${local.a}y\"\n  a = \"x\"\n}\nname = local.c", want: "xyz"},
		{name: "with a variable", src: "locals { a = \"${var.v}y\" }\nvariable \"v\" { default = \"x\" }\nname = local.a", want: "xy"},
		{name: "an object", src: "locals { a = { b = { c = \"x\" } } }\nname = local.a.b.c", want: "x"},
		{name: "all locals as an object", src: "locals {\n  a = \"x\"\n  b = \"y\"\n}\nname = join(\"\", [for k, v in local : \"${k}${v}\"])", want: "axby"},
		{name: "a loop variable that hides a local's root", src: "locals { a = \"x\" }\nname = join(\"\", [for local in [\"y\"] : local])", want: "y"},
		{name: "a circle", src: "locals {\n  a = local.b\n  b = local.c\n  c = local.a\n  d = \"x\"\n}", problems: []string{
			`SBC0007 3:3-3:4 the local "a" refers to itself`, `SBC0007 4:3-4:4 the local "b" refers to itself`, `SBC0007 5:3-5:4 the local "c" refers to itself`,
		}},
		{name: "itself", src: "locals { a = \"${local.a}x\" }", problems: []string{`SBC0007 2:10-2:11 the local "a" refers to itself`}},
		{name: "all locals within a local", src: "locals {\n  a = [for k, v in local : k]\n}", problems: []string{`SBC0007 3:3-3:4 the local "a" refers to itself`}},
		{name: "an unknown local", src: "locals { a = \"x\" }\nname = local.b", problems: []string{`SBC0007 3:13-3:15 unsupported attribute`}},
		{name: "null", src: "locals { a = null }", problems: []string{`SBC0003 2:14-2:18 "a" is null`}},
		{name: "one that is wrong is reported once", src: "locals { a = nothing }\nname = local.a", problems: []string{`SBC0007 2:14-2:21 unknown variable`}},
		{name: "twice", src: "locals {\n  a = 1\n  a = 2\n}", problems: []string{`SBC0004 4:3-4:4 duplicate attribute "a"`}},
		{name: "in two blocks", src: "locals { a = 1 }\nlocals { b = 2 }", problems: []string{`SBC0004 3:1-3:7 duplicate block "locals"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc, ds := decode(t, "version = 1\n"+tt.src+"\n", nil)
			if diff := cmp.Diff(tt.problems, problems(ds.Sorted())); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if doc != nil && doc.Text("name").Value != tt.want {
				t.Errorf("name = %q, want %q", doc.Text("name").Value, tt.want)
			}
		})
	}
}

// TestUnknownOutside holds a directory that is not known to have no name.
func TestUnknownOutside(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tmp", "user_cache"} {
		_, ds := decode(t, "version = 1\nname = \"${"+name+"}/x\"\n", func(s *document.Scope) { s.Tmp, s.UserCache = "", "" })
		if len(ds) != 1 || ds[0].Code != "SBC0007" {
			t.Errorf("%s: %v", name, problems(ds))
		}
	}
}
