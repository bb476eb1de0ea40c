package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/sandboxc/sbc/enforce/supervise"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// The values of --host beside the name of a record.
const (
	hostLive = "live"
	hostNone = "none"
)

// machine is what a policy is resolved and lowered against.
type machine struct {
	name  string    // live, none, or the file of a record
	view  host.View // each question is asked once
	facts host.Facts
}

// machineOf returns the machine that --host names; bwrap says whether its
// bubblewrap matters. The problems are those of a record.
func (a *app) machineOf(name string, cache *fileCache, bwrap bool) (machine, diag.List, error) {
	switch name {
	case hostLive:
		facts, err := a.liveFacts(bwrap)
		return machine{name: name, view: host.NewMemo(a.live), facts: facts}, nil, err
	case hostNone:
		facts, err := a.liveFacts(false)
		facts.Kernel, facts.OSVersion, facts.Sockets, facts.Supervise = "", "", nil, false
		return machine{name: name, view: host.Empty{}, facts: facts}, nil, err
	case "":
		return machine{}, nil, misuse("write --host live, --host none or --host FILE", "--host is empty")
	}
	text, err := cache.ReadFile(cache.abs(name))
	if err != nil {
		return machine{}, nil, misuse("write live, none, or a record that sbc doctor --record FILE has made", "cannot read the host record: %v", err)
	}
	view, ds := host.ParseRecord(text, name)
	if ds.HasErrors() {
		return machine{}, ds, nil
	}
	return machine{name: name, view: view, facts: view.Facts()}, ds, nil
}

// known reports whether the machine's file system is known.
func (m machine) known() bool { return m.name != hostNone }

// liveFacts probes this machine. Asking bubblewrap costs two processes.
func (a *app) liveFacts(bwrap bool) (host.Facts, error) {
	env := func(name string) string {
		switch {
		case name != "PATH":
			return a.env(name)
		case !bwrap:
			return ""
		}
		return a.trustedFirst(a.env(name))
	}
	sources := host.LiveSources(env)
	sources.Runner = askedOnce{sources.Runner, askedBefore(a.env)}
	facts, err := host.Probe(context.Background(), sources)
	if err != nil {
		return facts, misuse("", "%v", err)
	}
	facts.Supervise = facts.Supervise && supervise.Supported() == nil // the kernel can, but perhaps not for this process
	return facts, nil
}

// trustedFirst is a search path for bubblewrap, which is asked for its version
// before anything is known of the policy: one that a command of an earlier run
// has left somewhere must not be what is asked. Directories that only root can
// change come first, and those in which commands usually may write, beneath the
// current directory and the temporary ones, do not count.
func (a *app) trustedFirst(search string) string {
	wd, _ := a.getwd()
	var first, rest []string
	for _, dir := range filepath.SplitList(search) {
		real, err := filepath.EvalSymlinks(dir)
		switch {
		case err != nil || !filepath.IsAbs(dir) || beneathAny(real, wd, a.env("TMPDIR"), "/tmp", "/var/tmp"):
		case onlyRoots(real) && !beneathAny(real, a.env("HOME")): // root's home is root's, and may be opened
			first = append(first, dir)
		default:
			rest = append(rest, dir)
		}
	}
	return strings.Join(append(first, rest...), string(filepath.ListSeparator))
}

// beneathAny reports whether a path lies beneath one of the directories, of
// which "/" and an empty one do not count.
func beneathAny(path string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		dir = filepath.Clean(dir)
		return dir != "/" && ir.Beneath(path, dir)
	})
}

// onlyRoots reports whether only root can change a directory and what lies above
// it.
func onlyRoots(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || !rootOwned(info) {
			return false
		}
		if dir == "/" {
			return true
		}
	}
}

func rootOwned(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Uid == 0 && info.Mode().Perm()&0o022 == 0
}
