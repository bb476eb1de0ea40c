package grant

import (
	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/ir"
)

// candidates returns the grants that may answer a violation, the smallest first,
// and one that is too broad to be proposed, if there is one.
func (o *Options) candidates(op ir.Op, v classify.Violation) (out []Grant, tooBroad string) {
	add := func(a Access, path string) {
		if o.broad(path) {
			tooBroad = path
			return
		}
		out = append(out, Grant{Access: a, Path: path, Rule: v.Rule, Request: o.Request})
	}
	if op == ir.Read {
		add(Read, v.Path)
		return out, tooBroad
	}
	// A mount needs something to stand on, so a name that is to be made is opened
	// by the directory that it is made in.
	if dir, ok := o.place(v.Path); ok {
		add(Write, dir)
		return out, tooBroad
	}
	add(Write, v.Path)
	if op == ir.Unlink { // a name is removed from its directory
		add(Write, ir.Parent(v.Path))
	}
	return out, tooBroad
}

// place returns the directory that must be open so that a missing path can be
// made on Linux: the deepest one above it that exists. ok is false where the path
// itself can be opened, or its directory is open already.
func (o *Options) place(path string) (dir string, ok bool) {
	if o.Target != ir.Linux || o.Exists == nil || o.Exists(path) {
		return "", false
	}
	parent := ir.Query{Target: o.Target, Op: ir.Write, Path: ir.Parent(path), Dir: true}
	if o.Policy.Decide(parent).Effect == ir.Allow {
		return "", false
	}
	dir = ir.Parent(path)
	for dir != "/" && !o.Exists(dir) {
		dir = ir.Parent(dir)
	}
	return dir, true
}

// broad reports whether a path holds so much that it is never proposed: the whole
// system, or the home directory with all that programs read at their start.
func (o *Options) broad(path string) bool {
	return path == "/" || ir.Beneath(o.Policy.Home, path)
}
