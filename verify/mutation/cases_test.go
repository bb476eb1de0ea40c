package mutation_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
	"github.com/sandboxc/sbc/verify"
)

// The policies whose artefacts are changed: cases of package golden and examples.
// Together they hold every construct that is ever emitted.
var (
	goldens = []string{
		"profile_readonly", "profile_strict", "profile_workspace_proxy", "profile_workspace_write", "profile_workspace_write_no_network",
		"close_reopened", "glob_characters", "glob_everywhere", "names_odd", "network_sockets", "tmp_private",
	}
	examples = []string{"agent.hcl"}
	// more are for the soak.
	moreGoldens = []string{
		"close_directory", "close_file", "close_nondirectory", "close_socket", "glob_anchored", "grants", "host_none",
		"network_loopback_accepted", "root_hidden", "target_blocks", "worktree",
	}
	moreExamples = []string{"flat.json", "npm-install.hcl", "server.hcl"}
)

// original is a policy with what it compiles to.
type original struct {
	name   string
	policy *ir.Policy
	view   host.View
	facts  host.Facts

	profile       []byte // for darwin; nil if the policy does not compile for it
	profileClaims []verify.Claim

	args        []string // for linux
	plan        *bwrap.Plan
	mountClaims []verify.Claim
}

// caseFiles serves the files of a case from one directory.
type caseFiles struct {
	dir   string
	files map[string][]byte
}

func (c caseFiles) ReadFile(path string) ([]byte, error) {
	if data, ok := c.files[strings.TrimPrefix(path, c.dir+"/")]; ok {
		return data, nil
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// originals compiles a dozen policies, or all.
func originals(t testing.TB, all bool) []*original {
	t.Helper()
	goldens, examples := goldens, examples
	if all {
		goldens, examples = slices.Concat(goldens, moreGoldens), slices.Concat(examples, moreExamples)
	}
	var out []*original
	defaultHost := section(t, "../../golden/profile_strict.txtar", "host.json")
	for _, name := range goldens {
		files := map[string][]byte{"host.json": defaultHost}
		for _, f := range archive(t, "../../golden/"+name+".txtar").Files {
			files[f.Name] = f.Data
		}
		out = append(out, compile(t, name, "policy.hcl", "/vols/app", files))
	}
	record, err := os.ReadFile("../../examples/host.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range examples {
		src, err := os.ReadFile("../../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, compile(t, "example "+name, name, "/home/user/app", map[string][]byte{name: src, "host.json": record}))
	}
	return out
}

func archive(t testing.TB, file string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func section(t testing.TB, file, name string) []byte {
	t.Helper()
	for _, f := range archive(t, file).Files {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("%s has no %s", file, name)
	return nil
}

// compile compiles one policy for both systems, and requires the proof of what
// comes out: a mutant of what is wrong already says nothing.
func compile(t testing.TB, name, policy, workspace string, files map[string][]byte) *original {
	t.Helper()
	rec, ds := host.ParseRecord(files["host.json"], "host.json")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	facts := rec.Facts()
	o := frontend.Options{
		Policy: policy, Workspace: workspace, WorkDir: workspace, Facts: &facts, Host: rec, Files: caseFiles{workspace, files},
		Env: func(string) (string, bool) { return "", false },
	}
	for line := range strings.Lines(string(files["options"])) {
		switch key, value, _ := strings.Cut(strings.TrimSpace(line), " "); key {
		case "read":
			o.Read = append(o.Read, value)
		case "write":
			o.Write = append(o.Write, value)
		case "git_dir":
			o.GitDirs = append(o.GitDirs, value)
		case "host":
			o.Host = host.Empty{}
		case "brief":
		default:
			t.Fatalf("%s: unknown option %q", name, key)
		}
	}
	p, ds := frontend.Load(o)
	if p == nil {
		t.Fatalf("%s: %v", name, ds)
	}
	out := &original{name: name, policy: p, view: o.Host, facts: facts}
	for _, b := range []target.Backend{seatbelt.Backend{}, bwrap.Backend{}} {
		art, rep := b.Lower(p, o.Host, target.Options{Facts: &facts})
		if art == nil || !target.Judge(p, rep, target.JudgeOptions{}).OK() {
			continue
		}
		proof, err := prove.Lowered(p, art, rep, prove.Options{View: o.Host, Sockets: facts.Sockets})
		if err != nil || !proof.Holds() {
			t.Fatalf("%s for %s is not proved: %v %+v", name, b.Name(), err, proof)
		}
		switch art := art.(type) {
		case *seatbelt.Profile:
			if out.profile, err = art.Render(target.Text); err != nil {
				t.Fatal(err)
			}
			out.profileClaims = prove.Claims(rep)
		case *bwrap.Artifact:
			out.args, out.plan, out.mountClaims = art.Args(), &art.Plan, prove.Claims(rep)
		}
	}
	if bytes.Equal(out.profile, nil) && out.args == nil {
		t.Fatalf("%s compiles for no system", name)
	}
	return out
}
