package conformance

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// roots are roots in roots in roots: the deepest one decides.
func (b *builder) roots() {
	b.c.About = "roots in roots: the deepest one decides"
	t := b.grow(5, 7)
	t.roots["p"] = write
	for _, d := range t.dirs[1:] {
		if b.below(3) > 0 {
			t.roots[d] = pick(b.draw, none, read, write)
		}
		if b.chance(4) {
			t.roots[path.Join(d, "g")] = pick(b.draw, none, read)
		}
	}
	t.policy(&b.c.Policy)
	b.askTree(t)
}

// denies are denials of files and directories, which no root opens again.
func (b *builder) denies() {
	b.c.About = "what is denied stays closed, whatever root lies deeper, and cannot be moved away"
	t := b.grow(4, 6)
	t.roots["p"] = write
	for range 1 + b.below(3) {
		d := t.dirs[1+b.below(len(t.dirs)-1)]
		if b.chance(2) {
			d = path.Join(d, pick(b.draw, "f", "g"))
		}
		t.denied[d] = pick(b.draw, none, read)
	}
	for _, d := range t.dirs[1:] { // in vain
		if b.chance(4) && t.at(d) < write {
			t.roots[d] = pick(b.draw, read, write)
		}
	}
	t.policy(&b.c.Policy)
	b.askTree(t)
}

// closedGlob is a pattern beneath W/p with names that it matches, and some that
// it does not.
type closedGlob struct {
	pattern     string
	match, miss []string
}

func globs() []closedGlob {
	return []closedGlob{
		{"W/p/**/.env", []string{".env"}, []string{".envx", "env", ".ENV"}},
		{"W/p/**/.env*", []string{".env", ".env.local", ".env*"}, []string{"x.env", ".en"}},
		{"W/p/**/*.key", []string{"x.key", ".key", "a.b.key", "new\nline.key"}, []string{"x.keys", "key", "x.KEY"}},
		{"W/p/**/{a,b}.pem", []string{"a.pem", "b.pem"}, []string{"ab.pem", "c.pem", "{a,b}.pem"}},
		{"W/p/**/[xyä].t?t", []string{"x.txt", "y.tät", "ä.t t"}, []string{"z.txt", "xy.txt", "x.tt"}},
		{"W/p/**/[!a]1", []string{"b1", "[1", "\xe91"}, []string{"a1", "b2", "bb1"}},
		{"W/p/**/k?y", []string{"key", "k\xffy", "k\ny"}, []string{"ky", "keey"}},
		{`W/p/**/st\*r`, []string{"st*r"}, []string{"star", "st**r"}},
	}
}

// globs closes by a pattern, at every level.
func (b *builder) globs() {
	b.c.About = "a glob closes what it matches at every level, and nothing else"
	g := pick(b.draw, globs()...)
	writing := b.chance(3)
	if writing {
		b.c.Policy.DenyWrite = Texts(g.pattern)
	} else {
		b.c.Policy.DenyRead = Texts(DenyPrefix + g.pattern)
	}
	b.c.Policy.Write = Texts("W/p")
	dirs := []string{"p", "p/a", "p/a/b", "p/a/b/c d"}
	matched := map[string]bool{}
	for _, d := range dirs {
		for _, name := range shuffled(b.draw, g.match)[:1+b.below(len(g.match))] {
			name = path.Join(d, name)
			matched[name] = true
			b.file(name)
			b.askFile(name, writing, false)
			b.askMove(name, path.Join(d, "moved"), false)
			b.askLink(name, path.Join(d, "second"), false)
		}
		miss := path.Join(d, pick(b.draw, g.miss...))
		b.file(miss)
		b.askFile(miss, true, true)
		b.askMove(miss, path.Join(d, "moved"), true)
	}
	if b.chance(2) { // a directory that matches is closed with all that it holds
		d := path.Join(pick(b.draw, dirs...), "in", g.match[0])
		b.file(path.Join(d, "deep/er"))
		b.askFile(path.Join(d, "deep/er"), writing, false)
		b.askMake(d, false)
		b.askList(d, writing)
		b.askMove(d, path.Join(path.Dir(d), "moved"), false)
	}
}

// missing closes what does not exist, at each level.
func (b *builder) missing() {
	b.c.About = "what is closed and missing cannot be made, nor be moved there, and leaves nothing on the host"
	b.c.Policy.Write = Texts("W/p")
	parts := []string{"p", "a", "b", "c", "d"}[:2+b.below(4)]
	exists := 1 + b.below(len(parts)-1) // how many of the parts exist
	name := path.Join(parts...)
	b.step("dir", path.Join(parts[:exists]...))
	b.file(path.Join(path.Join(parts[:exists]...), "open"))
	first := path.Join(parts[:exists+1]...) // the first that does not exist
	if b.chance(2) {
		b.c.Policy.DenyWrite = Texts("W/" + name)
	} else {
		b.c.Policy.DenyRead = Texts(DenyPrefix + "W/" + name)
	}
	clean := " && rm -r " + at(first)
	dir := "mkdir -p " + at(path.Dir(name)) + " && "
	b.ask("make", name, dir+": > "+at(name)+clean, No)
	b.ask("mkdir", name, dir+"mkdir "+at(name)+clean, No)
	b.ask("link", name, dir+"ln -s x "+at(name)+clean, No)
	if first != name { // a prepared tree that is moved into place
		rest := strings.TrimPrefix(name, first+"/")
		b.file(path.Join("p/prepared", rest))
		b.askMove("p/prepared", first, false)
	} else {
		b.file("p/prepared")
		b.askMove("p/prepared", name, false)
		b.askLink("p/prepared", name, false)
	}
	if up := path.Join(parts[:exists]...); up != "p" {
		b.askMove(up, "p/elsewhere", false)
	}
	open := path.Join(path.Join(parts[:exists]...), "open")
	b.askFile(open, true, true)
	b.ask("make beside", name, ": > "+at(open+"2"), Yes)
	b.c.Expect.Host = map[string]*Text{name: nil}
}

// oddNames closes and opens names that need quoting somewhere.
func (b *builder) oddNames() {
	b.c.About = "names with odd bytes are closed and opened as they are"
	b.c.Policy.Write = Texts("W/p")
	names := shuffled(b.draw, []string{
		"new\nline", "tab\t", `quo"te`, "quo'te", " leading", "trailing ", "-dash", "--", `back\slash`, "dollar${x}", "percent%{x}", "$HOME",
		"ünï", "日本語", "nfd-e\u0301", "star*", "que?", "br[a]", "{a,b}", "~", "#hash", "!bang", "\x01\x1b[31m", "\x7f", "$(touch x)", "`x`", "a;b", "a&b",
		"...", ".", "\u202e", "😀", "a:b", "a=b", "a,b", "(", strings.Repeat("long", 60), "caf\xe9", "raw\xff\xfe", "slash\xc0\xaf",
	})[:5]
	for i, odd := range names {
		if odd == "." {
			odd = ". "
		}
		name := fmt.Sprintf("p/%d/%s", i, odd)
		b.file(path.Join(name, "f"))
		b.file(fmt.Sprintf("p/%d/%sx", i, odd))
		b.file(fmt.Sprintf("p/%d/star", i))
		b.file(fmt.Sprintf("p/%d/a", i))
		a := b.close(name, odd)
		b.askFile(path.Join(name, "f"), a >= read, a == write)
		b.askMake(name, a == write)
		b.askMove(name, fmt.Sprintf("p/%d/moved", i), false)
		b.askFile(fmt.Sprintf("p/%d/%sx", i, odd), true, true)
		b.askFile(fmt.Sprintf("p/%d/star", i), true, true)
		b.askFile(fmt.Sprintf("p/%d/a", i), true, true)
	}
}

// close closes an odd name in one of several ways, and returns what is left.
func (b *builder) close(name, odd string) access {
	w := "W/" + name
	if strings.ContainsAny(odd, `*?[{\`) {
		w = LiteralPrefix + w
	}
	if !utf8.ValidString(odd) || strings.Contains(odd, "\u0301") { // no policy can write it: one ? for each byte
		b.c.Policy.DenyRead = append(b.c.Policy.DenyRead, Text(fmt.Sprintf("W/p/**/%s", strings.Map(func(r rune) rune {
			if r == utf8.RuneError || r == '\u0301' {
				return '?'
			}
			return r
		}, odd))))
		return none
	}
	switch b.below(3) {
	case 0:
		b.c.Policy.DenyRead = append(b.c.Policy.DenyRead, Text(w))
		return none
	case 1:
		b.c.Policy.DenyRead = append(b.c.Policy.DenyRead, Text(DenyPrefix+w))
		return none
	}
	b.c.Policy.DenyWrite = append(b.c.Policy.DenyWrite, Text(w))
	return read
}
