package trace

import "sync"

// store keeps records, each once, within bounds. It is safe for concurrent use.
type store struct {
	mu      sync.Mutex
	max     int
	seen    map[identity]*Record
	refused []*Record
	missing []*Record
	text    int // bytes
	lost    Lost
}

// identity is what makes two failed calls the same.
type identity struct{ call, path, to, family, addr, errno string }

func newStore(limit int) *store {
	if limit <= 0 {
		limit = DefaultMax
	}
	return &store{max: limit, seen: map[identity]*Record{}}
}

// add counts a failed call. describe is asked for the process and its program if
// the record is new and kept.
func (s *store) add(r Record, missing bool, describe func() (pid int, exe string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := identity{r.Call, r.Path, r.To, r.Family, r.Addr, r.Errno}
	if old := s.seen[id]; old != nil {
		old.Count++
		return
	}
	list := &s.refused
	if missing {
		list = &s.missing
	}
	size := len(r.Path) + len(r.To) + len(r.Addr)
	if len(*list) >= s.max || s.text+size > maxText {
		s.lost.Beyond++
		return
	}
	r.PID, r.Exe = describe()
	r.Count = 1
	s.text += size + len(r.Exe)
	s.seen[id] = &r
	*list = append(*list, &r)
}

// unread counts a failed call of which nothing is known.
func (s *store) unread() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost.Unread++
}

// records returns what was refused, then what was missing, each in the order of
// its first time.
func (s *store) records() []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Record, 0, len(s.refused)+len(s.missing))
	for _, r := range s.refused {
		out = append(out, *r)
	}
	for _, r := range s.missing {
		out = append(out, *r)
	}
	return out
}

func (s *store) lostNow() Lost {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}
