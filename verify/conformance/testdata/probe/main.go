// Command probe tries operations on paths. It reads questions, "op path" a line
// with the path as a Go string, and answers each with a line: "ok", or the
// error's text as a Go string. What it changes it changes back.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		op, quoted, _ := strings.Cut(in.Text(), " ")
		path, err := strconv.Unquote(quoted)
		if err == nil {
			err = try(op, path)
		}
		answer := "ok"
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

func try(op, path string) error {
	switch op {
	case "read":
		data, err := os.ReadFile(path)
		if err == nil && string(data) != "content of "+path {
			return fmt.Errorf("other content: %q", data)
		}
		return err
	case "list":
		_, err := os.ReadDir(path)
		return err
	case "write":
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		return f.Close()
	case "create":
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		return errors.Join(f.Close(), os.Remove(path))
	case "mkdir":
		if err := os.Mkdir(path, 0o755); err != nil {
			return err
		}
		return os.Remove(path)
	case "rename":
		if err := os.Rename(path, path+".moved"); err != nil {
			return err
		}
		return os.Rename(path+".moved", path)
	case "link":
		if err := os.Link(path, path+".linked"); err != nil {
			return err
		}
		return os.Remove(path + ".linked")
	case "unlink":
		return unlink(path)
	}
	return fmt.Errorf("unknown operation %q", op)
}

// unlink removes a file, a link or an empty directory, and makes it again.
func unlink(path string) error {
	st, err := os.Lstat(path)
	if err != nil {
		return err
	}
	text, _ := os.Readlink(path)
	if err := os.Remove(path); err != nil {
		return err
	}
	switch {
	case st.IsDir():
		return os.Mkdir(path, 0o755)
	case st.Mode()&os.ModeSymlink != 0:
		return os.Symlink(text, path)
	}
	return os.WriteFile(path, []byte("content of "+path), 0o644)
}
