package automata

import "slices"

// table keeps rows of numbers once each and numbers them in the order in which
// they came.
type table struct {
	cells []int32
	ends  []int   // where each row ends in cells
	slots []int32 // row numbers plus 1 by hash, a power of two of them
}

func (t *table) count() int { return len(t.ends) }

// at returns a row. It is valid until the next row is added.
func (t *table) at(id int32) []int32 {
	from := 0
	if id > 0 {
		from = t.ends[id-1]
	}
	return t.cells[from:t.ends[id]]
}

// id returns the number of the row, which it copies if it is new.
func (t *table) id(row []int32) int32 {
	if 2*len(t.ends) >= len(t.slots) {
		t.enlarge()
	}
	i := t.slot(row)
	for t.slots[i] != 0 {
		if id := t.slots[i] - 1; slices.Equal(t.at(id), row) {
			return id
		}
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.cells = append(t.cells, row...)
	t.ends = append(t.ends, len(t.cells))
	t.slots[i] = int32(len(t.ends))
	return int32(len(t.ends) - 1)
}

// slot returns where the search for a row starts.
func (t *table) slot(row []int32) int {
	h := uint64(len(row))
	for _, x := range row {
		h = (h ^ uint64(uint32(x))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return int(h & uint64(len(t.slots)-1))
}

func (t *table) enlarge() {
	t.slots = make([]int32, max(64, 2*len(t.slots)))
	for id := range t.ends {
		i := t.slot(t.at(int32(id)))
		for t.slots[i] != 0 {
			i = (i + 1) & (len(t.slots) - 1)
		}
		t.slots[i] = int32(id + 1)
	}
}
