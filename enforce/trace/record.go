package trace

import "github.com/sandboxc/sbc/ir"

// Options say what is recorded. The zero value records refusals, and no names
// that are merely missing.
type Options struct {
	// Max is how many different records are kept of what was refused, and again
	// of what was missing; 0 means [DefaultMax]. What comes after is counted.
	Max int
	// Missing says of a path for which a call failed with ENOENT or ENOTDIR
	// whether that is worth a record, for instance because the policy closes it.
	// It is called on the tracing thread while the process waits, once for most
	// paths. Nil means never.
	Missing func(path string) bool
}

// DefaultMax is the number of different records that are kept if the options do
// not say.
const DefaultMax = 1000

// maxText bounds the text of all records together, in bytes: a path can have
// 4,096.
const maxText = 2 << 20

// Record is a call that failed, and how often it failed in the same way.
type Record struct {
	// Call is the system call by its name in the kernel's tables: "openat".
	Call string `json:"call"`
	// Op is what the call wanted of Path: opening to read, changing into,
	// executing and looking are [ir.Read]; opening to write, making and changing
	// are [ir.Write]; removing and renaming are [ir.Unlink]. It is 0 for a
	// connection.
	Op ir.Op `json:"op,omitzero"`
	// Path is absolute and clean, as the process saw it: its current directory
	// and its descriptors are taken into account, and symbolic links are followed
	// where the call follows them, as far as that can be done. It is the path on
	// the host too wherever a mount shows the host's files at their place. For a
	// socket it is the socket's path.
	Path string `json:"path,omitzero"`
	// To is the other path of a rename or link, which it wanted to write.
	To string `json:"to,omitzero"`
	// Dir reports that the call was about a directory: mkdir, rmdir, chdir, and
	// open with O_DIRECTORY.
	Dir bool `json:"dir,omitzero"`
	// Family is the address family of a socket call: "unix", "inet", "inet6",
	// "netlink", or "AF_n".
	Family string `json:"family,omitzero"`
	// Addr is an address and port as "192.0.2.1:443" or "[2001:db8::1]:443", or
	// the name of an abstract socket after an @.
	Addr string `json:"addr,omitzero"`
	// Errno is the error's name, see errno(3): "EACCES".
	Errno string `json:"errno"`
	// Decided is set if the policy was asked and refused it, and not the kernel.
	Decided bool `json:"decided,omitzero"`
	// PID is the process that did it first, by its number on the host.
	PID int `json:"pid"`
	// Exe is the program of that process, as a path in the sandbox; empty if it
	// could not be told any more.
	Exe string `json:"exe,omitzero"`
	// Count is how often it happened, at least 1.
	Count int `json:"count"`
}

// Lost counts the failed calls that no record tells of.
type Lost struct {
	// Beyond is how many there were after the bounds had been met, of refusals
	// that are not among the records.
	Beyond int `json:"beyond,omitzero"`
	// Unread is how many had a path or address that could not be read: the
	// process had been killed, or its memory was gone.
	Unread int `json:"unread,omitzero"`
}

// Plus adds two counts.
func (l Lost) Plus(m Lost) Lost {
	return Lost{Beyond: l.Beyond + m.Beyond, Unread: l.Unread + m.Unread}
}
