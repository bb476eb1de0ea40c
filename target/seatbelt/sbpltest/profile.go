package sbpltest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Profile is a profile that was read.
type Profile struct {
	rules []rule
	// Regexes are the patterns of all regex filters, in the order of the text.
	Regexes []string
	// Clauses is the number of bytes of the largest rule's filters.
	Clauses int
}

type rule struct {
	op      string
	allow   bool
	filters []filter // alternatives; none matches always, but weakly
}

type filter func(Query) bool

// Parse reads a profile.
func Parse(text []byte) (*Profile, error) {
	nodes, err := readAll(string(text))
	if err != nil {
		return nil, err
	}
	p := &Profile{}
	version := false
	for _, n := range nodes {
		if !n.isList || len(n.list) == 0 || n.list[0].symbol == "" {
			return nil, fmt.Errorf("not a form: %+v", n)
		}
		switch head := n.list[0].symbol; head {
		case "version":
			if version || len(n.list) != 2 || n.list[1].symbol != "1" {
				return nil, fmt.Errorf("unsupported version")
			}
			version = true
		case "allow", "deny":
			if !version {
				return nil, fmt.Errorf("no version specified")
			}
			if err := p.rule(head == "allow", n.list[1:]); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("unbound variable: %s", head)
		}
	}
	return p, nil
}

func (p *Profile) rule(allow bool, args []node) error {
	var ops []string
	var filters []filter
	size := 0
	for _, a := range args {
		if a.symbol != "" {
			op := a.symbol
			if full, ok := aliases[op]; ok {
				op = full
			}
			if _, ok := parents[op]; !ok {
				return fmt.Errorf("unbound variable: %s", op)
			}
			ops = append(ops, op)
			continue
		}
		f, err := p.filter(a)
		if err != nil {
			return err
		}
		filters = append(filters, f)
		size += weigh(a)
	}
	if len(ops) == 0 {
		return fmt.Errorf("a rule without an operation")
	}
	p.Clauses = max(p.Clauses, size)
	for _, op := range ops {
		p.rules = append(p.rules, rule{op: op, allow: allow, filters: filters})
	}
	return nil
}

// weigh estimates the text of a node from below.
func weigh(n node) int {
	size := len(n.symbol) + len(n.text)
	for _, m := range n.list {
		size += weigh(m)
	}
	return size
}

// filter reads a filter. A filter over strings with several of them is true if
// one of them is.
func (p *Profile) filter(n node) (filter, error) {
	if !n.isList || len(n.list) < 2 || n.list[0].symbol == "" {
		return nil, fmt.Errorf("not a filter: %+v", n)
	}
	name, args := n.list[0].symbol, n.list[1:]
	switch name {
	case "require-all", "require-any", "require-not":
		fs := make([]filter, len(args))
		for i, a := range args {
			f, err := p.filter(a)
			if err != nil {
				return nil, err
			}
			fs[i] = f
		}
		return combine(name, fs)
	case "local", "remote":
		return address(name, args)
	case "socket-protocol":
		v, err := strconv.Atoi(args[0].symbol)
		return func(q Query) bool { return q.Protocol == v }, err
	case "vnode-type", "target", "socket-domain":
		return symbol(name, args)
	}
	var fs []filter
	for _, a := range args {
		if !a.isText {
			return nil, fmt.Errorf("%s wants a string", name)
		}
		f, err := p.text(name, a.text)
		if err != nil {
			return nil, err
		}
		fs = append(fs, f)
	}
	return combine("require-any", fs)
}

func combine(name string, fs []filter) (filter, error) {
	switch name {
	case "require-all":
		return func(q Query) bool { return !slices.ContainsFunc(fs, func(f filter) bool { return !f(q) }) }, nil
	case "require-any":
		return func(q Query) bool { return slices.ContainsFunc(fs, func(f filter) bool { return f(q) }) }, nil
	}
	if len(fs) != 1 {
		return nil, fmt.Errorf("require-not wants one filter")
	}
	return func(q Query) bool { return !fs[0](q) }, nil
}

func (p *Profile) text(name, v string) (filter, error) {
	switch name {
	case "literal":
		return func(q Query) bool { return q.Path != "" && q.Path == v }, nil
	case "subpath":
		return func(q Query) bool {
			return q.Path != "" && (q.Path == v || v == "/" || strings.HasPrefix(q.Path, v+"/"))
		}, nil
	case "regex":
		re, err := compile(v)
		if err != nil {
			return nil, err
		}
		p.Regexes = append(p.Regexes, v)
		return func(q Query) bool { return q.Path != "" && re.MatchString(latin(q.Path)) }, nil
	case "global-name", "ipc-posix-name", "sysctl-name":
		return func(q Query) bool { return q.Name == v }, nil
	case "global-name-prefix", "ipc-posix-name-prefix", "sysctl-name-prefix":
		return func(q Query) bool { return strings.HasPrefix(q.Name, v) }, nil
	}
	return nil, fmt.Errorf("unbound variable: %s", name)
}

func symbol(name string, args []node) (filter, error) {
	known := map[string][]string{
		"vnode-type":    {"REGULAR-FILE", "DIRECTORY", "SYMLINK", "CHARACTER-DEVICE", "BLOCK-DEVICE", "FIFO", "SOCKET"},
		"target":        {"self", "same-sandbox"},
		"socket-domain": {"AF_SYSTEM", "AF_ROUTE"},
	}
	v := args[0].symbol
	if len(args) != 1 || !slices.Contains(known[name], v) {
		return nil, fmt.Errorf("unbound variable: %s", v)
	}
	switch name {
	case "vnode-type":
		return func(q Query) bool { return q.Vnode == v }, nil
	case "target":
		return func(q Query) bool { return q.Target == v || (v == "same-sandbox" && q.Target == "self") }, nil
	}
	return func(q Query) bool { return q.Domain == v }, nil
}

// address reads (local ip "host:port") and (remote ip "host:port").
func address(side string, args []node) (filter, error) {
	if len(args) != 2 || args[0].symbol != "ip" || !args[1].isText {
		return nil, fmt.Errorf("%s wants ip and a string", side)
	}
	host, port, ok := strings.Cut(args[1].text, ":")
	if !ok || (host != "*" && host != "localhost") {
		return nil, fmt.Errorf("host must be * or localhost in network address")
	}
	if n, err := strconv.Atoi(port); port != "*" && (err != nil || n < 1 || n > 65535) {
		return nil, fmt.Errorf("port must be a number or *")
	}
	return func(q Query) bool {
		a := q.Remote
		if side == "local" {
			a = q.Local
		}
		h, p, ok := strings.Cut(a, ":")
		return ok && (host == "*" || h == "localhost") && (port == "*" || p == port)
	}, nil
}

// outside matches what is not in the part of the regular expressions that is
// known to work.
var outside = regexp.MustCompile(`\(\?|\{|\}|\\[a-zA-Z0-9]|\(\)|\|\)|\(\|`)

// compile translates a pattern to one over bytes.
func compile(v string) (*regexp.Regexp, error) {
	bare := strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "", `\(`, "", `\)`, "", `\|`, "", `\.`, "").Replace(v)
	if m := outside.FindString(bare); m != "" {
		return nil, fmt.Errorf("the regular expression %q uses %q", v, m)
	}
	if strings.Contains(bare, ".") && !inClasses(bare) {
		return nil, fmt.Errorf("the regular expression %q uses a dot", v)
	}
	if !strings.HasPrefix(v, "^") {
		return nil, fmt.Errorf("the regular expression %q is not anchored", v)
	}
	return regexp.Compile(latin(v))
}

// inClasses reports whether every "." stands in a class.
func inClasses(bare string) bool {
	in := false
	for i := range len(bare) {
		switch c := bare[i]; {
		case c == '[' && (i == 0 || bare[i-1] != '\\'):
			in = true
		case c == ']' && (i == 0 || bare[i-1] != '\\'):
			in = false
		case c == '.' && !in:
			return false
		}
	}
	return true
}

// latin maps each byte to the character with its number, so that matching goes
// byte by byte.
func latin(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}
