package arch_test

import (
	"slices"
	"testing"

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
