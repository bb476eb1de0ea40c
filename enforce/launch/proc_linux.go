package launch

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// stat returns a process's state, a letter, and its parent (proc_pid_stat(5)).
func stat(pid int) (state byte, parent int, err error) {
	name := "/proc/" + strconv.Itoa(pid) + "/stat"
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0, err
	}
	var buf [512]byte
	n, err := unix.Read(fd, buf[:])
	_ = unix.Close(fd)
	if err != nil {
		return 0, 0, err
	}
	// The name of the program, in parentheses, may hold anything.
	_, err = fmt.Sscanf(string(buf[bytes.LastIndexByte(buf[:n], ')')+1:n]), " %c %d", &state, &parent)
	return state, parent, err
}

// defaultAction reports whether a process neither ignores nor catches a signal
// (proc_pid_status(5)). It may block it for a while, as shells do around vfork(2).
func defaultAction(pid int, sig unix.Signal) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(status)) {
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "SigIgn", "SigCgt":
			mask, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
			if err != nil || mask&(1<<(uint(sig)-1)) != 0 {
				return false
			}
		}
	}
	return true
}

// orphaned reports whether nobody would continue the process group of this
// process if it stopped: no ancestor is in the same session and in another group
// (setpgid(2)).
func orphaned() bool {
	session, err := unix.Getsid(0)
	if err != nil {
		return true
	}
	group := unix.Getpgrp()
	for pid := unix.Getppid(); pid > 0; {
		s, err := unix.Getsid(pid)
		if err != nil || s != session {
			return true
		}
		if g, err := unix.Getpgid(pid); err == nil && g != group {
			return false
		}
		if _, pid, err = stat(pid); err != nil {
			return true
		}
	}
	return true
}
