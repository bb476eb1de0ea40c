package automata

// fan is scratch space for the ways out of a row.
type fan struct {
	narrow [256][]int32 // targets of narrow arcs by class
	wide   [][]int32    // targets of wide arcs by mask
	masks  []int32      // the masks that have targets
	groups []classMask
	whole  classMask // all classes
}

func newFan(n *nfa) fan {
	f := fan{wide: make([][]int32, len(n.masks))}
	for c := range n.bytes {
		f.whole[c/64] |= 1 << (c % 64)
	}
	return f
}

// expand takes every step from a row. Emit gets the row that a set of classes
// leads to, in the order of their first classes; the sets are disjoint and hold
// all classes.
func (j *joint) expand(emit func(by classMask, row int32)) error {
	f := &j.fan
	_, live := j.parts()
	var named classMask
	for _, s := range live {
		st, next := &j.states[s], &j.states[s+1]
		for _, a := range j.narrow[st.narrow:next.narrow] {
			named[a.class/64] |= 1 << (a.class % 64)
			f.narrow[a.class] = append(f.narrow[a.class], a.to)
		}
		for _, a := range j.wide[st.wide:next.wide] {
			if len(f.wide[a.mask]) == 0 {
				f.masks = append(f.masks, a.mask)
			}
			f.wide[a.mask] = append(f.wide[a.mask], a.to)
		}
	}
	j.group(named)
	err := j.steps(named, emit)
	for c := named.next(0); c >= 0; c = named.next(c + 1) {
		f.narrow[c] = f.narrow[c][:0]
	}
	for _, m := range f.masks {
		f.wide[m] = f.wide[m][:0]
	}
	f.masks = f.masks[:0]
	return err
}

// group divides the classes that no narrow arc names into those that all wide
// arcs treat alike.
func (j *joint) group(named classMask) {
	f := &j.fan
	rest := f.whole
	for i := range rest {
		rest[i] &^= named[i]
	}
	f.groups = append(f.groups[:0], rest)
	for _, m := range f.masks {
		mask := j.masks[m]
		for i := range len(f.groups) {
			in, out := f.groups[i], f.groups[i]
			for k := range mask {
				in[k] &= mask[k]
				out[k] &^= mask[k]
			}
			if in != (classMask{}) && out != (classMask{}) {
				f.groups[i] = in
				f.groups = append(f.groups, out)
			}
		}
	}
}

func (j *joint) steps(named classMask, emit func(by classMask, row int32)) error {
	f := &j.fan
	done := classMask{}
	for c := f.whole.next(0); c >= 0; c = f.whole.next(c + 1) {
		if done.has(c) {
			continue
		}
		var by classMask
		j.begin()
		if named.has(c) {
			by[c/64] |= 1 << (c % 64)
			j.reach(f.narrow[c])
		} else {
			for _, g := range f.groups {
				if g.has(c) {
					by = g
				}
			}
		}
		for i := range done {
			done[i] |= by[i]
		}
		for _, m := range f.masks {
			if mask := &j.masks[m]; mask.has(c) {
				j.reach(f.wide[m])
			}
		}
		row, err := j.arrive()
		if err != nil {
			return err
		}
		emit(by, row)
	}
	return nil
}
