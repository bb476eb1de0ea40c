package launch_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sandboxc/sbc/enforce/launch"
	"github.com/sandboxc/sbc/target/bwrap"
)

// BenchmarkRun runs /bin/true by turns through the launcher and through
// bubblewrap with the same arguments, and reports the medians in milliseconds
// and that of the differences. The launcher also waits until the sandbox is gone,
// which bubblewrap leaves to happen behind its back.
func BenchmarkRun(b *testing.B) {
	j := job{Command: []string{"/bin/true"}, Env: []string{"PATH=/usr/bin:/bin"}}
	spec := j.spec()
	options := bytes.Join([][]byte{[]byte("--chdir"), []byte("/"), nil}, []byte{0})
	for _, a := range spec.Artifact.Args() {
		options = append(append(options, a...), 0)
	}
	var ours, theirs, more []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := launch.Run(context.Background(), spec); err != nil {
			b.Fatal(err)
		}
		ours = append(ours, time.Since(start))

		cmd := exec.Command(spec.Bwrap, append([]string{"--args", strconv.Itoa(bwrap.ArgsFD), "--"}, j.Command...)...)
		cmd.Env = spec.Env
		cmd.ExtraFiles = []*os.File{fileOf(b, spec.Artifact.Seccomp), fileOf(b, options)}
		start = time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		theirs = append(theirs, time.Since(start))
		for _, f := range cmd.ExtraFiles {
			_ = f.Close()
		}
		more = append(more, ours[len(ours)-1]-theirs[len(theirs)-1])
	}
	for name, list := range map[string][]time.Duration{"launch-ms": ours, "bwrap-ms": theirs, "more-ms": more} {
		slices.Sort(list)
		b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, name)
	}
}

// fileOf returns an open file that holds data and has no name.
func fileOf(b *testing.B, data []byte) *os.File {
	b.Helper()
	f, err := os.CreateTemp(b.TempDir(), "fd")
	if err == nil {
		_, err = f.WriteAt(data, 0)
	}
	if err != nil {
		b.Fatal(err)
	}
	return f
}
