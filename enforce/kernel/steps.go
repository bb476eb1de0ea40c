package kernel

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/verify/conformance"
)

// step makes one change of the host.
func (w *world) step(ctx context.Context, s conformance.Step) error {
	if err := w.change(ctx, s); err != nil {
		return fmt.Errorf("%q: %w", s, err)
	}
	return nil
}

func (w *world) change(ctx context.Context, s conformance.Step) error {
	path := w.path(s[1])
	if parent := filepath.Dir(path); s[0] != "sh" && !strings.HasPrefix(string(s[1]), "@") {
		if err := os.MkdirAll(parent, 0o755); err != nil { //nolint:gosec // G301: as in an ordinary tree
			return err
		}
	}
	switch s[0] {
	case "dir":
		return os.MkdirAll(path, 0o755) //nolint:gosec // G301: as in an ordinary tree
	case "file":
		return os.WriteFile(path, []byte(w.in(string(s[2]))), 0o644) //nolint:gosec // G306: as in an ordinary tree
	case "mode":
		mode, err := strconv.ParseUint(string(s[2]), 8, 12)
		if err != nil {
			return err
		}
		return os.Chmod(path, os.FileMode(mode))
	case "fifo":
		return mkfifo(path)
	case "link":
		return os.Symlink(w.in(string(s[2])), path)
	case "hard":
		return os.Link(w.path(s[2]), path)
	case "rename":
		return os.Rename(path, w.path(s[2]))
	case "remove":
		return os.RemoveAll(path)
	case "git":
		return w.shell(ctx, `cd "$1" && git init -q --template= && git add -A && git -c user.name=n -c user.email=e@x commit -q --allow-empty -m m`, path)
	case "sh":
		return w.shell(ctx, w.in(string(s[1])))
	case "sock", "dgram", "tcp":
		return w.listen(string(s[0]), path, s[1])
	}
	return fmt.Errorf("no such step")
}

// shell runs a line of bash on the host.
func (w *world) shell(ctx context.Context, line string, args ...string) error {
	cmd := exec.CommandContext(ctx, "bash", append([]string{"-c", "set -e; " + line, "bash"}, args...)...) //nolint:gosec // G204: a line of the case
	cmd.Dir, cmd.Env = w.dir, w.environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// listen makes a socket that takes connections or datagrams, until the world is
// removed.
func (w *world) listen(kind, path string, name conformance.Text) error {
	if kind == "dgram" {
		c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: path})
		if err == nil {
			w.closers = append(w.closers, c.Close)
		}
		return err
	}
	network, address := "unix", path
	if abstract, ok := strings.CutPrefix(string(name), "@"); ok {
		address = "@" + w.path(conformance.Text(abstract))
	}
	if kind == "tcp" {
		network, address = "tcp", "127.0.0.1:0"
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	w.closers = append(w.closers, l.Close)
	go accept(l)
	if kind != "tcp" {
		return nil
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(port), 0o644) //nolint:gosec // G306: as in an ordinary tree
}

// accept takes connections and ends them, until the listener is closed.
func accept(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_ = c.Close()
	}
}
