package snapshot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/snapshot"
)

func closing(pattern string, except ...string) ir.FileRule {
	g := ir.Glob{Pattern: glob.MustParse(pattern)}
	for _, e := range except {
		g.Except = append(g.Except, glob.MustParse(e))
	}
	return ir.FileRule{Match: g, Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace}
}

func onlyWriting(r ir.FileRule) ir.FileRule { r.Read = ir.Pass; return r }

func nonDir(r ir.FileRule) ir.FileRule { r.NonDir = true; return r }

func root(path string, write ir.Effect) ir.FileRule {
	return ir.FileRule{Match: ir.Subtree(path), Read: ir.Allow, Write: write, Group: ir.GroupRoot, Layer: ir.LayerWorkspace}
}

// view is a host with a directory for each path that ends in a slash, a link for
// each that ends in @, and a file for each other one.
func view(t *testing.T, mounts string, paths ...string) host.View {
	t.Helper()
	text := `{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 0, "home": "/h", "temp": "/tmp", "cache": "/c", "config": "/f"},
"mounts": [` + mounts + `], "tree": {"/": {"type": "dir"}`
	for _, p := range paths {
		switch p[len(p)-1] {
		case '/':
			text += `, "` + p[:len(p)-1] + `": {"type": "dir"}`
		case '@':
			text += `, "` + p[:len(p)-1] + `": {"link": "x"}`
		default:
			text += `, "` + p + `": {}`
		}
	}
	r, ds := host.ParseRecord([]byte(text+"}}"), "host.json")
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	return r
}

func TestTake(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		rules []ir.FileRule
		paths []string
		want  []string // the matches, each with the index of its rule
	}{
		{
			"matches where it is readable",
			[]ir.FileRule{closing("/**/.env"), root("/w", ir.Deny)},
			[]string{"/w/", "/w/.env", "/w/a/", "/w/a/.env/", "/o/", "/o/.env"},
			[]string{"0 glob /w/.env", "0 glob /w/a/.env", "1 subtree /w"},
		},
		{
			"exceptions by a pattern in what is closed by its name",
			[]ir.FileRule{closing("/w/b", "/w/*/*"), root("/w", ir.Deny)},
			[]string{"/w/", "/w/b/", "/w/b/a", "/w/c/", "/w/c/a"},
			[]string{"0 glob /w/b except /w/b/a", "1 subtree /w"},
		},
		{
			"an exception that leaves open all that a rule closes by its name",
			[]ir.FileRule{closing("/w/b", "/**/b"), root("/w", ir.Deny)},
			[]string{"/w/"},
			[]string{"1 subtree /w"},
		},
		{
			"a closing for writing looks where it is writable",
			[]ir.FileRule{onlyWriting(closing("/**/hooks")), root("/w/o", ir.Allow), root("/w", ir.Deny)},
			[]string{"/w/", "/w/r/", "/w/r/hooks/", "/w/o/", "/w/o/hooks/", "/w/o/hooks/hooks/"},
			[]string{"0 glob /w/o/hooks", "1 subtree /w/o", "2 subtree /w"},
		},
		{
			"a root within a closed one is found",
			[]ir.FileRule{closing("/**/k"), root("/w/s/o", ir.Allow), {Match: ir.Subtree("/w/s"), Read: ir.Deny, Write: ir.Deny, Group: ir.GroupRoot, Layer: ir.LayerWorkspace}, root("/w", ir.Allow)},
			[]string{"/w/", "/w/s/", "/w/s/k", "/w/s/o/", "/w/s/o/k"},
			[]string{"0 glob /w/s/k", "0 glob /w/s/o/k", "1 subtree /w/s/o", "2 subtree /w/s", "3 subtree /w"},
		},
		{
			"exceptions",
			[]ir.FileRule{closing("/w/**/d", "/**/*.ok"), root("/w", ir.Allow)},
			[]string{"/w/", "/w/d/", "/w/d/x/", "/w/d/x/f.ok", "/w/d/f", "/w/e.ok"},
			[]string{"0 glob /w/d except /w/d/x/f.ok", "1 subtree /w"},
		},
		{
			"what is no directory",
			[]ir.FileRule{nonDir(onlyWriting(closing("/**/.git"))), root("/w", ir.Allow)},
			[]string{"/w/", "/w/.git/", "/w/a/", "/w/a/.git", "/w/b/", "/w/b/.git@"},
			[]string{"0 glob /w/a/.git", "0 glob /w/b/.git", "1 subtree /w"},
		},
		{
			"a literal with exceptions needs no host",
			[]ir.FileRule{closing("/w/s", "/w/s/ok"), root("/w", ir.Allow)},
			nil,
			[]string{"0 glob /w/s except /w/s/ok", "1 subtree /w"},
		},
		{
			"kernel file systems are left out",
			[]ir.FileRule{closing("/**/k"), root("/", ir.Deny)},
			[]string{"/proc/", "/proc/k", "/k"},
			[]string{"0 glob /k", "1 subtree /"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := &ir.Policy{Version: 1, Files: tc.rules}
			s := snapshot.Take(p, view(t, `{"dev": "0:5", "root": "/", "point": "/proc", "fstype": "proc"}`, tc.paths...), snapshot.Options{})
			var got []string
			for i, r := range s.Policy.Files {
				got = append(got, string(rune('0'+s.Original(i)))+" "+r.Match.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			if s.Short || len(s.Unread) > 0 {
				t.Errorf("short %v, unread %q", s.Short, s.Unread)
			}
		})
	}
}

func TestTakeBounds(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Version: 1, Files: []ir.FileRule{closing("/**/k"), root("/", ir.Deny)}}
	v := view(t, "", "/a/", "/a/b/", "/a/b/k")
	for _, tc := range []struct {
		name  string
		opts  snapshot.Options
		short bool
		rules int
	}{
		{"none", snapshot.Options{}, false, 2},
		{"files", snapshot.Options{Files: 1}, true, 1},
		{"depth", snapshot.Options{Depth: 1}, true, 1},
		{"enough", snapshot.Options{Files: 3, Depth: 3}, false, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := snapshot.Take(p, v, tc.opts)
			if s.Short != tc.short || len(s.Policy.Files) != tc.rules {
				t.Errorf("short %v with %d rules, want %v with %d", s.Short, len(s.Policy.Files), tc.short, tc.rules)
			}
		})
	}
}
