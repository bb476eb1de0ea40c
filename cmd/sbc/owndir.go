package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// ownDir is a directory in the user's cache where sbc keeps what it has worked
// out. Only the owner may read or write there, and no compiled policy lets a
// command do so. Whatever is not as expected counts as missing, and nothing that
// goes wrong here is an error: then the work is done again. An empty one keeps
// nothing.
type ownDir string

// read returns the content of a file that is there and that nobody else could
// have changed.
func (d ownDir) read(name string) ([]byte, bool) {
	if d == "" || !ownerOnly(string(d), fs.ModeDir) {
		return nil, false
	}
	path := filepath.Join(string(d), name)
	if !ownerOnly(path, 0) {
		return nil, false
	}
	text, err := readFile(path)
	return text, err == nil
}

// write replaces a file in one step. It makes the cache directory of a user, and
// not his home.
func (d ownDir) write(name string, text []byte) {
	home := filepath.Join(string(d), "..", "..", "..") // of ~/.cache/sbc/NAME
	if _, err := os.Lstat(home); d == "" || err != nil || os.MkdirAll(string(d), 0o700) != nil || !ownerOnly(string(d), fs.ModeDir) {
		return
	}
	f, err := os.CreateTemp(string(d), ".new-")
	if err != nil {
		return
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil && closed == nil {
		err = os.Rename(f.Name(), filepath.Join(string(d), name))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is of no use to anybody
	}
}

// trim removes the files that were not used for the longest time if there are
// more than so many.
func (d ownDir) trim(most int) {
	list, err := os.ReadDir(string(d))
	if err != nil || len(list) <= most {
		return
	}
	oldest := list[0]
	age := func(e fs.DirEntry) int64 {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	for _, e := range list {
		if age(e) < age(oldest) {
			oldest = e
		}
	}
	_ = os.Remove(filepath.Join(string(d), oldest.Name()))
}
