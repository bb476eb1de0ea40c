package prove_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

const linkedRecord = `{
	"sbc_host": 1,
	"facts": {
		"os": "linux", "arch": "amd64", "uid": 1000, "supervise": true,
		"home": "/home/u", "temp": "/tmp", "cache": "/home/u/.cache", "config": "/home/u/.config"
	},
	"tree": {
		"/home/u": {"type": "dir"}, "/tmp": {"type": "dir"}, "/dev": {"type": "dir"}, "/proc": {"type": "dir"},
		"/w/a": {}, "/w/link": {"link": "a"}, "/w/dir": {"type": "dir"}
	}
}`

// TestSupervised: what comes later is closed by the launcher if the plan has it
// watched, and not otherwise, whatever the report says.
func TestSupervised(t *testing.T) {
	t.Parallel()
	glob := closing("/w/**/x")
	glob.Read = ir.Pass
	link := pass(deny("/w/link"))
	missing := pass(deny("/w/dir/x"))
	for _, tc := range []struct {
		name     string
		rule     ir.FileRule
		removals bool
		mode     ir.SuperviseMode
		unheld   []string // what the proof says if nothing watches
	}{
		{"a glob", glob, false, ir.SuperviseCreate, []string{"permits write /w/x"}},
		{"a glob, and opens", glob, false, ir.SuperviseOpen, []string{"permits write /w/x"}},
		{"a missing path", missing, false, ir.SuperviseCreate, []string{"permits write /w/dir/x", "permits unlink /w/dir/x"}},
		{"a link", link, true, ir.SuperviseCreate, []string{"permits write /w/link", "permits unlink /w/link"}},
		{"through a link", pass(deny("/w/link/x")), true, ir.SuperviseCreate, []string{"permits unlink /w/link"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			rec, ds := host.ParseRecord([]byte(linkedRecord), "host.json")
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			facts := rec.Facts()
			p := floored(tc.rule, write("/w"))
			p.Process.Supervise.Value = tc.mode
			b := bwrap.Backend{}
			found := func(art *bwrap.Artifact, rep target.Report) []string {
				proof, err := prove.Lowered(p, art, rep, prove.Options{View: rec})
				if err != nil {
					t.Fatal(err)
				}
				return said(proof)
			}
			art, rep := b.Compile(p, rec, target.Options{Facts: &facts, Supervised: true})
			if art == nil {
				t.Fatal(rep.Diagnostics)
			}
			want := &bwrap.Supervision{Mode: tc.mode, Removals: tc.removals}
			if diff := cmp.Diff(want, art.Plan.Supervise); diff != "" {
				t.Errorf("supervision (-want +got):\n%s", diff)
			}
			for _, e := range rep.Entries {
				if e.Index == 0 && (e.Verdict != target.Exact || e.Enforcer != target.Launcher || (e.Code == diag.CodeOthers) != (tc.mode == ir.SuperviseCreate)) {
					t.Errorf("entry %+v", e)
				}
			}
			if got := found(art, rep); got != nil {
				t.Errorf("with the launcher: %q", got)
			}

			// The same report, and nobody watches.
			alone := *art
			alone.Plan.Supervise = nil
			if diff := cmp.Diff(tc.unheld, found(&alone, rep)); diff != "" {
				t.Errorf("without the launcher (-want +got):\n%s", diff)
			}
			// The launcher lets names be removed.
			alone.Plan.Supervise = &bwrap.Supervision{Mode: tc.mode}
			if got := found(&alone, rep); (got != nil) != tc.removals {
				t.Errorf("without removals: %q", got)
			}
			// The report says that the kernel does it.
			silent := rep
			silent.Entries = slices.Clone(rep.Entries)
			for i := range silent.Entries {
				silent.Entries[i].Watch = target.WatchNothing
			}
			if diff := cmp.Diff(tc.unheld, found(art, silent)); diff != "" {
				t.Errorf("without a claim (-want +got):\n%s", diff)
			}
		})
	}
}
