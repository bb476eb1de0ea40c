// Command stopwatch runs a program and prints its wall time in nanoseconds and
// its peak memory in bytes. The peak that Linux reports for a process is at
// least that of the process that started it, so the one that starts must be
// small: this, and not a test.
package main

import (
	"os"
	"strconv"
	"syscall"
	"time"
)

func main() {
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		fail(err)
	}
	start := time.Now()
	pid, err := syscall.ForkExec(os.Args[1], os.Args[1:], &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{null.Fd(), null.Fd(), null.Fd()},
	})
	if err != nil {
		fail(err)
	}
	var status syscall.WaitStatus
	var usage syscall.Rusage
	for {
		if _, err = syscall.Wait4(pid, &status, 0, &usage); err != syscall.EINTR {
			break
		}
	}
	wall := time.Since(start)
	if err != nil {
		fail(err)
	}
	if !status.Exited() || status.ExitStatus() != 0 {
		os.Stderr.WriteString("stopwatch: the program failed\n")
		os.Exit(1)
	}
	os.Stdout.WriteString(strconv.FormatInt(wall.Nanoseconds(), 10) + " " + strconv.FormatInt(usage.Maxrss*1024, 10) + "\n")
}

func fail(err error) {
	os.Stderr.WriteString("stopwatch: " + err.Error() + "\n")
	os.Exit(1)
}
