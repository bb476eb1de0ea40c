package arch_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/internal/arch"
)

const root = "../.."

// TestModule applies every rule to every Go file of the module.
func TestModule(t *testing.T) {
	t.Parallel()
	files, err := arch.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(files, func(f arch.File) bool { return f.Path == "internal/arch/module_test.go" }) {
		t.Fatal("Load did not find this very file")
	}
	found := arch.Docs(files)
	for _, f := range files {
		found = append(found, arch.Imports(f)...)
		found = append(found, arch.Purity(f)...)
		found = append(found, arch.Portable(root, f)...)
		found = append(found, arch.Size(f)...)
		found = append(found, arch.Inits(f)...)
	}
	slices.Sort(found)
	for _, text := range found {
		t.Error(text)
	}
}

// TestMakefileListsGoldens holds the Makefile's GOLDEN to the packages whose
// tests define -update: `make golden` would silently leave the others stale.
func TestMakefileListsGoldens(t *testing.T) {
	t.Parallel()
	files, err := arch.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(root + "/Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^GOLDEN :=(.*)$`).FindSubmatch(makefile)
	if line == nil {
		t.Fatal("the Makefile has no line that starts with GOLDEN :=")
	}
	got := append([]string{}, strings.Fields(string(line[1]))...)
	slices.Sort(got)
	want := append([]string{}, arch.UpdateFlags(files)...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("GOLDEN in the Makefile (-want +got):\n%s", diff)
	}
}
