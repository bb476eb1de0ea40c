package supervise

import (
	"bytes"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ttyDevice is /dev/tty: the controlling terminal of whoever opens it (tty(4)).
const ttyMajor, ttyMinor, ptsMajor = 5, 0, 136

func isTTY(p *place) bool {
	var s unix.Stat_t
	err := unix.Fstatat(p.dir, p.name(), &s, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && unix.Major(s.Rdev) == ttyMajor && unix.Minor(s.Rdev) == ttyMinor
}

// openTTY opens the controlling terminal of the caller: that of this process if
// both are in one session, else one of the sandbox's own.
func (w *worker) openTTY(c *call, o *opening) outcome {
	session, device, err := w.terminal(c)
	if err != nil {
		return fails(err)
	}
	own, err := unix.Getsid(0)
	if err != nil || device == 0 {
		return fails(unix.ENXIO)
	}
	flags := o.flags&known&^(unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW) | unix.O_NOCTTY | unix.O_CLOEXEC
	if session == own {
		return o.opened(unix.Open("/dev/tty", flags, 0))
	}
	major, minor := device>>8&0xfff, device&0xff|device>>12&0xfff00 // new_encode_dev, linux/kdev_t.h
	if major < ptsMajor {
		return fails(unix.ENXIO)
	}
	fd, err := unix.Openat2(w.s.root, "/dev/pts/"+strconv.FormatUint(minor, 10), &unix.OpenHow{
		Flags: uint64(flags), Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS,
	})
	return o.opened(fd, err)
}

// terminal is the caller's session and the device of its terminal, from
// /proc/PID/stat (proc_pid_stat(5)).
func (w *worker) terminal(c *call) (session int, device uint64, err error) {
	fd, err := unix.Open("/proc/"+itoa(c.tid)+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0, errGone
	}
	n, err := unix.Read(fd, w.info[:])
	_ = unix.Close(fd)
	if err != nil || !c.valid() {
		return 0, 0, errGone
	}
	text := w.info[:n]
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // state ppid pgrp session tty_nr
	if len(fields) < 5 {
		return 0, 0, errGone
	}
	session, err = strconv.Atoi(string(fields[3]))
	if err != nil {
		return 0, 0, errGone
	}
	device, err = strconv.ParseUint(string(fields[4]), 10, 32)
	return session, device, err
}

// openFIFO opens a FIFO, which may take as long as the command runs. So it is done
// on a thread of its own, unless it takes no time. It never waits in the kernel,
// whatever the name has come to be.
func (w *worker) openFIFO(c *call, p *place, o *opening) outcome {
	n := *o
	n.flags |= unix.O_NONBLOCK
	if o.flags&unix.O_NONBLOCK != 0 || o.flags&unix.O_ACCMODE == unix.O_RDWR {
		return o.opened(n.at(p.dir, p.last, unix.O_EXCL)).blocking(o)
	}
	dir, err := unix.FcntlInt(uintptr(p.dir), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return fails(err)
	}
	last := p.last
	w.s.apart(func(w *worker) {
		defer func() { _ = unix.Close(dir) }()
		w.answer(c, w.rendezvous(c, o, func() (int, error) { return n.at(dir, last, unix.O_CREAT|unix.O_EXCL) }))
	})
	return outcome{none: true}
}

// rendezvous waits for the other side of a FIFO. A reader is there for writers
// as soon as it waits; that nobody writes yet shows in that there is nothing to
// wait for.
func (w *worker) rendezvous(c *call, o *opening, open func() (int, error)) outcome {
	reads := o.flags&unix.O_ACCMODE == unix.O_RDONLY
	fd := -1
	for wait := time.Millisecond; ; wait = min(2*wait, 20*time.Millisecond) {
		var err error
		if fd < 0 {
			fd, err = open()
		}
		switch {
		case err == nil && (!reads || hasWriter(fd)):
			return o.opened(fd, nil).blocking(o)
		case err != nil && err != unix.ENXIO: //nolint:errorlint // a bare errno
			return fails(err)
		case !c.valid():
			if fd >= 0 {
				_ = unix.Close(fd)
			}
			return outcome{none: true}
		case w.caught(c):
			if fd >= 0 {
				_ = unix.Close(fd)
			}
			return fails(unix.EINTR)
		}
		time.Sleep(wait)
	}
}

// hasWriter reports whether somebody writes to a FIFO, or has: then there is
// something to read or an end of it.
func hasWriter(fd int) bool {
	p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(p, 0)
	return err == nil && n > 0
}

// blocking takes off the flag that this process needed for itself.
func (o outcome) blocking(by *opening) outcome {
	if o.opened && by.flags&unix.O_NONBLOCK == 0 {
		flags, err := unix.FcntlInt(uintptr(o.fd), unix.F_GETFL, 0)
		if err == nil {
			_, err = unix.FcntlInt(uintptr(o.fd), unix.F_SETFL, flags&^unix.O_NONBLOCK)
		}
		if err != nil {
			_ = unix.Close(o.fd)
			return fails(unix.EIO)
		}
	}
	return o
}

// caught reports whether a signal waits for the calling thread that it catches.
func (w *worker) caught(c *call) bool {
	text, err := w.status(c)
	if err != nil {
		return false
	}
	mask := func(key string) uint64 {
		_, line, _ := bytes.Cut(text, []byte("\n"+key+":\t"))
		line, _, _ = bytes.Cut(line, []byte("\n"))
		n, err := strconv.ParseUint(string(line), 16, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return (mask("SigPnd")|mask("ShdPnd"))&^mask("SigBlk")&mask("SigCgt") != 0
}
