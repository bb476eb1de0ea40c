package automata

// visit is a row that is to be visited, and the string that leads to it.
type visit struct {
	path string
	row  int32
}

// queue gives back visits in the order of their paths: shorter ones first, of
// those that are equally long the one that reads best.
type queue struct {
	visits []visit // a heap
	rank   [256]uint8
}

func newQueue() queue {
	var q queue
	for i, b := range readable() {
		q.rank[b] = uint8(i)
	}
	return q
}

// compare returns a negative number if a comes before b.
func (q *queue) compare(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	for i := range len(a) {
		if a[i] != b[i] {
			return int(q.rank[a[i]]) - int(q.rank[b[i]])
		}
	}
	return 0
}

func (q *queue) before(a, b string) bool { return q.compare(a, b) < 0 }

func (q *queue) less(i, j int) bool { return q.before(q.visits[i].path, q.visits[j].path) }

func (q *queue) swap(i, j int) { q.visits[i], q.visits[j] = q.visits[j], q.visits[i] }

func (q *queue) push(v visit) {
	q.visits = append(q.visits, v)
	for i := len(q.visits) - 1; i > 0 && q.less(i, (i-1)/2); i = (i - 1) / 2 {
		q.swap(i, (i-1)/2)
	}
}

func (q *queue) pop() visit {
	first := q.visits[0]
	last := len(q.visits) - 1
	q.swap(0, last)
	q.visits = q.visits[:last]
	for i := 0; ; {
		least := i
		for _, k := range []int{2*i + 1, 2*i + 2} {
			if k < last && q.less(k, least) {
				least = k
			}
		}
		if least == i {
			return first
		}
		q.swap(i, least)
		i = least
	}
}
