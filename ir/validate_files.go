package ir

import (
	"fmt"
	"strings"
)

// files checks the decision list.
func (v *validator) files(rules []FileRule) {
	for i := range rules {
		r := &rules[i]
		a := v.at(&r.Origin, "/files/%d", i)
		a.match(r.Match)
		a.effects(r)
		known(a, "group", r.Group, groups())
		a.group(r)
		a.from(r.Layer, &r.Origin)
		a.target("target", r.Target, true)
		known(a, "on_missing", r.OnMissing, onMissings())
		a.must(r.OnMissing != MissingCreate || r.Opens(), "on_missing", "create is for openings")
		a.must(r.OnMissing != MissingReserve || !r.Opens(), "on_missing", "reserve is for closings")
		known(a, "sweep", r.Sweep, sweeps())
		a.text("guard", r.Guard)
		a.must(r.Written == "" || strings.HasPrefix(r.Written, "/"), "written", "%q is not absolute", r.Written)
		a.text("written", r.Written)
		a.text("reason", r.Reason)
		if i > 0 {
			a.order(&rules[i-1], r)
		}
	}
	v.roots(rules)
}

func (a at) match(m Match) {
	switch m := m.(type) {
	case Path:
		a.absolute("match/path", string(m))
	case Subtree:
		a.absolute("match/path", string(m))
	case Glob:
		a.pattern("match/path", m.Pattern)
		for i, e := range m.Except {
			a.pattern(fmt.Sprintf("match/except/%d", i), e)
		}
	default:
		a.must(false, "match", "a rule without a match")
	}
}

// effects checks what makes writing never wider than reading, and what each
// kind of match may do.
func (a at) effects(r *FileRule) {
	for _, e := range []struct {
		key    string
		effect Effect
	}{{"read", r.Read}, {"write", r.Write}} {
		known(a, e.key, e.effect, effects())
	}
	a.must(r.Read != Pass || r.Write != Pass, "read", "a rule that says nothing")
	a.must(!r.Read.Closes() || r.Write.Closes(), "write", "reading is closed and writing is not")
	a.must(r.Write != Allow || r.Read == Allow, "read", "writing is open and reading is not")
	_, path := r.Match.(Path)
	_, subtree := r.Match.(Subtree)
	g, glob := r.Match.(Glob)
	a.must(!glob || !r.Opens() || r.Layer == LayerFloor, "match", "a glob that opens, outside of the floor")
	a.must(!glob || !r.Opens() || len(g.Except) == 0, "match", "a glob that opens and has exceptions")
	a.must(!path || r.NonDir || r.Layer == LayerFloor, "match", "a path without what is beneath it, outside of the floor")
	a.must(!r.NonDir || !r.Opens(), "non_dir", "an opening for what is not a directory only")
	a.must(!r.Private || subtree && r.Read == Allow, "private", "private storage that is not an open subtree")
}

// group checks that a rule may stand in its group.
func (a at) group(r *FileRule) {
	only := func(effect Effect) bool {
		return (r.Read == Pass || r.Read == effect) && (r.Write == Pass || r.Write == effect)
	}
	_, subtree := r.Match.(Subtree)
	_, glob := r.Match.(Glob)
	switch r.Group {
	case GroupDeny:
		a.must(only(Deny), "group", "a rule of this group only denies")
	case GroupAsk, GroupNarrowAsk:
		a.must(only(Ask), "group", "a rule of this group only asks")
	case GroupGrant:
		a.must(subtree && r.Read == Allow, "group", "a grant opens a subtree")
	case GroupGlob:
		a.must(glob, "group", "a rule of this group is a glob")
	case GroupRoot:
		a.must(subtree, "group", "a root is a subtree")
	case GroupRequired:
		a.must(!subtree, "group", "a required rule is not for a subtree")
	case GroupFloor:
	}
	switch r.Group {
	case GroupRequired, GroupFloor:
		a.must(r.Layer == LayerFloor, "layer", "a rule of the group %s is of the floor", r.Group)
	case GroupRoot:
		a.must(r.Layer != LayerFloor || r.Private, "layer", "a root of the floor that is not private")
	case GroupDeny, GroupGrant, GroupAsk, GroupGlob, GroupNarrowAsk:
		a.must(r.Layer != LayerFloor, "layer", "a rule of the floor in the group %s", r.Group)
	}
}

// order checks a rule against the one above it.
func (a at) order(above, r *FileRule) {
	a.must(above.Group <= r.Group, "group", "a rule of the group %s stands below the group %s", r.Group, above.Group)
	if above.Group != GroupRoot || r.Group != GroupRoot || above.Match == nil || r.Match == nil {
		return
	}
	a.must(depth(above.Match.Base()) >= depth(r.Match.Base()), "match", "a root stands below one that is less deep")
}

// roots checks that at one path the roots of higher layers stand above.
func (v *validator) roots(rules []FileRule) {
	last := map[string]Layer{}
	for i := range rules {
		r := &rules[i]
		s, ok := r.Match.(Subtree)
		if r.Group != GroupRoot || !ok {
			continue
		}
		a := v.at(&r.Origin, "/files/%d", i)
		a.must(last[string(s)] <= r.Layer, "layer", "a root stands below one of a lower layer at the same path")
		last[string(s)] = r.Layer
	}
}

// depth is the number of segments of a path.
func depth(path string) int {
	if path == "/" {
		return 0
	}
	return strings.Count(path, "/")
}
