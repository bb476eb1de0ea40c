package bwrap

// Access is what a command may do with a file or, for a directory, with the
// directory and whatever lies beneath it that no other node names.
type Access uint8

// The accesses, smallest first, so that they compare.
const (
	Closed   Access = iota // neither
	ReadOnly               // read, list, execute
	Writable               // everything
)

// String returns "closed", "read-only" or "writable".
func (a Access) String() string {
	switch a {
	case Closed:
		return "closed"
	case ReadOnly:
		return "read-only"
	case Writable:
		return "writable"
	}
	return "invalid access"
}

// place is what a directory is made of inside the sandbox.
type place uint8

const (
	onHost  place = iota // the host's files, bound
	inMade               // an empty file system of ours: a mask, or a root of made parents
	inTmp                // private storage that starts empty
	inDev                // the sandbox's own /dev
	inProc               // the sandbox's own /proc
	nowhere              // beneath something that has no names: a file, a link
)

// private reports whether the place belongs to the sandbox alone.
func (p place) private() bool { return p == inTmp || p == inDev || p == inProc }
