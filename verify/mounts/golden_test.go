package mounts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/verify/mounts"
)

// TestGolden reads every command line that the goldens hold.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../golden/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	const always = "environment" // the launcher starts bubblewrap with the right one
	want := map[string][]string{
		"extends":                 {"network"},
		"network_full":            {"network"},
		"profile_workspace_write": {"network"},
		"process":                 {"nested-namespaces", "session", "devices"},
	}
	// What the launcher makes before the start.
	prepared := map[string]map[string]mounts.Object{
		"bwrap_old":            {"/home/user/.config/sbc/mask": {Kind: mounts.Regular, Modes: true}},
		"root_missing":         {"/vols/app/made/deep": {Kind: mounts.Directory}},
		"close_missing":        {"/vols/app/.env": {Kind: mounts.Directory}},
		"close_missing_nested": {"/vols/app/conf": {Kind: mounts.Directory}},
		"supervise_create":     {"/vols/app/token": {Kind: mounts.Directory}},
		"supervise_open":       {"/vols/app/token": {Kind: mounts.Directory}},
		"case_long":            {"/vols/app/" + strings.Repeat("abcdefghijklmnopqrstuvwxyz", 2): {Kind: mounts.Directory}},
	}
	wantOnHost := map[string][]string{"network_sockets": {"socket"}}
	seen := 0
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range ar.Files {
			if f.Name != "linux.argv" {
				continue
			}
			seen++
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s, err := mounts.ReadText(f.Data, mounts.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, flag := range mounts.Flags(s) {
					got = append(got, flag.Name)
				}
				if diff := cmp.Diff(append([]string{always}, want[name]...), got); diff != "" {
					t.Errorf("flags (-want +got):\n%s", diff)
				}
				if _, err := mounts.Build(s, mounts.Options{}); err != nil {
					t.Error(err)
				}
				if rec := recordOf(t, ar); rec != nil {
					table, err := mounts.Build(s, mounts.Options{View: rec, Prepared: prepared[name]})
					if err != nil {
						t.Fatal(err)
					}
					got = nil
					for _, flag := range table.Flags(rec.Facts().Sockets) {
						got = append(got, flag.Name)
					}
					if diff := cmp.Diff(wantOnHost[name], got); diff != "" {
						t.Errorf("on the host (-want +got):\n%s", diff)
					}
				}
			})
		}
	}
	if seen < 60 {
		t.Errorf("only %d command lines", seen)
	}
}

func recordOf(t *testing.T, ar *txtar.Archive) *host.Recorded {
	t.Helper()
	for _, f := range ar.Files {
		if f.Name == "host.json" {
			rec, ds := host.ParseRecord(f.Data, f.Name)
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			return rec
		}
	}
	return nil
}
