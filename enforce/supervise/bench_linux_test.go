package supervise_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkCalls makes a file, a directory that exists, and looks at a file, by
// one process: without a supervisor, with one, and with one that answers at once,
// which is what the two ways between the processes take. In microseconds.
func BenchmarkCalls(b *testing.B) {
	uid := ordinary
	if os.Getuid() != 0 {
		uid = os.Getuid()
	}
	for _, what := range []string{"create", "exists", "look"} {
		for _, how := range []string{"plain", "floor", "supervised"} {
			b.Run(what+"/"+how, func(b *testing.B) {
				dir := workDir(b, uid)
				j := probing(dir, "calls", what, strconv.Itoa(b.N))
				j.Supervised, j.Closed = how != "plain", []string{".env"}
				if how == "floor" {
					j.Command[2] += "-nowhere" // a bad descriptor is answered after one look
				}
				text, _ := run(b, uid, j)
				us, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
				if err != nil {
					b.Fatal(text)
				}
				b.ReportMetric(us, "us/call")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkStart runs true with and without a supervisor, one after the other: the
// median of the differences, in ms.
func BenchmarkStart(b *testing.B) {
	uid := ordinary
	if os.Getuid() != 0 {
		uid = os.Getuid()
	}
	dir := workDir(b, uid)
	j := job{Command: []string{"/usr/bin/true"}, Dir: dir, Writable: []string{dir}, Closed: []string{".env"}, Repeat: 1 + b.N}
	var times [2][]time.Duration
	for i := range times {
		j.Supervised = i == 1
		text, _ := run(b, uid, j)
		if err := json.Unmarshal([]byte(text), &times[i]); err != nil {
			b.Fatal(err)
		}
		slices.Sort(times[i])
	}
	plain, supervised := times[0][len(times[0])/2], times[1][len(times[1])/2]
	b.ReportMetric(float64(plain.Microseconds())/1e3, "ms-plain")
	b.ReportMetric(float64((supervised-plain).Microseconds())/1e3, "ms-more")
	b.ReportMetric(0, "ns/op")
}

// timeCalls makes calls and prints how long one took.
func timeCalls(args []string) int {
	what, n := args[0], number(args[1])
	one := map[string]func(i int) error{
		"create": func(i int) error {
			fd, err := unix.Open("f"+strconv.Itoa(i), unix.O_CREAT|unix.O_WRONLY, 0o644)
			if err == nil {
				err = unix.Close(fd)
			}
			return err
		},
		"exists":         func(int) error { return unix.Mkdir(".", 0o755) },
		"look":           func(int) error { _, err := os.Lstat("f"); return err },
		"create-nowhere": func(int) error { return unix.Mkdirat(-1, "x", 0o755) },
		"exists-nowhere": func(int) error { return unix.Mkdirat(-1, "x", 0o755) },
		"look-nowhere":   func(int) error { _, err := os.Lstat("f"); return err },
	}[what]
	if err := one(0); err != nil && what == "create" {
		fmt.Println(err)
		return 1
	}
	start := time.Now()
	for i := range n {
		_ = one(i + 1)
	}
	fmt.Println(float64(time.Since(start).Nanoseconds()) / 1e3 / float64(n))
	return 0
}
