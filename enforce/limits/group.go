package limits

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Tree is the directory of a control group of version 2 and all beneath it.
// [Dir] is the real one; names are those of package io/fs.
type Tree interface {
	fs.FS
	Write(name, text string) error
	Mkdir(name string) error
	Remove(name string) error
}

// Group is a control group with limits, for one command.
//
// This code was run against a model of the kernel's tree only, made from
// cgroups(7) and the kernel's Documentation/admin-guide/cgroup-v2.rst.
type Group struct {
	tree Tree
	name string
}

const (
	// ownLeaf is where this process moves to, so that the group that it was in
	// may have controllers: a group has either those or processes.
	ownLeaf = "sbc-launcher"
	// prefix, the process id of the maker and a number are a group's name.
	prefix = "sbc-run-"
)

// Wants reports whether a control group would keep a limit better.
func (s Set) Wants() bool { return s.Memory > 0 || s.Procs > 0 }

// Make makes a control group beneath the one that this process is in, which is
// the root of the tree; self is the process's id. It is in the way of nobody: it
// turns controllers on only where no process but this one is. Groups that a
// killed process left are removed; alive says whether a process still runs.
func Make(tree Tree, self int, alive func(pid int) bool, s Set) (*Group, error) {
	if err := control(tree, self, s.controllers()); err != nil {
		return nil, err
	}
	number, err := sweep(tree, self, alive)
	if err != nil {
		return nil, err
	}
	g := &Group{tree: tree, name: fmt.Sprintf("%s%d-%d", prefix, self, number)}
	if err := tree.Mkdir(g.name); err != nil {
		return nil, fmt.Errorf("make a control group: %w", err)
	}
	if err := g.set(s); err != nil {
		return nil, errors.Join(err, tree.Remove(g.name))
	}
	return g, nil
}

func (s Set) controllers() []string {
	var out []string
	if s.Memory > 0 {
		out = append(out, "memory")
	}
	if s.Procs > 0 {
		out = append(out, "pids")
	}
	return out
}

// control sees to it that groups beneath the root have the controllers.
func control(tree Tree, self int, want []string) error {
	have, err := words(tree, "cgroup.subtree_control")
	if err != nil {
		return err
	}
	want = slices.DeleteFunc(want, func(c string) bool { return slices.Contains(have, c) })
	if len(want) == 0 {
		return nil
	}
	offered, err := words(tree, "cgroup.controllers")
	if err != nil {
		return err
	}
	for _, c := range want {
		if !slices.Contains(offered, c) {
			return fmt.Errorf("the controller %q is not delegated to this control group", c)
		}
	}
	procs, err := words(tree, "cgroup.procs")
	if err != nil {
		return err
	}
	if err := leave(tree, self, procs); err != nil {
		return err
	}
	return write(tree, "cgroup.subtree_control", "+"+strings.Join(want, " +"))
}

// leave moves this process out of the root into a group of its own.
func leave(tree Tree, self int, procs []string) error {
	me := strconv.Itoa(self)
	switch {
	case len(procs) == 0:
		return nil
	case len(procs) > 1 || procs[0] != me:
		return errors.New("the control group has other processes too; start the command in one of its own, as with systemd-run --user --scope -p Delegate=yes")
	}
	if err := tree.Mkdir(ownLeaf); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a control group: %w", err)
	}
	return write(tree, ownLeaf+"/cgroup.procs", me)
}

// sweep removes the groups of processes that are gone, and returns a number that
// no group of this process has.
func sweep(tree Tree, self int, alive func(pid int) bool) (int, error) {
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		return 0, err
	}
	next := 0
	for _, e := range entries {
		var pid, n int
		if _, err := fmt.Sscanf(e.Name(), prefix+"%d-%d", &pid, &n); err != nil {
			continue
		}
		switch {
		case pid == self:
			next = max(next, n+1)
		case !alive(pid):
			_ = tree.Remove(e.Name()) // one that has processes stays
		}
	}
	return next, nil
}

// set writes the limits. Memory that is swapped out counts as well, where the
// kernel counts swap at all, and a process that finds no memory takes the others
// with it.
func (g *Group) set(s Set) error {
	if s.Memory > 0 {
		if err := g.write("memory.max", strconv.FormatInt(s.Memory, 10)); err != nil {
			return err
		}
		for file, text := range map[string]string{"memory.swap.max": "0", "memory.oom.group": "1"} {
			if err := g.write(file, text); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if s.Procs > 0 {
		return g.write("pids.max", strconv.FormatInt(s.Procs, 10))
	}
	return nil
}

// Enter puts a process into the group; its children will be there too.
func (g *Group) Enter(pid int) error {
	return g.write("cgroup.procs", strconv.Itoa(pid))
}

// Use is what a group used.
type Use struct {
	CPU    time.Duration
	Memory int64 // the most at any time, in bytes; 0 if the kernel does not say (before 5.19)
	// OutOfMemory and OutOfProcs report that the limit stopped something.
	OutOfMemory, OutOfProcs bool
}

// Use reads what was used so far.
func (g *Group) Use() (Use, error) {
	var u Use
	usec, err := g.value("cpu.stat", "usage_usec")
	if err != nil {
		return u, err
	}
	u.CPU = time.Duration(usec) * time.Microsecond
	if peak, err := words(g.tree, g.name+"/memory.peak"); err == nil && len(peak) == 1 {
		u.Memory, _ = strconv.ParseInt(peak[0], 10, 64)
	}
	if n, err := g.value("memory.events", "oom_kill"); err == nil {
		u.OutOfMemory = n > 0
	}
	if n, err := g.value("pids.events", "max"); err == nil {
		u.OutOfProcs = n > 0
	}
	return u, nil
}

// value reads a line "key number".
func (g *Group) value(file, key string) (int64, error) {
	list, err := words(g.tree, g.name+"/"+file)
	if err != nil {
		return 0, err
	}
	for i := 0; i+1 < len(list); i += 2 {
		if list[i] == key {
			return strconv.ParseInt(list[i+1], 10, 64)
		}
	}
	return 0, fmt.Errorf("%s has no %s", file, key)
}

// removal is how long the end of killed processes is waited for.
const removal = time.Second

// Remove kills what is left in the group (cgroup.kill, Linux 5.14) and removes
// it.
func (g *Group) Remove() error {
	err := g.write("cgroup.kill", "1")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for end := time.Now().Add(removal); ; time.Sleep(time.Millisecond) {
		err := g.tree.Remove(g.name)
		switch {
		case err == nil || errors.Is(err, fs.ErrNotExist):
			return nil
		case !errors.Is(err, syscall.EBUSY) || time.Now().After(end):
			return fmt.Errorf("remove the control group: %w", err)
		}
	}
}

func (g *Group) write(file, text string) error {
	return write(g.tree, path.Join(g.name, file), text)
}

func write(tree Tree, name, text string) error {
	if err := tree.Write(name, text); err != nil {
		return fmt.Errorf("write %q to %s of the control group: %w", text, path.Base(name), err)
	}
	return nil
}

func words(tree fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, fmt.Errorf("read %s of the control group: %w", path.Base(name), err)
	}
	return strings.Fields(string(text)), nil
}
