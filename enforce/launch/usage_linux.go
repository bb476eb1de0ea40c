package launch

import (
	"time"

	"golang.org/x/sys/unix"
)

// add is what two processes used.
func add(a, b unix.Rusage) unix.Rusage {
	a.Utime = unix.NsecToTimeval(a.Utime.Nano() + b.Utime.Nano())
	a.Stime = unix.NsecToTimeval(a.Stime.Nano() + b.Stime.Nano())
	a.Maxrss = max(a.Maxrss, b.Maxrss)
	return a
}

// used is what the command used: what bwrap and init did, who waited for all
// else, less what they had done before it began.
func (t *tree) used() Usage {
	const kib = 1 << 10
	cpu := time.Duration(t.usage.Utime.Nano() + t.usage.Stime.Nano())
	return Usage{
		Wall:   t.elapsed,
		CPU:    max(0, cpu-t.setup),
		MaxRSS: t.usage.Maxrss * kib,
	}
}

// cpuTime is the processor time of a process so far. Its clock has no name in
// clock_getres(2); clock_getcpuclockid(3) makes it from the process id like this.
func cpuTime(pid int) time.Duration {
	const perProcess = 2
	var ts unix.Timespec
	if err := unix.ClockGettime(^int32(pid)<<3|perProcess, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
