package host

// Facts is what a policy's variables and a target's lowering need to know of a
// machine. Everything is a plain value; [Probe] fills it in.
type Facts struct {
	OS        string // GOOS: "linux", "darwin"
	Arch      string // GOARCH: "amd64", "arm64"
	Kernel    string // release, such as "6.1.0"; empty if not known
	OSVersion string // "14.4.1" on macOS; empty elsewhere
	UID       int
	Home      string // absolute, clean
	Temp      string // the directory for temporary files, absolute, clean
	Cache     string // the user's cache directory, absolute, clean
	Config    string // the user's configuration directory, absolute, clean
	// Sockets are the paths of the unix sockets that are bound at the moment,
	// sorted; from /proc/net/unix on Linux, so without those that other network
	// namespaces or relative names hide.
	Sockets []string
	// Supervise is set if a launcher can decide about system calls of what it
	// starts; see [CanSupervise].
	Supervise bool
	Bwrap     *Bwrap // nil if bubblewrap was not found
}
