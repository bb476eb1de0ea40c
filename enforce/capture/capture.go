package capture

import "io"

// Output is what is left of a stream.
type Output struct {
	Head []byte // the beginning; everything if nothing was cut
	Tail []byte // the end, if something was cut
	Cut  int64  // bytes between them that were not kept
}

// Total is how many bytes the stream had.
func (o Output) Total() int64 { return int64(len(o.Head)) + o.Cut + int64(len(o.Tail)) }

// chunk is how much is read at once. A pipe holds 64 KiB (pipe(7)).
const chunk = 64 << 10

// Read reads a stream to its end and keeps at most limit bytes of it, half of
// them from the beginning. A limit of 0 or less keeps nothing.
func Read(r io.Reader, limit int64) (Output, error) {
	k := newKeeper(max(limit, 0))
	buf := make([]byte, chunk)
	for {
		n, err := r.Read(buf)
		k.add(buf[:n])
		if err == io.EOF {
			return k.output(), nil
		}
		if err != nil {
			return k.output(), err
		}
	}
}

// keeper holds a head that is filled once and a ring of the last bytes after it.
type keeper struct {
	head  []byte
	first int64  // bytes of the head at most
	ring  []byte // grows to last bytes, then is overwritten from at on
	last  int64
	at    int64
	seen  int64 // bytes behind the head
}

func newKeeper(limit int64) *keeper {
	first := (limit + 1) / 2
	return &keeper{first: first, last: limit - first}
}

func (k *keeper) add(p []byte) {
	n := min(k.first-int64(len(k.head)), int64(len(p)))
	k.head = append(k.head, p[:n]...)
	p = p[n:]
	k.seen += int64(len(p))
	if over := int64(len(p)) - k.last; over > 0 { // only the end of it can stay
		p = p[over:]
		k.at, k.ring = 0, k.ring[:0]
	}
	n = min(k.last-int64(len(k.ring)), int64(len(p)))
	k.ring = append(k.ring, p[:n]...)
	for p = p[n:]; len(p) > 0; {
		n := copy(k.ring[k.at:], p)
		p = p[n:]
		k.at = (k.at + int64(n)) % int64(len(k.ring))
	}
}

func (k *keeper) output() Output {
	kept := int64(len(k.ring))
	tail := append(append(make([]byte, 0, kept), k.ring[k.at:]...), k.ring[:k.at]...)
	if k.seen == kept {
		return Output{Head: append(k.head, tail...)}
	}
	return Output{Head: k.head, Tail: tail, Cut: k.seen - kept}
}
