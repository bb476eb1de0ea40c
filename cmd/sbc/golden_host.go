package main

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// hostPinned is the machine of snapshots where no other is named: it has the
// pinned directories and those that every system of its kind has, all empty.
const hostPinned = "pinned"

// pinMachine reads the machine: a record, nothing at all, or the pinned one.
func (c *goldenConfig) pinMachine(doc *document.Block, cache *fileCache) diag.List {
	if doc.Has("host") && document.Plain(doc.Text("host").Value) != hostNone {
		return c.recordedMachine(doc, cache)
	}
	text := func(name, fallback string) string {
		if doc.Has(name) {
			return document.Plain(doc.Text(name).Value)
		}
		return fallback
	}
	f := host.Facts{OS: text("os", ir.Linux), Arch: text("arch", "amd64"), UID: 1000, Home: text("home", "/home/user"), Temp: text("tmp", "/tmp")}
	f.Supervise = f.OS == ir.Linux // as on a system of today
	f.Config = path.Join(f.Home, ".config")
	cacheDir := ".cache"
	if f.OS == ir.Darwin {
		cacheDir = "Library/Caches"
	}
	f.Cache = text("user_cache", path.Join(f.Home, cacheDir))
	for name, p := range map[string]string{"home": f.Home, "tmp": f.Temp, "user_cache": f.Cache} {
		if !path.IsAbs(p) || path.Clean(p) != p {
			return goldenProblem(diag.CodePath, doc.NameRange(name), fmt.Sprintf("%q is no absolute path", p), "Write one.")
		}
	}
	if doc.Has("host") {
		c.machine = machine{name: hostNone, view: host.Empty{}, facts: f}
		return nil
	}
	c.machine = machine{name: hostPinned, view: host.Empty{}, facts: f} // machineFor has the view
	return nil
}

// machineFor is the machine for a policy. The pinned one has the policy's file.
func (c *goldenConfig) machineFor(policy string) (machine, diag.List) {
	m := c.machine
	if m.name != hostPinned {
		return m, nil
	}
	view, ds := host.ParseRecord(pinnedRecord(m.facts, c.workspace, path.Join(c.virtual, policy)), goldenFile)
	if !ds.HasErrors() {
		m.view = view
	}
	return m, ds
}

// recordedMachine reads a record, which must know the workspace.
func (c *goldenConfig) recordedMachine(doc *document.Block, cache *fileCache) diag.List {
	for _, name := range []string{"home", "tmp", "user_cache", "os", "arch"} {
		if doc.Has(name) {
			return goldenProblem(diag.CodeUnknownName, doc.NameRange(name), fmt.Sprintf("%q stands in the record of the host", name), "Remove it, or remove host.")
		}
	}
	record := document.Plain(doc.Text("host").Value)
	at := doc.NameRange("host")
	file, display := filepath.FromSlash(record), record
	if !filepath.IsAbs(file) {
		file, display = filepath.Join(c.realDir, file), filepath.Join(c.dir, file)
	}
	data, err := cache.ReadFile(file)
	if err != nil {
		return goldenProblem(diag.CodeFile, at, "the record of the host cannot be read", err.Error()+". Make one with sbc doctor --record FILE.")
	}
	view, ds := host.ParseRecord(data, display)
	if ds.HasErrors() {
		return ds
	}
	if n, err := view.Lstat(c.workspace); err != nil || n.Type != host.Dir {
		return goldenProblem(diag.CodeWorkspace, at, fmt.Sprintf("the record does not know the workspace %q", c.workspace), "Write the workspace for which it was made, resolved.")
	}
	c.machine = machine{name: record, view: view, facts: view.Facts()}
	return ds
}

// pinnedRecord is the record of the pinned machine with one file.
func pinnedRecord(f host.Facts, workspace, file string) []byte {
	type node map[string]string
	dir := node{"type": "dir"}
	tree := map[string]node{workspace: dir, f.Home: dir, f.Temp: dir, file: {}}
	dirs := []string{"/bin", "/dev", "/etc", "/lib", "/opt", "/proc", "/run", "/sbin", "/srv", "/tmp", "/usr", "/var/tmp"}
	if f.OS == ir.Darwin {
		dirs = []string{
			"/Applications", "/Library", "/System/Library", "/bin", "/dev", "/opt", "/private/etc", "/private/tmp", "/private/var/folders",
			"/private/var/tmp", "/sbin", "/usr",
		}
		for _, name := range []string{"etc", "tmp", "var"} {
			tree["/"+name] = node{"link": "private/" + name}
		}
	}
	for _, d := range dirs {
		tree[d] = dir
	}
	text, err := json.Marshal(map[string]any{
		"sbc_host": 1,
		"facts":    map[string]any{"os": f.OS, "arch": f.Arch, "uid": f.UID, "home": f.Home, "temp": f.Temp, "cache": f.Cache, "config": f.Config, "supervise": f.Supervise},
		"tree":     tree,
	})
	if err != nil {
		return nil // cannot happen: the values are plain
	}
	return text
}
