package verify_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify"
)

func TestDiffTargets(t *testing.T) {
	t.Parallel()
	on := func(target string, r ir.FileRule) ir.FileRule {
		r.Target = target
		return r
	}
	floor := func(target string, r ir.FileRule) ir.FileRule {
		r.Target, r.Layer = target, ir.LayerFloor
		return r
	}
	p := files(
		file("env", ir.Glob{Pattern: glob.MustParse("/w/**/.env")}, ir.Deny, ir.Deny),
		on(ir.Darwin, file("keychain", ir.Subtree("/w/Keys"), ir.Deny, ir.Deny)),
		on(ir.Linux, file("own", ir.Subtree("/w/own"), ir.Pass, ir.Deny)),
		file("root", ir.Subtree("/w"), ir.Allow, ir.Allow),
		on(ir.Linux, file("filesystem.tmp", ir.Subtree("/tmp"), ir.Allow, ir.Allow)),
		on(ir.Darwin, file("filesystem.tmp", ir.Subtree("/private/tmp"), ir.Allow, ir.Allow)),
		on(ir.Linux, file("etc", ir.Subtree("/etc"), ir.Allow, ir.Pass)),
		on(ir.Darwin, file("etc", ir.Subtree("/private/etc"), ir.Allow, ir.Pass)),
		floor(ir.Darwin, file("system", ir.Subtree("/System"), ir.Allow, ir.Pass)),
		floor(ir.Linux, file("proc", ir.Subtree("/proc"), ir.Allow, ir.Allow)),
	)
	p.Extras = []ir.Extra{{Target: ir.Darwin, Kind: ir.ExtraMach, Value: "com.example.x"}}
	for _, tt := range []struct {
		name     string
		targets  [2]string
		want     []string
		relation verify.Relation // of what only darwin has
	}{
		{
			name: "from darwin to linux", targets: [2]string{ir.Darwin, ir.Linux}, relation: verify.Narrower,
			want: []string{
				"read wider", "+ /w/Keys keychain root",
				"write incomparable", "- /w/own root own", "+ /w/Keys keychain root",
				"unlink incomparable", "- /w/own root own", "+ /w/Keys keychain root",
			},
		},
		{
			name: "from linux to darwin", targets: [2]string{ir.Linux, ir.Darwin}, relation: verify.Wider,
			want: []string{
				"read narrower", "- /w/Keys root keychain",
				"write incomparable", "+ /w/own own root", "- /w/Keys root keychain",
				"unlink incomparable", "+ /w/own own root", "- /w/Keys root keychain",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := verify.DiffTargets(p, tt.targets, verify.DiffOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range c.Files {
				got = append(got, shownFile(p, p, f)...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if len(c.Settings) != 1 || c.Settings[0].Relation != tt.relation || c.Settings[0].What != "com.example.x" {
				t.Errorf("settings %+v", c.Settings)
			}
		})
	}
}
