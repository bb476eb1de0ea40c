package launch_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/launch"
	"github.com/sandboxc/sbc/enforce/limits"
)

const (
	forkBomb = `
import os, time
n = 0
try:
    while n < 40:
        if os.fork() == 0:
            time.sleep(60)
        n += 1
except BlockingIOError:
    pass
print(n, flush=True)
os._exit(0)
`
	threadBomb = `
import threading, time, os
n = 0
try:
    while n < 40:
        threading.Thread(target=time.sleep, args=[60]).start()
        n += 1
except RuntimeError:
    pass
print(n, flush=True)
os._exit(0)
`
	memoryHog = `
try:
    x = bytearray(300 << 20)
    print("allocated")
except MemoryError:
    print("refused")
`
	cpuHog = `
import time
while time.process_time() < 1.3:
    for i in range(10000): pass
print("done")
`
	openMany = `
import os
n = 0
try:
    while n < 100:
        os.open("/", os.O_RDONLY)
        n += 1
except OSError:
    pass
print(n, flush=True)
`
)

// TestLimits holds each limit against a command that goes beyond it, next to the
// same command without the limit.
func TestLimits(t *testing.T) {
	t.Parallel()
	python := func(text string) []string { return []string{"/usr/bin/python3", "-c", text} }
	for _, tt := range []struct {
		name    string
		command []string
		set     limits.Set
		within  string // what it says and how it ends, with the limit
		root    string // the same for root; empty means no other
		without string
	}{
		{"fork bomb", python(forkBomb), limits.Set{Procs: 10}, "9 | 0", "40 | 0", "40 | 0"},
		{"thread bomb", python(threadBomb), limits.Set{Procs: 10}, "9 | 0", "40 | 0", "40 | 0"},
		{"memory hog", python(memoryHog), limits.Set{Memory: 200 << 20}, "refused | 0", "", "allocated | 0"},
		{"processor hog", python(cpuHog), limits.Set{CPU: time.Second}, " | 152", "", "done | 0"},
		{
			"big file", sh("trap 'echo ended' EXIT; head -c 2000000 /dev/zero >f; stat -c %s f"),
			limits.Set{FileSize: 1 << 20},
			"File size limit exceeded 1048576 ended | 0", "", "2000000 ended | 0",
		},
		// Three are the standard streams.
		{"many open files", python(openMany), limits.Set{Open: 30}, "27 | 0", "", "100 | 0"},
	} {
		asUsers(t, func(t *testing.T, uid int) {
			var got [2]string
			for i, set := range []limits.Set{tt.set, {}} {
				dir := workDir(t, uid)
				text, out := run(t, uid, job{Command: tt.command, Limits: set, Writable: []string{dir}, Dir: dir})
				got[i] = describeRun(text, out.Result)
			}
			want := [2]string{tt.within, tt.without}
			if uid == 0 && tt.root != "" {
				want[0] = tt.root
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, with and without the limit (-want +got):\n%s", tt.name, diff)
			}
		})
	}
}

func describeRun(text string, res *launch.Result) string {
	words := strings.Fields(text)
	if res == nil {
		return "no result"
	}
	return strings.Join(words, " ") + " | " + strconv.Itoa(res.Code)
}

// TestLimitsOfSandboxes holds that the limit on processes counts the processes of
// one sandbox, and not those of another, or of the user outside.
func TestLimitsOfSandboxes(t *testing.T) {
	t.Parallel()
	if !limits.PerSandbox() {
		t.Log("this kernel counts all processes of the user together")
		return
	}
	uid := users()[len(users())-1]
	j := job{Command: []string{"/usr/bin/python3", "-c", strings.Replace(forkBomb, "os._exit(0)", "time.sleep(60)", 1)}, Limits: limits.Set{Procs: 10}}
	p := prepare(t, uid, j)
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	first := make([]byte, 2)
	if _, err := out.Read(first); err != nil {
		t.Fatal(err)
	}
	j.Command[2] = forkBomb
	second, _ := run(t, uid, j)
	if string(first) != "9\n" || second != "9\n" {
		t.Errorf("one sandbox makes %q processes, and another at the same time %q; want 9 each", first, second)
	}
}

// TestHardLimit holds that a limit above the hard limit that is in force becomes
// that one, and that core dumps are always off.
func TestHardLimit(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		p := prepare(t, uid, job{Command: sh("ulimit -n; ulimit -Hn; ulimit -c; ulimit -Hc"), Limits: limits.Set{Open: 100}})
		p.Args = []string{"sh", "-c", `ulimit -n 50; exec "$0"`, p.Path}
		p.Path = "/bin/sh"
		text, err := p.CombinedOutput()
		if got := strings.Fields(string(text)); err != nil || !cmp.Equal(got, []string{"50", "50", "0", "0"}) {
			t.Errorf("%q, %v", got, err)
		}
	})
}
