package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/recheck"
	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

func scratch(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestStill: what a glob matched may vanish; nothing else may change.
func TestStill(t *testing.T) {
	t.Parallel()
	dir := scratch(t)
	for _, name := range []string{"needed", "match"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	was := host.NewMemo(host.Live{})
	plan := &bwrap.Plan{
		Mounts: []bwrap.Mount{
			{Kind: bwrap.WritableBind, Path: dir + "/needed", Host: "dir"},
			{Kind: bwrap.ClosedDir, Path: dir + "/match", Host: "dir", Optional: true},
		},
		Seal: []string{dir + "/match", "/"},
	}
	for _, m := range plan.Mounts {
		if _, err := was.Lstat(m.Path); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := run.Still(plan, was); err != nil || got != plan {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := os.Remove(dir + "/match"); err != nil {
		t.Fatal(err)
	}
	got, err := run.Still(plan, was)
	want := &bwrap.Plan{Mounts: plan.Mounts[:1], Seal: []string{"/"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if len(plan.Mounts) != 2 || len(plan.Seal) != 2 {
		t.Error("the plan itself was changed")
	}
	if err := os.Rename(dir+"/needed", dir+"/moved"); err != nil {
		t.Fatal(err)
	}
	var changed *recheck.ChangedError
	if got, err := run.Still(plan, was); !errors.As(err, &changed) || len(changed.Changes) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestUsable: bubblewrap must be there, and not where the command may write.
func TestUsable(t *testing.T) {
	t.Parallel()
	dir := scratch(t)
	if err := os.MkdirAll(dir+"/open/bin", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{{dir + "/open/bin/bwrap", dir + "/bwrap"}, {dir + "/own/bwrap", dir + "/other"}} {
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(dir+"/open/bin/bwrap", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var refused *request.Error
	var missing *run.BackendError
	for _, tt := range []struct {
		path string
		as   any // nil for none
	}{
		{"", &missing},
		{dir + "/open/bin/bwrap", &refused},
		{dir + "/bwrap", &refused}, // a link to it
		{dir + "/other", nil},
		{"/usr/bin/bwrap", nil},
	} {
		a := &bwrap.Artifact{Bwrap: tt.path, Plan: bwrap.Plan{Writable: []string{dir + "/open"}}}
		err := run.Usable(a)
		if tt.as == nil && err != nil || tt.as != nil && !errors.As(err, tt.as) {
			t.Errorf("%q: %v", tt.path, err)
		}
	}
}
