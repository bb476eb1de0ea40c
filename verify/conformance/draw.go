package conformance

// draw is a stream of numbers that depend on where it starts and nothing else:
// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, 2014).
type draw struct{ state uint64 }

func newDraw(seed, n uint64) *draw {
	d := &draw{seed}
	d.state = d.next() ^ n
	d.next()
	return d
}

func (d *draw) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (d *draw) below(n int) int {
	return int(d.next() % uint64(n))
}

// chance is true once in n times.
func (d *draw) chance(n int) bool { return d.below(n) == 0 }

// pick returns one of a list.
func pick[T any](d *draw, list ...T) T { return list[d.below(len(list))] }

// shuffled returns a list in another order.
func shuffled[T any](d *draw, list []T) []T {
	out := append([]T{}, list...)
	for i := len(out) - 1; i > 0; i-- {
		j := d.below(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}
