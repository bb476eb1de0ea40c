package request_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/enforce/request"
)

func TestHash(t *testing.T) {
	t.Parallel()
	base := request.Request{Argv: []string{"/bin/sh", "-c", "true"}, Dir: "/w", Policy: "p"}
	const want = "26b4962a00402c6c8960f5f96505830858bad6d13ac2f68f1c386093573752dc" // computed by another program
	if got := base.Hash(); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	same := base
	same.Policy = "q"
	if same.Hash() == base.Hash() || same.Command() != base.Command() {
		t.Error("the policy belongs to the hash of a request, and not to that of its command")
	}
}

// TestHashLaw: requests that differ have hashes that differ.
func TestHashLaw(t *testing.T) {
	t.Parallel()
	word := rapid.StringOfN(rapid.SampledFrom([]rune{'a', '/', 0, 'b'}), 0, 3, -1)
	draw := rapid.Custom(func(t *rapid.T) request.Request {
		return request.Request{
			Argv: rapid.SliceOfN(word, 0, 3).Draw(t, "argv"), Dir: word.Draw(t, "dir"), Policy: word.Draw(t, "policy"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		same := a.Dir == b.Dir && a.Policy == b.Policy && len(a.Argv) == len(b.Argv)
		for i := range min(len(a.Argv), len(b.Argv)) {
			same = same && a.Argv[i] == b.Argv[i]
		}
		if (a.Hash() == b.Hash()) != same {
			t.Fatalf("%q and %q: %t, want %t", a, b, !same, same)
		}
	})
}
