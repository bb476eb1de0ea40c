package doctor

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// sysctl is a setting that can forbid user namespaces.
type sysctl struct {
	name   string
	bad    string // the value that forbids them
	root   bool   // it holds for root, too
	remedy string
}

func sysctls() []sysctl {
	return []sysctl{
		{"user.max_user_namespaces", "0", true, "Set it with sysctl -w user.max_user_namespaces=10000."},
		{"kernel.unprivileged_userns_clone", "0", false, "Set it with sysctl -w kernel.unprivileged_userns_clone=1."},
		{
			"kernel.apparmor_restrict_unprivileged_userns", "1", false,
			`Install an AppArmor profile that has "userns," for bwrap; do not turn the restriction off for all programs.`,
		},
	}
}

// explainSysctls adds to a failed check which settings of the kernel are to
// blame. A setting alone is no failure: bubblewrap may be exempt.
func explainSysctls(c Check, uid int, readFile func(string) ([]byte, error)) Check {
	if c.Status == OK {
		return c
	}
	for _, s := range sysctls() {
		data, err := readFile("/proc/sys/" + strings.ReplaceAll(s.name, ".", "/"))
		if err != nil || strings.TrimSpace(string(data)) != s.bad || uid == 0 && !s.root {
			continue
		}
		c.Code = diag.CodeUsernsDisabled
		c.Detail += fmt.Sprintf(" %s is %s.", s.name, s.bad)
		c.Remedy = s.remedy
	}
	return c
}

// landlock asks for the Landlock ABI. Nothing depends on it yet.
func landlock(m Machine) Check {
	abi, err := m.Landlock()
	if err != nil {
		return Check{
			Name: "landlock", Status: Warn, Code: diag.CodeLandlock,
			Detail: fmt.Sprintf("The kernel has no Landlock (%v). Compiled policies do not need it.", err),
			Remedy: `Use Linux 5.13 or newer with "landlock" in the list of security modules (lsm=).`,
		}
	}
	return Check{Name: "landlock", Status: OK, Detail: fmt.Sprintf("The kernel has version %d of its ABI.", abi)}
}

// supervise asks whether a launcher can decide about calls while a command runs.
func supervise(f host.Facts, m Machine) Check {
	err := host.CanSupervise(f.Kernel, m.Sources.ReadFile)
	if err == nil && !f.Supervise {
		err = errors.New("this process may not load such a filter, as in some containers")
	}
	if err != nil {
		return Check{
			Name: "supervise", Status: Warn, Code: diag.CodeSupervise,
			Detail: fmt.Sprintf("Closed names that do not exist yet cannot be held by asking at each call: %v.", err),
			Remedy: "Use Linux 5.19 or newer with seccomp filters. Without it placeholders keep single names, and what appears under other closed names is looked for after the run.",
		}
	}
	return Check{Name: "supervise", Status: OK, Detail: "The kernel lets a launcher decide about calls that make, rename or remove a name."}
}

// controllers are those that limits need, sorted.
func controllers() []string { return []string{"cpu", "memory", "pids"} }

// cgroup asks whether limits can be put on a group of processes (cgroups(7)).
func cgroup(m Machine) Check {
	c := Check{
		Name: "cgroup", Status: Warn, Code: diag.CodeCgroup,
		Remedy: "Start sbc in a group that it may divide: systemd-run --user --scope -p Delegate=yes sbc ... Without one, limits on memory and processes hold for each process.",
	}
	dir, err := ownCgroup(m.Sources)
	if err != nil {
		c.Detail = fmt.Sprintf("There is no cgroup of version 2 for this process: %v.", err)
		return c
	}
	data, err := m.Sources.ReadFile(path.Join(dir, "cgroup.controllers"))
	if err != nil {
		c.Detail = fmt.Sprintf("The controllers of %s cannot be read: %v.", dir, err)
		return c
	}
	var lacks []string
	have := strings.Fields(string(data))
	for _, name := range controllers() {
		if !slices.Contains(have, name) {
			lacks = append(lacks, name)
		}
	}
	switch {
	case len(lacks) > 0:
		c.Detail = fmt.Sprintf("The cgroup %s lacks the controllers %s.", dir, strings.Join(lacks, ", "))
	case !m.Writable(dir) || !m.Writable(path.Join(dir, "cgroup.procs")) || !m.Writable(path.Join(dir, "cgroup.subtree_control")):
		c.Detail = fmt.Sprintf("The cgroup %s may not be divided by this user.", dir)
	default:
		return Check{Name: "cgroup", Status: OK, Detail: fmt.Sprintf("The cgroup %s may be divided and has the controllers %s.", dir, strings.Join(controllers(), ", "))}
	}
	return c
}

// ownCgroup returns the directory of the cgroup of version 2 that this process
// is in.
func ownCgroup(s host.Sources) (string, error) {
	data, err := s.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	mounts, err := s.View.Mounts()
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(data)) {
		own, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::")
		if !ok {
			continue
		}
		for _, m := range slices.Backward(mounts) {
			below, inside := strings.CutPrefix(own+"/", strings.TrimSuffix(m.Root, "/")+"/")
			if m.FSType == "cgroup2" && inside && !strings.HasPrefix(own, "/..") {
				return path.Join(m.Point, below), nil
			}
		}
		return "", fmt.Errorf("%s is not mounted", own)
	}
	return "", fmt.Errorf("/proc/self/cgroup names none")
}
