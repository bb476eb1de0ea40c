package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/sandboxc/sbc/enforce/audit"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target/bwrap"
)

// What sbc run compiles is kept, since the same command is run many times on a
// machine that hardly changes. Everything between the command line and the mount
// plan depends on what it asks for, and on nothing else: variables, files, the
// facts of the machine, and the view of its file system. So a plan is kept with
// all of these questions and a digest of the answers, and is used again if each
// of them is answered the same. Only what was proved is kept, and only this very
// program uses it.

// keptStarts is how many plans are kept.
const keptStarts = 64

// keptStart is a plan and what it depends on.
type keptStart struct {
	Witness witness
	Host    host.Transcript
	Facts   host.Facts
	Account string // the home directory that the user database has

	Artifact bwrap.Artifact
	Hash     string
	Name     string
	Env      ir.Env
	Output   int64
	Wall     time.Duration
	Verdicts []audit.Verdict
	Accepted []string
	Diags    diag.List
	Policy   []byte // as ir.Encode prints it
}

// starts is where plans are kept.
func starts(cache string) ownDir {
	if !filepath.IsAbs(cache) {
		return ""
	}
	return ownDir(filepath.Join(cache, "sbc", "starts"))
}

// startKey names a plan by everything that is known before anything is asked.
// There is none for a policy that is read from stdin.
func (x *execution) startKey(home string) (string, bool) {
	program, ok := programIdentity()
	wd, err := x.app.getwd()
	f := x.flags
	if !ok || err != nil || f.policy == "-" || f.user == "-" || slices.Contains(f.narrow, "-") {
		return "", false
	}
	groups, err := os.Getgroups() // what may be listed depends on them
	if err != nil {
		return "", false
	}
	h := sha256.New()
	put := func(words ...string) {
		fmt.Fprintf(h, "%d", len(words))
		for _, w := range words {
			fmt.Fprintf(h, " %d:%s", len(w), w)
		}
	}
	put("sbc start 2", program, wd, home, f.policy, f.audit, f.workspace, f.user)
	put(fmt.Sprint(f.workspaceSet, f.userSet, f.noUser, f.strict, f.scan, os.Geteuid(), os.Getegid(), groups))
	for _, list := range [][]string{f.read, f.write, f.narrow, f.vars, f.accept} {
		put(list...)
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

// kept returns a plan that was kept if it would come out the same now.
func (x *execution) kept(home string) *compiled {
	a := x.app
	key, ok := x.startKey(home)
	if !ok {
		return nil
	}
	facts, err := a.liveFacts(true)
	if err != nil {
		return nil
	}
	text, ok := starts(facts.Cache).read(key)
	if !ok {
		return nil
	}
	var k keptStart
	if gob.NewDecoder(bytes.NewReader(text)).Decode(&k) != nil || !reflect.DeepEqual(k.Facts, facts) || k.Account != a.accountHome() {
		return nil
	}
	wd, err := a.getwd()
	if err != nil {
		return nil
	}
	cache := newFileCache(a, wd, facts.Home)
	_, view, err := hidePlaceholders(a.live, home)
	if err != nil || !k.Witness.holds(a.lookup, cache.ReadFile) || !k.Host.Holds(view) {
		return nil
	}
	return &compiled{
		artifact: &k.Artifact, target: ir.Linux, hash: k.Hash, name: k.Name, facts: facts, env: k.Env, output: k.Output, wall: k.Wall,
		verdicts: k.Verdicts, accepted: k.Accepted, diags: k.Diags, source: cache.Source, view: view,
		policy: func() (*ir.Policy, error) {
			p, ds := ir.Decode(k.Policy, "policy")
			if p == nil {
				return nil, errors.New(ds[0].Summary)
			}
			return p, nil
		},
	}
}

// keep keeps what was compiled, for the next run.
func (x *execution) keep(l *loaded, c *compiled, w *witness) {
	art, ok := c.artifact.(*bwrap.Artifact)
	memo, isMemo := c.view.(*host.Memo)
	key, named := x.startKey(stateHome(x.app.env, c.facts.Home))
	dir := starts(c.facts.Cache)
	if !ok || !isMemo || !named || w.fail || opens(l.policy, string(dir)) || bounded(c.diags) {
		return
	}
	var text bytes.Buffer
	err := gob.NewEncoder(&text).Encode(keptStart{
		Witness: *w, Host: memo.Transcript(), Facts: c.facts, Account: x.app.accountHome(),
		Artifact: *art, Hash: c.hash, Name: c.name, Env: c.env, Output: c.output, Wall: c.wall, Verdicts: c.verdicts, Accepted: c.accepted, Diags: c.diags,
		Policy: ir.Encode(l.policy),
	})
	if err == nil && text.Len() <= maxFile {
		dir.trim(keptStarts)
		dir.write(key, text.Bytes())
	}
}

// bounded reports whether a search met its budget: another one may get further.
func bounded(ds diag.List) bool {
	return slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == diag.CodeScanBudget })
}
