package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// proofCache remembers which outputs have been proved, since the automata of a
// profile take longer than everything else of a compilation. A file in the
// user's cache stands for one proof that held: of this output, for this policy
// with these claims, by this very program. Only the owner may read or write
// there, and no compiled policy lets a command do so.
//
// Whatever is not as expected counts as no answer, and nothing that goes wrong
// here is an error: then the proof is made.
type proofCache struct{ dir ownDir }

// proofs returns the cache, or an empty one where it cannot be trusted.
func (l *loaded) proofs() proofCache {
	cache := l.machine.facts.Cache
	if l.machine.name != hostLive || !filepath.IsAbs(cache) {
		return proofCache{}
	}
	dir := filepath.Join(cache, "sbc", "proofs")
	if opens(l.policy, dir) {
		return proofCache{} // it is closed again, and is not made for this
	}
	return proofCache{dir: ownDir(dir)}
}

// opens reports whether a rule of the policy opens a directory for writing,
// whatever closes it again.
func opens(p *ir.Policy, dir string) bool {
	return slices.ContainsFunc(p.Files, func(r ir.FileRule) bool { return r.Write == ir.Allow && r.Match.Matches(dir, glob.Exact) })
}

// hasFor is has for a proof that asked the host: it holds on if the host gives
// the same answers to what was asked then.
func (c proofCache) hasFor(key string, view *host.Memo) bool {
	text, ok := c.dir.read(key)
	var asked host.Transcript
	return ok && gob.NewDecoder(bytes.NewReader(text)).Decode(&asked) == nil && asked.Holds(view)
}

// addFor is add for a proof that asked the host.
func (c proofCache) addFor(key string, view *host.Memo) {
	var text bytes.Buffer
	if gob.NewEncoder(&text).Encode(view.Transcript()) == nil && text.Len() <= maxFile {
		c.dir.trim(keptProofs)
		c.dir.write(key, text.Bytes())
	}
}

// keptProofs is how many proofs that asked the host are kept.
const keptProofs = 256

// memo is the host that a proof is made against, if its answers are kept.
func (l *loaded) memo() *host.Memo {
	m, _ := l.machine.view.(*host.Memo)
	return m
}

// proofKey names a proof.
func (l *loaded) proofKey(x lowered) (string, bool) {
	program, ok := programIdentity()
	if !ok || x.judgement.Target != ir.Darwin && l.memo() == nil {
		return "", false
	}
	text, err := x.artifact.Render(target.Text)
	if err != nil {
		return "", false
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte("sbc proof 3"), []byte(program), []byte(x.judgement.Target), ir.Canonical(l.policy), text} {
		fmt.Fprintf(h, "%d:", len(part)) // so that parts cannot run into each other
		h.Write(part)
	}
	for _, e := range x.report.Entries {
		if e.Verdict != target.Exact || e.Watch != target.WatchNothing {
			fmt.Fprintln(h, e.Index, e.Verdict, e.Code, e.Watch)
		}
	}
	if a, ok := x.artifact.(*bwrap.Artifact); ok {
		fmt.Fprintln(h, prove.Watched(&a.Plan)) // the text has only what bubblewrap does
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

// programIdentity tells this program from any other one: what it says it was
// built from, and which file it is. A file that was built again is another one.
func programIdentity() (string, bool) {
	name, err := os.Executable()
	if err != nil {
		return "", false
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("%s %d:%d %d %d", versionText(), st.Dev, st.Ino, info.Size(), info.ModTime().UnixNano()), true
}

// has reports whether the proof has been made before.
func (c proofCache) has(key string) bool {
	text, ok := c.dir.read(key)
	return ok && string(text) == key+"\n"
}

// add remembers a proof.
func (c proofCache) add(key string) { c.dir.write(key, []byte(key+"\n")) }

// ownerOnly reports whether a path is of the type, belongs to this user, and is
// open to nobody else.
func ownerOnly(name string, typ fs.FileMode) bool {
	info, err := os.Lstat(name)
	return err == nil && ownedFile(info, typ)
}

func ownedFile(info fs.FileInfo, typ fs.FileMode) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Type() == typ && info.Mode().Perm()&0o077 == 0 && int(st.Uid) == os.Geteuid()
}
