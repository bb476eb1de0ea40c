package bwrap_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// flags are the options of bubblewrap 0.8.
var flags = []string{
	"--bind", "--cap-drop", "--chmod", "--dev", "--dev-bind", "--die-with-parent", "--dir", "--disable-userns", "--new-session", "--perms",
	"--proc", "--remount-ro", "--ro-bind", "--ro-bind-data", "--seccomp", "--symlink", "--tmpfs", "--unshare-cgroup-try", "--unshare-ipc",
	"--unshare-net", "--unshare-pid", "--unshare-user", "--unshare-uts",
}

func facts(version string, without ...string) *host.Facts {
	b := &host.Bwrap{Path: "/usr/bin/bwrap", Version: version}
	for _, f := range flags {
		lacks := false
		for _, w := range without {
			lacks = lacks || f == w
		}
		if !lacks {
			b.Flags = append(b.Flags, f)
		}
	}
	return &host.Facts{OS: "linux", Arch: "amd64", UID: 1000, Config: "/home/u/.config", Bwrap: b}
}

// secrets returns a tree with n files that a pattern matches, in d directories.
func secrets(n, d int) *fakeView {
	v := view("d /dev\nd /proc")
	for i := range n {
		v.add(fmt.Sprintf("/w/d%d/s%d.key", i%d, i), host.Node{Type: host.File, Nlink: 1})
	}
	return v
}

func TestBubblewrap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		facts  *host.Facts
		files  int
		budget target.Budget
		want   []string
	}{
		{name: "not known", files: 1000, want: []string{}},
		{name: "0.13", facts: facts("0.13.1"), files: 1000, want: []string{}},
		{
			name: "0.12 and many mounts", facts: facts("0.12.0"), files: 1000,
			want: []string{"warning[SBC2122]: each start will take about 990 ms: 1004 mounts on bubblewrap 0.12.0"},
		},
		{
			name: "0.8", facts: facts("0.8.0"), files: 10,
			want: []string{"security[SBC4004]: bubblewrap 0.8.0 has a known vulnerability, CVE-2026-87766"},
		},
		{
			name: "no number", facts: facts("unknown"), files: 10,
			want: []string{"security[SBC4004]: bubblewrap unknown has a known vulnerability, CVE-2026-87766"},
		},
		{
			name: "without --disable-userns", facts: facts("0.12.0", "--disable-userns"), files: 10,
			want: []string{"note[SBC4003]: bubblewrap 0.12.0 lacks --disable-userns"},
		},
		{
			name: "without what is needed", facts: facts("0.12.0", "--perms", "--remount-ro"), files: 10,
			want: []string{"error[SBC4003]: bubblewrap 0.12.0 lacks --remount-ro, --perms"},
		},
		{
			name: "more arguments than it takes", facts: facts("0.13.1"), files: 3000,
			want: []string{"error[SBC2121]: 3004 mounts need 9028 arguments, and bubblewrap takes 9000"},
		},
		{
			name: "more mounts than are allowed", facts: facts("0.13.1"), files: 30, budget: target.Budget{Mask: 20},
			want: []string{"error[SBC2121]: 34 mounts are needed, and 20 are allowed"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := policy("deny /w/**/*.key\nwrite /w\nread /")
			art, rep := bwrap.Backend{}.Compile(p, secrets(tt.files, 10), target.Options{Facts: tt.facts, Budget: tt.budget})
			if diff := cmp.Diff(tt.want, summaries(rep.Diagnostics)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (art == nil) != rep.Diagnostics.HasErrors() {
				t.Errorf("artefact %v beside %v", art != nil, summaries(rep.Diagnostics))
			}
		})
	}
}

// TestReplaceable: a bubblewrap that the command may write is named, also where
// a link leads to it, and not once a rule closes it.
func TestReplaceable(t *testing.T) {
	t.Parallel()
	named := func(path string) []string {
		return []string{"security[" + string(diag.CodeReplaceable) + "]: the command may replace " + path + ", which confines it"}
	}
	for _, tt := range []struct {
		name, rules, path string
		want              []string
	}{
		{"elsewhere", "write /w\nread /", "/usr/bin/bwrap", []string{}},
		{"in a write root", "write /w\nread /", "/w/bin/bwrap", named("/w/bin/bwrap")},
		{"closed again", "protect /w/bin/bwrap\nwrite /w\nread /", "/w/bin/bwrap", []string{}},
		{"behind a link", "write /w\nread /", "/opt/bwrap", named("/w/bin/bwrap")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := facts("0.13.1")
			f.Bwrap.Path = tt.path
			v := view("d /dev\nd /proc\nf /w/bin/bwrap\nl /opt/bwrap -> /w/bin/bwrap")
			_, rep := bwrap.Backend{}.Lower(policy(tt.rules), v, target.Options{Facts: f})
			if diff := cmp.Diff(tt.want, summaries(rep.Diagnostics)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestArgumentCapNamesRules(t *testing.T) {
	t.Parallel()
	p := policy("deny /w/**/*.key\nprotect /w/d1/**/s1*\nwrite /w\nread /")
	_, rep := bwrap.Backend{}.Lower(p, secrets(3500, 10), target.Options{})
	if len(rep.Diagnostics) != 1 {
		t.Fatalf("%v", summaries(rep.Diagnostics))
	}
	want := "Most come from deny[/w/**/*.key] (3500), "
	if got := rep.Diagnostics[0].Detail; !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}

// TestSharedMask holds that many closed files share one file of the host.
func TestSharedMask(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		files int
		fds   int
		mask  string
	}{
		{200, 200, ""},
		{201, 0, "/home/u/.config/sbc/mask"},
	} {
		art, _ := compile(t, policy("deny /w/**/*.key\nwrite /w\nread /"), secrets(tt.files, 1), target.Options{Facts: facts("0.13.0")})
		if art.Plan.Masks != tt.fds || art.Plan.MaskFile != tt.mask {
			t.Errorf("%d files: %d descriptors, file %q; want %d, %q", tt.files, art.Plan.Masks, art.Plan.MaskFile, tt.fds, tt.mask)
		}
		seen := map[int]bool{}
		for _, m := range art.Plan.Mounts {
			if m.Kind == bwrap.ClosedFile && m.FD != 0 {
				if seen[m.FD] {
					t.Fatalf("descriptor %d is used twice", m.FD)
				}
				seen[m.FD] = true
			}
		}
		for fd := bwrap.MaskFD; fd < bwrap.MaskFD+tt.fds; fd++ {
			if !seen[fd] {
				t.Fatalf("descriptor %d is not used", fd)
			}
		}
	}
}

func TestScan(t *testing.T) {
	t.Parallel()
	base := "d /dev\nd /proc\nf /w/.env\nf /w/a/.env\nf /w/a/b/.env\nx /w/priv\nf /w/sys/x/.env\nm / 8:1 / ext4\nm /w/sys 0:9 / sysfs"
	for _, tt := range []struct {
		name     string
		budget   target.Budget
		mounts   []string
		verdicts []string
		diags    []string
	}{
		{
			name:     "unreadable directories and file systems of the kernel are named",
			mounts:   []string{"/", "/w", "/w/.env", "/w/a/.env", "/w/a/b/.env"},
			verdicts: []string{"deny[/w/**/.env] snapshot SBC2101", "write[/w] exact", "read[/] exact"},
			diags: []string{
				"note[SBC2120]: 1 directory could not be searched for matches of globs",
				"note[SBC2120]: file systems of the kernel were not searched for matches of globs",
			},
		},
		{
			name: "a budget of depth", budget: target.Budget{Depth: 1},
			mounts:   []string{"/", "/w", "/w/.env", "/w/a/.env"},
			verdicts: []string{"deny[/w/**/.env] snapshot SBC2101", "deny[/w/**/.env] wider SBC2105", "write[/w] exact", "read[/] exact"},
			diags: []string{
				"note[SBC2120]: 1 directory could not be searched for matches of globs",
				"note[SBC2120]: file systems of the kernel were not searched for matches of globs",
			},
		},
		{
			name: "a budget of files", budget: target.Budget{Files: 1},
			mounts:   []string{"/", "/w", "/w/.env"},
			verdicts: []string{"deny[/w/**/.env] snapshot SBC2101", "deny[/w/**/.env] wider SBC2105", "write[/w] exact", "read[/] exact"},
			diags:    []string{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			art, rep := compile(t, policy("deny /w/**/.env\nwrite /w\nread /"), view(base), target.Options{Budget: tt.budget})
			var got []string
			for _, m := range art.Plan.Mounts {
				if m.Path != "/dev" && m.Path != "/proc" {
					got = append(got, m.Path)
				}
			}
			if diff := cmp.Diff(tt.mounts, got); diff != "" {
				t.Errorf("mounts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.verdicts, verdicts(rep)); diff != "" {
				t.Errorf("verdicts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.diags, summaries(rep.Diagnostics)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWithoutHost holds what is left where nothing is known of the host.
func TestWithoutHost(t *testing.T) {
	t.Parallel()
	p := policy("deny /w/key\ndeny /home/u/.ssh\ndeny /w/**/.env\nprotect /usr/**/x\nwrite /w\nread /usr")
	art, rep := compile(t, p, host.Empty{}, target.Options{})
	want := lines("--ro-bind /usr /usr\n--bind /w /w\n--chmod 0111 /\n--remount-ro /")
	if diff := cmp.Diff(want, mountLines(art)); diff != "" {
		t.Errorf("mounts (-want +got):\n%s", diff)
	}
	want = lines(`
deny[/w/key] dropped SBC2104
deny[/home/u/.ssh] exact
deny[/w/**/.env] dropped SBC2104
protect[/usr/**/x] exact
write[/w] exact SBC2104
read[/usr] exact SBC2104`)
	if diff := cmp.Diff(want, verdicts(rep)); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	v := view("d /dev\nd /proc\nd /w")
	for _, tt := range []struct {
		name  string
		rules string
		facts *host.Facts
		want  []string
	}{
		{name: "a closed path", rules: "deny /w/x missing=refuse\nwrite /w", want: []string{`error[SBC2109]: /w/x does not exist`}},
		{name: "an opening", rules: "write /x missing=refuse\nwrite /w", want: []string{`error[SBC2108]: /x does not exist`}},
		{name: "an architecture", rules: "write /w", facts: &host.Facts{Arch: "riscv64"}, want: []string{`error[SBC4007]: there is no seccomp program for riscv64`}},
	} {
		art, rep := bwrap.Backend{}.Lower(policy(tt.rules), v, target.Options{Facts: tt.facts})
		if diff := cmp.Diff(tt.want, summaries(rep.Diagnostics)); diff != "" || art != nil {
			t.Errorf("%s: artefact %v (-want +got):\n%s", tt.name, art, diff)
		}
	}
}

var _ target.Backend = bwrap.Backend{}

func TestName(t *testing.T) {
	t.Parallel()
	if got := (bwrap.Backend{}).Name(); got != ir.Linux {
		t.Errorf("Name() = %q", got)
	}
}
