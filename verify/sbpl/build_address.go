package sbpl

import (
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/verify/sbpl/scheme"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// address makes (remote ip "host:port"), where the string may be missing, and
// (remote unix-socket filter...), the old form of a filter on the path.
func address(name string, remote bool, at syntax.Pos, args []scheme.Value) (Filter, error) {
	if len(args) == 0 {
		return nil, scheme.Errorf(at, "%s wants an argument", name)
	}
	proto, ok := args[0].(constant)
	switch {
	case ok && proto == "unix-socket":
		if len(args) == 1 {
			return UnixSocket{remote}, nil
		}
		fs, err := filters(name, at, args[1:])
		if err != nil {
			return nil, err
		}
		return alternatives(name, at, fs)
	case !ok || !protocols[string(proto)]:
		return nil, scheme.Errorf(at, "%s cannot take %s", name, scheme.Text(args[0]))
	}
	var out Any
	for _, a := range args[1:] {
		s, ok := a.(string)
		if !ok {
			return nil, scheme.Errorf(at, "%s wants a string, not %s", name, scheme.Text(a))
		}
		host, port, err := hostPort(s, at)
		if err != nil {
			return nil, err
		}
		out = append(out, Address{Remote: remote, Proto: string(proto), Host: host, Port: port})
	}
	if len(out) == 0 {
		return Address{Remote: remote, Proto: string(proto), Host: "*", Port: AnyPort}, nil
	}
	return alternatives(name, at, out)
}

func hostPort(s string, at syntax.Pos) (host string, port int, err error) {
	host, text, ok := cutLast(s)
	if host != "*" && host != "localhost" {
		return "", 0, scheme.Errorf(at, "host must be * or localhost in network address")
	}
	if text == "*" {
		return host, AnyPort, nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if !ok || err != nil {
		return "", 0, scheme.Errorf(at, "port must be a number or * in network address")
	}
	return host, int(n), nil
}

// cutLast cuts around the last colon.
func cutLast(s string) (host, port string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// size counts the parts of a filter, and stops counting beyond MaxFilter.
func size(f Filter) int {
	var parts []Filter
	switch f := f.(type) {
	case All:
		parts = f
	case Any:
		parts = f
	case Not:
		parts = []Filter{f.Filter}
	case Literal, Subpath, Prefix, Regex, VnodeType, Address, UnixSocket, Socket, Name, Target, Opaque:
	}
	n := 1
	for _, x := range parts {
		if n += size(x); n > MaxFilter {
			break
		}
	}
	return n
}
