package sbpl

import (
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/verify/regex"
)

// Filter is a condition of a rule: [All], [Any], [Not], a condition on the path
// ([Literal], [Subpath], [Prefix], [Regex], [VnodeType]), on the network
// ([Address], [UnixSocket], [Socket]), on a name ([Name]), on the other process
// ([Target]), or [Opaque].
//
//sumtype:decl
type Filter interface {
	// String returns the text of the filter.
	String() string
	filter()
}

// All matches if all of its filters do; without any it matches.
type All []Filter

// Any matches if one of its filters does; without any it does not match.
type Any []Filter

// Not matches if its filter does not.
type Not struct{ Filter Filter }

// Literal matches the path itself.
type Literal struct{ Path string }

// Subpath matches the path and everything beneath it.
type Subpath struct{ Path string }

// Prefix matches every path that starts with the text.
type Prefix struct{ Text string }

// Regex matches every path in which the expression is found.
type Regex struct{ Regex *regex.Regex }

// VnodeType matches a kind of file, such as "DIRECTORY".
type VnodeType struct{ Type string }

// Address matches an internet address. A filter with Remote speaks about the
// other side, one without about the own side.
type Address struct {
	Remote bool
	Proto  string // ip, ip4, ip6, tcp, tcp4, tcp6, udp, udp4 or udp6
	Host   string // "*" or "localhost"
	Port   int    // AnyPort for *
}

// AnyPort is the port of an [Address] that matches all of them.
const AnyPort = -1

// UnixSocket matches every socket in the file system.
type UnixSocket struct{ Remote bool }

// Socket matches how a socket is made. Attr is socket-domain, socket-type or
// socket-protocol, Value a constant or a number.
type Socket struct{ Attr, Value string }

// Name matches the name of what is asked for. Attr says what: global-name,
// local-name, xpc-service-name, sysctl-name or ipc-posix-name.
type Name struct {
	Attr  string
	Match NameMatch
	Text  string
	Regex *regex.Regex // of a NameRegex
}

// NameMatch says how a name is compared.
type NameMatch uint8

// The comparisons.
const (
	NameExact  NameMatch = iota + 1 // the name itself
	NamePrefix                      // names that start with the text
	NameRegex                       // names in which the expression is found
)

// Target matches the process that a signal or question is for: self, pgrp,
// others, children, same-sandbox or initproc.
type Target struct{ Who string }

// Opaque is a filter about something that a profile's text cannot tell.
type Opaque struct {
	Name string
	Args []string
}

func (All) filter()        {}
func (Any) filter()        {}
func (Not) filter()        {}
func (Literal) filter()    {}
func (Subpath) filter()    {}
func (Prefix) filter()     {}
func (Regex) filter()      {}
func (VnodeType) filter()  {}
func (Address) filter()    {}
func (UnixSocket) filter() {}
func (Socket) filter()     {}
func (Name) filter()       {}
func (Target) filter()     {}
func (Opaque) filter()     {}

// String returns (require-all ...).
func (f All) String() string { return several("require-all", f) }

// String returns (require-any ...).
func (f Any) String() string { return several("require-any", f) }

// String returns (require-not ...).
func (f Not) String() string { return several("require-not", []Filter{f.Filter}) }

// String returns (literal "...").
func (f Literal) String() string { return form("literal", quote(f.Path)) }

// String returns (subpath "...").
func (f Subpath) String() string { return form("subpath", quote(f.Path)) }

// String returns (prefix "...").
func (f Prefix) String() string { return form("prefix", quote(f.Text)) }

// String returns (regex "...").
func (f Regex) String() string { return form("regex", quoteRegex(f.Regex.String())) }

// String returns (vnode-type ...).
func (f VnodeType) String() string { return form("vnode-type", f.Type) }

// String returns (remote ip "host:port") or the same with local.
func (f Address) String() string {
	port := "*"
	if f.Port != AnyPort {
		port = strconv.Itoa(f.Port)
	}
	return form(side(f.Remote), f.Proto, quote(f.Host+":"+port))
}

// String returns (remote unix-socket) or the same with local.
func (f UnixSocket) String() string { return form(side(f.Remote), "unix-socket") }

// String returns (socket-domain ...) or its like.
func (f Socket) String() string { return form(f.Attr, f.Value) }

// String returns (global-name "...") or its like.
func (f Name) String() string {
	switch f.Match {
	case NameExact:
		return form(f.Attr, quote(f.Text))
	case NamePrefix:
		return form(f.Attr+"-prefix", quote(f.Text))
	case NameRegex:
		return form(f.Attr+"-regex", quoteRegex(f.Text))
	}
	return "(invalid-name)"
}

// String returns (target ...).
func (f Target) String() string { return form("target", f.Who) }

// String returns the name and the arguments in parentheses.
func (f Opaque) String() string { return form(f.Name, f.Args...) }

func side(remote bool) string {
	if remote {
		return "remote"
	}
	return "local"
}

func form(name string, args ...string) string {
	switch len(args) {
	case 0:
		return "(" + name + ")"
	case 1:
		return "(" + name + " " + args[0] + ")"
	}
	return "(" + name + " " + strings.Join(args, " ") + ")"
}

func several(name string, fs []Filter) string {
	var b strings.Builder
	writeSeveral(&b, name, fs)
	return b.String()
}

func writeSeveral(b *strings.Builder, name string, fs []Filter) {
	b.WriteString("(" + name)
	for _, f := range fs {
		b.WriteByte(' ')
		switch f := f.(type) {
		case All:
			writeSeveral(b, "require-all", f)
		case Any:
			writeSeveral(b, "require-any", f)
		case Not:
			writeSeveral(b, "require-not", []Filter{f.Filter})
		case Literal, Subpath, Prefix, Regex, VnodeType, Address, UnixSocket, Socket, Name, Target, Opaque:
			b.WriteString(f.String())
		}
	}
	b.WriteByte(')')
}

// quote returns a string as the reader takes it.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			const hex = "0123456789abcdef"
			b.WriteString(`\x`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quoteRegex(s string) string {
	raw := !strings.HasSuffix(s, `\`)
	for i := range len(s) {
		raw = raw && s[i] != '"' && s[i] >= ' ' && s[i] != 0x7f
	}
	if !raw {
		return quote(s)
	}
	return `#"` + s + `"`
}
