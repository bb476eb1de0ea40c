package mounts

import (
	"path"
	"slices"
	"strings"
)

// Answer is what the mounts leave open at a path.
type Answer struct {
	// Read is content, listing, execution.
	Read bool
	// Write is to modify what is there: content or metadata; where nothing is
	// there, to make it.
	Write bool
	// Create is to make a name in the directory that the path is or may become.
	Create bool
	// Unlink is to remove the path, to rename it, to replace it by a rename. A
	// mount point cannot be, wherever else its directory entry shows; a
	// directory above one can.
	Unlink bool
	// Private is set if the storage is the sandbox's own: what is read is not
	// the host's, what is written is lost in the end.
	Private bool
	// Void is set if no such path can ever exist: something that is mounted
	// above it is no directory. Then nothing else is set but Entry.
	Void bool
	// HostPath is the path on the host that shows; empty for private storage.
	HostPath string
	// Entry is the option that decides, as an index in [Sandbox.Args]: the one
	// that made the mount, the directory or its mode. It is -1 for the root
	// that bubblewrap itself makes.
	Entry int
}

// Access answers for one path, which is absolute, clean and free of symbolic
// links; see [Table.Resolve]. A link itself can be read; beneath it the answer is
// that for what could stand in its place. For a path that is not clean nothing is
// open.
func (t *Table) Access(p string) Answer {
	if !strings.HasPrefix(p, "/") || path.Clean(p) != p {
		return Answer{Entry: -1}
	}
	return t.answer(t.walk(p))
}

func (t *Table) answer(p place) Answer {
	a := Answer{Private: !p.mount.store.host, HostPath: p.hostPath(), Entry: p.decides()}
	writable := !p.mount.ro
	switch {
	case p.void:
		return Answer{Void: true, Entry: p.by}
	case p.shut:
		a.Entry = p.by
		return a
	case p.mount.store.host:
		a.Read = p.rel != "" || !p.mount.unreadable
		a.Write = writable || p.rel == "" && p.mount.object.Kind == Device && p.mount.dev
		a.Create = writable && !p.leaf()
	case p.mount.store.kernel:
		a.Read = true
		a.Write = writable
		a.Create = writable && !p.mount.store.sealed
		writable = a.Create
	case p.node == nil: // nothing there, so only what the command makes itself
		a.Read, a.Write, a.Create = writable, writable, writable
	default:
		a.Read = writable || p.node.kind == Link || p.node.mode&0o400 != 0
		a.Write = writable || p.node.kind == Device && p.mount.dev
		a.Create = writable && !p.leaf()
	}
	a.Unlink = writable && p.rel != "" && t.covered[p.id] == 0
	return a
}

// Resolve follows the symbolic links of a clean absolute path as the kernel
// does in the sandbox: those that the sandbox itself has, and those of the host
// where the host's files show. The last component is followed if final is set.
// It reports whether that ended; it does not for a loop, and where the text of
// a link is not known.
func (t *Table) Resolve(p string, final bool) (string, bool) {
	done, rest := "/", strings.Split(p[1:], "/")
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			done = path.Dir(done)
			continue
		}
		if name == "" || name == "." {
			continue
		}
		next := join(done, name)
		at := t.walk(next)
		if at.kind(t.host) != Link || len(rest) == 0 && !final {
			done = next
			continue
		}
		text, known := t.text(at)
		if links++; !known || links > 40 {
			return next, false
		}
		if strings.HasPrefix(text, "/") {
			done = "/"
		}
		rest = append(strings.Split(text, "/"), rest...)
	}
	return done, true
}

// text is that of a link.
func (t *Table) text(p place) (string, bool) {
	if p.node != nil {
		return p.node.text, true
	}
	if h := p.hostPath(); h != "" && t.host.view != nil {
		text, err := t.host.view.Readlink(h)
		return text, err == nil
	}
	return "", false
}

// Shows returns the paths in the sandbox, sorted, that show a path of the host
// and that the mounts let be reached.
func (t *Table) Shows(hostPath string) []string {
	var out []string
	for _, m := range t.all {
		if !m.store.host || !within(hostPath, m.root) {
			continue
		}
		p := join(m.point, strings.TrimPrefix(hostPath, m.root))
		if a := t.Access(p); a.HostPath == hostPath && a.Read {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
