package bwrap

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
)

// state is what the host has at a node.
type state uint8

const (
	unseen  state = iota // not looked at yet
	present              // it exists
	absent               // it does not exist, and could be made
	blocked              // it lies beneath something that is no directory
	linked               // it lies beneath a symbolic link: the kernel decides about another path
	hidden               // the host may not look there, so neither may the command
	unknown              // there is no host view
)

// node is one path that the lowering looks at.
type node struct {
	path   string
	name   string
	parent *node
	kids   map[string]*node

	state state
	host  host.Node // valid if present; from a walk it may hold only the type

	// named marks a path at which the decision can differ from its parent's: a
	// rule's own path, a match of a glob or of an exception, an alias.
	named   bool
	base    bool  // the base of a glob: beneath it a walk may have to read directories
	opens   bool  // an opening rule names this very path
	rules   []int // the rules that name this very path
	created bool  // the launcher makes it

	pin     bool
	pins    []int  // the rules whose protection a rename would carry away
	folds   []int  // the rules whose pattern closes every name in the directory
	device  bool   // a device rule names it
	listed  bool   // a socket rule names it
	sockets bool   // beneath it a walk looks for sockets
	symlink bool   // a link to make again where the host's is not seen
	text    string // the link's text

	limit Access // the most that aliases and sockets leave
	alias string // what the limit comes from

	// Set by decide.
	decided  bool
	want     Access
	listable bool // a directory that may be listed although its content is closed
	private  bool // the rule that opens it gives private storage
	readBy   int  // the rules that decide, -1 for none
	writeBy  int

	// Set by the layout.
	placed   bool
	where    place  // what the parent is made of
	inside   place  // what its own content is made of
	have     Access // what the parent's mount gives
	given    Access // what the command gets
	folded   bool   // one mount closes every name in the directory
	overFold bool   // and those that an exception leaves open too
	reserved bool   // a placeholder stands here
	mount    int    // index of the mount made here, or -1
	most     Access // the most that is given here or below, plus 1; 0 if not computed
}

func newNode(path, name string, parent *node) *node {
	return &node{path: path, name: name, parent: parent, limit: Writable, mount: -1, readBy: -1, writeBy: -1}
}

// tree is the set of nodes, by path.
type tree struct {
	view  host.View
	blind bool // there is no host view
	root  *node
}

func newTree(v host.View) *tree {
	_, blind := v.(host.Empty)
	t := &tree{view: v, blind: blind, root: newNode("/", "", nil)}
	t.root.named = true
	t.root.state, t.root.host = present, host.Node{Type: host.Dir}
	return t
}

// at returns the node of an absolute, clean path, made if there is none.
func (t *tree) at(path string) *node {
	n := t.root
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name != "" {
			n = n.kid(name)
		}
	}
	return n
}

// find returns the deepest node at or above path.
func (t *tree) find(path string) *node {
	n := t.root
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "" {
			continue
		}
		next := n.kids[name]
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func (n *node) kid(name string) *node {
	k := n.kids[name]
	if k == nil {
		path := n.path + "/" + name
		if n.parent == nil {
			path = "/" + name
		}
		k = newNode(path, name, n)
		if n.kids == nil {
			n.kids = map[string]*node{}
		}
		n.kids[name] = k
	}
	return k
}

// by returns the rules that decide about the node.
func (n *node) by() []int { return ruleList(n.readBy, n.writeBy) }

// causes returns the rules that a mount at the node comes from: those that
// make it differ from what the parent's mount gives.
func (n *node) causes() []int {
	switch {
	case n.want == Closed:
		return ruleList(n.readBy, n.writeBy)
	case n.want == ReadOnly && n.have == Closed:
		return ruleList(n.readBy)
	case n.want == ReadOnly, n.want == Writable:
		return ruleList(n.writeBy)
	}
	return nil
}

// ruleList drops what is no rule, and repetitions.
func ruleList(rules ...int) []int {
	var out []int
	for _, r := range rules {
		if r >= 0 && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// sorted returns the children by name in byte order.
func (n *node) sorted() []*node {
	out := make([]*node, 0, len(n.kids))
	for _, name := range slices.Sorted(maps.Keys(n.kids)) {
		out = append(out, n.kids[name])
	}
	return out
}

// dir reports whether a directory exists at the node.
func (n *node) dir() bool { return n.state == present && n.host.Type == host.Dir }

// look fills in what the host has at the node; each node is looked at once,
// its parents first, so that no link is ever followed.
func (t *tree) look(n *node) {
	if n.state != unseen {
		return
	}
	t.look(n.parent)
	switch p := n.parent; {
	case t.blind:
		n.state = unknown
		return
	case p.state != present:
		n.state = p.state
		return
	case p.host.Type == host.Link:
		n.state = linked
		return
	case p.host.Type != host.Dir:
		n.state = blocked
		return
	}
	h, err := t.view.Lstat(n.path)
	switch {
	case err == nil:
		n.state, n.host = present, h
	case errors.Is(err, fs.ErrNotExist):
		n.state = absent
	default:
		n.state = hidden
	}
}

// link returns the symbolic link that a linked node lies beneath.
func (n *node) link() *node {
	for n.state == linked {
		n = n.parent
	}
	return n
}

// missing returns the first component of an absent node's path that does not
// exist.
func (n *node) missing() *node {
	for n.parent.state == absent {
		n = n.parent
	}
	return n
}
