package golden_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outputs are the sections that a case computes, in their order in the file.
var outputs = []string{"ir.txt", "darwin.sb", "linux.argv", "diagnostics.txt", "darwin.json", "linux.json"}

// workspace is where the files of a case lie.
const workspace = "/vols/app"

func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d cases, %v; there are at least 40", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".txtar"), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := txtar.Parse(src)
			got := compile(t, in)
			if again := compile(t, in); !bytes.Equal(txtar.Format(got), txtar.Format(again)) {
				t.Error("two compilations differ")
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(src), string(txtar.Format(got))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
}

// caseFiles serves the files of a case from the workspace.
type caseFiles map[string][]byte

func (c caseFiles) ReadFile(path string) ([]byte, error) {
	if data, ok := c[path]; ok {
		return data, nil
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// compile returns the case with its outputs computed. An output that is empty
// is left out.
func compile(t *testing.T, in *txtar.Archive) *txtar.Archive {
	t.Helper()
	out := &txtar.Archive{Comment: in.Comment}
	files, got := caseFiles{}, map[string][]byte{}
	opts := frontend.Options{
		Policy: "policy.hcl", Workspace: workspace, WorkDir: workspace, Files: files, Vars: map[string]string{},
		Env: func(string) (string, bool) { return "", false },
	}
	judge := target.JudgeOptions{}
	brief := false // leave out the IR and the reports, which guards make long
	rec := record(t, in)
	facts := rec.Facts()
	opts.Host, opts.Facts = rec, &facts
	lower := target.Options{Facts: &facts, Supervised: true}
	for _, f := range in.Files {
		if isOutput(f.Name) {
			continue
		}
		out.Files = append(out.Files, f)
		switch f.Name {
		case "options":
			options(t, string(f.Data), &opts, &judge, &lower, &brief)
		case "host.json":
		default:
			files[workspace+"/"+f.Name] = f.Data
			if strings.HasPrefix(f.Name, "policy.") {
				opts.Policy = f.Name
			}
		}
	}
	p, ds := frontend.Load(opts)
	if p != nil {
		got["ir.txt"] = []byte(p.Text())
		var all []target.Judgement
		for _, b := range []target.Backend{seatbelt.Backend{}, bwrap.Backend{}} {
			art, rep := b.Lower(p, opts.Host, lower)
			j := target.Judge(p, rep, judge)
			all = append(all, j)
			ds.Add(j.Diagnostics...)
			text, err := j.Encode(p)
			if err != nil {
				t.Fatal(err)
			}
			got[b.Name()+".json"] = text
			if !j.OK() || art == nil {
				continue
			}
			checkProof(t, p, art, rep, prove.Options{View: opts.Host, Sockets: facts.Sockets, Budget: lower.Budget})
			name := map[string]string{"darwin": "darwin.sb", "linux": "linux.argv"}[b.Name()]
			if got[name], err = art.Render(target.Text); err != nil {
				t.Fatal(err)
			}
		}
		ds.Add(target.UnusedAccepts(p, all)...)
	}
	var text bytes.Buffer
	sources := func(name string) []byte { return files[workspace+"/"+name] }
	if err := diag.Text(&text, ds, diag.TextOptions{Sources: sources}); err != nil {
		t.Fatal(err)
	}
	got["diagnostics.txt"] = text.Bytes()
	for _, name := range outputs {
		if brief && (name == "ir.txt" || strings.HasSuffix(name, ".json")) {
			continue
		}
		if len(got[name]) > 0 {
			out.Files = append(out.Files, txtar.File{Name: name, Data: got[name]})
		}
	}
	return out
}

// checkProof proves what was emitted: every difference from the policy is one
// that the report declares.
func checkProof(t *testing.T, p *ir.Policy, art target.Artifact, rep target.Report, o prove.Options) {
	t.Helper()
	proof, err := prove.Lowered(p, art, rep, o)
	if err != nil {
		t.Errorf("%s: no proof: %v", rep.Target, err)
		return
	}
	for _, h := range proof.Holes {
		t.Errorf("%s: %s at %d: %s", rep.Target, h.Name, h.Line, h.Text)
	}
	for _, d := range proof.Undeclared() {
		t.Errorf("%s %s %q although the policy does not (rule %d, others %v), by %s", rep.Target, d.Direction.String()+" "+d.Op.String(), d.Path, d.Rule, d.Others, d.Emitted)
	}
}

func isOutput(name string) bool {
	for _, o := range outputs {
		if o == name {
			return true
		}
	}
	return false
}

// defaultHost is the machine of a case that brings none: Debian 12 with an
// empty workspace.
const defaultHost = `{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1000, "supervise": true,
  "home": "/home/user", "temp": "/tmp", "cache": "/home/user/.cache", "config": "/home/user/.config",
  "bwrap": {"path": "/usr/bin/bwrap", "version": "0.13.1", "flags": ["--add-seccomp-fd", "--args", "--as-pid-1", "--assert-userns-disabled", "--bind", "--bind-data", "--bind-fd", "--bind-try", "--block-fd", "--cap-add",
    "--cap-drop", "--chdir", "--chmod", "--clearenv", "--dev", "--dev-bind", "--dev-bind-try", "--die-with-parent", "--dir", "--disable-userns",
    "--exec-label", "--file", "--file-label", "--gid", "--help", "--hostname", "--info-fd", "--json-status-fd", "--lock-file", "--mqueue",
    "--new-session", "--perms", "--pidns", "--proc", "--remount-ro", "--ro-bind", "--ro-bind-data", "--ro-bind-fd", "--ro-bind-try", "--seccomp",
    "--setenv", "--share-net", "--size", "--symlink", "--sync-fd", "--tmpfs", "--uid", "--unsetenv", "--unshare-all", "--unshare-cgroup",
    "--unshare-cgroup-try", "--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-user", "--unshare-user-try", "--unshare-uts", "--userns",
    "--userns-block-fd", "--userns2", "--version"]}},
  "tree": {
    "/bin": {"link": "usr/bin"}, "/lib": {"link": "usr/lib"}, "/lib64": {"link": "usr/lib64"}, "/sbin": {"link": "usr/sbin"},
    "/usr/bin/env": {}, "/usr/lib": {"type": "dir"}, "/usr/lib64": {"type": "dir"}, "/usr/sbin": {"type": "dir"},
    "/etc/passwd": {}, "/dev": {"type": "dir"}, "/proc": {"type": "dir"}, "/tmp": {"type": "dir"}, "/var/tmp": {"type": "dir"},
    "/home/user": {"type": "dir"}, "/vols/app/main.go": {}, "/vols/app/policy.hcl": {}
  }}`

func record(t *testing.T, in *txtar.Archive) *host.Recorded {
	t.Helper()
	src := []byte(defaultHost)
	for _, f := range in.Files {
		if f.Name == "host.json" {
			src = f.Data
		}
	}
	rec, ds := host.ParseRecord(src, "host.json")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return rec
}

// options reads the options section: a word and a value a line.
func options(t *testing.T, text string, o *frontend.Options, j *target.JudgeOptions, l *target.Options, brief *bool) {
	t.Helper()
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "read":
			o.Read = append(o.Read, value)
		case "write":
			o.Write = append(o.Write, value)
		case "narrow":
			o.Narrow = append(o.Narrow, value)
		case "user":
			o.User = value
		case "accept":
			o.Accepts = append(o.Accepts, value)
		case "policy":
			o.Policy = value
		case "git_dir":
			o.GitDirs = append(o.GitDirs, value)
		case "var":
			name, v, _ := strings.Cut(value, "=")
			o.Vars[name] = v
		case "host":
			if value != "none" {
				t.Fatalf("host %q", value)
			}
			o.Host = host.Empty{}
		case "strict":
			j.Strict = true
		case "standalone":
			j.Standalone, l.Supervised = true, false
		case "budget_depth":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			l.Budget.Depth = n
		case "brief":
			*brief = true
		case "annotate":
			l.Annotate = true
		default:
			t.Fatalf("unknown option %q", key)
		}
	}
}
