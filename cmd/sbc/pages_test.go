package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/ir/diag"
)

// elsewhere are the codes whose example needs a machine that this one may not
// be, with the package whose tests see them fire on machines that are made up.
func elsewhere() map[diag.Code]string {
	return map[diag.Code]string{
		diag.CodeTargetExtra:     "target/bwrap", // an extra for every target: only the form of the IR has one
		diag.CodeUnscanned:       "target/bwrap", // root can read every directory
		diag.CodeBinaryMissing:   "host/doctor",
		diag.CodeVersionTooOld:   "host/doctor",
		diag.CodeFeatureMissing:  "host/doctor",
		diag.CodeKnownCVE:        "host/doctor",
		diag.CodeUsernsDisabled:  "host/doctor",
		diag.CodeProcRestricted:  "host/doctor",
		diag.CodeSeccompMissing:  "host/doctor",
		diag.CodeLandlock:        "host/doctor",
		diag.CodeSupervise:       "host/doctor",
		diag.CodeCgroup:          "host/doctor",
		diag.CodeStartFailed:     "host/doctor",
		diag.CodeHostUnsupported: "host/doctor",
		diag.CodeReplaceable:     "target/bwrap",
	}
}

// TestPages runs the example of every page, as a reader would, and requires that
// its code fires.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, code := range diag.Codes() {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			page, _ := diag.PageOf(code)
			out := runExample(t, page)
			if bytes.Contains(out, []byte("internal error")) {
				t.Errorf("%s", out)
			}
			if pkg := elsewhere()[code]; pkg != "" {
				testedIn(t, code, pkg)
				return
			}
			if !bytes.Contains(out, fmt.Appendf(nil, "[%s]: ", code)) {
				t.Errorf("%s does not fire:\n%s", code, out)
			}
		})
	}
}

// testedIn checks that a test of the package names the code or its constant.
func testedIn(t *testing.T, code diag.Code, pkg string) {
	t.Helper()
	root := filepath.Join("..", "..")
	list, err := os.ReadFile(filepath.Join(root, "ir", "diag", "code.go"))
	if err != nil {
		t.Fatal(err)
	}
	constant := regexp.MustCompile(`(Code\w+)\s+Code = "` + string(code) + `"`).FindSubmatch(list)
	tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*_test.go"))
	if err != nil || constant == nil {
		t.Fatalf("%v, constant %s", err, constant)
	}
	for _, file := range tests {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(code)) || regexp.MustCompile(`diag\.`+string(constant[1])+`\b`).Match(text) {
			return
		}
	}
	t.Errorf("no test of %s names %s", pkg, code)
}

// runExample writes the files of a page into an empty workspace and runs its
// commands there.
func runExample(t *testing.T, page diag.Page) []byte {
	t.Helper()
	home := scratch(t)
	work := filepath.Join(home, "project", "workspace")
	mkdir(t, work)
	var script string
	for _, f := range page.Fences() {
		if f.Language == "sh" {
			script = f.Text
			continue
		}
		file := filepath.Join(work, filepath.FromSlash(f.Name))
		mkdir(t, filepath.Dir(file))
		if err := os.WriteFile(file, []byte(f.Text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = work
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HOME=") && !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "SBC_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+home, "NO_COLOR=1")
	out, _ := cmd.CombinedOutput() // the status is that of the problem
	return out
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}
