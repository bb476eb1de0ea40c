package mutation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// profileMutants are all mutants of a profile.
func profileMutants(t testing.TB, text string) []mutant {
	t.Helper()
	nodes, err := syntax.Parse("profile.sb", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := &profileMutator{src: text, forms: nodes}
	for i, n := range nodes[2:] {
		m.rule(n.(*syntax.List), i+2)
	}
	m.more("insert a rule", "at the end", insertions()...)
	return m.out
}

// insertions are rules that somebody could add by hand.
func insertions() []string {
	return []string{
		`(allow file-read* (subpath "/"))`, `(allow file-write* (literal "/etc/hosts"))`, `(allow file* (subpath "/vols"))`, `(allow file-mknod (subpath "/"))`,
		`(allow file-mount (subpath "/"))`, `(allow file-ioctl (subpath "/"))`, `(allow file-read-metadata (subpath "/"))`, `(allow file-write-setugid (subpath "/"))`,
		`(allow file-clone (subpath "/"))`, `(allow file-link (subpath "/"))`, `(allow process-exec* (subpath "/Users"))`, `(allow file-issue-extension (subpath "/"))`,
		`(allow network-outbound (remote ip "*:8443"))`, `(allow network-outbound (remote ip "localhost:7777"))`, `(allow network-bind (local ip "*:7777"))`,
		`(allow network-outbound (literal "/private/var/run/docker.sock"))`, `(allow network-outbound (remote ip "*:*"))`, `(allow network*)`,
		`(allow mach-lookup)`, `(allow mach-lookup (global-name "com.apple.SecurityServer"))`, `(allow mach-register (global-name "x"))`, `(allow mach-priv-task-port)`,
		`(allow appleevent-send)`, `(allow lsopen)`, `(allow iokit-open)`, `(allow ipc-posix-shm*)`, `(allow sysctl-write)`, `(allow sysctl*)`, `(allow process-info*)`,
		`(allow signal)`, `(allow system-socket)`, `(allow nvram*)`, `(allow job-creation)`, `(allow default)`, `(allow distributed-notification-post)`,
		`(deny file-read* (literal "/usr/lib/dyld"))`, `(deny process-fork)`, `(deny file-map-executable)`,
	}
}

// profileMutator collects mutants of one text.
type profileMutator struct {
	src   string
	forms []syntax.Node
	out   []mutant
}

func (m *profileMutator) add(kind, what string, edits ...edit) {
	m.out = append(m.out, mutant{kind: kind, what: what, text: apply(m.src, edits...)})
}

func (m *profileMutator) more(kind, what string, forms ...string) {
	for _, f := range forms {
		m.out = append(m.out, mutant{kind: kind, what: what + ": " + f, text: m.src + f + "\n"})
	}
}

// span is the place of a node in the text.
func (m *profileMutator) span(n syntax.Node) edit {
	start := n.Start().Byte
	switch n := n.(type) {
	case *syntax.List:
		return edit{start, n.End.Byte + 1, ""}
	case *syntax.Symbol:
		return edit{start, start + len(n.Name), ""}
	case *syntax.String:
		if n.Raw {
			return edit{start, start + 2 + strings.IndexByte(m.src[start+2:], '"') + 1, ""}
		}
		end := start + 1
		for m.src[end] != '"' {
			if m.src[end] == '\\' {
				end++
			}
			end++
		}
		return edit{start, end + 1, ""}
	case *syntax.Integer, *syntax.Char, *syntax.Bool, *syntax.Vector, *syntax.Quote:
	}
	return edit{start, start + strings.IndexAny(m.src[start:], " \n)"), ""}
}

func (m *profileMutator) text(n syntax.Node) string {
	s := m.span(n)
	return m.src[s.start:s.end]
}

// with is the span of a node with another text.
func (m *profileMutator) with(n syntax.Node, text string) edit {
	s := m.span(n)
	s.with = text
	return s
}

func brief(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 120 {
		s = s[:120] + "..."
	}
	return s
}

func head(n syntax.Node) string {
	if l, ok := n.(*syntax.List); ok && len(l.Items) > 0 {
		if s, ok := l.Items[0].(*syntax.Symbol); ok {
			return s.Name
		}
	}
	return ""
}

// rule changes a rule as a whole.
func (m *profileMutator) rule(l *syntax.List, i int) {
	text := m.text(l)
	name := brief(text)
	var ops, clauses []syntax.Node
	for _, x := range l.Items[1:] {
		if _, ok := x.(*syntax.Symbol); ok {
			ops = append(ops, x)
		} else {
			clauses = append(clauses, x)
		}
	}
	first := m.text(ops[0])
	kind := "drop a rule"
	switch {
	case strings.HasPrefix(first, "file-write-unlink"):
		kind = "lose a pin"
	case text == `(deny network-outbound (subpath "/"))`:
		kind = "network: sockets no longer denied"
	case strings.HasPrefix(first, "network-outbound"):
		kind = "network: drop a rule"
	case len(clauses) == 0:
		kind = "drop a rule without filters"
	}
	m.add(kind, name, m.span(l))
	m.add("duplicate a rule", name, m.with(l, text+"\n"+text))
	if i+1 < len(m.forms) {
		next := m.forms[i+1]
		m.add("swap adjacent rules", name, m.with(l, m.text(next)), m.with(next, text))
	}
	flipped := map[string]string{"allow": "deny", "deny": "allow"}[head(l)]
	m.add("allow <-> deny", name, m.with(l.Items[0], flipped))
	end := m.span(l).end - 1
	m.add("add (with no-sandbox)", name, edit{end, end, " (with no-sandbox)"})
	m.add("add (with no-sandbox) behind the action", name, edit{m.span(ops[0]).start, m.span(ops[0]).start, "(with no-sandbox) "})
	if len(ops) > 1 {
		for _, op := range ops {
			m.add("drop an operation", m.text(op)+" of "+name, m.span(op))
		}
	}
	for _, op := range ops {
		if parent := widerOp(m.text(op)); parent != "" {
			m.add("a wider operation", m.text(op)+" of "+name, m.with(op, parent))
		}
	}
	for _, c := range clauses {
		kind := "drop a clause"
		if kind == "drop a clause" && strings.HasPrefix(first, "file-write-unlink") && len(clauses) > 1 {
			kind = "lose a pin"
		}
		m.add(kind, brief(m.text(c))+" of "+name, m.span(c))
		m.add("duplicate a clause", brief(m.text(c)), m.with(c, m.text(c)+" "+m.text(c)))
		m.filter(c)
	}
}

func widerOp(op string) string {
	return map[string]string{
		"file-write-unlink": "file-write*", "file-read-metadata": "file-read*", "file-read*": "file*", "file-write*": "file*",
		"process-exec*": "process*", "sysctl-read": "sysctl*", "mach-lookup": "mach*", "file-ioctl": "file*", "network-outbound": "network*",
		"ipc-posix-shm-read-data": "ipc-posix-shm*",
	}[op]
}

// filter changes a filter and those in it.
func (m *profileMutator) filter(n syntax.Node) {
	l := n.(*syntax.List)
	name := brief(m.text(l))
	switch head(l) {
	case "require-all", "require-any":
		for _, x := range l.Items[1:] {
			kind := "drop a filter of " + head(l)
			if head(x) == "require-not" {
				kind = "drop a require-not"
			}
			m.add(kind, brief(m.text(x))+" of "+name, m.span(x))
			m.filter(x)
		}
		other := map[string]string{"require-all": "require-any", "require-any": "require-all"}[head(l)]
		m.add("require-all <-> require-any", name, m.with(l.Items[0], other))
	case "require-not":
		m.add("require-not -> its filter", name, m.with(l, m.text(l.Items[1])))
		m.filter(l.Items[1])
	case "literal", "subpath":
		m.path(l, name)
	case "regex":
		m.regex(l, name)
	case "remote", "local":
		m.address(l, name)
	case "vnode-type":
		m.add("another vnode-type", name, m.with(l.Items[1], "REGULAR-FILE"))
	case "target":
		m.add("another target", name, m.with(l.Items[1], "others"))
	case "socket-domain":
		m.add("another socket domain", name, m.with(l.Items[1], map[string]string{"AF_ROUTE": "AF_SYSTEM", "AF_SYSTEM": "AF_ROUTE"}[m.text(l.Items[1])]))
	case "socket-protocol":
		m.add("another socket protocol", name, m.with(l.Items[1], "1"))
	default:
		m.name(l, name)
	}
}

// path changes a literal or a subpath.
func (m *profileMutator) path(l *syntax.List, name string) {
	s := l.Items[1].(*syntax.String)
	kind := head(l)
	set := func(what, path string) {
		if path != s.Text && path != "" {
			m.add(kind+": "+what, name+" -> "+path, m.with(s, quoted(path)))
		}
	}
	other := map[string]string{"literal": "subpath", "subpath": "literal"}[kind]
	m.add(kind+" -> "+other, name, m.with(l.Items[0], other))
	set("drop the last character", s.Text[:len(s.Text)-1])
	set("change case", swapCase(s.Text))
	if s.Text == "/" {
		set("child", "/x")
		return
	}
	set("parent", "/"+strings.TrimPrefix(s.Text[:strings.LastIndexByte(s.Text, '/')], "/"))
	set("child", s.Text+"/x")
	set("sibling", s.Text+"x")
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// swapCase changes the case of the last letter.
func swapCase(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if c := s[i] | 0x20; 'a' <= c && c <= 'z' {
			return s[:i] + string(s[i]^0x20) + s[i+1:]
		}
	}
	return s
}

// address changes where a connection leads.
func (m *profileMutator) address(l *syntax.List, name string) {
	other := map[string]string{"remote": "local", "local": "remote"}[head(l)]
	m.add("network: remote <-> local", name, m.with(l.Items[0], other))
	s := l.Items[2].(*syntax.String)
	host, port, _ := strings.Cut(s.Text, ":")
	m.add("network: localhost <-> *", name, m.with(s, quoted(map[string]string{"localhost": "*", "*": "localhost"}[host]+":"+port)))
	m.add("network: one port", name, m.with(s, quoted(host+":443")))
	m.add("network: one odd port", name, m.with(s, quoted(host+":7777")))
}

// name changes the name of what is asked for.
func (m *profileMutator) name(l *syntax.List, name string) {
	s, ok := l.Items[1].(*syntax.String)
	if !ok {
		return
	}
	m.add("name: drop the last character", name, m.with(s, quoted(s.Text[:len(s.Text)-1])))
	m.add("name: longer", name, m.with(s, quoted(s.Text+"x")))
	switch kind := head(l); {
	case strings.HasSuffix(kind, "-prefix"):
		m.add("name: prefix <-> exact", name, m.with(l.Items[0], strings.TrimSuffix(kind, "-prefix")))
	case kind != "global-name":
		m.add("name: prefix <-> exact", name, m.with(l.Items[0], kind+"-prefix"))
	}
}

// regex changes a regular expression.
func (m *profileMutator) regex(l *syntax.List, name string) {
	s := l.Items[1].(*syntax.String)
	re := s.Text
	set := func(kind, text string) {
		if text != re && !strings.Contains(text, `"`) {
			m.add("regex: "+kind, name+" -> "+text, m.with(s, `#"`+text+`"`))
		}
	}
	set("drop the anchor", strings.TrimPrefix(re, "^"))
	set("drop (/|$)", strings.TrimSuffix(re, "(/|$)"))
	set("(/|$) -> $", strings.Replace(re, "(/|$)", "$", 1))
	set("(/|$) -> /", strings.Replace(re, "(/|$)", "/", 1))
	if strings.HasSuffix(re, "$") {
		set("drop the $", re[:len(re)-1])
	}
	set("[^/] -> .", strings.Replace(re, "[^/]", ".", 1))
	set("[^/] -> [^a]", strings.Replace(re, "[^/]", "[^a]", 1))
	set("[^/] -> [^/a]", strings.Replace(re, "[^/]", "[^/a]", 1))
	set("* -> +", strings.Replace(re, "*", "+", 1))
	set("+ -> *", strings.Replace(re, "+", "*", 1))
	set("an anchor too many", "^"+strings.Replace(re, "^", "^/x", 1)[1:])
	for _, c := range classes(re) {
		body := re[c[0]+1 : c[1]]
		around := func(body string) string { return re[:c[0]+1] + body + re[c[1]:] }
		if strings.HasPrefix(body, "^") {
			set("widen a class", around(body[:len(body)-1]+"\x01"))
			set("narrow a class", around(body+"z"))
			set("negate a class", around(body[1:]))
			continue
		}
		set("widen a class", around(body+"q"))
		set("drop a letter of a class", around(body[1:]))
		set("drop a letter of a class", around(body[:len(body)-1]))
		set("negate a class", around("^"+body))
		set("a class and more", re[:c[1]+1]+"*"+re[c[1]+1:])
	}
	for _, a := range alternatives(re) {
		set("remove an alternative", re[:a[0]]+re[a[1]:])
	}
	if i := strings.LastIndexAny(strings.TrimSuffix(re, "(/|$)"), "abcdefghijklmnopqrstuvwxyz"); i >= 0 {
		set("another letter", re[:i]+"q"+re[i+1:])
	}
}

// classes returns where classes open and close: the first, one in the middle and
// the last, and all negated ones.
func classes(re string) [][2]int {
	var all [][2]int
	for i := 0; i < len(re); i++ {
		switch re[i] {
		case '\\':
			i++
		case '[':
			end := i + 2
			for re[end] != ']' {
				end++
			}
			all = append(all, [2]int{i, end})
			i = end
		}
	}
	var out [][2]int
	for i, c := range all {
		if i == 0 || i == len(all)/2 || i == len(all)-1 || re[c[0]+1] == '^' {
			out = append(out, c)
		}
	}
	return out
}

// alternatives returns the spans of what can be removed with its bar.
func alternatives(re string) [][2]int {
	var out [][2]int
	var open []int          // where groups start
	bars := map[int][]int{} // bars by the start of their group
	for i := 0; i < len(re); i++ {
		switch re[i] {
		case '\\':
			i++
		case '[':
			for i += 2; re[i] != ']'; i++ {
			}
		case '(':
			open = append(open, i)
		case '|':
			if n := len(open); n > 0 {
				bars[open[n-1]] = append(bars[open[n-1]], i)
			}
		case ')':
			start := open[len(open)-1]
			open = open[:len(open)-1]
			marks := slices.Concat([]int{start}, bars[start], []int{i})
			if len(marks) == 2 {
				continue
			}
			out = append(out, [2]int{start + 1, marks[1] + 1})
			for k := 1; k+1 < len(marks); k++ {
				out = append(out, [2]int{marks[k], marks[k+1]})
			}
		}
	}
	return out
}
