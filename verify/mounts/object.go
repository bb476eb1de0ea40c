package mounts

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
)

// Kind is what an object on the host is, as far as mounts care.
type Kind uint8

// The kinds. Where the kind is Unknown the object is taken to exist and to fit:
// a source to its destination, a directory above what lies beneath it.
const (
	Unknown Kind = iota
	Missing
	Directory
	Regular // a file; also a FIFO
	Socket
	Device
	Link
)

// Object is an object on the host.
type Object struct {
	Kind Kind
	// Perm are the permission bits; they count only if Modes is set.
	Perm  fs.FileMode
	Modes bool
}

// Options is what a table is built for.
type Options struct {
	// View is the host. Without one, or with host.Empty, Kind is asked.
	View host.View
	// Kind tells what a path on the host is; it is asked only if there is no
	// view. Without both, everything is Unknown.
	Kind func(path string) Kind
	// Prepared are objects that the launcher makes before the start, such as a
	// placeholder or an empty file to mask with, by path on the host; with the
	// directories above them.
	Prepared map[string]Object
	// Descriptors are the paths on the host that descriptors are open at, for
	// --bind-fd and --ro-bind-fd.
	Descriptors map[int]string
}

// machine is the host as the model asks it.
type machine struct {
	view   host.View // nil if nothing is known
	kind   func(string) Kind
	made   map[string]Object // prepared, or made by bubblewrap
	before map[string]Object // prepared
	points map[string]host.Mount
}

func newMachine(o Options) *machine {
	h := &machine{kind: o.Kind, made: map[string]Object{}, before: o.Prepared}
	if _, empty := o.View.(host.Empty); o.View != nil && !empty {
		h.view = host.NewMemo(o.View)
	}
	for p, obj := range o.Prepared {
		h.made[p] = obj
	}
	for p := range o.Prepared {
		for _, dir := range ancestors(p) {
			if h.look(dir).Kind == Missing {
				h.made[dir] = Object{Kind: Directory}
			}
		}
	}
	if h.view != nil {
		// A table that cannot be read is one that is not known: then no
		// submount pins anything, and none stays writable.
		list, _ := h.view.Mounts()
		h.points = visible(list)
	}
	return h
}

// visible returns the mounts of a table, in mount order, that a later one does
// not hide, by their points.
func visible(list []host.Mount) map[string]host.Mount {
	out := map[string]host.Mount{}
	above := map[string]bool{} // points of later mounts
	for _, m := range slices.Backward(list) {
		hidden := above[m.Point]
		for p := m.Point; !hidden && p != "/"; {
			p = path.Dir(p)
			hidden = above[p]
		}
		if !hidden {
			out[m.Point] = m
		}
		above[m.Point] = true
	}
	return out
}

// beneath lists the mounts strictly below a directory, shallow to deep.
func (h *machine) beneath(dir string) []string {
	var out []string
	for p := range h.points {
		if p != dir && within(p, dir) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if n := strings.Count(a, "/") - strings.Count(b, "/"); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return out
}

// look describes a path of the host; links are not followed.
func (h *machine) look(p string) Object {
	if obj, ok := h.made[p]; ok {
		return obj
	}
	if h.view == nil {
		if h.kind == nil {
			return Object{}
		}
		return Object{Kind: h.kind(p)}
	}
	n, err := h.view.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (p == "/proc" || p == "/proc/sys"):
		// proc(5): they always exist; a record holds what somebody asked for.
		return Object{Kind: Directory}
	case errors.Is(err, fs.ErrNotExist):
		return Object{Kind: Missing}
	case err != nil:
		return Object{}
	}
	return Object{Kind: kindOf(n.Type), Perm: n.Perm, Modes: true}
}

func kindOf(t host.Type) Kind {
	switch t {
	case host.Dir:
		return Directory
	case host.File, host.FIFO:
		return Regular
	case host.Socket:
		return Socket
	case host.Char, host.Block:
		return Device
	case host.Link:
		return Link
	}
	return Unknown
}

// source resolves the source of a bind as realpath(3) does, before anything is
// mounted: what bubblewrap makes itself does not count.
func (h *machine) source(p string) (string, Object, error) {
	if obj, ok := h.before[p]; ok {
		return p, obj, nil
	}
	if p == "/proc/sys" {
		return p, h.look(p), nil
	}
	if h.view == nil {
		obj := h.look(p)
		if obj.Kind == Link {
			return p, obj, errors.New("the source is a link, and where it leads is not known")
		}
		return p, obj, nil
	}
	r, err := host.Resolve(h.view, p)
	switch {
	case err != nil:
		// Somebody else's directory; root or a group may look into it.
		return r.Path, Object{}, nil //nolint:nilerr // unknown is an answer
	case r.Missing != "":
		return r.Path, Object{Kind: Missing}, nil
	}
	return r.Path, h.look(r.Path), nil
}

// name identifies an object, whichever way leads to it: what the kernel calls a
// dentry, and tells mount points by.
type name struct {
	store string // the device, or what is mounted; empty if the table is not known
	path  string
}

// child is a name in a directory.
func (n name) child(base string) name { return name{n.store, join(n.path, base)} }

// canonical tells which object of which file system a path is.
func (h *machine) canonical(p string) name {
	if len(h.points) == 0 {
		return name{path: p}
	}
	for q := p; ; q = path.Dir(q) {
		if m, ok := h.points[q]; ok {
			return name{m.Dev, join(m.Root, p[len(q):])}
		}
		if q == "/" {
			return name{path: p}
		}
	}
}

// within reports whether a path is dir or lies beneath it.
func within(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/'
}

// join adds clean relative text to a clean path.
func join(dir, rest string) string {
	rest = strings.TrimPrefix(rest, "/")
	switch {
	case rest == "":
		return dir
	case dir == "/":
		return "/" + rest
	}
	return dir + "/" + rest
}
