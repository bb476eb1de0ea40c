package sbpl

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/verify/regex"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// maxRegex is how many bytes a regular expression may have: there are reports
// of failures above it.
const maxRegex = 1000

// subsetConstants are the filters with a constant, and the constants.
var subsetConstants = map[string][]string{
	"vnode-type":    {"REGULAR-FILE", "DIRECTORY", "SYMLINK", "CHARACTER-DEVICE", "BLOCK-DEVICE", "FIFO", "SOCKET"},
	"target":        {"same-sandbox"},
	"socket-domain": {"AF_SYSTEM", "AF_ROUTE"},
}

// filter checks a filter of a rule on these operations.
func (s *subset) filter(n syntax.Node, ops []string) {
	name, args, ok := s.list(n)
	if !ok {
		return
	}
	switch name {
	case "with":
		what := "a modifier"
		if len(args) > 0 && isSymbol(args[0], "no-sandbox", "no-profile") {
			what = "no-sandbox: what is started would run without the sandbox"
		}
		s.refuse(n.Start(), "%s", what)
		return
	case "require-all", "require-any", "require-not":
		if len(args) == 0 || (name == "require-not" && len(args) != 1) {
			s.refuse(n.Start(), "%s with %d filters", name, len(args))
		}
		for _, a := range args {
			s.filter(a, ops)
		}
		return
	case "remote", "local":
		s.address(n, name, args, ops)
		return
	}
	if len(args) != 1 {
		s.refuse(n.Start(), "%s with %d arguments", name, len(args))
		return
	}
	if words, ok := subsetConstants[name]; ok {
		if !isSymbol(args[0], words...) {
			s.refuse(args[0].Start(), "%s of something other than %s", name, strings.Join(words, ", "))
		}
		return
	}
	if name == "socket-protocol" {
		if _, ok := args[0].(*syntax.Integer); !ok {
			s.refuse(args[0].Start(), "socket-protocol of something other than a number")
		}
		return
	}
	switch name {
	case "literal", "subpath", "regex", "sysctl-name", "sysctl-name-prefix", "global-name", "ipc-posix-name", "ipc-posix-name-prefix":
	default:
		s.refuse(n.Start(), "sbc does not write (%s ...)", name)
		return
	}
	text, ok := args[0].(*syntax.String)
	if !ok {
		s.refuse(args[0].Start(), "%s of something other than a string", name)
		return
	}
	if text.Raw && strings.HasSuffix(text.Text, `\`) {
		s.refuse(text.Pos, `\" in #"...": what it means is not known`)
		return
	}
	switch name {
	case "literal", "subpath":
		if why := deadPath(text.Text, name == "subpath"); why != "" {
			s.refuse(text.Pos, "%s %s: the rule would match nothing", quote(text.Text), why)
		}
	case "regex":
		s.regex(text)
	}
}

func isSymbol(n syntax.Node, names ...string) bool {
	sym, ok := n.(*syntax.Symbol)
	return ok && slices.Contains(names, sym.Name)
}

func (s *subset) address(n syntax.Node, name string, args []syntax.Node, ops []string) {
	text := (*syntax.String)(nil)
	if len(args) == 2 && isSymbol(args[0], "ip") {
		text, _ = args[1].(*syntax.String)
	}
	if text == nil || text.Raw {
		s.refuse(n.Start(), `%s of something other than ip "HOST:PORT"`, name)
		return
	}
	if _, _, err := hostPort(text.Text, text.Pos); err != nil {
		s.refuse(text.Pos, "%s", problemOf(err).Msg)
	}
	for _, op := range ops {
		switch {
		case name == "local" && (op == "network-outbound" || op == "network*"):
			s.refuse(n.Start(), "(local ip ...) on %s opens every outgoing connection", op)
		case name == "remote" && op != "network-outbound":
			s.refuse(n.Start(), "(remote ip ...) on %s has no effect", op)
		case op != "network-outbound" && op != "network-bind" && op != "network-inbound":
			s.refuse(n.Start(), "(%s ip ...) on %s", name, op)
		}
	}
}

// roots are links at the root: the kernel never compares a path beneath one.
var roots = []string{"/etc", "/tmp", "/var"}

// deadPath says why the kernel has no such path. A tree of paths is dead too if
// only its root could match.
func deadPath(p string, tree bool) string {
	switch {
	case !strings.HasPrefix(p, "/"):
		return "is not absolute"
	case strings.ContainsRune(p, 0):
		return "holds a zero byte"
	case p != "/" && strings.HasSuffix(p, "/"):
		return "ends in a slash"
	}
	for i, part := range strings.Split(p, "/") {
		if i > 0 && p != "/" && (part == "" || part == "." || part == "..") {
			return "is not clean"
		}
	}
	for _, r := range roots {
		if strings.HasPrefix(p, r+"/") || (tree && p == r) {
			return "passes the link " + r + ", which the kernel resolves to /private" + r
		}
	}
	return ""
}

// refused are the parts of regular expressions that sbc does not write.
var refused = []struct {
	use  regex.Use
	what string
}{
	{regex.NeverGroup, "(?:...), which macOS takes and which then matches nothing"},
	{regex.Counted, "a counted repetition"},
	{regex.Dot, "a dot"},
	{regex.ClassEscape, "a class by name"},
	{regex.LetterEscape, "an escaped letter or digit"},
	{regex.Stacked, "two quantifiers in a row"},
}

func (s *subset) regex(text *syntax.String) {
	re, err := regex.Parse(text.Text)
	if err != nil {
		s.refuse(text.Pos, "%v", err)
		return
	}
	for _, r := range refused {
		if re.Uses().Has(r.use) {
			s.refuse(text.Pos, "the regular expression has %s", r.what)
		}
	}
	if len(text.Text) > maxRegex {
		s.refuse(text.Pos, "the regular expression has %d bytes, more than %d", len(text.Text), maxRegex)
	}
	if !re.Anchored() {
		s.refuse(text.Pos, "the regular expression does not start with ^")
		return
	}
	start := leading(re.Root())
	for _, r := range roots {
		if strings.HasPrefix(start, r+"/") {
			s.refuse(text.Pos, "the regular expression passes the link %s, which the kernel resolves to /private%s: the rule would match nothing", r, r)
		}
	}
}

// leading returns the text that every match starts with. A set of both cases of
// a letter counts as the small one.
func leading(n regex.Node) string {
	seq, ok := n.(regex.Concat)
	if !ok {
		return ""
	}
	var out []byte
	for _, x := range seq {
		if _, begin := x.(regex.Begin); begin {
			continue
		}
		set, ok := x.(regex.Set)
		if !ok {
			break
		}
		b, ok := single(set)
		if !ok {
			break
		}
		out = append(out, b)
	}
	return string(out)
}

// single returns the byte of a set of one, or of both cases of a letter.
func single(s regex.Set) (byte, bool) {
	n, high := 0, 0
	for i, word := range s {
		n += bits.OnesCount64(word)
		if word != 0 {
			high = i*64 + 63 - bits.LeadingZeros64(word)
		}
	}
	c := byte(high)
	both := n == 2 && 'a' <= c && c <= 'z' && s.Has(c-0x20)
	return c, n == 1 || both
}
