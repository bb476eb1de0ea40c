package mounts

import (
	"errors"
	"fmt"
	"strings"
)

// existing goes to a destination and makes nothing. No component above it may
// be a link: what bubblewrap does with those depends on its version.
func (t *Table) existing(dest string) (place, error) {
	dest, err := clean(dest)
	if err != nil {
		return place{}, fmt.Errorf("the destination %w", err)
	}
	p := root(t.base)
	for name := range strings.SplitSeq(dest[1:], "/") {
		if name == "" {
			continue
		}
		if p.kind(t.host) == Link {
			return p, fmt.Errorf("the destination passes the symbolic link %q", p.path)
		}
		p = p.step(name)
	}
	return p, nil
}

// reach goes to a destination and makes the directories above it.
func (t *Table) reach(dest string, at int) (place, error) {
	dest, err := clean(dest)
	if err != nil {
		return place{}, fmt.Errorf("the destination %w", err)
	}
	p := root(t.base)
	for name := range strings.SplitSeq(dest[1:], "/") {
		if name == "" {
			continue
		}
		if p, err = t.enter(p, at); err != nil {
			return p, err
		}
		p = p.step(name)
	}
	return p, nil
}

// enter makes a directory above a destination if there is none.
func (t *Table) enter(p place, at int) (place, error) {
	switch p.kind(t.host) {
	case Directory, Unknown:
	case Missing:
		// The owner may always use what is made; others do not count.
		if err := t.make(p, node{kind: Directory, mode: 0o700, at: at, kids: map[string]*node{}}); err != nil {
			return p, err
		}
		return t.walk(p.path), nil
	case Link:
		return p, fmt.Errorf("the destination passes the symbolic link %q", p.path)
	case Regular, Socket, Device:
		return p, fmt.Errorf("%q is no directory", p.path)
	}
	return p, nil
}

// make puts an object where there is none.
func (t *Table) make(p place, n node) error {
	switch {
	case p.mount.ro:
		return fmt.Errorf("%q cannot be made: the storage is read-only", p.path)
	case p.mount.store.host:
		kind := n.kind
		h := p.hostPath()
		t.host.made[h] = Object{Kind: kind}
		t.Changes = append(t.Changes, Change{Path: h, Entry: n.at, Made: true})
		return nil
	case p.mount.store.kernel:
		return fmt.Errorf("%q cannot be made in a file system of the kernel", p.path)
	}
	dir := t.walk(p.path[:strings.LastIndexByte(p.path, '/')+1]).node
	if dir == nil || dir.kids == nil {
		return fmt.Errorf("%q has no directory", p.path)
	}
	dir.kids[p.path[strings.LastIndexByte(p.path, '/')+1:]] = &n
	return nil
}

// directory reaches a destination and makes a directory of it.
func (t *Table) directory(dest string, at int) (place, error) {
	p, err := t.reach(dest, at)
	if err != nil {
		return p, err
	}
	switch p.kind(t.host) {
	case Directory, Unknown:
		return p, nil
	case Missing:
		err := t.make(p, node{kind: Directory, mode: 0o755, at: at, kids: map[string]*node{}})
		return t.walk(p.path), err
	case Link:
		return p, errors.New("the destination is a symbolic link")
	case Regular, Socket, Device:
	}
	return p, errors.New("the destination is no directory")
}

// nonDirectory reaches a destination and makes a file of it.
func (t *Table) nonDirectory(dest string, at int) (place, error) {
	p, err := t.reach(dest, at)
	if err != nil {
		return p, err
	}
	switch p.kind(t.host) {
	case Regular, Socket, Device, Unknown:
		return p, p.mountable()
	case Missing:
		err := t.make(p, node{kind: Regular, mode: 0o444, at: at})
		return t.walk(p.path), err
	case Link:
		return p, errors.New("the destination is a symbolic link")
	case Directory:
	}
	return p, errors.New("the destination is a directory")
}

// whatever reaches a destination for a source of which nothing is known.
func (t *Table) whatever(dest string, at int) (place, error) {
	p, err := t.reach(dest, at)
	if err != nil {
		return p, err
	}
	switch p.kind(t.host) {
	case Missing:
		err := t.make(p, node{kind: Directory, mode: 0o755, at: at, kids: map[string]*node{}})
		return t.walk(p.path), err
	case Link:
		return p, errors.New("the destination is a symbolic link")
	case Regular, Socket, Device, Directory, Unknown:
	}
	return p, p.mountable()
}

// mountable reports a place that the kernel mounts nothing on: a file without a
// name, as --bind-data leaves it (ENOENT).
func (p place) mountable() error {
	if p.rel == "" && p.mount.store.gone {
		return errors.New("the content of a descriptor is mounted there, which can neither be mounted on nor remounted")
	}
	return nil
}

// writes records that bubblewrap changes something of the host.
func (t *Table) writes(p place, at int) {
	if h := p.hostPath(); h != "" {
		t.Changes = append(t.Changes, Change{Path: h, Entry: at})
	}
}
