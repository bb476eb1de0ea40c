package bwrap_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// held returns the entries on file rules with who keeps them, and what must be
// watched for that.
func held(r target.Report) []string {
	var out []string
	for _, e := range r.Entries {
		if e.Index < 0 || e.Rule == "private[/dev]" || e.Rule == "private[/proc]" {
			continue
		}
		text := fmt.Sprint(e.Rule, " ", e.Verdict, " ", e.Enforcer, " ", e.Code)
		out = append(out, strings.TrimSpace(text)+[]string{"", " names", " removals"}[e.Watch])
	}
	return out
}

// TestSupervised: what mounts cannot hold is exact where the launcher decides.
func TestSupervised(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		host  string
		rules string
		// The mode create is asked first, then open if it differs.
		mounts       string
		create, open string
		watch        string // what the plan says; empty for nothing
		free         []int
	}{
		{
			name: "a missing path has no placeholder", host: "d /w", rules: "deny /w/a/secret\nwrite /w",
			mounts: "--bind /w /w\n--chmod 0111 /\n--remount-ro /",
			create: "deny[/w/a/secret] exact launcher SBC2132 names\nwrite[/w] exact kernel",
			open:   "deny[/w/a/secret] exact launcher names\nwrite[/w] exact kernel",
			watch:  "names",
		},
		{
			name: "unless the policy asks for one", host: "d /w", rules: "deny /w/secret missing=reserve\nwrite /w",
			mounts: "--bind /w /w\n--perms 0000 --tmpfs /w/secret --remount-ro /w/secret\n--chmod 0111 /\n--remount-ro /",
			create: "deny[/w/secret] exact launcher SBC2109\nwrite[/w] exact kernel",
		},
		{
			name: "a guard's missing path is not swept", host: "d /w", rules: "protect /w/.vscode guard=editor-config\nwrite /w",
			mounts: "--bind /w /w\n--chmod 0111 /\n--remount-ro /",
			create: "guards.editor-config exact launcher SBC2132 names\nwrite[/w] exact kernel",
			open:   "guards.editor-config exact launcher names\nwrite[/w] exact kernel",
			watch:  "names",
		},
		{
			name: "what refuses to start still does not", host: "d /w", rules: "deny /w/a missing=refuse\nwrite /w",
		},
		{
			name: "a glob, moves and plants", host: "d /w/.git/hooks\nf /w/.git/hooks/a\nf /w/x.key", rules: "protect /w/**/.git/hooks/a except /w/sub\nwrite /w",
			mounts: `
--bind /w /w
--bind /w/.git /w/.git
--bind /w/.git/hooks /w/.git/hooks
--ro-bind /w/.git/hooks/a /w/.git/hooks/a
--chmod 0111 /
--remount-ro /`,
			create: "protect[/w/**/.git/hooks/a] exact launcher SBC2132 names\nwrite[/w] exact kernel",
			open:   "protect[/w/**/.git/hooks/a] exact launcher names\nwrite[/w] exact kernel",
			watch:  "names",
		},
		{
			name: "a whole directory needs nobody", host: "d /w/d\nf /w/d/a", rules: "deny /w/d/*\nwrite /w",
			mounts: "--bind /w /w\n--perms 0555 --tmpfs /w/d --remount-ro /w/d\n--chmod 0111 /\n--remount-ro /",
			create: "deny[/w/d/*] exact kernel\nwrite[/w] exact kernel",
		},
		{
			name: "a link that may be replaced", host: "f /w/real\nl /w/link -> real", rules: "protect /w/link\nwrite /w",
			mounts: "--bind /w /w\n--chmod 0111 /\n--remount-ro /",
			create: "protect[/w/link] exact launcher SBC2132 removals\nwrite[/w] exact kernel",
			open:   "protect[/w/link] exact launcher removals\nwrite[/w] exact kernel",
			watch:  "removals",
		},
		{
			name: "a link that may not", host: "f /r/real\nl /r/link -> real", rules: "deny /r/link\nread /r",
			mounts: "--ro-bind /r /r\n--chmod 0111 /\n--remount-ro /",
			create: "deny[/r/link] exact kernel SBC2132\nread[/r] exact kernel",
			open:   "deny[/r/link] exact launcher names\nread[/r] exact kernel",
			watch:  "names in open",
		},
		{
			name: "through a link", host: "f /w/real/a\nl /w/link -> real", rules: "protect /w/link/a\nwrite /w",
			mounts: "--bind /w /w\n--chmod 0111 /\n--remount-ro /",
			create: "protect[/w/link/a] exact launcher SBC2132 removals\nwrite[/w] exact kernel",
			open:   "protect[/w/link/a] exact launcher removals\nwrite[/w] exact kernel",
			watch:  "removals",
		},
		{
			name: "a link where a directory is pinned", host: "d /w/g\nl /w/.git -> g", rules: "protect /w/**/.git/config\nwrite /w",
			mounts: "--bind /w /w\n--chmod 0111 /\n--remount-ro /",
			create: "protect[/w/**/.git/config] exact launcher SBC2132 removals\nwrite[/w] exact kernel",
			open:   "protect[/w/**/.git/config] exact launcher removals\nwrite[/w] exact kernel",
			watch:  "removals",
		},
		{
			name: "a glob that leaves new names free", host: "d /w/.git\nf /w/.git/config", rules: "protect /w/**/.git/config missing=skip\nprotect /w/**/.git/hooks\nwrite /w",
			mounts: "--bind /w /w\n--bind /w/.git /w/.git\n--ro-bind /w/.git/config /w/.git/config\n--chmod 0111 /\n--remount-ro /",
			create: "protect[/w/**/.git/config] snapshot kernel SBC2101\nprotect[/w/**/.git/hooks] exact launcher SBC2132 names\nwrite[/w] exact kernel",
			open:   "protect[/w/**/.git/config] snapshot kernel SBC2101\nprotect[/w/**/.git/hooks] exact launcher names\nwrite[/w] exact kernel",
			watch:  "names", free: []int{0},
		},
		{
			name: "what the command cannot make", host: "d /r", rules: "deny /r/a\ndeny /r/**/k\nread /r",
			mounts: "--ro-bind /r /r\n--chmod 0111 /\n--remount-ro /",
			create: "deny[/r/a] exact kernel SBC2132\ndeny[/r/**/k] exact kernel SBC2132\nread[/r] exact kernel",
			open:   "deny[/r/a] exact launcher names\ndeny[/r/**/k] exact launcher names\nread[/r] exact kernel",
			watch:  "names in open",
		},
		{
			name: "a readable path that is missing in a writable one", host: "d /w", rules: "read /w/ro\nwrite /w",
			mounts: "--bind /w /w\n--chmod 0111 /\n--remount-ro /",
			create: "read[/w/ro] exact launcher SBC2132 names\nwrite[/w] exact kernel",
			open:   "read[/w/ro] exact launcher names\nwrite[/w] exact kernel",
			watch:  "names",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []ir.SuperviseMode{ir.SuperviseCreate, ir.SuperviseOpen} {
				p := policy(tt.rules)
				p.Process.Supervise.Value = mode
				art, rep := bwrap.Backend{}.Compile(p, view(tt.host), target.Options{Facts: &host.Facts{Supervise: true}, Supervised: true})
				if tt.mounts == "" {
					if art != nil {
						t.Error("not refused")
					}
					continue
				}
				if art == nil {
					t.Fatalf("refused: %v", summaries(rep.Diagnostics))
				}
				want := tt.create
				if mode == ir.SuperviseOpen && tt.open != "" {
					want = tt.open
				}
				if want != "" {
					if diff := cmp.Diff(lines(want), held(rep)); diff != "" {
						t.Errorf("%s: verdicts (-want +got):\n%s", mode, diff)
					}
				}
				if diff := cmp.Diff(lines(tt.mounts), mountLines(art)); diff != "" {
					t.Errorf("%s: mounts (-want +got):\n%s", mode, diff)
				}
				var plan *bwrap.Supervision
				if tt.watch != "" && (mode == ir.SuperviseOpen || tt.watch != "names in open") {
					plan = &bwrap.Supervision{Mode: mode, Removals: tt.watch == "removals", Free: tt.free}
				}
				if diff := cmp.Diff(plan, art.Plan.Supervise); diff != "" {
					t.Errorf("%s: supervision (-want +got):\n%s", mode, diff)
				}
			}
		})
	}
}

// TestSupervisedNeedsAll: a launcher, a kernel that lets it, a policy that does
// not say no, and a host that was looked at.
func TestSupervisedNeedsAll(t *testing.T) {
	t.Parallel()
	able := &host.Facts{Supervise: true}
	for _, tt := range []struct {
		name  string
		facts *host.Facts
		run   bool
		mode  ir.SuperviseMode
		want  string
	}{
		{"all", able, true, ir.SuperviseCreate, "deny[/w/**/k] exact launcher SBC2132 names"},
		{"no launcher", able, false, ir.SuperviseCreate, "deny[/w/**/k] snapshot kernel SBC2101"},
		{"a kernel that cannot", &host.Facts{}, true, ir.SuperviseCreate, "deny[/w/**/k] snapshot kernel SBC2101"},
		{"nothing is known of the machine", nil, true, ir.SuperviseOpen, "deny[/w/**/k] snapshot kernel SBC2101"},
		{"nested namespaces", able, true, ir.SuperviseOpen, "deny[/w/**/k] snapshot kernel SBC2101"},
		{"off", able, true, ir.SuperviseOff, "deny[/w/**/k] snapshot kernel SBC2101"},
	} {
		p := policy("deny /w/**/k\nwrite /w")
		p.Process.Namespaces.Value = tt.name == "nested namespaces"
		p.Process.Supervise = ir.Setting[ir.SuperviseMode]{Value: tt.mode, Set: true}
		art, rep := compile(t, p, view("d /w"), target.Options{Facts: tt.facts, Supervised: tt.run})
		if got := held(rep)[0]; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		all := strings.Contains(tt.want, "exact")
		if (art.Plan.Supervise != nil) != all {
			t.Errorf("%s: %+v", tt.name, art.Plan.Supervise)
		}
		// What would be used without sbc run is refused if it needs it.
		for _, f := range []target.Format{target.Text, target.JSON, target.Args0, target.Shell} {
			_, err := art.Render(f)
			if (err != nil) != (all && (f == target.Args0 || f == target.Shell)) {
				t.Errorf("%s: %s: %v", tt.name, f, err)
			}
		}
		files, err := art.Bundle()
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
		}
		want := []string{"argv.args0", "plan.json", "run.sh", "seccomp.bpf"}
		if all {
			want = []string{"plan.json", "seccomp.bpf"}
		}
		if diff := cmp.Diff(want, names); diff != "" || err != nil {
			t.Errorf("%s: bundle: %v (-want +got):\n%s", tt.name, err, diff)
		}
		last := settings(rep)
		entry := "process.supervise exact launcher"
		switch {
		case tt.mode == ir.SuperviseOff:
			entry = "process.supervise exact kernel opens"
		case !all:
			entry = "process.supervise snapshot kernel SBC2101"
		}
		if got := last[len(last)-1]; got != entry {
			t.Errorf("%s: %s, want %s", tt.name, got, entry)
		}
	}
	p := policy("deny /w/**/k\nwrite /w")
	_, rep := compile(t, p, host.Empty{}, target.Options{Facts: able, Supervised: true})
	if got := held(rep)[0]; got != "deny[/w/**/k] dropped kernel SBC2104" {
		t.Errorf("without a host view: %s", got)
	}
}
