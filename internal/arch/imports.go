package arch

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// below lists, for each layer, the layers that its packages may import besides
// their own. "target/*" stands for each single target: two targets are two
// layers, so neither may import the other.
var below = map[string][]string{
	"ir/diag":  {},
	"ir":       {"ir/diag"},
	"host":     {"ir", "ir/diag"},
	"profiles": {"ir", "ir/diag"},
	"frontend": {"profiles", "host", "ir", "ir/diag"},
	"target":   {"host", "ir", "ir/diag"},
	"target/*": {"target", "host", "ir", "ir/diag"},
	"verify":   {"host", "ir", "ir/diag"},
	"enforce":  {"frontend", "verify", "target/*", "target", "profiles", "host", "ir", "ir/diag"},
	"cmd/sbc":  {"enforce", "frontend", "verify", "target/*", "target", "profiles", "host", "ir", "ir/diag"},

	// Packages of tests alone: their _test.go files import what they test.
	"golden":   {},
	"examples": {},
	"docs":     {},
	"internal": {},
}

// modules are the dependencies that end up in the program, each with the
// layers that may use it; no layers means all. A new one needs a sentence in
// the commit on what writing it ourselves would cost.
var modules = map[string][]string{
	"github.com/hashicorp/hcl/v2":      nil,
	"github.com/zclconf/go-cty":        nil,
	"github.com/bmatcuk/doublestar/v4": nil,
	"github.com/spf13/cobra":           {"cmd/sbc"},
	"github.com/spf13/pflag":           {"cmd/sbc"}, // the flags of cobra
	"golang.org/x/sys":                 {"host", "enforce", "cmd/sbc"},
	"golang.org/x/term":                {"cmd/sbc"},
	"golang.org/x/text":                nil,
}

// layer names the layer of a package directory.
func layer(dir string) string {
	for l := dir; l != "."; l = path.Dir(l) {
		if path.Dir(l) == "target" {
			return l
		}
		if _, known := below[l]; known {
			return l
		}
	}
	return ""
}

// row is the key of a layer in the table.
func row(layer string) string {
	if path.Dir(layer) == "target" {
		return "target/*"
	}
	return layer
}

// Imports finds imports that point up or sideways, and dependencies that are
// not on the list. Tests may import anything but the command.
func Imports(f File) []string {
	var found []string
	from := layer(f.Dir())
	if from == "" && f.Dir() != "." {
		return []string{f.Path + ":1: the directory belongs to no layer of internal/arch"}
	}
	for _, spec := range f.Syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			found = append(found, f.at(spec, "%v", err))
			continue
		}
		if dir, ours := strings.CutPrefix(name, Module+"/"); ours {
			to := layer(dir)
			switch {
			case to == from:
			case to == "cmd/sbc":
				found = append(found, f.at(spec, "nothing imports cmd/sbc"))
			case !f.Test() && !helpsTests(f) && !slices.Contains(below[row(from)], row(to)):
				found = append(found, f.at(spec, "%s must not import %s", from, dir))
			}
			continue
		}
		if outside := strings.Contains(strings.SplitN(name, "/", 2)[0], "."); outside && !f.Test() && !helpsTests(f) && !listed(name, from) {
			found = append(found, f.at(spec, "%s must not depend on %s", from, name))
		}
	}
	return found
}

// helpsTests reports whether the file is in a package like targettest, which
// only tests import.
func helpsTests(f File) bool { return strings.HasSuffix(f.Dir(), "test") }

func listed(name, layer string) bool {
	for module, layers := range modules {
		if name == module || strings.HasPrefix(name, module+"/") {
			return layers == nil || slices.Contains(layers, layer)
		}
	}
	return false
}
