package conformance

import (
	"fmt"
	"path"
)

// moves renames and links across every edge: from root to root, from a root to
// what is closed, and back.
func (b *builder) moves() {
	b.c.About = "renames and hard links across every edge"
	t := &tree{roots: map[string]access{}, denied: map[string]access{}}
	t.roots["p/a"], t.roots["p/b"], t.roots["p/b/none"], t.roots["p/b/none/again"] = write, write, none, write
	t.roots["p/a/ro"] = read
	t.denied["p/a/no"], t.denied["p/a/keep/deep/f"] = none, read
	t.policy(&b.c.Policy)
	b.file("p/a/keep/deep/f")
	// Places with the same number lie in one mount, if both may be written.
	places := []struct {
		dir   string
		mount int
	}{{"p/a", 1}, {"p/a/o", 1}, {"p/a/o/o", 1}, {"p/b", 2}, {"p/b/none", 0}, {"p/b/none/again", 3}, {"p/a/ro", 0}, {"p/a/no", 0}, {"p/c", 0}, {"out", 0}}
	for _, p := range places {
		b.step("dir", p.dir)
	}
	for n := range 12 {
		from, to := pick(b.draw, places...), pick(b.draw, places...)
		if n < 3 { // the same mount, for a yes
			from, to = pick(b.draw, places[:3]...), pick(b.draw, places[:3]...)
		}
		src, dst := path.Join(from.dir, fmt.Sprintf("s%d", n)), path.Join(to.dir, fmt.Sprintf("t%d", n))
		kind := b.below(3)
		if kind == 2 {
			b.file(path.Join(src, "f"))
		} else {
			b.file(src)
		}
		want := t.at(src) == write && t.at(dst) == write
		if want && from.mount != to.mount {
			continue // a kernel refuses what the policy permits: a rename is within one mount
		}
		if kind == 1 {
			b.askLink(src, dst, want)
		} else {
			b.askMove(src, dst, want)
		}
	}
	// Directories that hold something closed stay where they are.
	b.askMove("p/a/keep", "p/a/moved", false)
	b.askMove("p/a/keep/deep", "p/a/moved", false)
	b.askMove("p/a/keep/deep/f", "p/a/keep/deep/g", false)
	b.askMove("p/a", "p/moved", false)
	b.c.Control = &Control{Policy: &Policy{Write: Texts("W/"), Tmp: "private"}}
}

// together runs several commands on one workspace at the same time: what one
// keeps closed stays closed when another ends.
func (b *builder) together() {
	b.c.About = "commands on one workspace at the same time do not open what the others keep closed"
	b.c.Policy.Write = Texts("W/p")
	b.c.Policy.DenyWrite = Texts("W/p/missing", "W/p/a/b/missing", "W/p/there")
	b.c.Policy.DenyRead = Texts(DenyPrefix+"W/p/secret", DenyPrefix+"W/p/gone/key")
	b.file("p/there")
	b.file("p/secret")
	b.step("dir", "p/a")
	questions := func() {
		for _, name := range []string{"p/missing", "p/a/b/missing", "p/gone/key"} {
			b.ask("make", name, "mkdir -p "+at(path.Dir(name))+" && : > "+at(name)+" && unlink "+at(name), No)
		}
		b.askFile("p/there", true, false)
		b.askFile("p/secret", false, false)
	}
	// A script cannot share a placeholder that lies in another one, and says so.
	shared := []string{"cannot be kept free by a placeholder"}
	b.c.Expect.OrStderr = shared
	b.c.Expect.Host = map[string]*Text{"p/missing": nil, "p/gone/key": nil, "p/a/b/missing": nil}
	if b.chance(2) {
		b.c.Copies = 2 + b.below(2)
		for range 3 {
			questions()
			b.lines = append(b.lines, fmt.Sprintf("sleep 0.0%d", b.below(5)))
		}
		return
	}
	questions()
	b.lines = append(b.lines, "echo READY", "read -r _")
	questions()
	other := Policy{Write: Texts("W/p"), DenyWrite: Texts("W/p/missing"), DenyRead: Texts(DenyPrefix + "W/p/gone/key"), Tmp: "private"}
	same := b.c.Policy
	for range 1 + b.below(2) {
		b.c.Beside = append(b.c.Beside, Run{
			Policy: pick(b.draw, same, other), Probe: "if : > W/p/missing; then exit 1; fi 2> /dev/null; echo fine",
			Expect: Expect{Exit: "0", Out: []string{"fine"}, OrStderr: shared},
		})
	}
}

// meanwhile changes the host while the command runs.
func (b *builder) meanwhile() {
	b.c.About = "changes on the host, while the command runs, open nothing"
	b.c.Policy.Write = Texts("W/p")
	b.c.Policy.DenyRead = Texts(DenyPrefix+"W/p/sec", "W/p/**/keys", DenyPrefix+"W/p/file")
	b.c.Policy.DenyWrite = Texts("W/p/ro", "W/p/gone")
	for _, name := range []string{"p/sec/k", "p/sec/l", "p/a/keys/k", "p/m/keys/k", "p/file", "p/ro/f", "p/open/f", "p/open/g"} {
		b.file(name)
	}
	b.askFile("p/sec/k", false, false)
	b.lines = append(b.lines, "echo READY", "read -r _")
	changes := []struct {
		step Step
		ask  func()
	}{
		{Step{"file", "p/sec/new", secret}, func() { b.askFile("p/sec/new", false, false) }},
		{Step{"file", "p/sec/sub/new", secret}, func() { b.askFile("p/sec/sub/new", false, false) }},
		{Step{"file", "p/a/keys/new", secret}, func() { b.askFile("p/a/keys/new", false, false) }},
		{Step{"rename", "p/open/g", "p/sec/g"}, func() { b.askFile("p/sec/g", false, false) }},
		{Step{"hard", "p/ro/second", "p/ro/f"}, func() { b.askFile("p/ro/second", true, false) }},
		{Step{"file", "p/ro/new", secret}, func() { b.askFile("p/ro/new", true, false) }},
		{Step{"file", "p/file", secret + "more\n"}, func() { b.askFile("p/file", false, false) }}, // in place
		{Step{"link", "p/open/l", "W/p/sec"}, func() { b.askFile("p/open/l/k", false, false) }},
		{Step{"rename", "p/m", "p/n"}, func() { b.askFile("p/n/keys/k", false, false) }},
		{Step{"file", "p/open/new", secret}, func() { b.askFile("p/open/new", true, true) }},
		{Step{"file", "p/open/.x", "x"}, func() { b.ask("make", "p/gone", ": > "+at("p/gone"), No) }},
		{Step{"remove", "p/sec/l"}, func() { b.askMake("p/sec", false) }},
		{Step{"file", "p/open/x.new", secret}, func() {
			b.c.Meanwhile = append(b.c.Meanwhile, Step{"rename", "p/open/x.new", "p/open/f"})
			b.askFile("p/open/f", true, true)
		}},
	}
	for _, c := range shuffled(b.draw, changes)[:4] {
		b.c.Meanwhile = append(b.c.Meanwhile, c.step)
		c.ask()
	}
	b.askFile("p/ro/f", true, false)
}
