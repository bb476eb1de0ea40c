package frontend

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend/document"
	hclfront "github.com/sandboxc/sbc/frontend/hcl"
	jsonfront "github.com/sandboxc/sbc/frontend/json"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/profiles"
)

// unit is one policy file of one layer.
type unit struct {
	doc    *document.Block
	name   string // what ranges call it
	layer  ir.Layer
	narrow bool
	via    []string
}

// reader reads the files of all layers.
type reader struct {
	opts    Options
	scope   document.Scope
	units   []unit
	sources []ir.Source
	used    map[string]bool // variables that some file declares
	read    map[source]bool
	// narrowDir is the directory of the narrow file that is being read.
	narrowDir string
	diags     diag.List
}

// source is a file in the layer that reads it. It is read once: what extends it
// first is nearest.
type source struct {
	id     string
	layer  ir.Layer
	narrow bool
}

func (r *reader) fail(code diag.Code, at *diag.Range, summary, detail string) {
	r.diags.Add(diag.Diagnostic{Code: code, Severity: diag.Error, Subject: at, Summary: summary, Detail: detail})
}

// IsBuiltin reports whether a policy is named like a built-in profile rather
// than like a file.
func IsBuiltin(name string) bool { return !strings.ContainsAny(name, "/.") }

// readAll reads every layer; nearest first within a layer.
func (r *reader) readAll() {
	r.root(r.opts.Policy, ir.LayerWorkspace, false)
	if r.opts.User != "" {
		r.root(r.opts.User, ir.LayerUser, false)
	}
	for _, f := range r.opts.Narrow {
		r.root(f, ir.LayerWorkspace, true)
	}
	known := !r.diags.HasErrors() // else not every file could be read
	for _, name := range slices.Sorted(maps.Keys(r.opts.Vars)) {
		if known && !r.used[name] && !r.opts.SpareVars {
			r.fail(diag.CodeUnknownVar, nil, fmt.Sprintf("no policy declares the variable %q", name), "Remove --var, or declare it with a variable block.")
		}
	}
}

// root reads the file that a layer starts from. A built-in profile that is
// named as the policy is the policy.
func (r *reader) root(name string, layer ir.Layer, narrow bool) {
	switch {
	case name == Stdin:
		src, err := r.opts.Files.ReadFile(Stdin)
		if err != nil {
			summary, detail := fileProblem(stdinFile, err)
			r.fail(diag.CodeFile, nil, summary, detail)
			return
		}
		r.parse(stdinFile, "", src, layer, narrow, nil, nil)
		return
	case IsBuiltin(name):
		r.builtin(name, r.opts.WorkDir, layer, narrow, nil, nil, nil)
		return
	}
	abs := r.abs(name, r.opts.WorkDir)
	if narrow && ir.Beneath(abs, r.opts.Workspace) && !ir.Beneath(r.resolved(abs), r.opts.Workspace) {
		r.fail(diag.CodeFile, &diag.Range{File: name}, fmt.Sprintf("the policy file %q is a link that leads out of the workspace", name),
			"A file of which only the closings count may not show what lies elsewhere. Review it, then run sbc trust, or name what it leads to.")
		return
	}
	r.file(abs, name, layer, narrow, nil, nil, nil)
}

func (r *reader) abs(name, dir string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return path.Join(r.scope.Home, rest)
	}
	if !path.IsAbs(name) {
		return path.Join(dir, name)
	}
	return path.Clean(name)
}

// resolved is where a path leads, or the path itself where nobody can tell.
func (r *reader) resolved(p string) string {
	res, err := host.Resolve(r.opts.Host, p)
	if err != nil {
		return p
	}
	return res.Path
}

// builtin reads a profile; dir is where a file of its name would lie.
func (r *reader) builtin(name, dir string, layer ir.Layer, narrow bool, via, chain []string, at *diag.Range) {
	src, ok := profiles.Source(name)
	if !ok {
		d := diag.Diagnostic{
			Code: diag.CodeExtends, Severity: diag.Error, Subject: at,
			Summary: fmt.Sprintf("no built-in profile is called %q", name),
			Detail:  "The profiles are " + strings.Join(profiles.Names(), ", ") + ". A file is written with ./, ../, ~/ or /.",
		}
		if near := diag.Nearest(name, profiles.Names()); near != "" {
			d.Help = fmt.Sprintf("did you mean %q?", near)
		} else if _, err := r.opts.Files.ReadFile(path.Join(dir, name)); err == nil {
			d.Help = fmt.Sprintf("there is a file of that name: write %q", "./"+name)
		}
		r.diags.Add(d)
		return
	}
	r.parse(profiles.File(name), "", src, layer, narrow, via, chain)
}

func (r *reader) file(abs, display string, layer ir.Layer, narrow bool, via, chain []string, at *diag.Range) {
	src, err := r.opts.Files.ReadFile(abs)
	if err != nil {
		summary, detail := fileProblem(display, err)
		if chain == nil && slices.Contains([]string{"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}, abs) {
			detail = "Write - for the standard input."
		}
		r.fail(diag.CodeFile, at, summary, detail)
		return
	}
	r.parse(display, abs, src, layer, narrow, via, chain)
}

// fileProblem says why a policy file cannot be read.
func fileProblem(name string, err error) (summary, detail string) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("the policy file %q does not exist", name), "Name an existing file, or make one with sbc init."
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("the policy file %q cannot be read", name), "Permission is denied. Check its mode and owner."
	case errors.Is(err, ErrNotRegular):
		return fmt.Sprintf("%q is not a regular file", name), "Name a policy file."
	case errors.Is(err, ErrTooLarge):
		return fmt.Sprintf("the policy file %q is larger than 4 MiB", name), "Split it with extends, or replace long lists by globs."
	}
	return fmt.Sprintf("cannot read the policy file %q", name), err.Error() + "."
}

// Errors that a [Files] implementation returns, wrapped or not.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("file too large")
)

func (r *reader) parse(display, abs string, src []byte, layer ir.Layer, narrow bool, via, chain []string) {
	id, dir := abs, path.Dir(abs)
	if id == "" {
		id, dir = display, r.opts.WorkDir
	}
	if me := (source{id, layer, narrow}); r.read[me] {
		return
	} else if r.read[me] = true; narrow && chain == nil {
		r.narrowDir = r.resolved(dir)
	}
	f, ds := parseFile(display, src)
	r.diags.Add(ds...)
	sum := sha256.Sum256(src)
	r.sources = append(r.sources, ir.Source{File: display, Path: abs, SHA256: hex.EncodeToString(sum[:]), Layer: layer, Narrow: narrow})
	if ds.HasErrors() {
		return
	}
	doc, ds := document.Decode(f, document.Schema(), r.scope)
	r.diags.Add(ds...)
	if doc == nil {
		return
	}
	if v := doc.Number("version"); v.Value != 1 {
		r.fail(diag.CodeVersion, &v.Range, fmt.Sprintf("policy version %d is not known", v.Value), "This sbc knows version 1.")
		return
	}
	for _, b := range doc.Children("variable") {
		r.used[b.Label.Value] = true
	}
	r.units = append(r.units, unit{doc: doc, name: display, layer: layer, narrow: narrow, via: via})
	r.extend(doc, display, dir, narrow, via, append(chain, id))
}

// extend reads what a document extends, as the profile layer.
func (r *reader) extend(doc *document.Block, display, dir string, narrow bool, via, chain []string) {
	via = append([]string{display}, via...)
	for _, e := range doc.Texts("extends") {
		name := document.Plain(e.Value)
		id := profiles.File(name)
		if !IsBuiltin(name) {
			if !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") && !strings.HasPrefix(name, "~/") && !strings.HasPrefix(name, "/") {
				r.fail(diag.CodeExtends, &e.Range, fmt.Sprintf("%q is neither a profile nor a path", name), "Write a file with ./, ../, ~/ or /.")
				continue
			}
			if strings.HasPrefix(display, profiles.Prefix) && !path.IsAbs(name) && !strings.HasPrefix(name, "~/") {
				r.fail(diag.CodeExtends, &e.Range, "a built-in profile cannot extend a file", "Name a built-in profile.")
				continue
			}
			id = r.abs(name, dir)
			if narrow && !ir.Beneath(r.resolved(id), r.opts.Workspace) && !ir.Beneath(r.resolved(id), r.narrowDir) {
				r.fail(diag.CodeExtends, &e.Range, fmt.Sprintf("%q lies outside of the workspace", name),
					"A file of which only the closings count reads no others than those of the workspace. Review it, then run sbc trust, or name it with -p.")
				continue
			}
		}
		if i := indexOf(chain, id); i >= 0 {
			r.fail(diag.CodeExtends, &e.Range, fmt.Sprintf("%q extends itself", name), "The circle is "+strings.Join(append(chain[i:], id), " -> ")+". Break it.")
			continue
		}
		if len(chain) > 50 {
			r.fail(diag.CodeExtends, &e.Range, "the chain of extends is longer than 50", "Make it shorter.")
			return
		}
		at := e.Range
		if IsBuiltin(name) {
			r.builtin(name, dir, ir.LayerProfile, narrow, via, chain, &at)
		} else {
			r.file(id, relName(name, display), ir.LayerProfile, narrow, via, chain, &at)
		}
	}
}

// relName names an extended file as it would be named beside the file that
// extends it.
func relName(name, display string) string {
	if path.IsAbs(name) || strings.HasPrefix(name, "~/") {
		return name
	}
	return path.Join(path.Dir(display), name)
}

func indexOf(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

// parseFile parses by the name's extension; what is neither .json nor .hcl is
// JSON if it starts with a brace.
func parseFile(name string, src []byte) (document.File, diag.List) {
	switch {
	case strings.HasSuffix(name, ".json"):
		return jsonfront.Parse(name, src)
	case strings.HasSuffix(name, ".hcl"):
		return hclfront.Parse(name, src)
	case strings.HasPrefix(strings.TrimSpace(string(src[:min(len(src), 4096)])), "{"):
		return jsonfront.Parse(name, src)
	}
	return hclfront.Parse(name, src)
}
