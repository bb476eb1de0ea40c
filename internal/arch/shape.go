package arch

import (
	"fmt"
	"go/ast"
	"path"
	"strings"
)

// MaxLines is how long a file may be, tests aside: one idea per file.
const MaxLines = 400

// Size finds files that are too long.
func Size(f File) []string {
	if n := f.Lines(); !f.Test() && n > MaxLines {
		return []string{fmt.Sprintf("%s:1: %d lines; more than %d is more than one idea", f.Path, n, MaxLines)}
	}
	return nil
}

// Inits finds init functions: no package does anything by being imported.
func Inits(f File) []string {
	var found []string
	for _, decl := range f.Syntax.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			found = append(found, f.at(fn, "no init functions"))
		}
	}
	return found
}

// Docs finds packages without a comment in doc.go, and package comments
// elsewhere, which go doc would join to it.
func Docs(files []File) []string {
	var found []string
	documented := map[string]bool{}
	for _, f := range files {
		doc := f.Syntax.Doc
		switch {
		case path.Base(f.Path) == "doc.go":
			want := "Package " + f.Syntax.Name.Name + " "
			if f.Syntax.Name.Name == "main" {
				want = "Command " + path.Base(f.Dir()) + " "
			}
			if doc == nil || !strings.HasPrefix(doc.Text(), want) {
				found = append(found, f.at(f.Syntax, "the package comment starts with %q", want))
			}
			documented[f.Dir()] = true
		case doc != nil && !f.Test():
			found = append(found, f.at(doc, "the package comment belongs in doc.go"))
		}
	}
	for _, f := range files {
		if !documented[f.Dir()] {
			documented[f.Dir()] = true
			found = append(found, f.Dir()+": no doc.go")
		}
	}
	return found
}
