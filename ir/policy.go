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
	Version int    `json:"version" const:"1"`
	Name    string `json:"name"`
	// Workspace, Home and Temp are the directories that "workspace", "home"
	// and "tmp" meant when the policy was loaded.
	Workspace string `json:"workspace"`
	Home      string `json:"home"`
	Temp      string `json:"temp"`
	// Files is the decision list, strongest rule first.
	Files   []FileRule `json:"files"`
	Tmp     Tmp        `json:"tmp,omitzero"`
	Network Network    `json:"network,omitzero"`
	Env     Env        `json:"env,omitzero"`
	Process Process    `json:"process,omitzero"`
	Limits  Limits     `json:"limits,omitzero"`
	Extras  []Extra    `json:"extras,omitempty"`
	Accepts []Accept   `json:"accepts,omitempty"`
	Tests   []Test     `json:"tests,omitempty"`
	// Sources are the policy files that were read, in reading order.
	Sources []Source `json:"sources,omitempty" hash:"-"`
}

// Setting is a scalar of a policy together with where it was said. An unset
// setting has a zero Origin and the default value.
type Setting[T any] struct {
	Value  T      `json:"value"`
	Set    bool   `json:"set"`
	Layer  Layer  `json:"layer"`
	Origin Origin `json:"origin"`
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
	Mode        Setting[NetworkMode]  `json:"mode,omitzero"`
	Loopback    Setting[LoopbackMode] `json:"loopback,omitzero"`
	Allow       []HostRule            `json:"allow,omitempty"`
	Deny        []HostRule            `json:"deny,omitempty"`
	UnixSockets []SocketRule          `json:"unix_sockets,omitempty"`
}

// HostRule is a host pattern with an optional port. "x" is the host itself,
// "*.x" its subdomains, "**.x" both; an IP literal is itself only.
type HostRule struct {
	Host   string `json:"host"`
	Port   uint16 `json:"port,omitzero"` // 0 means every port
	Layer  Layer  `json:"layer"`
	Origin Origin `json:"origin"`
}

// SocketRule is a unix socket that the command may connect to.
type SocketRule struct {
	Path string `json:"path"` // absolute, clean, resolved
	// Written is the path before symbolic links were resolved, or empty.
	Written string `json:"written,omitzero"`
	Layer   Layer  `json:"layer"`
	Origin  Origin `json:"origin"`
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
	Inherit Setting[EnvInherit] `json:"inherit,omitzero"`
	Pass    []EnvRule           `json:"pass,omitempty"`
	Deny    []EnvRule           `json:"deny,omitempty"`
	Set     []EnvVar            `json:"set,omitempty"` // sorted by name, one entry a name
}

// EnvRule is a variable name or a glob over names ("*" and "?").
type EnvRule struct {
	Pattern string `json:"pattern"`
	Layer   Layer  `json:"layer"`
	Origin  Origin `json:"origin"`
}

// EnvVar is a variable with a fixed value.
type EnvVar struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Layer  Layer  `json:"layer"`
	Origin Origin `json:"origin"`
}

// SuperviseMode says how much of what a command does with names is decided at
// the moment when it does it, on a target whose closings otherwise hold only for
// what exists at the start. A target that decides by name anyway has no use for
// it.
type SuperviseMode uint8

// The modes.
const (
	// SuperviseCreate decides every call that makes, links, renames or removes a
	// name. What somebody outside makes meanwhile is not covered for reading.
	SuperviseCreate SuperviseMode = iota
	// SuperviseOpen decides every call that opens something, too.
	SuperviseOpen
	// SuperviseOff decides nothing: closings hold for what exists at the start.
	SuperviseOff
)

// String returns "create", "open" or "off".
func (m SuperviseMode) String() string {
	switch m {
	case SuperviseCreate:
		return "create"
	case SuperviseOpen:
		return "open"
	case SuperviseOff:
		return "off"
	}
	return "invalid supervise mode"
}

// Strictness orders the modes by what they decide: off is 0, create 1, open 2.
func (m SuperviseMode) Strictness() int {
	switch m {
	case SuperviseOff:
		return 0
	case SuperviseCreate:
		return 1
	case SuperviseOpen:
		return 2
	}
	return -1
}

// Process is what a command may do to processes and devices. All is closed by
// default, and the command runs in a new session and is supervised.
type Process struct {
	Ptrace     Setting[bool] `json:"ptrace,omitzero"`     // trace its own processes
	Namespaces Setting[bool] `json:"namespaces,omitzero"` // make nested namespaces
	Terminal   Setting[bool] `json:"terminal,omitzero"`   // keep the caller's session and controlling terminal
	// Supervise says what is decided while the command runs.
	Supervise Setting[SuperviseMode] `json:"supervise,omitzero"`
	Devices   []DeviceRule           `json:"devices,omitempty"`
}

// DeviceRule is a device node, or a directory of them, that stays usable.
type DeviceRule struct {
	Path   string `json:"path"`
	Layer  Layer  `json:"layer"`
	Origin Origin `json:"origin"`
}

// Limits bound a command. An unset limit means none.
type Limits struct {
	Wall      Setting[time.Duration] `json:"wall_ns,omitzero"`
	CPU       Setting[time.Duration] `json:"cpu_ns,omitzero"`
	Memory    Setting[int64]         `json:"memory_bytes,omitzero"` // bytes
	Processes Setting[int64]         `json:"processes,omitzero"`
	OpenFiles Setting[int64]         `json:"open_files,omitzero"`
	FileSize  Setting[int64]         `json:"file_size_bytes,omitzero"` // bytes
	Output    Setting[int64]         `json:"output_bytes,omitzero"`    // bytes of stdout and of stderr that a capture keeps
}

// ExtraMach is the kind of an [Extra] that names a Mach service.
const ExtraMach = "mach_services"

// Extra is something that only one target knows, such as a Mach service.
type Extra struct {
	Target string `json:"target"`
	Kind   string `json:"kind"` // ExtraMach
	Value  string `json:"value"`
	Layer  Layer  `json:"layer"`
	Origin Origin `json:"origin"`
}

// Accept says that the author knows of a loss and takes it.
type Accept struct {
	Code   diag.Code `json:"code"`
	Rule   string    `json:"rule"`            // the address of a rule, or of the list or block that holds it
	Target string    `json:"target,omitzero"` // empty means every target
	Reason string    `json:"reason,omitzero"`
	Layer  Layer     `json:"layer"`
	Origin Origin    `json:"origin"`
}

// Test is a test block: paths that must be permitted or refused. Globs are
// kept as written and absolute.
type Test struct {
	Name   string     `json:"name"`
	Allow  []TestPath `json:"allow,omitempty"`
	Deny   []TestPath `json:"deny,omitempty"`
	Origin Origin     `json:"origin"`
}

// TestPath is one path or glob of a test with its operation.
type TestPath struct {
	Op      Op     `json:"op"`
	Pattern string `json:"pattern"` // absolute, in the syntax of package glob
	Origin  Origin `json:"origin"`
}

// Source is a policy file that was read.
type Source struct {
	File   string `json:"file"`          // the name that ranges use
	Path   string `json:"path,omitzero"` // absolute path on the host; empty for a built-in file
	SHA256 string `json:"sha256"`        // lower-case hexadecimal digest of its content
	Layer  Layer  `json:"layer"`
	Narrow bool   `json:"narrow,omitzero"`
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
