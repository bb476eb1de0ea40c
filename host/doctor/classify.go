package doctor

import (
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
)

// finding is what a message of bubblewrap means.
type finding struct {
	text    string // a part of the message
	code    diag.Code
	meaning string
	remedy  string
}

// findings lists messages of bubblewrap 0.8 to 0.13, the more special ones
// first.
func findings() []finding {
	const outside = "Start sbc outside of the sandbox that it is in."
	return []finding{
		{
			"No permissions to creat", diag.CodeUsernsDisabled,
			"New namespaces are refused, by a setting of the kernel or by the seccomp program of a container.",
			"On the machine itself set kernel.unprivileged_userns_clone=1 where that exists; in a container permit unshare, clone and mount in its seccomp profile.",
		},
		{
			"max_*_namespaces exceeded", diag.CodeUsernsDisabled,
			"No further namespaces can be made: the limit is reached or zero, or an outer sandbox turned them off.",
			"Raise user.max_user_namespaces and its like, or start sbc outside of the sandbox that it is in.",
		},
		{
			"setting up uid map: Permission denied", diag.CodeUsernsDisabled,
			"AppArmor restricts user namespaces of ordinary users (Ubuntu 23.10 and newer).",
			`Install an AppArmor profile that has "userns," for bwrap; the package apparmor-profiles brings one, bwrap-userns-restrict. Do not turn the restriction off for all programs.`,
		},
		{
			"loopback: Failed RTM_NEWADDR", diag.CodeUsernsDisabled,
			"A network namespace can be made but not set up: its creator has no rights in it, as under AppArmor's restriction of user namespaces, or the kernel is not Linux, as under gVisor.",
			`Install an AppArmor profile that has "userns," for bwrap, or start sbc outside of the container.`,
		},
		{
			"setting up uid map: Read-only file system", diag.CodeProcRestricted,
			"/proc is read-only here, so that a user namespace cannot be set up.",
			"Start the container with a writable /proc, or start sbc outside of it.",
		},
		{
			"/proc/sys/user/max_user_namespaces: Read-only file system", diag.CodeProcRestricted,
			"/proc/sys is read-only here, so that user namespaces cannot be turned off inside of the sandbox.",
			"Start the container with a writable /proc/sys, or start sbc outside of it.",
		},
		{
			"Can't mount proc on", diag.CodeProcRestricted,
			"Parts of /proc are hidden here, as containers do, and then the kernel permits no new /proc.",
			"Start the container with the whole /proc (docker: --security-opt systempaths=unconfined; podman: --security-opt unmask=ALL), or start sbc outside of it.",
		},
		{
			"PR_SET_SECCOMP", diag.CodeSeccompMissing,
			"The kernel takes no seccomp program.",
			"Use a kernel that has seccomp filters (CONFIG_SECCOMP_FILTER).",
		},
		{
			"Unknown option", diag.CodeFeatureMissing,
			"bubblewrap does not know an option.",
			"Install bubblewrap " + oldest + " or newer.",
		},
		{
			"Failed to make / slave", diag.CodeStartFailed,
			"Mounts are forbidden here, as they are under Landlock.",
			outside,
		},
		{
			"Unexpected capabilities but not setuid", diag.CodeStartFailed,
			"This process has capabilities without being root, and bubblewrap refuses to start with them.",
			"Drop them: setpriv --inh-caps=-all --ambient-caps=-all sbc ...",
		},
		{
			"pivot_root: Invalid argument", diag.CodeStartFailed,
			"The root directory is no mount of its own, as in an initramfs.",
			"Start sbc where the root is a mounted file system.",
		},
		{
			"setting up uid map", diag.CodeUsernsDisabled,
			"A user namespace can be made but not set up.",
			outside,
		},
		{
			"Creating new namespace failed", diag.CodeUsernsDisabled,
			"New namespaces are refused.",
			"Use a kernel that has user namespaces (CONFIG_USER_NS), and start sbc outside of other sandboxes.",
		},
	}
}

// classify says what a message of bubblewrap means.
func classify(stderr string) finding {
	for _, f := range findings() {
		if strings.Contains(stderr, f.text) {
			return f
		}
	}
	return finding{code: diag.CodeStartFailed, meaning: "The sandbox does not start."}
}
