package trace

import "sync"

// Store keeps records, each once, within bounds. It is safe for concurrent use.
type Store struct {
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

// NewStore returns a store of limit records of each kind, or [DefaultMax] for 0.
func NewStore(limit int) *Store {
	if limit <= 0 {
		limit = DefaultMax
	}
	return &Store{max: limit, seen: map[identity]*Record{}}
}

// Add counts a failed call. describe is asked for the process and its program if
// the record is new and kept.
func (s *Store) Add(r Record, missing bool, describe func() (pid int, exe string)) {
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
func (s *Store) unread() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost.Unread++
}

// Records returns what was refused, then what was missing, each in the order of
// its first time.
func (s *Store) Records() []Record {
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

// Lost counts what no record tells of.
func (s *Store) Lost() Lost {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}
