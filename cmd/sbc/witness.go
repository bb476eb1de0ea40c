package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
)

// witness records what a session asked of its surroundings besides the view of
// the file system, so that one can tell whether it would be answered the same
// again. Values are kept as digests: variables may hold secrets.
type witness struct {
	Env   map[string]string // digests by name; empty for a variable that is not set
	Files map[string]string // digests by path; empty for what does not exist
	fail  bool              // something was asked that cannot be compared
}

func newWitness() *witness { return &witness{Env: map[string]string{}, Files: map[string]string{}} }

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func envDigest(lookup func(string) (string, bool), name string) string {
	if value, ok := lookup(name); ok {
		return digestOf(value)
	}
	return ""
}

// lookup is a lookup that is recorded.
func (w *witness) lookup(of func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		w.Env[name] = envDigest(of, name)
		return of(name)
	}
}

// read is a reader of files that is recorded.
func (w *witness) read(name string) ([]byte, error) {
	text, err := readFile(name)
	switch {
	case err == nil:
		w.Files[name] = digestOf(string(text))
	case errors.Is(err, fs.ErrNotExist):
		w.Files[name] = ""
	default:
		w.fail = true
	}
	return text, err
}

// lstat looks whether a file is there. Its content is recorded by whoever reads
// it.
func (w *witness) lstat(name string) error {
	_, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.Files[name] = ""
	case err != nil:
		w.fail = true
	}
	return err
}

// holds asks everything again.
func (w *witness) holds(lookup func(string) (string, bool), read func(string) ([]byte, error)) bool {
	for name, want := range w.Env {
		if envDigest(lookup, name) != want {
			return false
		}
	}
	for name, want := range w.Files {
		text, err := read(name)
		switch {
		case want == "" && errors.Is(err, fs.ErrNotExist):
		case want == "" || err != nil || digestOf(string(text)) != want:
			return false
		}
	}
	return true
}
