package prove_test

import (
	"testing"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func deny(path string) ir.FileRule {
	r := closing(path)
	r.Match = ir.Subtree(path)
	return r
}

func pass(r ir.FileRule) ir.FileRule {
	r.Read = ir.Pass
	return r
}

func private(path string) ir.FileRule {
	r := write(path)
	r.Private = true
	return r
}

// floored puts what every policy has on Linux beneath the others.
func floored(rules ...ir.FileRule) *ir.Policy { return withFloor(policy(rules...)) }

// TestHolds: outputs that were right, or whose report was wrong, and that a proof
// once refused or could not make.
func TestHolds(t *testing.T) {
	t.Parallel()
	tmp := floored(pass(deny("/w/t/x")), read("/usr"))
	tmp.Files = append(tmp.Files, private("/w/t"))
	for _, tc := range []struct {
		name    string
		backend target.Backend
		policy  *ir.Policy
	}{
		{"a glob where no directory can be moved", seatbelt.Backend{}, policy(pass(closing("/{b,w}/**/*.key")), write("/a"))},
		{"two globs of which one can move nothing", seatbelt.Backend{}, policy(pass(closing("/h/**/[!a]")), pass(closing("/{b,a}/**/.ENV")), write("/a/a"))},
		{"several gaps that one part fills", seatbelt.Backend{}, policy(pass(deny("/")), write("/a/e/W/a*b"), closing("/[!a]/a\\*b"), write("/"))},
		{"an opening in storage that a Mac has not", seatbelt.Backend{}, policy(write("/private/tmp/a"), private("/private/tmp"), write("/"))},
		{"storage that may be read only, in another case", seatbelt.Backend{}, policy(kernel("/W"), write("/"))},
		{"a closing in storage of the sandbox's own", bwrap.Backend{}, tmp},
		{"a closing of everything", bwrap.Backend{}, floored(pass(deny("/")), write("/w"))},
		{"a placeholder with an exception in it", bwrap.Backend{}, floored(pass(closing("/w/conf", "/w/conf/a")), write("/w"))},
		{"a root in a placeholder", bwrap.Backend{}, floored(write("/w/conf/a"), none("/w/conf"), write("/w"))},
		{"a root beside what a placeholder is for", bwrap.Backend{}, floored(pass(deny("/w/conf/b")), write("/w/conf/a"), write("/w"))},
		{"a placeholder of what may not be read", bwrap.Backend{}, floored(pass(deny("/w/conf/b")), none("/w/conf"), write("/w"))},
		{"exceptions by a pattern in what is closed by its name", bwrap.Backend{}, floored(closing("/w/a", "/w/*/*"), read("/"))},
		{"a glob that matches one name of one character", bwrap.Backend{}, floored(pass(closing("/w/?")), write("/w"))},
		{"names at every depth are closed", bwrap.Backend{}, floored(pass(closing("/w/**/*/**")), write("/w"))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			rec, ds := host.ParseRecord([]byte(record), "host.json")
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			facts := rec.Facts()
			art, rep := tc.backend.Lower(tc.policy, rec, target.Options{Facts: &facts})
			if art == nil {
				t.Fatal(rep.Diagnostics)
			}
			proof, err := prove.Lowered(tc.policy, art, rep, prove.Options{View: rec})
			if err != nil {
				t.Fatal(err)
			}
			if found := wrong(proof); found != nil {
				text, _ := art.Render(target.Text)
				t.Errorf("%q\n%s", found, dump(tc.policy, rep, text))
			}
		})
	}
}
