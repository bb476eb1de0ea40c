package arch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandboxc/sbc/internal/arch"
)

func parse(t *testing.T, path, source string) arch.File {
	t.Helper()
	f, err := arch.Parse(path, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func check(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	const sbc = "github.com/sandboxc/sbc/"
	tests := []struct {
		name, path, imports string
		want                []string
	}{
		{"ir may use diag", "ir/rule.go", sbc + "ir/diag", nil},
		{"ir is the bottom", "ir/rule.go", sbc + "host", []string{"ir/rule.go:2: ir must not import host"}},
		{"packages of one layer", "ir/decide.go", sbc + "ir/glob", nil},
		{"diag is below ir", "ir/diag/text.go", sbc + "ir", []string{"ir/diag/text.go:2: ir/diag must not import ir"}},
		{"frontend to its parts", "frontend/load.go", sbc + "frontend/hcl", nil},
		{"frontend to target", "frontend/hcl/load.go", sbc + "target", []string{"frontend/hcl/load.go:2: frontend must not import target"}},
		{"target to contract", "target/bwrap/plan.go", sbc + "target", nil},
		{"target to its own part", "target/bwrap/plan.go", sbc + "target/bwrap/seccomp", nil},
		{"target to target", "target/bwrap/plan.go", sbc + "target/seatbelt", []string{"target/bwrap/plan.go:2: target/bwrap must not import target/seatbelt"}},
		{"contract to target", "target/backend.go", sbc + "target/seatbelt", []string{"target/backend.go:2: target must not import target/seatbelt"}},
		{"target to frontend", "target/bwrap/plan.go", sbc + "frontend", []string{"target/bwrap/plan.go:2: target/bwrap must not import frontend"}},
		{"verify to emitter", "verify/model.go", sbc + "target/bwrap", []string{"verify/model.go:2: verify must not import target/bwrap"}},
		{"verify's tests to emitter", "verify/model_test.go", sbc + "target/bwrap", nil},
		{"enforce to target", "enforce/run.go", sbc + "target/bwrap", nil},
		{"enforce to command", "enforce/run.go", sbc + "cmd/sbc", []string{"enforce/run.go:2: nothing imports cmd/sbc"}},
		{"tests to command", "golden/x_test.go", sbc + "cmd/sbc", []string{"golden/x_test.go:2: nothing imports cmd/sbc"}},
		{"command to all", "cmd/sbc/run.go", sbc + "target/bwrap", nil},
		{"no layer", "util/strings.go", "strings", []string{"util/strings.go:1: the directory belongs to no layer of internal/arch"}},
		{"cobra in command", "cmd/sbc/run.go", "github.com/spf13/cobra", nil},
		{"cobra elsewhere", "enforce/run.go", "github.com/spf13/cobra", []string{"enforce/run.go:2: enforce must not depend on github.com/spf13/cobra"}},
		{"part of a listed module", "ir/diag/text.go", "github.com/zclconf/go-cty/cty", nil},
		{"name that only starts like one", "ir/x.go", "github.com/zclconf/go-ctyx", []string{"ir/x.go:2: ir must not depend on github.com/zclconf/go-ctyx"}},
		{"test dependency", "ir/decide.go", "pgregory.net/rapid", []string{"ir/decide.go:2: ir must not depend on pgregory.net/rapid"}},
		{"test dependency in a test", "ir/decide_test.go", "pgregory.net/rapid", nil},
		{"test dependency in targettest", "target/targettest/run.go", "pgregory.net/rapid", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := parse(t, tt.path, "package p\nimport _ \""+tt.imports+"\"\n")
			check(t, tt.want, arch.Imports(f))
		})
	}
}

func TestPurity(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path, source string
		want               []string
	}{
		{"import", "ir/x.go", `import "os"`, []string{"ir/x.go:2: a pure package must not import os"}},
		{"harmless neighbour of net", "ir/x.go", `import "net/netip"`, nil},
		{"clock", "target/bwrap/x.go", "import \"time\"\nvar now = time.Now()", []string{"target/bwrap/x.go:3: a pure package must not use time.Now"}},
		{"duration", "target/bwrap/x.go", "import \"time\"\nvar d time.Duration", nil},
		{"under another name", "verify/x.go", "import f \"fmt\"\nfunc g() { f.Println() }", []string{"verify/x.go:3: a pure package must not use f.Println"}},
		{"Fprint", "verify/x.go", "import \"fmt\"\nvar p = fmt.Fprintln", nil},
		{"as a value", "frontend/x.go", "import \"fmt\"\nvar p = fmt.Print", []string{"frontend/x.go:3: a pure package must not use fmt.Print"}},
		{"builtin", "profiles/x.go", `func g() { println("x") }`, []string{"profiles/x.go:2: a pure package must not use println"}},
		{"this system", "target/x.go", "import \"runtime\"\nvar s = runtime.GOOS", []string{"target/x.go:3: a pure package must not use runtime.GOOS"}},
		{"dot import", "ir/x.go", `import . "fmt"`, []string{"ir/x.go:2: a dot import hides what is used"}},
		{"working directory", "frontend/x.go", "import \"path/filepath\"\nvar p, _ = filepath.Abs(`x`)", []string{"frontend/x.go:3: a pure package must not use filepath.Abs"}},
		{"path with backslashes", "ir/x.go", `import "path/filepath"`, []string{"ir/x.go:2: paths of a policy have slashes on every system: use path"}},
		{"recorded host", "host/record.go", `import "os"`, []string{"host/record.go:2: a pure package must not import os"}},
		{"live host", "host/live.go", `import "os"`, nil},
		{"tests", "ir/x_test.go", `import "os"`, nil},
		{"command", "cmd/sbc/x.go", `import "os"`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check(t, tt.want, arch.Purity(parse(t, tt.path, "package p\n"+tt.source+"\n")))
		})
	}
}

func TestPortable(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, path, source, want string }{
		{"everywhere", "ir/x.go", "package ir\n", ""},
		{"file name", "ir/x_linux.go", "package ir\n", "darwin/arm64"},
		{"constraint", "ir/x.go", "//go:build darwin\n\npackage ir\n", "linux/amd64"},
		{"not wasm", "ir/x.go", "//go:build !js\n\npackage ir\n", "js/wasm"},
		{"live host", "host/live_linux.go", "package host\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			name := filepath.Join(dir, filepath.FromSlash(tt.path))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(tt.source), 0o644); err != nil {
				t.Fatal(err)
			}
			var want []string
			if tt.want != "" {
				want = []string{tt.path + ":1: a pure file must compile everywhere, and this one does not for " + tt.want}
			}
			check(t, want, arch.Portable(dir, parse(t, tt.path, tt.source)))
		})
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	source := func(lines int) string { return "package p\n" + strings.Repeat("\n", lines-1) }
	check(t, nil, arch.Size(parse(t, "ir/x.go", source(400))))
	check(t, nil, arch.Size(parse(t, "ir/x_test.go", source(401))))
	check(t, []string{"ir/x.go:1: 401 lines; more than 400 is more than one idea"}, arch.Size(parse(t, "ir/x.go", source(401))))
}

func TestInits(t *testing.T) {
	t.Parallel()
	check(t, []string{"ir/x.go:2: no init functions"}, arch.Inits(parse(t, "ir/x.go", "package p\nfunc init() {}\n")))
	check(t, nil, arch.Inits(parse(t, "ir/x.go", "package p\ntype t int\nfunc (t) init() {}\n")))
}

func TestDocs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"good", map[string]string{"ir/doc.go": "// Package ir is.\npackage ir\n", "ir/x.go": "package ir\n"}, nil},
		{"command", map[string]string{"cmd/sbc/doc.go": "// Command sbc is.\npackage main\n"}, nil},
		{"none", map[string]string{"ir/x.go": "package ir\n"}, []string{"ir: no doc.go"}},
		{"empty", map[string]string{"ir/doc.go": "package ir\n"}, []string{`ir/doc.go:1: the package comment starts with "Package ir "`}},
		{"other name", map[string]string{"ir/doc.go": "// Package irx is.\npackage ir\n"}, []string{`ir/doc.go:2: the package comment starts with "Package ir "`}},
		{"second comment", map[string]string{"ir/doc.go": "// Package ir is.\npackage ir\n", "ir/x.go": "// Package ir again.\npackage ir\n"}, []string{"ir/x.go:1: the package comment belongs in doc.go"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var files []arch.File
			for path, source := range tt.files {
				files = append(files, parse(t, path, source))
			}
			check(t, tt.want, arch.Docs(files))
		})
	}
}
