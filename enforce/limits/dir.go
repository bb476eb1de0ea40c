package limits

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Dir is the [Tree] at a directory of a mounted cgroup2 file system.
type Dir string

// Open implements [fs.FS].
func (d Dir) Open(name string) (fs.File, error) { return os.DirFS(string(d)).Open(name) }

// Write writes to a file that is there.
func (d Dir) Write(name, text string) error {
	f, err := os.OpenFile(filepath.Join(string(d), name), os.O_WRONLY, 0) //nolint:gosec // G304: a file of the kernel, by a name of this package
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// Mkdir makes a group.
func (d Dir) Mkdir(name string) error {
	return os.Mkdir(filepath.Join(string(d), name), 0o755) //nolint:gosec // G301: as all groups are
}

// Remove removes a group that has no processes.
func (d Dir) Remove(name string) error {
	return syscall.Rmdir(filepath.Join(string(d), name))
}

// Own returns the directory of the control group of version 2 that this process
// is in.
func Own() (Dir, error) {
	group, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	return Find(string(group), string(mounts))
}

// Find is Own for the texts of /proc/self/cgroup (cgroups(7)) and
// /proc/self/mountinfo (proc_pid_mountinfo(5)).
func Find(group, mounts string) (Dir, error) {
	name := ""
	for line := range strings.Lines(group) {
		if rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); ok {
			name = rest
		}
	}
	if name == "" {
		return "", errors.New("this system has no control groups of version 2")
	}
	for line := range strings.Lines(mounts) {
		// ID PARENT DEVICE ROOT POINT OPTIONS [TAG...] - TYPE SOURCE OPTIONS
		const root, point = 3, 4
		fields := strings.Fields(line)
		before, after, ok := strings.Cut(line, " - ")
		if !ok || len(strings.Fields(before)) <= point || !strings.HasPrefix(after, "cgroup2 ") {
			continue
		}
		at := fields[root]
		if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(at, "/")); ok && (rest == "" || rest[0] == '/') {
			return outer(path.Join(fields[point], rest)), nil
		}
	}
	return "", fmt.Errorf("the control group %s is not mounted", name)
}

// outer is the group that this process left for ownLeaf, if it did.
func outer(dir string) Dir {
	if path.Base(dir) == ownLeaf {
		dir = path.Dir(dir)
	}
	return Dir(dir)
}
