package request

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// Request is a command as it will run.
type Request struct {
	// Argv is the command: the absolute path of the program, then the arguments.
	Argv []string
	// Dir is the directory in which it starts, absolute and without links.
	Dir string
	// Policy is the hash of the policy that it runs under.
	Policy string
}

// Hash is a SHA-256, in hexadecimal, of everything in the request. The number of
// the arguments and the length of each count, so that no two requests have one
// text.
func (r Request) Hash() string {
	h := sha256.New()
	put(h, "sbc request 1")
	put(h, r.Dir)
	put(h, r.Policy)
	for _, a := range r.Argv {
		put(h, a)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Command is the hash of the request without its policy: it stays the same when
// a grant is added.
func (r Request) Command() string {
	r.Policy = ""
	return r.Hash()
}

func put(h hash.Hash, s string) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(s)))
	h.Write(n[:])
	h.Write([]byte(s))
}
