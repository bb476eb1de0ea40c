package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// goldenSuffix ends the name of the snapshot of a policy, which lies beside it.
const goldenSuffix = ".golden.txtar"

// goldenFiles reads policies where they lie, by the paths that they have in the
// pinned workspace.
type goldenFiles struct {
	config *goldenConfig
	cache  *fileCache
}

// ReadFile implements [frontend.Files].
func (g goldenFiles) ReadFile(p string) ([]byte, error) {
	if !ir.Beneath(p, g.config.workspace) {
		return nil, errors.New("a policy with a snapshot is made of files of its workspace, and this one lies outside")
	}
	rel, err := filepath.Rel(filepath.FromSlash(g.config.virtual), filepath.FromSlash(p))
	if err != nil {
		return nil, err
	}
	return g.cache.ReadFile(filepath.Join(g.config.realDir, rel))
}

// snapshot compiles a policy and returns the text of its snapshot, or what is
// wrong with the policy.
func (a *app) snapshot(c *goldenConfig, policy string) ([]byte, diag.List, error) {
	cache := newFileCache(a, c.realDir, c.machine.facts.Home)
	m, ds := c.machineFor(policy)
	if ds.HasErrors() {
		return nil, ds, nil
	}
	name := policy
	if frontend.IsBuiltin(name) {
		name = "./" + name
	}
	p, ds := frontend.Load(frontend.Options{
		Policy: name, Workspace: c.workspace, WorkDir: c.virtual, Vars: c.vars, SpareVars: true,
		Host: m.view, Facts: &m.facts, Files: goldenFiles{config: c, cache: cache},
	})
	if p == nil {
		return nil, ds, nil
	}
	l := &loaded{session: &session{app: a, machine: m}, policy: p, diags: ds, source: cache.Source}
	all := l.lower(c.targets, c.judge, false)
	var out bytes.Buffer
	fmt.Fprintf(&out, "The snapshot of %s, for review. Written by sbc golden update.\n", path.Base(policy))
	section := func(name string, data []byte) {
		fmt.Fprintf(&out, "-- %s --\n", name)
		out.Write(data)
		if len(data) > 0 && data[len(data)-1] != '\n' {
			out.WriteByte('\n')
		}
	}
	section("report", snapshotReport(l, all))
	for _, x := range all {
		if x.artifact == nil {
			continue
		}
		name := x.judgement.Target
		text, err := x.artifact.Render(target.Text)
		if err != nil {
			return nil, nil, &fault{status: exitInternal, text: fmt.Sprintf("internal error: cannot render for %s: %v; please report", name, err)}
		}
		section(name, text)
		sums, err := binaries(x.artifact)
		if err != nil {
			return nil, nil, &fault{status: exitInternal, text: fmt.Sprintf("internal error: cannot make the bundle for %s: %v; please report", name, err)}
		}
		if sums != "" {
			section(name+" binaries", []byte(sums))
		}
	}
	return out.Bytes(), nil, nil
}

// snapshotReport is the hash of the policy, the matrix, and what else there is to
// say. It names no lines, so that a comment in a policy does not change it.
func snapshotReport(l *loaded, all []lowered) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "policy %s\n", ir.Hash(l.policy))
	out.WriteString(matrixText(l.policy, all, look{}, matrixOptions{floor: true}))
	for _, d := range otherDiagnostics(l, all).Sorted() {
		line := fmt.Sprintf("%s[%s]: ", d.Severity, d.Code)
		if d.Target != "" {
			line += d.Target + ": "
		}
		fmt.Fprintln(&out, oneLine(line+d.Summary))
	}
	return out.Bytes()
}

// binaries are the hashes of what an artefact consists of besides text.
func binaries(art target.Artifact) (string, error) {
	files, err := art.Bundle()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".bpf") || !utf8.Valid(f.Data) {
			fmt.Fprintf(&out, "%s sha256:%x\n", f.Name, sha256.Sum256(f.Data))
		}
	}
	return out.String(), nil
}
