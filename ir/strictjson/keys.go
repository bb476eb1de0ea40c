package strictjson

// keySet is the keys of one object with their nodes. Most objects of a hostile
// text have one key, so a map is made for the second one only.
type keySet struct {
	some  bool
	key   string
	node  int32
	nodes map[string]int32
}

// add takes a key in and reports whether, and where, it has been before.
func (s *keySet) add(key string, node int32) (first int32, dup bool) {
	switch {
	case !s.some:
		s.some, s.key, s.node = true, key, node
		return 0, false
	case s.key == key:
		return s.node, true
	case s.nodes == nil:
		s.nodes = map[string]int32{}
	}
	if first, dup = s.nodes[key]; !dup {
		s.nodes[key] = node
	}
	return first, dup
}
