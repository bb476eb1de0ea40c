package mounts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/ir"
)

// Flag is something that a command line leaves open beside the file system.
type Flag struct {
	Name  string // stable
	Index int    // of the option in [Sandbox.Args], or -1 if one is missing
	Text  string // one sentence
	// Info is set for what is no hole by itself: what the launcher has to see
	// to, or a second line of defence.
	Info bool
}

// The names of the flags.
const (
	FlagUser        = "user-namespace"
	FlagNested      = "nested-namespaces"
	FlagPID         = "pid-namespace"
	FlagIPC         = "ipc-namespace"
	FlagUTS         = "uts-namespace"
	FlagCgroup      = "cgroup-namespace"
	FlagNetwork     = "network"
	FlagJoin        = "foreign-namespace"
	FlagCaps        = "capabilities"
	FlagSeccomp     = "seccomp"
	FlagSession     = "session"
	FlagParent      = "parent"
	FlagBoundary    = "no-boundary"
	FlagEnv         = "environment"
	FlagEnvSecret   = "secret-in-arguments"
	FlagHostProc    = "host-proc"
	FlagDevices     = "devices"
	FlagOverlay     = "overlay"
	FlagPath        = "unclean-path"
	FlagSymlink     = "symlink-destination"
	FlagDescriptor  = "descriptor"
	FlagDescriptors = "descriptor-twice"
	FlagInherited   = "descriptor-inherited"
	FlagHostChange  = "host-change"
	FlagSocket      = "socket"
)

// Flags lists what the options of a command line leave open, sorted by index
// and name. It looks at no host and no launcher; [Table.Flags] and [Inherited] add what
// takes one.
func Flags(s *Sandbox) []Flag {
	f := &flags{s: s}
	f.namespaces()
	f.process()
	f.environment()
	f.files()
	f.descriptors()
	return sorted(f.out)
}

func sorted(list []Flag) []Flag {
	slices.SortStableFunc(list, func(a, b Flag) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Text, b.Text))
	})
	return list
}

type flags struct {
	s   *Sandbox
	out []Flag
}

func (f *flags) add(name string, index int, text string) {
	f.out = append(f.out, Flag{Name: name, Index: index, Text: text})
}

func (f *flags) info(name string, index int, text string) {
	f.out = append(f.out, Flag{Name: name, Index: index, Text: text, Info: true})
}

// all returns the operations of one kind, in order.
func all[T Op](s *Sandbox) []T {
	var out []T
	for _, op := range s.Ops {
		if op, ok := op.(T); ok {
			out = append(out, op)
		}
	}
	return out
}

// ownPID reports whether the sandbox has a process namespace of its own.
func ownPID(s *Sandbox) bool {
	for _, op := range all[Unshare](s) {
		if op.Namespace == PID {
			return true
		}
	}
	for _, op := range all[Join](s) {
		if op.Namespace == PID {
			return true
		}
	}
	return false
}

// namespaces looks at what is shared with the host.
func (f *flags) namespaces() {
	own := map[Namespace]bool{}
	network := -1 // the last --unshare-net
	for _, op := range all[Unshare](f.s) {
		// A cgroup namespace hides names only; where the kernel has none,
		// nothing is lost by trying.
		own[op.Namespace] = own[op.Namespace] || !op.Try || op.Namespace == Cgroup
		if op.Namespace == Network {
			network = op.Index
		}
	}
	for _, n := range []struct {
		ns         Namespace
		name, text string
	}{
		{User, FlagUser, "no user namespace is certain: root keeps capabilities over the host's mounts"},
		{PID, FlagPID, "the host's processes can be signalled, and the sandbox's outlive it"},
		{IPC, FlagIPC, "the host's shared memory and message queues can be reached"},
		{UTS, FlagUTS, "the host's name is shared"},
		{Cgroup, FlagCgroup, "the names of the host's control groups are visible"},
		{Network, FlagNetwork, openNetwork},
	} {
		if !own[n.ns] {
			f.add(n.name, -1, n.text)
		}
	}
	for _, op := range all[ShareNet](f.s) {
		if op.Index > network && own[Network] {
			f.add(FlagNetwork, op.Index, openNetwork)
		}
	}
	for _, op := range all[Join](f.s) {
		f.add(FlagJoin, op.Index, "the sandbox enters a namespace that somebody else made, of which nothing is known")
	}
}

const openNetwork = "the host's network is open: every address, services of this machine, abstract sockets"

// process looks at what a process inside may do.
func (f *flags) process() {
	left, dropped := -1, false // the option that leaves capabilities
	for _, op := range all[Cap](f.s) {
		switch {
		case op.Add:
			left, dropped = op.Index, false
		case op.Name == "ALL":
			left, dropped = -1, true
		}
	}
	if !dropped {
		f.add(FlagCaps, left, "capabilities are left: who has them can unmount and remount what hides files")
	}
	if len(all[Seccomp](f.s)) == 0 {
		f.add(FlagSeccomp, -1, "no system call is filtered: terminal injection, ptrace and local sockets are open")
	}
	on := map[SwitchName]bool{}
	for _, op := range all[Switch](f.s) {
		on[op.Name] = true
		if op.Name == NotABoundary {
			f.add(FlagBoundary, op.Index, "bubblewrap is told that this need not hold anybody back")
		}
	}
	if !on[DisableUserns] && !on[AssertUsernsDisabled] {
		f.info(FlagNested, -1, "user namespaces can be made inside, which opens more of the kernel to attack")
	}
	if !on[NewSession] {
		f.add(FlagSession, -1, "the command shares the terminal's session: unless a filter refuses TIOCSTI, it can type into the terminal")
	}
	if !on[DieWithParent] {
		f.add(FlagParent, -1, "the command goes on when the one that started it has ended")
	}
}

// environment looks at variables.
func (f *flags) environment() {
	for _, op := range all[Setenv](f.s) {
		if ir.EnvLooksSecret(op.Name) {
			f.add(FlagEnvSecret, op.Index, fmt.Sprintf("the value of %q is an argument, which every process of the host can read", op.Name))
		}
	}
	cleared := all[Clearenv](f.s)
	if len(cleared) == 0 {
		f.info(FlagEnv, -1, "the command gets the environment that bubblewrap is started with")
		return
	}
	f.info(FlagEnv, cleared[0].Index, "/proc/1/environ still shows the environment that bubblewrap is started with")
}
