package conformance

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secret is the content of every file that a made case asks about.
const secret = "SECRET\n"

// builder builds one case: its set-up, its policy, and questions with their
// answers.
type builder struct {
	*draw
	c     Case
	lines []string
	asked int
}

// asks is the start of every made probe: q NAME LINE says whether a line
// succeeds, and mv A B renames without copying.
const asks = `q() { if (eval "$2") >/dev/null 2>&1; then echo "yes $1"; else echo "no $1"; fi; }
mv() { perl -e 'rename($ARGV[0], $ARGV[1]) or exit 1' -- "$1" "$2"; }`

// done finishes the case. Its control is the policy that opens W/p as a whole,
// if the kind of case gave no other; there every question is answered with yes.
func (b *builder) done() Case {
	b.c.Needs = append([]string{"perl"}, b.c.Needs...)
	b.c.Probe = Lines(strings.Join(append([]string{asks}, b.lines...), "\n"))
	if b.c.Control == nil {
		b.c.Control = &Control{Policy: &Policy{Write: []Text{"W/p"}, Tmp: "private"}}
	}
	if k := b.c.Control; k.Expect.Answers == nil && len(b.c.Expect.Answers) > 0 {
		k.Expect.Answers = Answers{}
		for name := range b.c.Expect.Answers {
			k.Expect.Answers[name] = Yes
		}
	}
	return b.c
}

// step adds to the set-up.
func (b *builder) step(words ...string) { b.c.Setup = append(b.c.Setup, Texts(words...)) }

// file adds a file with a secret.
func (b *builder) file(name string) { b.step("file", name, secret) }

// ask adds a question: what is done, about which path, by which line.
func (b *builder) ask(what, name, line string, want string) {
	b.asked++
	id := fmt.Sprintf("%d %s %s", b.asked, what, plain(name))
	if b.c.Expect.Answers == nil {
		b.c.Expect.Answers = Answers{}
	}
	b.c.Expect.Answers[id] = want
	b.lines = append(b.lines, "q "+shell(id)+" "+shell(line))
}

// whether turns a fact into an answer.
func whether(yes bool) string {
	if yes {
		return Yes
	}
	return No
}

// The questions. Each leaves the file system as it was, where that is possible.

func (b *builder) askRead(name string, want bool) {
	b.ask("read", name, "read -r x < "+at(name)+" && [[ $x == SECRET* ]]", whether(want))
}

func (b *builder) askList(name string, want bool) {
	b.ask("list", name, "[[ -n $(ls -A -- "+at(name)+") ]]", whether(want))
}

func (b *builder) askWrite(name string, want bool) {
	b.ask("write", name, "echo x >> "+at(name), whether(want))
}

func (b *builder) askMode(name string, want bool) {
	b.ask("chmod", name, "chmod 755 "+at(name), whether(want))
}

// askMake asks whether a name in a directory can be created, as a file, a
// directory or a link.
func (b *builder) askMake(dir string, want bool) {
	name := path.Join(dir, "made")
	line := pick(b.draw,
		": > "+at(name)+" && unlink "+at(name),
		"mkdir "+at(name)+" && rmdir "+at(name),
		"ln -s x "+at(name)+" && unlink "+at(name),
		"mkfifo "+at(name)+" && unlink "+at(name))
	b.ask("make", name, line, whether(want))
}

// askRemove asks whether a file can be removed, which happens if so.
func (b *builder) askRemove(name string, want bool) {
	b.ask("remove", name, "unlink "+at(name), whether(want))
}

// askMove asks whether a name can be renamed, and renames it back.
func (b *builder) askMove(from, to string, want bool) {
	b.ask("move", from+" to "+to, "mv "+at(from)+" "+at(to)+" && mv "+at(to)+" "+at(from), whether(want))
}

// askLink asks whether a second name can be made.
func (b *builder) askLink(from, to string, want bool) {
	b.ask("link", from+" to "+to, "ln -T -- "+at(from)+" "+at(to)+" && unlink "+at(to), whether(want))
}

// askFile asks all there is to ask about a file.
func (b *builder) askFile(name string, read, write bool) {
	b.askRead(name, read)
	b.askWrite(name, write)
	if b.chance(2) {
		b.askMode(name, write)
	}
}

// at is a path relative to W as a word of bash.
func at(name string) string { return "W/" + shellTail(name) }

// shell quotes a word for bash, in text that is UTF-8 whatever the word is.
func shell(s string) string {
	if s != "" && strings.Trim(s, wordBytes) == "" {
		return s
	}
	if utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0 {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for ; s != ""; s = s[1:] {
		switch c := s[0]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// shellTail quotes what follows a W/ that is to be replaced.
func shellTail(s string) string {
	if s == "" {
		return ""
	}
	return shell(s)
}

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

// plain makes a path fit for the name of a question.
func plain(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(wordBytes+" ", s[i]) >= 0 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02x", s[i])
		}
	}
	return b.String()
}

// access is what a root gives.
type access int

const (
	none access = iota
	read
	write
)

// tree is a tree of directories with roots and denials, all by their path
// relative to W.
type tree struct {
	dirs   []string
	roots  map[string]access
	denied map[string]access // none: closed; read: closed for writing
}

// at is what the policy gives at a path: the deepest root, less what is denied.
// Outside of every root that is reading.
func (t *tree) at(name string) access {
	out := read
	for p := name; ; p = path.Dir(p) {
		if a, ok := t.roots[p]; ok {
			out = a
			break
		}
		if p == "." {
			break
		}
	}
	for p := name; p != "."; p = path.Dir(p) {
		if a, ok := t.denied[p]; ok {
			out = min(out, a)
		}
	}
	return out
}

// holds reports whether something that is not open for writing lies strictly
// below a path.
func (t *tree) holds(name string) bool {
	for _, m := range []map[string]access{t.roots, t.denied} {
		for p := range m {
			if strings.HasPrefix(p, name+"/") && t.at(p) < write {
				return true
			}
		}
	}
	return false
}

// edges reports whether a root or a denial lies at a path or below.
func (t *tree) edges(name string) bool {
	for _, m := range []map[string]access{t.roots, t.denied} {
		for p := range m {
			if p == name || strings.HasPrefix(p, name+"/") {
				return true
			}
		}
	}
	return false
}

// policy writes the roots and denials.
func (t *tree) policy(p *Policy) {
	for _, name := range sorted(t.roots) {
		switch w := Text("W/" + name); t.roots[name] {
		case none:
			p.DenyRead = append(p.DenyRead, w)
		case read:
			p.AllowRead = append(p.AllowRead, w)
		case write:
			p.Write = append(p.Write, w)
		}
	}
	for _, name := range sorted(t.denied) {
		if w := Text("W/" + name); t.denied[name] == none {
			p.DenyRead = append(p.DenyRead, DenyPrefix+w)
		} else {
			p.DenyWrite = append(p.DenyWrite, w)
		}
	}
}

func sorted(m map[string]access) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// grow makes a tree of directories beneath W/p, each with the files f, g and v.
func (b *builder) grow(depth, most int) *tree {
	t := &tree{dirs: []string{"p"}, roots: map[string]access{}, denied: map[string]access{}}
	for len(t.dirs) < most {
		parent := t.dirs[b.below(len(t.dirs))]
		if b.chance(2) {
			parent = t.dirs[len(t.dirs)-1]
		}
		if strings.Count(parent, "/") < depth {
			t.dirs = append(t.dirs, path.Join(parent, fmt.Sprintf("d%d", len(t.dirs))))
		}
	}
	for _, d := range t.dirs {
		for _, f := range []string{"f", "g", "v"} {
			b.file(path.Join(d, f))
		}
	}
	return t
}

// askTree asks about every directory of a tree, and what lies in it.
func (b *builder) askTree(t *tree) {
	for _, d := range t.dirs {
		a := t.at(d)
		b.askList(d, a >= read)
		b.askMake(d, a == write)
		f, v := path.Join(d, pick(b.draw, "f", "g")), path.Join(d, "v")
		b.askFile(f, t.at(f) >= read, t.at(f) == write)
		b.askMoves(t, d)
		if b.chance(2) {
			b.askMove(v, path.Join(d, "w"), a == write && t.at(v) == write)
		}
		b.askRemove(v, a == write && t.at(v) == write)
	}
}

// askMoves asks whether a directory can be moved away, where that is certain.
func (b *builder) askMoves(t *tree, d string) {
	if d == "p" {
		return
	}
	to := path.Join(path.Dir(d), "moved")
	switch {
	case t.at(d) < write || t.at(path.Dir(d)) < write || t.holds(d):
		b.askMove(d, to, false)
	case !t.edges(d):
		b.askMove(d, to, true)
	}
}
