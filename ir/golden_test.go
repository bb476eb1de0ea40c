package ir_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/irtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got); -update rewrites it:\n%s", file, diff)
	}
}

// The forms are read by other programs and kept in other repositories: a
// difference here is a change for them.
func TestGoldenForms(t *testing.T) {
	t.Parallel()
	p := irtest.Full()
	golden(t, "testdata/full.ir.json", ir.Encode(p))
	golden(t, "testdata/full.canonical.json", ir.Canonical(p))
	golden(t, "testdata/full.txt", []byte(p.Text()))
	golden(t, "testdata/empty.txt", []byte((&ir.Policy{Version: 1, Name: "a\nb", Workspace: "/w"}).Text()))
	golden(t, "schema/ir.schema.json", ir.Schema())
}

func TestHashIsThatOfTheCanonicalForm(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/full.canonical.json")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if got, want := ir.Hash(irtest.Full()), "sha256:"+hex.EncodeToString(sum[:]); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}
