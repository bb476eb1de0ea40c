package main

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/profiles"
)

// maxFile is the size of the largest file that is read, in bytes.
const maxFile = 4 << 20

// readTime is how long the content of a file is waited for.
const readTime = 5 * time.Second

// stdinName is what messages call the policy that "-" stands for.
const stdinName = "<stdin>"

// readFile returns the content of a regular file of at most [maxFile] bytes. A
// FIFO or device is refused without waiting for it, and a file without a size is
// taken as empty without reading it.
func readFile(name string) ([]byte, error) {
	// Looking first keeps devices from being opened at all; looking again at
	// what was opened makes sure.
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "read", Path: name, Err: frontend.ErrNotRegular}
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // G304: the user names the file
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "read", Path: name, Err: frontend.ErrNotRegular}
	}
	// The kernel makes up what files of procfs hold, and gives them the size 0.
	// Reading one may wait for something to happen, or take it from others.
	if info.Size() == 0 {
		return nil, nil
	}
	// A file that can be waited for is none; others know no deadline.
	_ = f.SetReadDeadline(time.Now().Add(readTime))
	data, err := readBounded(f)
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxFile:
		return nil, frontend.ErrTooLarge
	}
	return data, nil
}

// fileCache reads each file once, so that one run sees one content of it, and
// knows the texts for messages.
type fileCache struct {
	app     *app
	workDir string
	home    string
	read    func(name string) ([]byte, error) // [readFile], or another way to get at files
	texts   map[string][]byte                 // by absolute path, or [stdinName]
	errs    map[string]error
}

func newFileCache(a *app, workDir, home string) *fileCache {
	return &fileCache{app: a, workDir: workDir, home: home, read: readFile, texts: map[string][]byte{}, errs: map[string]error{}}
}

// ReadFile implements [frontend.Files].
func (c *fileCache) ReadFile(path string) ([]byte, error) {
	if err := c.errs[path]; err != nil {
		return nil, err
	}
	if text, ok := c.texts[path]; ok {
		return text, nil
	}
	text, err := c.read(path)
	if path == frontend.Stdin {
		text, err = readBounded(c.app.stdin)
	}
	if err != nil {
		c.errs[path] = err
		return nil, err
	}
	c.texts[path] = text
	return text, nil
}

// wasRead reports whether the name leads to a file that was read.
func (c *fileCache) wasRead(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	for path := range c.texts {
		if read, err := os.Stat(path); path != frontend.Stdin && err == nil && os.SameFile(info, read) {
			return true
		}
	}
	return false
}

// Source returns the text of a file by the name that ranges have for it, nil if
// it was not read.
func (c *fileCache) Source(file string) []byte {
	if text, ok := profiles.Open(file); ok {
		return text
	}
	if file == stdinName {
		return c.texts[frontend.Stdin]
	}
	return c.texts[c.abs(file)]
}

// abs is the absolute path of a file as policies and the command line name it.
func (c *fileCache) abs(file string) string {
	if len(file) > 1 && file[:2] == "~/" {
		return filepath.Join(c.home, file[2:])
	}
	if !filepath.IsAbs(file) {
		return filepath.Join(c.workDir, file)
	}
	return filepath.Clean(file)
}
