package host

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
)

// Recorded is the view of a machine that a record describes; [ParseRecord]
// makes one. It answers as the machine did: a link in the middle of a path is
// followed, a directory holds what the record holds beneath it, and what the
// record does not hold does not exist.
type Recorded struct {
	facts     Facts
	nodes     map[string]recorded
	entries   map[string][]Entry // by directory, sorted
	mounts    []Mount
	mountsErr string
}

// recorded is what a record says of one path. The zero Type means that nobody
// knows whether and as what the path exists: looking at it fails as lstat says.
type recorded struct {
	node   Node
	target string // of a link; empty if it was not asked for
	// Errors, as errorText makes them: what the question of that name answers.
	lstat, readlink, readdir string
	unlisted                 bool // the directory that holds it does not list it
}

// firstIno is the inode number of the first path of a record whose number the
// record does not say. It is larger than those that file systems give out.
const firstIno = 1 << 48

// usualDev is the device of a path whose device the record does not say.
const usualDev = 1

// newRecorded makes a view of what is said of each path: it adds the directories
// that hold them and the inode numbers that are not said. It fails, and names the
// path, if one lies beneath something else than a directory, or is the root and
// is none.
func newRecorded(nodes map[string]recorded) (r *Recorded, bad string, err error) {
	r = &Recorded{nodes: maps.Clone(nodes), entries: map[string][]Entry{}}
	if root := nodes["/"]; root.node.Type != 0 && root.node.Type != Dir {
		return nil, "/", fmt.Errorf("the root is a %v, not a directory", root.node.Type)
	}
	for _, p := range slices.Sorted(maps.Keys(nodes)) {
		if nodes[p].node.Type == 0 || p == "/" {
			continue
		}
		for a := path.Dir(p); ; a = path.Dir(a) {
			n, known := r.nodes[a]
			if !known {
				n.node = Node{Type: Dir, Perm: usualPerm(Dir), Nlink: 1}
				r.nodes[a] = n
			}
			if n.node.Type != Dir {
				return nil, p, fmt.Errorf("%q lies beneath %q, which is not a directory", p, a)
			}
			if known || a == "/" {
				break
			}
		}
	}
	for i, p := range slices.Sorted(maps.Keys(r.nodes)) {
		n := r.nodes[p]
		if n.node.Dev == 0 {
			n.node.Dev = usualDev
		}
		if n.node.Ino == 0 {
			n.node.Ino = firstIno + uint64(i)
		}
		r.nodes[p] = n
		if n.node.Type != 0 && !n.unlisted && p != "/" {
			dir, name := path.Dir(p), path.Base(p)
			r.entries[dir] = append(r.entries[dir], Entry{Name: name, Type: n.node.Type})
		}
	}
	return r, "", nil
}

// usualPerm is the permission bits of a path for which the record says none.
func usualPerm(t Type) fs.FileMode {
	switch t {
	case Dir:
		return 0o755
	case Link:
		return 0o777
	case File, Socket, FIFO, Char, Block:
		return 0o644
	}
	return 0
}

// Facts returns the facts of the record.
func (r *Recorded) Facts() Facts { return r.facts }

// Lstat implements [View].
func (r *Recorded) Lstat(p string) (Node, error) {
	_, n, err := r.find("lstat", p)
	return n.node, err
}

// Readlink implements [View]. It fails if the record holds the link without its
// target.
func (r *Recorded) Readlink(p string) (string, error) {
	fail := func(err error) error { return &fs.PathError{Op: "readlink", Path: p, Err: err} }
	_, n, err := r.find("readlink", p)
	switch {
	case err != nil:
		return "", err
	case n.readlink != "":
		return "", fail(errorOf(n.readlink))
	case n.node.Type != Link:
		return "", fail(errors.New("not a symbolic link"))
	case n.target == "":
		return "", fail(errors.New("the record does not say where the link leads"))
	}
	return n.target, nil
}

// ReadDir implements [View].
func (r *Recorded) ReadDir(p string) ([]Entry, error) {
	at, n, err := r.find("readdir", p)
	switch {
	case err != nil:
		return nil, err
	case n.readdir != "":
		return nil, &fs.PathError{Op: "readdir", Path: p, Err: errorOf(n.readdir)}
	case n.node.Type != Dir:
		return nil, notExist("readdir", p)
	}
	return slices.Clone(r.entries[at]), nil
}

// Mounts implements [View].
func (r *Recorded) Mounts() ([]Mount, error) {
	return slices.Clone(r.mounts), errorOf(r.mountsErr)
}

// find returns what the record says of a path that may be looked at, and which
// path of the record that is.
func (r *Recorded) find(op, p string) (at string, n recorded, err error) {
	if at, err = r.place(p); err == nil {
		n, err = r.nodes[at], errorOf(r.nodes[at].lstat)
	}
	if err != nil {
		return "", recorded{}, &fs.PathError{Op: op, Path: p, Err: err}
	}
	return at, n, nil
}

// place returns the path of the record that p stands for: itself, or what it is
// once the links in its middle are followed. The deepest ancestor that the
// record holds tells: if it may not be looked at, nothing beneath it may be.
func (r *Recorded) place(p string) (string, error) {
	if _, ok := r.nodes[p]; ok {
		return p, nil
	}
	for a := p; a != "/" && a != "."; {
		a = path.Dir(a)
		n, ok := r.nodes[a]
		switch {
		case !ok:
			continue
		case n.lstat != "":
			return "", errorOf(n.lstat)
		case n.node.Type != Link:
			return "", fs.ErrNotExist
		}
		to, err := Resolve(r, a)
		switch {
		case err != nil:
			return "", err
		case to.Missing != "":
			return "", fs.ErrNotExist
		}
		return r.place(path.Join(to.Path, p[len(a):]))
	}
	return "", fs.ErrNotExist
}

// The texts of a record for the errors that a caller can tell apart.
const (
	textPermission = "permission"
	textNotExist   = "not exist"
)

// errorText returns how a record holds an error, and errorOf the error; the
// path, which the record holds too, is left out.
func errorText(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	switch {
	case err == nil:
		return ""
	case errors.Is(err, fs.ErrPermission):
		return textPermission
	case errors.Is(err, fs.ErrNotExist):
		return textNotExist
	}
	return err.Error()
}

func errorOf(text string) error {
	switch text {
	case "":
		return nil
	case textPermission:
		return fs.ErrPermission
	case textNotExist:
		return fs.ErrNotExist
	}
	return errors.New(text)
}
