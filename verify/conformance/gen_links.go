package conformance

import (
	"fmt"
	"path"
	"strings"
)

// relative is the text of a link at a place that leads to a target; both are
// relative to W.
func relative(from, to string) string {
	up := strings.Repeat("../", strings.Count(from, "/"))
	return up + to
}

// reach makes a link in a directory, of one of several sorts, that leads to a
// target in the end, and returns its path.
func (b *builder) reach(dir, target string, n int) string {
	name := path.Join(dir, fmt.Sprintf("l%d", n))
	switch b.below(5) {
	case 0:
		b.step("link", name, "W/"+target)
	case 1:
		b.step("link", name, relative(name, target))
	case 2: // a chain
		b.step("link", name+".b", relative(name, target))
		b.step("link", name+".a", "W/"+name+".b")
		b.step("link", name, path.Base(name)+".a")
	case 3: // through a directory that is a link
		b.step("link", name+".d", relative(name, path.Dir(target)))
		return path.Join(name+".d", path.Base(target))
	case 4: // up and down again
		b.step("link", name, strings.Repeat("../", strings.Count(name, "/"))+"p/../"+target)
	}
	return name
}

// links closes something and reaches for it through links of every sort.
func (b *builder) links() {
	b.c.About = "what is closed is closed through every link"
	b.c.Policy.Write = Texts("W/p")
	target := pick(b.draw, "p/real/k", "p/real/deep/er/k", "p/r e a l/k")
	b.file(target)
	b.file(path.Join(path.Dir(target), "open"))
	b.step("dir", "p/x/y")
	b.step("dir", "out/x/y")
	closed := target
	if b.chance(3) {
		closed = path.Dir(target)
	}
	writing := b.chance(3)
	byLink := ""
	if b.chance(2) { // the rule names the thing by a link that the command cannot replace
		byLink = "out/name"
		b.step("link", byLink, relative(byLink, closed))
	}
	rule := Text("W/" + closed)
	if byLink != "" {
		rule = Text("W/" + byLink)
	}
	if writing {
		b.c.Policy.DenyWrite = []Text{rule}
	} else {
		b.c.Policy.DenyRead = []Text{DenyPrefix + rule}
	}
	b.askFile(target, writing, false)
	for i, dir := range []string{"p", "p/x", "p/x/y", "out", "out/x/y"} {
		b.askFile(b.reach(dir, target, i), writing, false)
	}
	if byLink != "" && closed == target {
		b.askFile(byLink, writing, false)
	}
	if closed == target {
		open := path.Join(path.Dir(target), "open")
		b.askFile(open, true, true)
		b.askFile(b.reach("p/x", open, 9), true, true)
		b.askMove(target, path.Join(path.Dir(target), "moved"), false)
	}
	b.askMove(path.Dir(target), "p/moved", false)
}

// openings opens a root by a link: where the command could replace the link,
// that is refused, and elsewhere the target is opened.
func (b *builder) openings() {
	b.file("out/real/f")
	b.file("out/beside/f")
	planted := b.chance(2)
	dir := "out/links"
	if planted {
		dir = "p/links"
	}
	b.step("dir", dir)
	name := b.reach(dir, "out/real", 0)
	b.c.Policy.Write = Texts("W/p", "W/"+name)
	b.askFile("out/real/f", true, true)
	b.askMake("out/real", true)
	if !planted {
		b.c.About = "a root that is named by a link opens what the link leads to, and nothing beside it"
		b.askFile("out/beside/f", true, false)
		b.askMake("out", false)
		b.c.Control = &Control{Policy: &Policy{Write: Texts("W/p", "W/out"), Tmp: "private"}}
		return
	}
	b.c.About = "a root that is named by a link which the command may replace is refused"
	b.c.Control = &Control{Policy: &Policy{Write: Texts("W/p", "W/out/real"), Tmp: "private"}, Expect: Expect{Answers: b.c.Expect.Answers}}
	b.c.Expect = Expect{Exit: Failure, Lack: []string{"yes"}, Same: Texts("out")}
}

// special closes what is neither file nor directory.
func (b *builder) special() {
	b.c.About = "pipes, sockets and devices are closed as files are"
	b.c.Policy.Write = Texts("W/p")
	b.step("fifo", "p/a/pipe")
	b.step("fifo", "p/a/open")
	b.step("sock", "p/a/socket")
	b.step("link", "p/null", "/dev/null")
	b.step("link", "p/a/zero", "/dev/zero")
	b.file("p/a/f")
	line := func(name string) string { return "exec 3<>" + at(name) + " && echo x >&3 && read -r -t 1 -u 3" }
	t := &tree{roots: map[string]access{"p": write}, denied: map[string]access{}}
	t.denied[pick(b.draw, "p/a/pipe", "p/a")] = pick(b.draw, none, read)
	if b.chance(2) {
		t.denied["p/a/socket"] = none
	}
	t.policy(&b.c.Policy)
	// A read-only mount does not keep a pipe from being written to: the pipe is no
	// part of the file system.
	use := func(a access) string {
		if a == read {
			return Either
		}
		return whether(a == write)
	}
	b.ask("use", "p/a/pipe", line("p/a/pipe"), use(t.at("p/a/pipe")))
	b.ask("use", "p/a/open", line("p/a/open"), use(t.at("p/a/open")))
	b.askMove("p/a/pipe", "p/a/moved", false)
	b.askMove("p/a/socket", "p/a/moved", t.at("p/a/socket") == write)
	b.askLink("p/a/pipe", "p/a/second", false)
	b.askMode("p/a/pipe", false)
	b.ask("write", "p/null", "echo x > "+at("p/null"), Yes)
	b.ask("read", "p/a/zero", "[[ $(head -c 1 "+at("p/a/zero")+" | wc -c) == 1 ]]", whether(t.at("p/a/zero") >= read))
}
