package main

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sandboxc/sbc/frontend/document"
	hclfront "github.com/sandboxc/sbc/frontend/hcl"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// goldenFile is the name of the file that pins what snapshots depend on.
const goldenFile = "sbc.golden.hcl"

// goldenConfig is what a sbc.golden.hcl says.
type goldenConfig struct {
	dir       string // where it lies, as messages name it
	realDir   string // absolute
	policies  []string
	workspace string
	virtual   string // the directory of the policies in the pinned workspace
	machine   machine
	targets   []string
	vars      map[string]string
	judge     judgeFlags
}

// goldenSchema describes a sbc.golden.hcl.
func goldenSchema() document.BlockType {
	return document.BlockType{
		Doc: "What snapshots of policies depend on.",
		Attrs: []document.Attr{
			{Name: "policies", Kind: document.Strings, Doc: "Policies, as globs relative to the file."},
			{Name: "workspace", Kind: document.String, Doc: "The workspace."},
			{Name: "directory", Kind: document.String, Doc: "Where in the workspace the file lies."},
			{Name: "host", Kind: document.String, Doc: `A record that sbc doctor --record has made, or "none".`},
			{Name: "home", Kind: document.String, Doc: "The home directory."},
			{Name: "tmp", Kind: document.String, Doc: "The directory for temporary files."},
			{Name: "user_cache", Kind: document.String, Doc: "The user's cache directory."},
			{Name: "os", Kind: document.String, Enum: []string{ir.Darwin, ir.Linux}, Doc: "The operating system."},
			{Name: "arch", Kind: document.String, Enum: []string{"amd64", "arm64"}, Doc: "The architecture."},
			{Name: "targets", Kind: document.Strings, Doc: "The targets."},
			{Name: "vars", Kind: document.StringMap, Doc: "Values for variables."},
			{Name: "strict", Kind: document.Bool, Doc: "As --strict."},
			{Name: "standalone", Kind: document.Bool, Doc: "As --standalone."},
		},
	}
}

// readGolden reads a sbc.golden.hcl. The config is nil if the diagnostics hold an
// error.
func (a *app) readGolden(file string) (*goldenConfig, diag.List, error) {
	wd, err := a.getwd()
	if err != nil {
		return nil, nil, misuse("", "cannot tell the current directory: %v", err)
	}
	cache := newFileCache(a, wd, "")
	text, err := cache.ReadFile(cache.abs(file))
	if err != nil {
		return nil, nil, misuse("", "cannot read %s: %v", file, err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("# nothing\n") // an empty policy is an error, and this is none
	}
	parsed, ds := hclfront.Parse(file, text)
	if ds.HasErrors() {
		return nil, ds, nil
	}
	doc, more := document.Decode(parsed, goldenSchema(), document.Scope{})
	ds.Add(more...)
	if doc == nil || ds.HasErrors() {
		return nil, ds, nil
	}
	c := &goldenConfig{dir: filepath.Dir(file), realDir: filepath.Dir(cache.abs(file)), vars: map[string]string{}}
	for _, v := range doc.Pairs("vars") {
		c.vars[v.Name] = document.Plain(v.Value)
	}
	c.judge = judgeFlags{strict: doc.Bool("strict"), standalone: doc.Bool("standalone")}
	ds.Add(c.places(doc)...)
	ds.Add(c.pinTargets(doc)...)
	if !ds.HasErrors() {
		ds.Add(c.pinMachine(doc, cache)...)
	}
	ds.Add(c.find(doc)...)
	if ds.HasErrors() {
		return nil, ds, nil
	}
	return c, ds, nil
}

func goldenProblem(code diag.Code, at diag.Range, summary, detail string) diag.List {
	return diag.List{{Code: code, Severity: diag.Error, Subject: &at, Summary: summary, Detail: detail}}
}

// places reads the workspace, and where in it the policies lie.
func (c *goldenConfig) places(doc *document.Block) diag.List {
	c.workspace = "/workspace"
	if doc.Has("workspace") {
		c.workspace = document.Plain(doc.Text("workspace").Value)
		if !path.IsAbs(c.workspace) || path.Clean(c.workspace) != c.workspace || c.workspace == "/" {
			return goldenProblem(diag.CodePath, doc.NameRange("workspace"), fmt.Sprintf("%q is no workspace", c.workspace), `Write an absolute path, such as "/workspace".`)
		}
	}
	sub := "."
	if filepath.Base(c.realDir) == ".sbc" {
		sub = ".sbc"
	}
	if doc.Has("directory") {
		sub = document.Plain(doc.Text("directory").Value)
		if sub == "" || path.IsAbs(sub) || path.Clean(sub) != sub || sub == ".." || strings.HasPrefix(sub, "../") {
			return goldenProblem(diag.CodePath, doc.NameRange("directory"), fmt.Sprintf("%q is no directory in the workspace", sub), `Write a relative path, such as "policies".`)
		}
	}
	c.virtual = path.Join(c.workspace, sub)
	return nil
}

func (c *goldenConfig) pinTargets(doc *document.Block) diag.List {
	c.targets = []string{ir.Darwin, ir.Linux}
	if !doc.Has("targets") {
		return nil
	}
	want := map[string]bool{}
	for _, t := range doc.Texts("targets") {
		name := document.Plain(t.Value)
		if !slices.Contains(c.targets, name) {
			return goldenProblem(diag.CodeUnknownName, t.Range, fmt.Sprintf("unknown target %q", name), `The targets are "darwin" and "linux".`)
		}
		want[name] = true
	}
	c.targets = slices.DeleteFunc(c.targets, func(t string) bool { return !want[t] })
	if len(c.targets) == 0 {
		return goldenProblem(diag.CodeMissing, doc.NameRange("targets"), "no target is named", "Leave targets out, or name one.")
	}
	return nil
}

// find lists the policies: what the globs match, or what lies beside the file.
func (c *goldenConfig) find(doc *document.Block) diag.List {
	patterns := []document.Text{{Value: "*.hcl"}, {Value: "*.json"}}
	named := doc.Has("policies")
	if named {
		patterns = doc.Texts("policies")
	}
	for _, t := range patterns {
		glob := document.Plain(t.Value)
		found, err := doublestar.FilepathGlob(filepath.Join(doublestarQuote(c.realDir), filepath.FromSlash(glob)))
		if err != nil || (named && len(found) == 0) {
			return goldenProblem(diag.CodeFile, t.Range, fmt.Sprintf("%q matches no policy", glob), "Correct the glob, or remove it.")
		}
		for _, f := range found {
			rel, err := filepath.Rel(c.realDir, f)
			if err != nil {
				return goldenProblem(diag.CodeFile, t.Range, fmt.Sprintf("%q leads elsewhere", glob), "Name policies beneath this directory.")
			}
			rel = filepath.ToSlash(rel)
			beside := !named && (rel == goldenFile || rel == c.machine.name || strings.HasSuffix(rel, ".ir.json"))
			if !beside && !slices.Contains(c.policies, rel) {
				c.policies = append(c.policies, rel)
			}
		}
	}
	slices.Sort(c.policies)
	return nil
}

// doublestarQuote makes a path match itself.
func doublestarQuote(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(p)
}
