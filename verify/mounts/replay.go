package mounts

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// apply does what one operation does.
func (t *Table) apply(op Op, fds map[int]string) error {
	at := op.At()
	switch op := op.(type) {
	case Bind:
		return t.bind(op, fds)
	case Tmpfs:
		p, err := t.directory(op.Dest, at)
		if err == nil {
			t.mountAt(p, mount{store: t.tmpfs(op.Perms, at), at: at})
		}
		return err
	case Dir:
		return t.dir(op)
	case File:
		return t.file(op)
	case BindData:
		p, err := t.nonDirectory(op.Dest, at)
		if err == nil {
			store := t.storage(storage{root: &node{kind: Regular, mode: op.Perms, at: at}, gone: true})
			t.mountAt(p, mount{store: store, ro: op.ReadOnly, at: at})
		}
		return err
	case Symlink:
		return t.symlink(op)
	case Proc:
		return t.proc(op)
	case Dev:
		return t.dev(op)
	case Mqueue:
		p, err := t.directory(op.Dest, at)
		if err == nil {
			t.mountAt(p, mount{store: t.storage(storage{kernel: true}), at: at})
		}
		return err
	case RemountRO:
		return t.remount(op)
	case Chmod:
		return t.chmod(op)
	case Overlay:
		return errors.New("overlays are not modelled")
	case Unshare, ShareNet, Join, Cap, Seccomp, Setenv, Unsetenv, Clearenv, ID, Switch, Setting, Descriptor:
		return nil
	}
	return nil
}

func (t *Table) bind(op Bind, fds map[int]string) error {
	source := op.Source
	if op.FD >= 0 {
		var known bool
		if source, known = fds[op.FD]; !known {
			return fmt.Errorf("what descriptor %d is open at is not known", op.FD)
		}
	}
	source, err := clean(source)
	if err != nil {
		return fmt.Errorf("the source %w", err)
	}
	source, object, err := t.host.source(source)
	switch {
	case err != nil:
		return err
	case object.Kind == Missing && op.Try:
		// bubblewrap looks again when it is this option's turn.
		if object = t.host.look(source); object.Kind == Missing {
			return nil
		}
	case object.Kind == Missing:
		return fmt.Errorf("the source %q does not exist", source)
	}
	return t.show(op.Dest, mount{
		store: &storage{host: true}, root: source, object: object, ro: op.ReadOnly, dev: op.Devices, at: op.Index,
	})
}

// show mounts something of the host, with what is mounted on the host beneath
// it: a bind is recursive, and so are its flags.
func (t *Table) show(dest string, m mount) error {
	make := t.directory
	switch m.object.Kind {
	case Directory:
	case Unknown:
		make = t.whatever
	case Regular, Socket, Device, Link, Missing:
		make = t.nonDirectory
	}
	p, err := make(dest, m.at)
	if err != nil {
		return err
	}
	t.mountAt(p, m)
	if m.object.Kind != Directory && m.object.Kind != Unknown {
		return nil
	}
	for _, point := range t.host.beneath(m.root) {
		sub := m
		sub.root, sub.object = point, t.host.look(point)
		if sub.object.Kind == Missing {
			sub.object = Object{} // a record without it; something is there
		}
		rel := strings.TrimPrefix(point, m.root)
		t.mountAt(t.walk(join(p.path, rel)), sub)
	}
	return nil
}

func (t *Table) dir(op Dir) error {
	p, err := t.reach(op.Dest, op.Index)
	if err != nil {
		return err
	}
	switch p.kind(t.host) {
	case Missing:
		return t.make(p, node{kind: Directory, mode: op.Perms, at: op.Index, kids: map[string]*node{}})
	case Directory, Unknown:
		return nil
	case Link:
		return errors.New("the destination is a symbolic link")
	case Regular, Socket, Device:
	}
	return errors.New("the destination is no directory")
}

func (t *Table) file(op File) error {
	p, err := t.reach(op.Dest, op.Index)
	if err != nil {
		return err
	}
	switch p.kind(t.host) {
	case Missing:
		return t.make(p, node{kind: Regular, mode: op.Perms, at: op.Index})
	case Directory:
		return errors.New("the destination is a directory")
	case Link:
		return errors.New("the destination is a symbolic link")
	case Regular, Socket, Device, Unknown:
	}
	if p.mount.ro {
		return errors.New("the destination is read-only")
	}
	t.writes(p, op.Index)
	return nil
}

func (t *Table) symlink(op Symlink) error {
	p, err := t.reach(op.Dest, op.Index)
	if err != nil {
		return err
	}
	switch p.kind(t.host) {
	case Missing:
		return t.make(p, node{kind: Link, mode: 0o777, text: op.Target, at: op.Index})
	case Link:
		// Newer versions take it if the text is the same; older ones fail.
		if p.node != nil && p.node.text == op.Target {
			return nil
		}
		if h := p.hostPath(); h != "" && t.host.view != nil {
			if text, err := t.host.view.Readlink(h); err == nil && text == op.Target {
				return nil
			}
		}
	case Directory, Regular, Socket, Device, Unknown:
	}
	return errors.New("the destination exists")
}

// proc mounts a new procfs; without a pid namespace it is the host's.
func (t *Table) proc(op Proc) error {
	if !t.pid {
		object := t.host.look("/proc")
		if object.Kind == Missing {
			object.Kind = Directory
		}
		return t.show(op.Dest, mount{store: &storage{host: true}, root: "/proc", object: object, at: op.Index})
	}
	p, err := t.directory(op.Dest, op.Index)
	if err == nil {
		t.mountAt(p, mount{store: t.storage(storage{kernel: true, sealed: true, mirror: "/proc"}), at: op.Index})
	}
	return err
}

// dev mounts a tmpfs with the devices that every program expects.
func (t *Table) dev(op Dev) error {
	p, err := t.directory(op.Dest, op.Index)
	if err != nil {
		return err
	}
	at := op.Index
	store := t.tmpfs(0o755, at)
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		store.root.kids[name] = &node{kind: Regular, mode: 0o444, at: at}
	}
	for _, name := range []string{"shm", "pts"} {
		store.root.kids[name] = &node{kind: Directory, mode: 0o755, at: at, kids: map[string]*node{}}
	}
	links := map[string]string{
		"stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
		"fd": "/proc/self/fd", "core": "/proc/kcore", "ptmx": "pts/ptmx",
	}
	for name, text := range links {
		store.root.kids[name] = &node{kind: Link, mode: 0o777, text: text, at: at}
	}
	t.mountAt(p, mount{store: store, at: at})
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		// A device is no storage: it counts as the sandbox's own.
		file := t.storage(storage{root: &node{kind: Device, mode: 0o666, at: at}})
		t.mountAt(t.walk(join(p.path, name)), mount{store: file, dev: true, at: at})
	}
	t.mountAt(t.walk(join(p.path, "pts")), mount{store: t.storage(storage{kernel: true, sealed: true}), at: at})
	return nil
}

func (t *Table) remount(op RemountRO) error {
	dest, err := clean(op.Dest)
	if err != nil {
		return fmt.Errorf("the destination %w", err)
	}
	p := t.walk(dest)
	switch {
	case (p.rel != "" || p.void) && slices.ContainsFunc(t.all, func(m *mount) bool { return m.point == p.path }):
		// bubblewrap finds that one in the mount table, and does nothing at all if it
		// is read-only already: what is seen there stays as it is.
		return errors.New("the mount at the destination is covered by a later one")
	case p.rel != "" || p.void:
		return errors.New("the destination is no mount point")
	}
	if err := p.mountable(); err != nil {
		return err // bubblewrap does not find it in the mount table
	}
	// bubblewrap sets both flags, whatever the bind had said about devices.
	p.mount.ro, p.mount.dev = true, false
	return nil
}

func (t *Table) chmod(op Chmod) error {
	p, err := t.existing(op.Dest)
	switch {
	case err != nil:
		return err
	case p.kind(t.host) == Missing || p.void:
		return errors.New("the destination does not exist")
	case p.kind(t.host) == Link:
		return errors.New("the destination is a symbolic link")
	case p.mount.ro:
		return errors.New("the destination is read-only")
	case p.node != nil:
		p.node.mode, p.node.at = op.Perms, op.Index
	default:
		t.writes(p, op.Index)
	}
	return nil
}

// clean returns a path that bubblewrap takes for the one that it looks like.
func clean(p string) (string, error) {
	switch {
	case !strings.HasPrefix(p, "/"):
		return "", fmt.Errorf("%q is relative", p)
	case slices.Contains(strings.Split(p, "/"), ".."):
		return "", fmt.Errorf("%q goes up again", p)
	}
	return path.Clean(p), nil
}
