package host

// Stamp tells whether a directory still is what it was: its device, inode and
// change time (statx(2)). The change time cannot be set by anybody; it changes
// with every name that comes or goes. The zero Stamp says nothing.
type Stamp struct {
	Dev, Ino uint64
	Changed  int64 // nanoseconds since 1970
}

// Stamper is a [View] that can tell of a directory that it is unchanged without
// listing it.
type Stamper interface {
	// Stamp returns the stamp of a directory as it is now, links followed; zero if
	// there is none. It is settled if the last change is so long ago that the next
	// one has another time: file systems round it, to milliseconds mostly.
	Stamp(path string) (stamp Stamp, settled bool)
	// Steady reports whether the file system that holds the path is one that keeps
	// change times itself, to a fraction of a second.
	Steady(path string) bool
}

// stamp remembers the stamp that a directory has before it is listed, if it can
// be relied on later.
func (m *Memo) stamp(path string) {
	s, ok := m.view.(Stamper)
	if !ok {
		return
	}
	stamp, settled := s.Stamp(path)
	if !settled {
		return
	}
	m.mu.Lock()
	steady, known := m.steady[stamp.Dev]
	m.mu.Unlock()
	if !known {
		steady = s.Steady(path)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steady[stamp.Dev] = steady
	if steady {
		m.stamps[path] = stamp
	}
}

// unchanged reports whether a directory certainly has the stamp still.
func (m *Memo) unchanged(path string, stamp Stamp) bool {
	s, ok := m.view.(Stamper)
	if !ok || stamp == (Stamp{}) {
		return false
	}
	now, _ := s.Stamp(path)
	return now == stamp
}
