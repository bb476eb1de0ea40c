package bench_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// BenchmarkProcess compiles the agent example for darwin, as a whole process,
// next to a Go program that prints one line: how many times its wall time
// (x-wall), and how much more memory at the peak (MB-more).
//
// BenchmarkProcess/version does the same with sbc version: what starting such
// a program costs before it does anything.
func BenchmarkProcess(b *testing.B) {
	dir := outside(b)
	bin, home := filepath.Join(dir, "bin"), filepath.Join(dir, "home")
	work := filepath.Join(home, "app")
	if err := os.MkdirAll(work, 0o755); err != nil {
		b.Fatal(err)
	}
	build(b, filepath.Join(bin, "line"), "./testdata/line")
	build(b, filepath.Join(bin, "stopwatch"), "./testdata/stopwatch")
	build(b, filepath.Join(bin, "sbc"), "../../cmd/sbc")
	example, err := filepath.Abs("../../examples/agent.hcl")
	if err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", work).CombinedOutput(); err != nil {
		b.Fatalf("git init: %v\n%s", err, out)
	}
	for _, args := range [][]string{{"compile", example, "--target", "darwin"}, {"version"}} {
		b.Run(args[0], func(b *testing.B) {
			var wall, peak [2][]int64
			run := func(i int, args ...string) func() {
				return func() {
					w, p := measure(b, bin, home, work, args...)
					wall[i], peak[i] = append(wall[i], w), append(peak[i], p)
				}
			}
			inTurn(b, run(0, filepath.Join(bin, "line")), run(1, append([]string{filepath.Join(bin, "sbc")}, args...)...))
			for i := range wall {
				slices.Sort(wall[i])
				slices.Sort(peak[i])
			}
			b.ReportMetric(float64(median(wall[1]))/float64(median(wall[0])), "x-wall")
			b.ReportMetric(float64(median(wall[1]))/1e6, "ms")
			b.ReportMetric(float64(median(peak[1])-median(peak[0]))/1e6, "MB-more")
			b.ReportMetric(0, "ns/op") // of a pair and the stopwatch: says nothing
		})
	}
}

// measure runs a program under the stopwatch.
func measure(b *testing.B, bin, home, work string, args ...string) (wall, peak int64) {
	b.Helper()
	cmd := exec.Command(filepath.Join(bin, "stopwatch"), args...)
	cmd.Dir, cmd.Env, cmd.Stderr = work, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v: %v", args, err)
	}
	if _, err := fmt.Sscan(string(out), &wall, &peak); err != nil {
		b.Fatal(err)
	}
	return wall, peak
}

func build(b *testing.B, out, pkg string) {
	b.Helper()
	if text, err := exec.Command("go", "build", "-trimpath", "-o", out, pkg).CombinedOutput(); err != nil {
		b.Fatalf("cannot build %s: %v\n%s", pkg, err, text)
	}
}
