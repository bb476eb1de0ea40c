package trace_test

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkTrace compiles a C file again and again under the sandbox, without
// and with the trace. Both runs have a filter; that of the first stops nothing.
func BenchmarkTrace(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.c"), []byte("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nint main(void) { return puts(\"x\") < 0; }\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	for _, mode := range []struct {
		name string
		job  job
	}{{"without", job{Plain: true}}, {"with", job{}}, {"with missing", job{Missing: []string{"/nowhere"}}}} {
		b.Run(mode.name, func(b *testing.B) {
			j := mode.job
			j.Args = []string{"--bind", dir, dir, "--chdir", dir}
			j.Command = []string{"/usr/bin/cc", "-o", "x", "x.c"}
			for b.Loop() {
				r, err := j.start()
				if err != nil || r.Exit != 0 || r.Broken != "" {
					b.Fatalf("%v %+v", err, r)
				}
			}
		})
	}
}
