package mounts

// Sandbox is a command line of bubblewrap that has been read.
type Sandbox struct {
	// Args are the arguments in the order in which they count: those that were
	// given, with the contents of every --args behind its descriptor. Every
	// index in this package is one of this list, counted from 0.
	Args []string
	// Ops is everything that the options ask for, in order.
	Ops []Op
	// Files are the descriptors that --args names.
	Files []int
	// Command is what runs inside; none if there are only options.
	Command []string
}

// Place is where an operation stands.
type Place struct {
	Index int // of the option in [Sandbox.Args]
}

// At returns the index of the option in [Sandbox.Args].
func (p Place) At() int { return p.Index }

// Op is one operation of a command line. bwrap(1) has the meaning of each.
//
//sumtype:decl
type Op interface {
	At() int
	op()
}

// Bind is --bind, --ro-bind and --dev-bind, with -try and -fd.
type Bind struct {
	Place
	Source   string // empty if FD is set
	Dest     string
	FD       int // the descriptor that is bound, or -1
	ReadOnly bool
	Devices  bool // devices can be used
	Try      bool // a source that does not exist is left out
}

// Tmpfs is --tmpfs.
type Tmpfs struct {
	Place
	Dest  string
	Perms uint32 // 0755 unless --perms said otherwise
	Size  uint64 // bytes; 0 is the kernel's default, half of the memory
}

// Dir is --dir: a directory, made unless it exists.
type Dir struct {
	Place
	Dest  string
	Perms uint32 // 0755 unless --perms said otherwise
}

// File is --file: the content of a descriptor, copied. Where the destination
// lies in a bind, that writes the host.
type File struct {
	Place
	FD    int
	Dest  string
	Perms uint32 // 0666 unless --perms said otherwise
}

// BindData is --bind-data and --ro-bind-data: the content of a descriptor in a
// new file, which is mounted.
type BindData struct {
	Place
	FD       int
	Dest     string
	Perms    uint32 // 0600 unless --perms said otherwise
	ReadOnly bool
}

// Symlink is --symlink.
type Symlink struct {
	Place
	Target string // the link's text
	Dest   string
}

// Proc is --proc.
type Proc struct {
	Place
	Dest string
}

// Dev is --dev.
type Dev struct {
	Place
	Dest string
}

// Mqueue is --mqueue.
type Mqueue struct {
	Place
	Dest string
}

// RemountRO is --remount-ro: one mount, not those beneath it.
type RemountRO struct {
	Place
	Dest string
}

// Chmod is --chmod.
type Chmod struct {
	Place
	Perms uint32
	Dest  string
}

// OverlayKind tells the kinds of overlays apart.
type OverlayKind uint8

// The kinds of overlays.
const (
	OverlayWritable  OverlayKind = iota + 1 // --overlay
	OverlayTemporary                        // --tmp-overlay
	OverlayReadOnly                         // --ro-overlay
)

// Overlay is --overlay, --tmp-overlay and --ro-overlay with the --overlay-src
// before them.
type Overlay struct {
	Place
	Kind        OverlayKind
	Lower       []string // as they were given, the lowest first
	Upper, Work string   // of a writable one
	Dest        string
}

// Namespace is a kind of namespace.
type Namespace string

// The namespaces that an option can separate from the host's.
const (
	User    Namespace = "user"
	PID     Namespace = "pid"
	IPC     Namespace = "ipc"
	UTS     Namespace = "uts"
	Cgroup  Namespace = "cgroup"
	Network Namespace = "net"
)

// Unshare is --unshare-*; --unshare-all is six of them.
type Unshare struct {
	Place
	Namespace Namespace
	Try       bool // done without where the system refuses
}

// ShareNet is --share-net: it takes back an --unshare-net before it.
type ShareNet struct{ Place }

// Join is --userns, --userns2 and --pidns: a namespace that somebody else made.
type Join struct {
	Place
	Namespace Namespace
	FD        int
	Second    bool // --userns2: entered at the end
}

// Cap is --cap-add and --cap-drop.
type Cap struct {
	Place
	Name string // in upper case: "ALL" or "CAP_..."
	Add  bool
}

// Seccomp is --seccomp and --add-seccomp-fd.
type Seccomp struct {
	Place
	FD  int
	Add bool // --add-seccomp-fd: besides others
}

// Setenv is --setenv.
type Setenv struct {
	Place
	Name, Value string
}

// Unsetenv is --unsetenv.
type Unsetenv struct {
	Place
	Name string
}

// Clearenv is --clearenv.
type Clearenv struct{ Place }

// ID is --uid and --gid.
type ID struct {
	Place
	Group bool
	Value uint32
}

// SwitchName is an option without a value.
type SwitchName string

// The switches.
const (
	NewSession           SwitchName = "--new-session"
	DieWithParent        SwitchName = "--die-with-parent"
	AsPID1               SwitchName = "--as-pid-1"
	DisableUserns        SwitchName = "--disable-userns"
	AssertUsernsDisabled SwitchName = "--assert-userns-disabled"
	LevelPrefix          SwitchName = "--level-prefix"
	NotABoundary         SwitchName = "--not-a-security-boundary"
)

// Switch is an option without a value.
type Switch struct {
	Place
	Name SwitchName
}

// SettingName is an option with a text.
type SettingName string

// The settings.
const (
	Argv0     SettingName = "--argv0"
	Chdir     SettingName = "--chdir"
	Hostname  SettingName = "--hostname"
	ExecLabel SettingName = "--exec-label"
	FileLabel SettingName = "--file-label"
	LockFile  SettingName = "--lock-file"
)

// Setting is an option with a text.
type Setting struct {
	Place
	Name  SettingName
	Value string
}

// DescriptorName is an option that hands bubblewrap a descriptor to talk over.
type DescriptorName string

// The descriptors.
const (
	SyncFD        DescriptorName = "--sync-fd"
	BlockFD       DescriptorName = "--block-fd"
	UsernsBlockFD DescriptorName = "--userns-block-fd"
	InfoFD        DescriptorName = "--info-fd"
	JSONStatusFD  DescriptorName = "--json-status-fd"
)

// Descriptor is an option that hands bubblewrap a descriptor to talk over.
type Descriptor struct {
	Place
	Name DescriptorName
	FD   int
}

func (Bind) op()       {}
func (Tmpfs) op()      {}
func (Dir) op()        {}
func (File) op()       {}
func (BindData) op()   {}
func (Symlink) op()    {}
func (Proc) op()       {}
func (Dev) op()        {}
func (Mqueue) op()     {}
func (RemountRO) op()  {}
func (Chmod) op()      {}
func (Overlay) op()    {}
func (Unshare) op()    {}
func (ShareNet) op()   {}
func (Join) op()       {}
func (Cap) op()        {}
func (Seccomp) op()    {}
func (Setenv) op()     {}
func (Unsetenv) op()   {}
func (Clearenv) op()   {}
func (ID) op()         {}
func (Switch) op()     {}
func (Setting) op()    {}
func (Descriptor) op() {}
