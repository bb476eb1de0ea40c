package arch

import (
	"go/ast"
	"go/build"
	"path"
	"slices"
	"strconv"
	"strings"
)

// impureImports are the packages whose very use touches the machine.
var impureImports = []string{
	"os", "os/exec", "os/signal", "os/user", "net", "net/http", "syscall", "plugin", "log", "log/slog",
	"math/rand", "math/rand/v2", "crypto/rand", "io/ioutil", "unsafe", "C",
}

// impureNames are functions of otherwise harmless packages that read the clock,
// the working directory or the file system, print, or ask which system this is.
var impureNames = map[string][]string{
	"fmt":           {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"time":          {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Local"},
	"path/filepath": {"Abs", "EvalSymlinks", "Glob", "Walk", "WalkDir"},
	"runtime":       {"GOOS", "GOARCH", "NumCPU"},
	"go/build":      {"Default"},
}

// slashed are the layers that see no path but those of a policy.
var slashed = []string{"ir", "target", "target/*", "verify"}

// Pure reports whether the file must be pure: values in, values out. Only the
// live part of host, enforce and the command touch the machine.
func Pure(f File) bool {
	switch l := row(layer(f.Dir())); l {
	case "ir", "ir/diag", "frontend", "profiles", "target", "target/*", "verify":
		return !f.Test()
	case "host":
		return !f.Test() && !strings.HasPrefix(path.Base(f.Path), "live")
	default:
		return false
	}
}

// Purity finds what a pure file must not use.
func Purity(f File) []string {
	if !Pure(f) {
		return nil
	}
	var found []string
	names := map[string]string{} // local name -> import path
	for _, spec := range f.Syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			found = append(found, f.at(spec, "%v", err))
			continue
		}
		if slices.Contains(impureImports, name) {
			found = append(found, f.at(spec, "a pure package must not import %s", name))
		}
		if name == "path/filepath" && slices.Contains(slashed, row(layer(f.Dir()))) {
			found = append(found, f.at(spec, "paths of a policy have slashes on every system: use path"))
		}
		local := path.Base(name)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == "." {
			found = append(found, f.at(spec, "a dot import hides what is used"))
		}
		names[local] = name
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && slices.Contains(impureNames[names[x.Name]], n.Sel.Name) {
				found = append(found, f.at(n, "a pure package must not use %s.%s", x.Name, n.Sel.Name))
			}
		case *ast.CallExpr:
			if fn, ok := n.Fun.(*ast.Ident); ok && (fn.Name == "print" || fn.Name == "println") {
				found = append(found, f.at(n, "a pure package must not use %s", fn.Name))
			}
		}
		return true
	})
	return found
}

// Portable finds a pure file that some system would not compile, through a
// constraint or through a name like seccomp_linux.go: then a Mac could neither
// build nor test the Linux output.
func Portable(root string, f File) []string {
	if !Pure(f) {
		return nil
	}
	for _, system := range []string{"linux/amd64", "darwin/arm64", "js/wasm", "windows/amd64"} {
		ctx := build.Default
		ctx.GOOS, ctx.GOARCH, _ = strings.Cut(system, "/")
		match, err := ctx.MatchFile(path.Join(root, f.Dir()), path.Base(f.Path))
		switch {
		case err != nil:
			return []string{f.Path + ":1: " + err.Error()}
		case !match:
			return []string{f.Path + ":1: a pure file must compile everywhere, and this one does not for " + system}
		}
	}
	return nil
}
