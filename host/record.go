package host

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/strictjson"
)

// recordFile is the JSON form of a record.
type recordFile struct {
	Version     uint64              `json:"sbc_host" const:"1"`
	Facts       Facts               `json:"facts"`
	Tree        map[string]recorded `json:"tree,omitempty"`
	Mounts      []Mount             `json:"mounts,omitempty"`
	MountsError string              `json:"mounts_error,omitempty"`
}

// recordFacts is the JSON form of [Facts]; what every machine has must be said.
type recordFacts struct {
	OS        string      `json:"os"`
	Arch      string      `json:"arch"`
	Kernel    string      `json:"kernel,omitempty"`
	OSVersion string      `json:"os_version,omitempty"`
	UID       int         `json:"uid"`
	Home      string      `json:"home"`
	Temp      string      `json:"temp"`
	Cache     string      `json:"cache"`
	Config    string      `json:"config"`
	Sockets   []string    `json:"sockets,omitempty"`
	Supervise bool        `json:"supervise,omitzero"`
	Bwrap     recordBwrap `json:"bwrap,omitzero"`
}

type recordBwrap struct {
	Path    string   `json:"path"`
	Version string   `json:"version"`
	Flags   []string `json:"flags"`
}

type recordMount struct {
	Dev    string `json:"dev"`
	Root   string `json:"root"`
	Point  string `json:"point"`
	FSType string `json:"fstype"`
}

// recordNode is the JSON form of what a record says of a path. An empty object
// is a file.
type recordNode struct {
	Type     Type   `json:"type,omitzero"`
	Link     string `json:"link,omitempty"` // where the link leads
	Perm     string `json:"perm,omitempty"` // three octal digits
	Nlink    links  `json:"nlink,omitzero"`
	Dev      uint64 `json:"dev,omitzero"`
	Ino      uint64 `json:"ino,omitzero"`
	Lstat    string `json:"lstat,omitempty"`
	Readlink string `json:"readlink,omitempty"`
	Readdir  string `json:"readdir,omitempty"`
	Unlisted bool   `json:"unlisted,omitzero"`
}

// links is a number of hard links less one, so that the usual one is zero and
// is left out.
type links uint64

func forms() []strictjson.Form {
	return []strictjson.Form{
		strictjson.Words("type", File, Dir, Link, Socket, FIFO, Char, Block),
		strictjson.As(factsToRecord, factsFromRecord),
		strictjson.As(nodeToRecord, nodeFromRecord),
		strictjson.As(
			func(m Mount) recordMount { return recordMount(m) },
			func(m recordMount) (Mount, error) { return Mount(m), nil },
		),
		strictjson.As(
			func(n links) uint64 { return uint64(n) + 1 },
			func(n uint64) (links, error) { return links(n - 1), nil },
		),
	}
}

// ParseRecord reads a record:
//
//	{
//	  "sbc_host": 1,
//	  "facts": {
//	    "os": "linux", "arch": "amd64", "uid": 1000, "home": "/home/u",
//	    "temp": "/tmp", "cache": "/home/u/.cache", "config": "/home/u/.config"
//	  },
//	  "tree": {
//	    "/bin": {"link": "usr/bin"},
//	    "/home/u/.ssh": {"type": "dir", "perm": "700", "readdir": "permission"},
//	    "/home/u/app/a": {"nlink": 2, "ino": 7},
//	    "/home/u/app/b": {"nlink": 2, "ino": 7},
//	    "/home/u/app/main.go": {},
//	    "/root/x": {"lstat": "permission"}
//	  },
//	  "mounts": [{"dev": "8:1", "root": "/", "point": "/", "fstype": "ext4"}]
//	}
//
// The tree maps absolute, clean paths. A directory needs no line of its own if
// something lies beneath it. The type is "file" unless it is said, "link" where
// "link" is. Unless they are said, permission bits are 755 for a directory, 777
// for a link and 644 otherwise, and nlink is 1, dev is 1 and ino is a large
// number that no other path has. "lstat", "readlink" and "readdir" are errors:
// "permission", "not exist" or any other text; an error of "lstat" holds for
// what lies beneath, too, and leaves open whether the path exists. "unlisted"
// is a path that the directory which holds it does not list, as some in /proc.
// Facts may also have "kernel", "os_version", "sockets", "supervise" and "bwrap"
// (with "path", "version" and "flags"); there may be a "mounts_error". Everything
// else, and every key that is written twice or in another case, is a problem
// with its place in the file.
func ParseRecord(src []byte, file string) (*Recorded, diag.List) {
	doc, ds := strictjson.Parse(src, file)
	if doc == nil {
		return nil, ds
	}
	var f recordFile
	if ds := doc.Decode(&f, forms()...); ds.HasErrors() {
		return nil, ds
	}
	problem := func(pointer string, err error) diag.List {
		rng := doc.Range(pointer)
		return diag.List{{Code: diag.CodeIRForm, Severity: diag.Error, Summary: err.Error(), Subject: &rng}}
	}
	for _, p := range slices.Sorted(maps.Keys(f.Tree)) {
		if err := checkPath(p); err != nil {
			return nil, problem(treePointer(p), err)
		}
	}
	r, bad, err := newRecorded(f.Tree)
	if err != nil {
		return nil, problem(treePointer(bad), err)
	}
	r.facts, r.mounts, r.mountsErr = f.Facts, f.Mounts, f.MountsError
	return r, nil
}

// treePointer names the value of a path by a JSON pointer (RFC 6901).
func treePointer(p string) string {
	return "/tree/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(p)
}

// formatRecord is the reverse of [ParseRecord].
func formatRecord(f Facts, tree map[string]recorded, mounts []Mount, mountsErr string) []byte {
	return strictjson.Encode(recordFile{Version: 1, Facts: f, Tree: tree, Mounts: mounts, MountsError: mountsErr}, strictjson.Options{Forms: forms()})
}

func checkPath(p string) error {
	switch {
	case !path.IsAbs(p):
		return fmt.Errorf("the path %q is not absolute", p)
	case path.Clean(p) != p:
		return fmt.Errorf("the path %q is not clean: write %q", p, path.Clean(p))
	case strings.Contains(p, "\x00"):
		return fmt.Errorf("the path %q holds a NUL", p)
	}
	return nil
}

func factsToRecord(f Facts) recordFacts {
	r := recordFacts{
		OS: f.OS, Arch: f.Arch, Kernel: f.Kernel, OSVersion: f.OSVersion, UID: f.UID,
		Home: f.Home, Temp: f.Temp, Cache: f.Cache, Config: f.Config, Sockets: f.Sockets, Supervise: f.Supervise,
	}
	if f.Bwrap != nil {
		r.Bwrap = recordBwrap(*f.Bwrap)
	}
	return r
}

func factsFromRecord(r recordFacts) (Facts, error) {
	f := Facts{
		OS: r.OS, Arch: r.Arch, Kernel: r.Kernel, OSVersion: r.OSVersion, UID: r.UID,
		Home: r.Home, Temp: r.Temp, Cache: r.Cache, Config: r.Config, Sockets: r.Sockets, Supervise: r.Supervise,
	}
	if r.Bwrap.Path != "" || r.Bwrap.Version != "" || len(r.Bwrap.Flags) > 0 {
		b := Bwrap(r.Bwrap)
		f.Bwrap = &b
	}
	for _, p := range append([]string{f.Home, f.Temp, f.Cache, f.Config}, f.Sockets...) {
		if err := checkPath(p); err != nil {
			return f, err
		}
	}
	if f.OS == "" || f.Arch == "" {
		return f, errors.New("the system or the architecture is empty")
	}
	if !slices.IsSorted(f.Sockets) || f.Bwrap != nil && !slices.IsSorted(f.Bwrap.Flags) {
		return f, errors.New("the sockets or the flags are not sorted")
	}
	return f, nil
}

func nodeToRecord(n recorded) recordNode {
	if n.lstat != "" {
		return recordNode{Type: n.node.Type, Lstat: n.lstat, Unlisted: n.unlisted}
	}
	r := recordNode{
		Type: n.node.Type, Link: n.target, Dev: n.node.Dev, Ino: n.node.Ino, Nlink: links(n.node.Nlink - 1),
		Readlink: n.readlink, Readdir: n.readdir, Unlisted: n.unlisted,
	}
	if n.node.Type == File || n.target != "" {
		r.Type = 0 // nodeFromRecord knows
	}
	if n.node.Perm != usualPerm(n.node.Type) {
		r.Perm = fmt.Sprintf("%03o", n.node.Perm)
	}
	return r
}

func nodeFromRecord(r recordNode) (recorded, error) {
	n := recorded{target: r.Link, lstat: r.Lstat, readlink: r.Readlink, readdir: r.Readdir, unlisted: r.Unlisted}
	t := r.Type
	switch {
	case t == 0 && r.Link != "":
		t = Link
	case t == 0 && r.Lstat == "":
		t = File
	}
	switch {
	case r.Lstat != "" && (r.Perm != "" || r.Nlink != 0 || r.Dev != 0 || r.Ino != 0 || r.Link != "" || r.Readlink != "" || r.Readdir != ""):
		return n, errors.New(`beside "lstat", an error, there may be the type only`)
	case t == 0 && r.Unlisted:
		return n, errors.New(`"unlisted" needs a path that exists`)
	case t != Link && (r.Link != "" || r.Readlink != ""):
		return n, errors.New(`"link" and "readlink" need the type "link"`)
	case r.Link != "" && r.Readlink != "":
		return n, errors.New(`"link" and "readlink", an error, exclude each other`)
	case t != Dir && r.Readdir != "":
		return n, errors.New(`"readdir" needs the type "dir"`)
	case strings.Contains(r.Link, "\x00"):
		return n, errors.New("the link holds a NUL")
	case t == 0:
		return n, nil
	}
	n.node = Node{Type: t, Perm: usualPerm(t), Dev: r.Dev, Ino: r.Ino, Nlink: uint64(r.Nlink) + 1}
	if r.Perm != "" {
		bits, err := strconv.ParseUint(r.Perm, 8, 9)
		if err != nil || len(r.Perm) != 3 {
			return n, fmt.Errorf("the permission bits %q are not three octal digits", r.Perm)
		}
		n.node.Perm = fs.FileMode(bits)
	}
	return n, nil
}
