package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Module is the import path of this module.
const Module = "github.com/sandboxc/sbc"

// File is one parsed Go file.
type File struct {
	Path   string // Path is slash-separated and relative to the module's root.
	Source []byte
	Syntax *ast.File

	fset *token.FileSet
}

// Parse makes a File from source text. The path decides which rules hold.
func Parse(name string, source []byte) (File, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return File{}, err
	}
	return File{Path: name, Source: source, Syntax: syntax, fset: fset}, nil
}

// Load parses every Go file of the module at root, whatever its build
// constraints. Like the go command it leaves out testdata, directories whose
// name starts with a dot or an underscore, and nested modules.
func Load(root string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != root && skipped(name) {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		source, err := os.ReadFile(name) //nolint:gosec // G304: the caller's own source tree
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f, err := Parse(filepath.ToSlash(rel), source)
		if err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

func skipped(dir string) bool {
	base := filepath.Base(dir)
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// Dir is the file's directory relative to the module's root: its package.
func (f File) Dir() string { return path.Dir(f.Path) }

// Test reports whether the go command compiles the file for tests only.
func (f File) Test() bool { return strings.HasSuffix(f.Path, "_test.go") }

// Lines counts the lines of the file.
func (f File) Lines() int { return bytes.Count(f.Source, []byte("\n")) }

// at renders a finding at a node.
func (f File) at(n ast.Node, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.Path, f.fset.Position(n.Pos()).Line, fmt.Sprintf(format, args...))
}
