package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io/fs"
	"maps"
	"slices"
)

// Transcript is what a [Memo] was asked, and a digest of what it answered.
// Whatever was worked out from the answers alone comes out the same on a machine
// that gives the same answers.
type Transcript struct {
	Nodes  []string    `json:"nodes"`  // paths that were looked at
	Links  []string    `json:"links"`  // links that were read
	Dirs   []ListedDir `json:"dirs"`   // directories that were listed
	Mounts bool        `json:"mounts"` // the mounts were asked for
	Digest [sha256.Size]byte
}

// ListedDir is a directory that was listed, and a digest of its names and their
// types. One that has its stamp still need not be listed again.
type ListedDir struct {
	Path   string `json:"path"`
	Stamp  Stamp  `json:"stamp"`
	Digest []byte `json:"digest"`
}

// Transcript returns what the memo was asked so far.
func (m *Memo) Transcript() Transcript {
	m.mu.Lock()
	t := Transcript{Nodes: slices.Sorted(maps.Keys(m.nodes)), Links: slices.Sorted(maps.Keys(m.links)), Mounts: len(m.mounts) > 0}
	for _, p := range slices.Sorted(maps.Keys(m.dirs)) {
		t.Dirs = append(t.Dirs, ListedDir{Path: p, Stamp: m.stamps[p]})
	}
	m.mu.Unlock()
	for i := range t.Dirs {
		t.Dirs[i].Digest = m.listing(t.Dirs[i].Path)
	}
	t.Digest = m.digest(&t)
	return t
}

// Holds asks the memo everything that is in the transcript, and reports whether
// it answers the same.
func (t *Transcript) Holds(m *Memo) bool {
	// Listings come first: a node that vanishes after it was listed keeps the type
	// that the listing has.
	for i := range t.Dirs {
		if d := &t.Dirs[i]; !m.unchanged(d.Path, d.Stamp) && !bytes.Equal(m.listing(d.Path), d.Digest) {
			return false
		}
	}
	return m.digest(t) == t.Digest
}

// listing lists a directory and hashes the answer.
func (m *Memo) listing(path string) []byte {
	h := hasher{Hash: sha256.New()}
	list, err := m.ReadDir(path)
	h.question(path, err)
	h.number(uint64(len(list)))
	for _, e := range list {
		h.text(e.Name)
		h.number(uint64(e.Type))
	}
	sum := h.sum()
	return sum[:]
}

// digest asks the other questions of a transcript in their order, and hashes the
// answers. Errors are told apart as far as anything depends on them: something
// does not exist, or may not be looked at, or fails in another way.
func (m *Memo) digest(t *Transcript) [sha256.Size]byte {
	h := hasher{Hash: sha256.New()}
	for _, p := range t.Nodes {
		n, err := m.Lstat(p)
		if n.Type == Dir {
			n.Nlink = 0 // counts what a listing shows
		}
		h.question(p, err)
		h.number(uint64(n.Type))
		h.number(uint64(n.Perm))
		h.number(n.Dev)
		h.number(n.Ino)
		h.number(n.Nlink)
	}
	for _, p := range t.Links {
		to, err := m.Readlink(p)
		h.question(p, err)
		h.text(to)
	}
	if t.Mounts {
		list, err := m.Mounts()
		h.question("", err)
		h.number(uint64(len(list)))
		for _, x := range list {
			for _, s := range []string{x.Dev, x.Root, x.Point, x.FSType} {
				h.text(s)
			}
		}
	}
	return h.sum()
}

// hasher hashes values so that no two sequences of them have one text.
type hasher struct {
	hash.Hash
	buf []byte
}

func (h *hasher) number(n uint64) {
	h.buf = binary.AppendUvarint(h.buf, n)
	if len(h.buf) >= 4096 {
		h.flush()
	}
}

func (h *hasher) text(s string) {
	h.number(uint64(len(s)))
	h.buf = append(h.buf, s...)
}

func (h *hasher) sum() (out [sha256.Size]byte) {
	h.flush()
	h.Sum(out[:0])
	return out
}

func (h *hasher) flush() {
	h.Write(h.buf)
	h.buf = h.buf[:0]
}

// question adds a path, and how asking about it went.
func (h *hasher) question(path string, err error) {
	h.text(path)
	switch {
	case err == nil:
		h.number(0)
	case errors.Is(err, fs.ErrNotExist):
		h.number(1)
	case errors.Is(err, fs.ErrPermission):
		h.number(2)
	default:
		h.number(3)
		h.text(err.Error())
	}
}
