package launch_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/sandboxc/sbc/target/bwrap"
)

// BenchmarkMasks runs /bin/true with many closed files by turns through the
// launcher with a helper, through the launcher without one, and through bubblewrap
// with the same arguments as the latter; as root and as an ordinary user. It
// reports the medians in milliseconds.
func BenchmarkMasks(b *testing.B) {
	for _, uid := range users() {
		for _, n := range []int{10, 50, 100, 200, 500, 1000, 2500} {
			b.Run(fmt.Sprintf("uid %d/%d", uid, n), func(b *testing.B) {
				dir, e := closed(b, uid, n, 0)
				e.Least, e.Look = 1, false
				plain := *e
				plain.Plain = true
				with := job{Command: []string{"/bin/true"}, Closing: e, Writable: []string{dir}}
				without := with
				without.Closing = &plain
				took := map[string][]time.Duration{}
				for b.Loop() {
					took["cover-ms"] = append(took["cover-ms"], timed(b, uid, with)...)
					took["plain-ms"] = append(took["plain-ms"], timed(b, uid, without)...)
					took["bwrap-ms"] = append(took["bwrap-ms"], timedBwrap(b, uid, without))
				}
				for name, list := range took {
					slices.Sort(list)
					b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, name)
				}
			})
		}
	}
}

// timed is how long a job takes in the launcher, without its start.
func timed(b *testing.B, uid int, j job) []time.Duration {
	b.Helper()
	p := prepare(b, uid, j)
	if text, err := p.CombinedOutput(); err != nil {
		b.Fatalf("%v, %s", err, text)
	}
	out := p.outcome(b)
	if out.Error != "" {
		b.Fatal(out.Error)
	}
	return out.Times
}

// timedBwrap is how long bubblewrap takes by itself.
func timedBwrap(b *testing.B, uid int, j job) time.Duration {
	b.Helper()
	spec := j.spec()
	options := bytes.Join([][]byte{[]byte("--chdir"), []byte("/"), nil}, []byte{0})
	for _, a := range spec.Artifact.Args() {
		options = append(append(options, a...), 0)
	}
	cmd := exec.Command(spec.Bwrap, append([]string{"--args", strconv.Itoa(bwrap.ArgsFD), "--"}, j.Command...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if uid != os.Getuid() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	}
	cmd.Dir = "/"
	cmd.ExtraFiles = []*os.File{fileOf(b, spec.Artifact.Seccomp), fileOf(b, options)}
	start := time.Now()
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v, %s", err, text)
	}
	took := time.Since(start)
	for _, f := range cmd.ExtraFiles {
		_ = f.Close()
	}
	return took
}
