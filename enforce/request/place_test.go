package request_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// inside makes a tree and says what a policy opens of it: bin and space, but not
// space/closed. $D is the tree.
func inside(t *testing.T) (request.Inside, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"bin", "other", "space/closed", "space/bin", "own/tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, perm := range map[string]fs.FileMode{
		"bin/tool": 0o755, "bin/data": 0o644, "other/tool": 0o755, "other/far": 0o755, "space/closed/secret": 0o755, "space/bin/own": 0o755, "own/tmp/t": 0o755,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, perm); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"bin/alias": "tool", "bin/gone": "nowhere", "bin/far": "../other/tool", "sbin": "bin", "space/link": "closed", "other/near": "../bin/tool", "bin/loop": "loop",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	sub := func(name string) ir.Subtree { return ir.Subtree(dir + "/" + name) }
	p := &ir.Policy{Version: 1, Files: []ir.FileRule{
		{Match: sub("space/closed"), Read: ir.Deny, Write: ir.Deny, Origin: ir.Origin{Address: "filesystem.deny.closed"}},
		{Match: sub("bin"), Read: ir.Allow, Write: ir.Deny},
		{Match: sub("space"), Read: ir.Allow, Write: ir.Allow},
		{Match: sub("own"), Read: ir.Allow, Write: ir.Allow},
	}}
	return request.Inside{
		View: host.Live{}, Closed: func(path string, isDir bool) (string, bool) {
			d := p.Decide(ir.Query{Op: ir.Read, Path: path, Target: ir.Linux, Dir: isDir})
			if d.Rule < 0 {
				return ": nothing opens it", true
			}
			return " (" + p.Files[d.Rule].Origin.Address + ")", d.Effect != ir.Allow
		},
		Storage: storage(dir+"/own/tmp", "/dev"),
		Executable: func(p string) bool {
			st, err := os.Stat(p)
			return err == nil && st.Mode()&0o111 != 0
		},
	}, dir
}

func storage(dirs ...string) func(string) string {
	return func(p string) string {
		for _, d := range dirs {
			if ir.Beneath(p, d) {
				return d
			}
		}
		return ""
	}
}

func TestProgram(t *testing.T) {
	t.Parallel()
	in, dir := inside(t)
	for _, tt := range []struct {
		name, path string
		want       string // $D/path, or "status text"
	}{
		{"tool", "$D/bin", "$D/bin/tool"},
		{"tool", "$D/none:$D/other:$D/bin", "$D/bin/tool"},
		{"alias", "$D/bin", "$D/bin/alias"},
		{"tool", "$D/sbin", "$D/bin/tool"},
		{"own", "bin", "$D/space/bin/own"},
		{"own", "$D/bin:", `127 the command "own" is not found`},
		{"bin/own", "", "$D/space/bin/own"},
		{"./bin/../bin/own", "", "$D/space/bin/own"},
		{"$D/bin/tool", "", "$D/bin/tool"},
		{"$D/other/near", "", "$D/bin/tool"},
		{"data", "$D/bin", `126 the command "$D/bin/data" is not executable`},
		{"tool", "$D/other", `126 the policy closes the command "$D/other/tool": nothing opens it`},
		{"far", "$D/bin", `126 the policy closes the command "$D/bin/far": nothing opens it`},
		{"closed/secret", "", `126 the policy closes the command "$D/space/closed/secret" (filesystem.deny.closed)`},
		{"link/secret", "", `126 the policy closes the command "$D/space/link/secret" (filesystem.deny.closed)`},
		{"gone", "$D/bin", `127 the command "gone" is not found`},
		{"loop", "$D/bin", `127 the command "loop" is not found`},
		{"./gone", "", `127 the command "$D/space/gone" does not exist`},
		{"bin/own/x", "", `127 the command "$D/space/bin/own/x" does not exist`},
		{"$D/own/tmp/t", "", `127 the command "$D/own/tmp/t" does not exist`},
		{"closed", "$D/space", `126 the command "$D/space/closed" is a directory`},
		{"/dev/null", "", `127 the command "/dev/null" does not exist`},
		{"", "$D/bin", "127 the command has no name"},
		{"a\x00b", "", `127 the name of the command "a\x00b" holds a NUL`},
		{"sh-that-is-nowhere", "", `127 the command "sh-that-is-nowhere" is not found`},
	} {
		r := strings.NewReplacer("$D", dir)
		got, err := in.Program(r.Replace(tt.name), dir+"/space", r.Replace(tt.path))
		if err != nil {
			got = strings.Join([]string{map[int]string{125: "125", 126: "126", 127: "127"}[err.Status], err.Text}, " ")
		}
		if want := r.Replace(tt.want); got != want {
			t.Errorf("%q on %q:\n got %s\nwant %s", tt.name, tt.path, got, want)
		}
	}
}

func TestDir(t *testing.T) {
	t.Parallel()
	in, dir := inside(t)
	for _, tt := range []struct{ dir, want string }{
		{"$D/space", "$D/space"},
		{"$D/sbin", "$D/bin"},
		{"$D/own/tmp", "$D/own/tmp"},
		{"$D/own/tmp/t", `"$D/own/tmp/t" is not a directory`},
		{"$D/bin/tool", `"$D/bin/tool" is not a directory`},
		{"$D/none", `the directory "$D/none" does not exist`},
		{"$D/other", `the policy closes the directory "$D/other" in which the command would start: nothing opens it`},
		{"$D/space/link", `the policy closes the directory "$D/space/link" in which the command would start (filesystem.deny.closed)`},
	} {
		r := strings.NewReplacer("$D", dir)
		got, err := in.Dir(r.Replace(tt.dir))
		if err != nil {
			got = err.Text
			if err.Status != request.StatusRefused {
				t.Errorf("%s: status %d", tt.dir, err.Status)
			}
		}
		if want := r.Replace(tt.want); got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.dir, got, want)
		}
	}
}

func TestExecutes(t *testing.T) {
	t.Parallel()
	m := request.Mode{UID: 10, Groups: []int{20, 21}}
	for _, tt := range []struct {
		uid, gid int
		perm     fs.FileMode
		want     bool
	}{
		{10, 99, 0o100, true}, {10, 20, 0o011, false}, {11, 21, 0o010, true}, {11, 20, 0o101, false}, {11, 99, 0o001, true}, {11, 99, 0o110, false}, {0, 0, 0o110, false},
	} {
		if got := m.Executes(tt.uid, tt.gid, tt.perm); got != tt.want {
			t.Errorf("%d:%d %o: %t", tt.uid, tt.gid, tt.perm, got)
		}
	}
}
