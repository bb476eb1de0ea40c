package snapshot

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// pattern is one pattern of the walk.
type pattern struct {
	rule   int
	except bool
	pin    bool
}

// found are the paths that a rule's pattern and its exceptions match.
type found struct{ pattern, except []string }

// walk goes through the directories of a host once, for all globs.
type walk struct {
	policy  *ir.Policy
	decider *ir.Decider
	view    host.View
	opts    Options

	// Three sets of patterns: those that close reading, those that only close
	// writing, and the exceptions.
	sets    [3]*glob.Set
	owners  [3][]pattern
	open    map[string]bool // directories above something that a rule opens by name
	kernel  map[string]bool // mounts of the kernel's own file systems
	found   []found
	pins    []string
	types   map[string]host.Type
	unread  []string
	entries int
	short   bool
}

const (
	reading = iota
	writing
	excepting
)

func newWalk(p *ir.Policy, view host.View, o Options) *walk {
	w := &walk{
		policy: p, decider: ir.NewDecider(p, ir.Linux), view: view, opts: o,
		open: map[string]bool{}, kernel: map[string]bool{}, found: make([]found, len(p.Files)), types: map[string]host.Type{},
	}
	var globs [3][]*glob.Pattern
	add := func(set int, g *glob.Pattern, owner pattern, anyhow bool) {
		if _, literal := g.IsLiteral(); !literal || anyhow {
			globs[set] = append(globs[set], g)
			w.owners[set] = append(w.owners[set], owner)
		}
	}
	for i := range p.Files {
		r := &p.Files[i]
		if !r.AppliesTo(ir.Linux) {
			continue
		}
		g, isGlob := r.Match.(ir.Glob)
		if r.Opens() {
			for _, base := range ir.Bases(r.Match) {
				for _, a := range ir.Ancestors(base) {
					w.open[a] = true
				}
			}
			continue
		}
		if !isGlob {
			continue
		}
		set := writing
		if r.Read.Closes() {
			set = reading
		}
		// What is closed by its name is not looked for, but exceptions in it are.
		add(set, g.Pattern, pattern{rule: i}, slices.ContainsFunc(g.Except, wild))
		for _, e := range g.Except {
			add(excepting, e, pattern{rule: i, except: true}, false)
		}
	}
	for _, pin := range w.decider.Pins().Patterns {
		add(writing, pin.Pattern, pattern{rule: pin.Rule, pin: true}, false)
	}
	for i := range globs {
		w.sets[i] = glob.NewSet(globs[i])
	}
	mounts, _ := view.Mounts() // without a table nothing is left out
	for _, m := range mounts {
		if m.Kernel() {
			w.kernel[m.Point] = true
		}
	}
	return w
}

func wild(p *glob.Pattern) bool {
	_, literal := p.IsLiteral()
	return !literal
}

// spot is a directory on the way down.
type spot struct {
	path  string
	depth int
	// inside is set beneath a match, where only exceptions are looked for.
	inside bool
	at     [3]glob.State
}

func (w *walk) run() {
	root := spot{path: "/"}
	for i, set := range w.sets {
		root.at[i] = set.Root()
		w.note("/", host.Dir, i, root.at[i].Matched(), &root)
	}
	defer func() { slices.Sort(w.pins); w.pins = slices.Compact(w.pins) }()
	for stack := []spot{root}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], w.list(s)...)
	}
}

// list reads one directory and returns the directories to go on with.
func (w *walk) list(s spot) []spot {
	if !w.wants(&s) {
		return nil
	}
	if w.opts.Files > 0 && w.entries >= w.opts.Files || w.opts.Depth > 0 && s.depth > w.opts.Depth {
		w.short = true
		return nil
	}
	entries, err := w.view.ReadDir(s.path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.unread = append(w.unread, s.path)
		}
		return nil
	}
	w.entries += len(entries)
	var next []spot
	for _, e := range entries {
		to := spot{path: join(s.path, e.Name), depth: s.depth + 1, inside: s.inside}
		for i := range to.at {
			var matched []int
			to.at[i], matched = s.at[i].Step(e.Name)
			w.note(to.path, e.Type, i, matched, &to)
		}
		if e.Type == host.Dir {
			next = append(next, to)
		}
	}
	return next
}

// wants reports whether a name in the directory may matter.
func (w *walk) wants(s *spot) bool {
	if w.kernel[s.path] {
		return false
	}
	if w.open[s.path] {
		return true
	}
	if s.inside && !s.at[excepting].Dead() {
		return true
	}
	if !s.at[reading].Dead() {
		if d := w.decider.Decide(ir.Read, s.path, true); d.Effect == ir.Allow {
			return !w.policy.Files[d.Rule].Private
		}
	}
	if !s.at[writing].Dead() {
		if d := w.decider.Decide(ir.Write, s.path, true); d.Effect == ir.Allow {
			return !w.policy.Files[d.Rule].Private
		}
	}
	return false
}

// note remembers what patterns of a set matched.
func (w *walk) note(path string, typ host.Type, set int, matched []int, s *spot) {
	for _, m := range matched {
		o := w.owners[set][m]
		f := &w.found[o.rule]
		w.types[path] = typ
		if o.pin {
			w.pins = append(w.pins, path)
			continue
		}
		if o.except {
			f.except = append(f.except, path)
			continue
		}
		f.pattern = append(f.pattern, path)
		g, _ := w.policy.Files[o.rule].Match.(ir.Glob)
		s.inside = s.inside || len(g.Except) > 0
	}
}
