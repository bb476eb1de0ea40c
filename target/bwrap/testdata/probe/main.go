// Command probe asks the kernel what a process may do with paths. It reads
// questions, "op path" a line with the path as a Go string, and answers each
// with a line: "ok" or the error's text, as a Go string. What it changes it
// changes back.
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
			err = ask(op, path)
		}
		answer := "ok"
		if err != nil {
			answer = cause(err).Error()
		}
		fmt.Println(strconv.Quote(answer))
	}
}

func cause(err error) error {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no
	}
	return err
}

func ask(op, path string) error {
	switch op {
	case "read": // the content of a file, or a listing
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			_, err := f.Readdirnames(-1)
			return err
		}
		data := make([]byte, 4096)
		n, err := f.Read(data)
		if err != nil {
			return err
		}
		if string(data[:n]) != "content of "+path+"\n" {
			return fmt.Errorf("wrong content %q", data[:n])
		}
		return nil
	case "write": // without changing anything
		st, err := os.Lstat(path)
		if err != nil {
			return err
		}
		if st.IsDir() {
			return os.Chmod(path, st.Mode())
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		return f.Close()
	case "create": // a file that does not exist
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_ = f.Close()
		return os.Remove(path)
	case "mkdir": // a directory that does not exist
		if err := os.Mkdir(path, 0o755); err != nil {
			return err
		}
		return os.Remove(path)
	case "unlink": // by a rename beside it
		if err := os.Rename(path, path+".moved"); err != nil {
			return err
		}
		return os.Rename(path+".moved", path)
	case "remove": // for good
		return os.Remove(path)
	case "chmod": // give oneself everything
		return os.Chmod(path, 0o777)
	}
	return fmt.Errorf("unknown operation %q", op)
}
