package automata

import "slices"

// fan is scratch space for the ways out of a set of states.
type fan struct {
	narrow [256][]int32 // targets of narrow arcs by class
	wide   [][]int32    // targets of wide arcs by mask
	masks  []int32      // the masks that have targets
	groups []classMask
	steps  []nameStep
	ends   []int32
	name   classMask // all classes but the slash
}

func newFan(n *nfa) fan {
	f := fan{wide: make([][]int32, len(n.masks))}
	for c := range n.bytes {
		f.name.add(c)
	}
	f.name[n.classOf['/']/64] &^= 1 << (n.classOf['/'] % 64)
	return f
}

// expand takes every step from a part.
func (p *parts) expand(part int32) {
	if p.info[part].expanded {
		return
	}
	f := &p.fan
	live := p.sets.at(part)
	var named classMask
	ends := f.ends[:0]
	for _, s := range live {
		st, next := &p.states[s], &p.states[s+1]
		ends = append(ends, p.nfa.lists[st.acc]...)
		ends = append(ends, p.nfa.lists[st.all]...)
		for _, a := range p.narrow[st.narrow:next.narrow] {
			named.add(int(a.class))
			f.narrow[a.class] = append(f.narrow[a.class], a.to)
		}
		for _, a := range p.wide[st.wide:next.wide] {
			if len(f.wide[a.mask]) == 0 {
				f.masks = append(f.masks, a.mask)
			}
			f.wide[a.mask] = append(f.wide[a.mask], a.to)
		}
	}
	f.ends = ends
	f.group(p.nfa, named)
	out := p.outOf(ends, p.target(p.slash))
	p.info[part] = nameState{expanded: true, out: out, steps: p.steps(named)}
	for c := named.next(0); c >= 0; c = named.next(c + 1) {
		f.narrow[c] = f.narrow[c][:0]
	}
	for _, m := range f.masks {
		f.wide[m] = f.wide[m][:0]
	}
	f.masks = f.masks[:0]
}

// group divides the classes that no narrow arc names into those that all wide
// arcs treat alike.
func (f *fan) group(n *nfa, named classMask) {
	f.groups = append(f.groups[:0], f.name.less(named))
	for _, m := range f.masks {
		mask := n.masks[m]
		for i := range len(f.groups) {
			in, out := f.groups[i].and(mask), f.groups[i].less(mask)
			if in != (classMask{}) && out != (classMask{}) {
				f.groups[i] = in
				f.groups = append(f.groups, out)
			}
		}
	}
}

// target returns the states that a class leads to.
func (p *parts) target(class int) []int32 {
	p.gen++
	p.buf = p.buf[:0]
	add := func(states []int32) {
		for _, s := range states {
			if p.mark[s] != p.gen {
				p.mark[s] = p.gen
				p.buf = append(p.buf, s)
			}
		}
	}
	add(p.fan.narrow[class])
	for _, m := range p.fan.masks {
		if p.masks[m].has(class) {
			add(p.fan.wide[m])
		}
	}
	slices.Sort(p.buf)
	return p.buf
}

// steps returns the steps by all classes but the slash, in the order of their
// first classes. The sets of classes are disjoint and hold all of them.
func (p *parts) steps(named classMask) []nameStep {
	f := &p.fan
	out := f.steps[:0]
	var done classMask
	for c := f.name.next(0); c >= 0; c = f.name.next(c + 1) {
		if done.has(c) {
			continue
		}
		var by classMask
		if named.has(c) {
			by.add(c)
		} else {
			for _, g := range f.groups {
				if g.has(c) {
					by = g
				}
			}
		}
		done = done.or(by)
		out = addStep(out, by, p.set(p.target(c)))
	}
	f.steps = out
	return slices.Clone(out)
}
