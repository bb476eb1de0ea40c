package mounts

import (
	"fmt"
	"path"
	"strings"
)

// files looks at the options about files, as far as their words say.
func (f *flags) files() {
	proc := map[string]int{} // where the host's processes show, by which option
	cover := func(dest string) {
		for p := range proc {
			if within(p, dest) {
				delete(proc, p)
			}
		}
	}
	links := map[string]bool{}
	for _, op := range f.s.Ops {
		dest, mounts := destination(op)
		if dest == "" {
			continue
		}
		f.path(op, dest, links)
		dest = path.Clean("/" + dest)
		if mounts {
			cover(dest)
		}
		if op, ok := op.(Bind); ok {
			f.bind(op)
			showsProc(op, dest, proc)
		}
		if _, ok := op.(Proc); ok && !ownPID(f.s) {
			proc[dest] = op.At()
		}
		if _, ok := op.(Symlink); ok {
			links[dest] = true
		}
		if _, ok := op.(Overlay); ok {
			f.add(FlagOverlay, op.At(), "what an overlay shows is not modelled here")
		}
	}
	for p, at := range proc {
		f.add(FlagHostProc, at, fmt.Sprintf("the host's processes show at %q: their names, arguments and more", p))
	}
}

// showsProc notes where a bind shows the host's processes: it binds /proc,
// something above it, or something in it other than /proc/sys.
func showsProc(op Bind, dest string, proc map[string]int) {
	if op.FD >= 0 {
		return
	}
	source := path.Clean("/" + op.Source)
	switch {
	case within("/proc", source):
		proc[join(dest, strings.TrimPrefix("/proc", source))] = op.Index
	case within(source, "/proc") && !within(source, "/proc/sys"):
		proc[dest] = op.Index
	}
}

func (f *flags) bind(op Bind) {
	if op.FD < 0 {
		f.path(op, op.Source, nil)
	}
	if op.Devices {
		f.add(FlagDevices, op.Index, fmt.Sprintf("devices beneath %q can be used", op.Source))
	}
}

// path looks at a path as it is written.
func (f *flags) path(op Op, p string, links map[string]bool) {
	if _, err := clean(p); err != nil {
		f.add(FlagPath, op.At(), "the path "+err.Error())
		return
	}
	p = path.Clean(p)
	if _, link := op.(Symlink); !link && links[p] {
		f.add(FlagSymlink, op.At(), fmt.Sprintf("the destination %q is a symbolic link: what becomes of it depends on the version", p))
	}
	for _, dir := range ancestors(p) {
		if links[dir] {
			f.add(FlagSymlink, op.At(), fmt.Sprintf("the destination passes the symbolic link %q: what becomes of it depends on the version", dir))
		}
	}
}

// destination returns where an operation on files leads, and whether it mounts
// something there.
func destination(op Op) (dest string, mounts bool) {
	switch op := op.(type) {
	case Bind:
		return op.Dest, !op.Try
	case Tmpfs:
		return op.Dest, true
	case Dir:
		return op.Dest, false
	case File:
		return op.Dest, false
	case BindData:
		return op.Dest, true
	case Symlink:
		return op.Dest, false
	case Proc:
		return op.Dest, true
	case Dev:
		return op.Dest, true
	case Mqueue:
		return op.Dest, true
	case RemountRO:
		return op.Dest, false
	case Chmod:
		return op.Dest, false
	case Overlay:
		return op.Dest, true
	case Unshare, ShareNet, Join, Cap, Seccomp, Setenv, Unsetenv, Clearenv, ID, Switch, Setting, Descriptor:
		return "", false
	}
	return "", false
}

// descriptors looks at the descriptors that are named.
func (f *flags) descriptors() {
	read := map[int]bool{}
	once := func(op Op, fd int) {
		if read[fd] {
			f.add(FlagDescriptors, op.At(), fmt.Sprintf("descriptor %d is read a second time, when there is nothing left to read", fd))
		}
		read[fd] = true
	}
	for _, op := range f.s.Ops {
		if fd := content(op); fd >= 0 {
			once(op, fd)
		}
	}
	for _, op := range all[Bind](f.s) {
		if op.FD >= 0 {
			f.add(FlagDescriptor, op.Index, fmt.Sprintf("what descriptor %d is open at is bound, whatever that is", op.FD))
		}
	}
	for _, op := range all[Descriptor](f.s) {
		f.info(FlagDescriptor, op.Index, fmt.Sprintf("descriptor %d leads to somebody outside", op.FD))
	}
}

// content returns the descriptor that an operation reads to the end, or -1.
func content(op Op) int {
	switch op := op.(type) {
	case File:
		return op.FD
	case BindData:
		return op.FD
	case Seccomp:
		return op.FD
	case Bind, Tmpfs, Dir, Symlink, Proc, Dev, Mqueue, RemountRO, Chmod, Overlay, Unshare, ShareNet, Join, Cap,
		Setenv, Unsetenv, Clearenv, ID, Switch, Setting, Descriptor:
		return -1
	}
	return -1
}

// Inherited lists the descriptors that bubblewrap gets and no option names: it
// passes them on to the command, which can read, write or look up whatever they
// are open at. Standard input, output and error are left out.
func Inherited(s *Sandbox, open []int) []Flag {
	named := map[int]bool{0: true, 1: true, 2: true}
	for _, op := range s.Ops {
		named[content(op)] = true
	}
	for _, op := range all[Bind](s) {
		named[op.FD] = true
	}
	for _, op := range all[Join](s) {
		named[op.FD] = true
	}
	for _, op := range all[Descriptor](s) {
		named[op.FD] = true
	}
	for _, fd := range s.Files {
		named[fd] = true
	}
	f := &flags{s: s}
	for _, fd := range open {
		if !named[fd] {
			f.add(FlagInherited, -1, fmt.Sprintf("descriptor %d is passed on to the command", fd))
		}
	}
	return sorted(f.out)
}

// Flags lists what takes a host to know: which of its files bubblewrap makes or
// changes at the start, and which of the sockets, paths on the host, show.
func (t *Table) Flags(sockets []string) []Flag {
	f := &flags{s: t.sandbox}
	for _, c := range t.Changes {
		verb := "changes"
		if c.Made {
			verb = "makes"
		}
		f.add(FlagHostChange, c.Entry, fmt.Sprintf("bubblewrap itself %s %q on the host", verb, c.Path))
	}
	for _, socket := range sockets {
		for _, p := range t.Shows(socket) {
			f.add(FlagSocket, t.Access(p).Entry, fmt.Sprintf("whoever listens on %q can be reached at %q", socket, p))
		}
	}
	return sorted(f.out)
}
