package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestRunManyClosed: with more closed files than bubblewrap starts well with, they
// are closed by the helper, whose covers are noexec, and nobody is told to wait.
func TestRunManyClosed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		const many = 400
		for i := range many {
			w.file(fmt.Sprintf("work/d%d/f.pem", i), "secret")
		}
		w.file("work/policy.hcl", "version = 1\nextends = [\"workspace-write-no-network\"]\nfilesystem {\n  deny \"pem\" {\n    paths = [\"./**/*.pem\"]\n  }\n}\n")
		line := `cat d*/f.pem 2>/dev/null | wc -c; grep '/f[.]pem ro' /proc/self/mountinfo | grep -c noexec`
		r := w.exec(shared.sbc, "run", "--workspace", w.work, "-p", "policy.hcl", "--", "sh", "-c", line)
		if r.code != 0 || r.stdout != "0\n400\n" || strings.Contains(r.stderr, "SBC2122") {
			t.Errorf("%v", r)
		}
		if r := w.exec("sh", "-c", "cat d*/f.pem | wc -c"); r.stdout != "2400\n" {
			t.Errorf("the control: %v", r)
		}
	})
}
