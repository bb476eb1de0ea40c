// Command probe finds out what a process can do with paths if it tries hard. It
// reads questions, "op path more..." a line with the paths as Go strings, and
// answers each with a line, as a Go string: "ok", with what it read behind a
// blank, or the error's text. It gives itself every mode that it can, along all
// of the paths, makes what is missing if it can, and undoes all of that.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		words := strings.Split(in.Text(), " ")
		var paths []string
		for _, w := range words[1:] {
			p, err := strconv.Unquote(w)
			if err != nil {
				panic(err)
			}
			paths = append(paths, p)
		}
		answer := "ok"
		content, err := try(words[0], paths[0], paths[1:])
		if content != "" {
			answer += " " + content
		}
		var no syscall.Errno
		switch {
		case errors.As(err, &no):
			answer = no.Error()
		case err != nil:
			answer = err.Error()
		}
		fmt.Println(strconv.Quote(answer))
	}
}

// undo collects what to do afterwards, last first.
type undo []func()

func (u *undo) all() {
	for i := len(*u) - 1; i >= 0; i-- {
		(*u)[i]()
	}
}

func try(op, path string, more []string) (string, error) {
	var u undo
	defer u.all()
	for _, p := range more {
		u.force(p)
	}
	u.force(path)
	st, err := os.Lstat(path)
	if op == "exists" {
		return "", err
	}
	if err != nil {
		if err := u.parents(path); err != nil {
			return "", err
		}
	}
	switch {
	case op == "create" && (err != nil || !st.IsDir()):
		if err := u.directory(path); err != nil {
			return "", err
		}
	case err != nil:
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			return "", err
		}
		u = append(u, func() { _ = os.Remove(path) })
	}
	switch op {
	case "read":
		return read(path)
	case "write":
		st, err := os.Lstat(path)
		if err != nil {
			return "", err
		}
		if st.IsDir() {
			return "", os.Chmod(path, st.Mode())
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			err = f.Close()
		}
		return "", err
	case "create":
		name := filepath.Join(path, "created")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return "", err
		}
		_ = f.Close()
		return "", os.Remove(name)
	case "unlink":
		// By a descriptor: what is moved may hold a mount that the path leads
		// through.
		dir, err := os.Open(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		defer dir.Close()
		name, at := filepath.Base(path), int(dir.Fd())
		if err := syscall.Renameat(at, name, at, name+".moved"); err != nil {
			return "", err
		}
		return "", syscall.Renameat(at, name+".moved", at, name)
	}
	return "", fmt.Errorf("unknown operation %q", op)
}

func read(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return "", err
	}
	if st.IsDir() {
		_, err := f.Readdirnames(-1)
		return "", err
	}
	data := make([]byte, 4096)
	n, _ := f.Read(data)
	return string(data[:n]), nil
}

// force gives the owner every mode, from the root down.
func (u *undo) force(path string) {
	for i := 1; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' && i != 1 {
			continue
		}
		p := path[:i]
		st, err := os.Lstat(p)
		if err != nil || st.Mode()&fs.ModeSymlink != 0 || st.Mode().Perm()&0o700 == 0o700 {
			continue
		}
		if mode := st.Mode(); os.Chmod(p, mode|0o700) == nil {
			*u = append(*u, func() { _ = os.Chmod(p, mode) })
		}
	}
}

// parents makes the directories above a path.
func (u *undo) parents(path string) error {
	dir := filepath.Dir(path)
	st, err := os.Lstat(dir)
	if err == nil && st.IsDir() {
		return nil
	}
	if err := u.parents(dir); err != nil {
		return err
	}
	return u.directory(dir)
}

// directory makes a directory; what is in the way is moved aside.
func (u *undo) directory(dir string) error {
	if _, err := os.Lstat(dir); err == nil {
		if err := os.Rename(dir, dir+".aside"); err != nil {
			return err
		}
		*u = append(*u, func() { _ = os.Rename(dir+".aside", dir) })
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	*u = append(*u, func() { _ = os.Remove(dir) })
	return nil
}
