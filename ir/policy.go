package ir

import (
	"time"

	"github.com/sandboxc/sbc/ir/diag"
)

// Names of the targets.
const (
	Darwin = "darwin"
	Linux  = "linux"
)

// Policy is one effective policy: all layers merged, every path absolute and
// clean, every rule in its place in the decision list.
type Policy struct {
	// Version is the version of the policy language, 1.
	Version int
	Name    string
	// Workspace, Home and Temp are the directories that "workspace", "home"
	// and "tmp" meant when the policy was loaded.
	Workspace string
	Home      string
	Temp      string
	// Files is the decision list, strongest rule first.
	Files   []FileRule
	Tmp     Tmp
	Network Network
	Env     Env
	Process Process
	Limits  Limits
	Extras  []Extra
	Accepts []Accept
	Tests   []Test
	// Sources are the policy files that were read, in reading order.
	Sources []Source
}

// Setting is a scalar of a policy together with where it was said. An unset
// setting has a zero Origin and the default value.
type Setting[T any] struct {
	Value  T
	Set    bool
	Layer  Layer
	Origin Origin
}

// TmpMode says which temporary directories a command sees.
type TmpMode uint8

// The modes.
const (
	TmpShared  TmpMode = iota // the host's temporary directories, writable
	TmpPrivate                // a fresh one for each run
)

// String returns "shared" or "private".
func (m TmpMode) String() string {
	switch m {
	case TmpShared:
		return "shared"
	case TmpPrivate:
		return "private"
	}
	return "invalid tmp mode"
}

// Tmp is the policy's choice of temporary directories; the rules that follow
// from it are in Policy.Files.
type Tmp = Setting[TmpMode]

// NetworkMode says what a command can reach.
type NetworkMode uint8

// The modes.
const (
	NetNone  NetworkMode = iota // nothing
	NetProxy                    // the launcher's proxy only, by the host rules
	NetFull                     // everything
)

// String returns "none", "proxy" or "full".
func (m NetworkMode) String() string {
	switch m {
	case NetNone:
		return "none"
	case NetProxy:
		return "proxy"
	case NetFull:
		return "full"
	}
	return "invalid network mode"
}

// LoopbackMode says what 127.0.0.1 and ::1 are to a command.
type LoopbackMode uint8

// The modes. Unset means LoopbackHost under [NetFull], else LoopbackNone.
const (
	LoopbackNone    LoopbackMode = iota // nothing on the host's loopback; a private loopback is harmless and may exist
	LoopbackSandbox                     // the command's own servers and clients reach each other, nothing else
	LoopbackHost                        // the host's loopback services
)

// String returns "none", "sandbox" or "host".
func (m LoopbackMode) String() string {
	switch m {
	case LoopbackNone:
		return "none"
	case LoopbackSandbox:
		return "sandbox"
	case LoopbackHost:
		return "host"
	}
	return "invalid loopback mode"
}

// Network is the network part of a policy. A host that both Allow and Deny
// match is denied.
type Network struct {
	Mode        Setting[NetworkMode]
	Loopback    Setting[LoopbackMode]
	Allow       []HostRule
	Deny        []HostRule
	UnixSockets []SocketRule
}

// HostRule is a host pattern with an optional port. "x" is the host itself,
// "*.x" its subdomains, "**.x" both; an IP literal is itself only.
type HostRule struct {
	Host   string
	Port   uint16 // 0 means every port
	Layer  Layer
	Origin Origin
}

// SocketRule is a unix socket that the command may connect to.
type SocketRule struct {
	Path string // absolute, clean, resolved
	// Written is the path before symbolic links were resolved, or empty.
	Written string
	Layer   Layer
	Origin  Origin
}

// EnvInherit says which variables of the caller a command starts from.
type EnvInherit uint8

// The choices. Core is PATH HOME USER LOGNAME SHELL TERM LANG LC_* TZ TMPDIR
// and the variables that name certificate files.
const (
	EnvCore EnvInherit = iota
	EnvNone
	EnvAll
)

// String returns "core", "none" or "all".
func (e EnvInherit) String() string {
	switch e {
	case EnvCore:
		return "core"
	case EnvNone:
		return "none"
	case EnvAll:
		return "all"
	}
	return "invalid inherit"
}

// Env is the environment part of a policy. Deny beats Pass; Set beats both.
type Env struct {
	Inherit Setting[EnvInherit]
	Pass    []EnvRule
	Deny    []EnvRule
	Set     []EnvVar // sorted by name, one entry a name
}

// EnvRule is a variable name or a glob over names ("*" and "?").
type EnvRule struct {
	Pattern string
	Layer   Layer
	Origin  Origin
}

// EnvVar is a variable with a fixed value.
type EnvVar struct {
	Name   string
	Value  string
	Layer  Layer
	Origin Origin
}

// Process is what a command may do to processes and devices. All is closed by
// default, and the command runs in a new session.
type Process struct {
	Ptrace     Setting[bool] // trace its own processes
	Namespaces Setting[bool] // make nested namespaces
	Terminal   Setting[bool] // keep the caller's session and controlling terminal
	Devices    []DeviceRule
}

// DeviceRule is a device node, or a directory of them, that stays usable.
type DeviceRule struct {
	Path   string
	Layer  Layer
	Origin Origin
}

// Limits bound a command. An unset limit means none.
type Limits struct {
	Wall      Setting[time.Duration]
	CPU       Setting[time.Duration]
	Memory    Setting[int64] // bytes
	Processes Setting[int64]
	OpenFiles Setting[int64]
	FileSize  Setting[int64] // bytes
	Output    Setting[int64] // bytes of stdout and of stderr that a capture keeps
}

// ExtraMach is the kind of an [Extra] that names a Mach service.
const ExtraMach = "mach_services"

// Extra is something that only one target knows, such as a Mach service.
type Extra struct {
	Target string
	Kind   string // ExtraMach
	Value  string
	Layer  Layer
	Origin Origin
}

// Accept says that the author knows of a loss and takes it.
type Accept struct {
	Code   diag.Code
	Rule   string // the address of a rule, or of the list or block that holds it
	Target string // empty means every target
	Reason string
	Layer  Layer
	Origin Origin
}

// Test is a test block: paths that must be permitted or refused. Globs are
// kept as written and absolute.
type Test struct {
	Name   string
	Allow  []TestPath
	Deny   []TestPath
	Origin Origin
}

// TestPath is one path or glob of a test with its operation.
type TestPath struct {
	Op      Op
	Pattern string // absolute, in the syntax of package glob
	Origin  Origin
}

// Source is a policy file that was read.
type Source struct {
	File   string // the name that ranges use
	Path   string // absolute path on the host; empty for a built-in file
	SHA256 string // lower-case hexadecimal digest of its content
	Layer  Layer
	Narrow bool
}

// EffectiveLoopback is the loopback mode that applies: what the policy says,
// otherwise host under full network and none elsewhere.
func (n *Network) EffectiveLoopback() LoopbackMode {
	if n.Loopback.Set {
		return n.Loopback.Value
	}
	if n.Mode.Value == NetFull {
		return LoopbackHost
	}
	return LoopbackNone
}
