package verify

import (
	"strings"

	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// filterExpr is what a filter says about the path of a file of a kind. Filters
// about anything else do not match a file.
func filterExpr(f sbpl.Filter, vnode string) automata.Expr {
	switch f := f.(type) {
	case sbpl.All:
		var out automata.And
		for _, x := range f {
			switch e := filterExpr(x, vnode); e {
			case automata.Const(false):
				return e
			case automata.Const(true):
			default:
				out = append(out, e)
			}
		}
		if len(out) == 0 {
			return automata.Const(true)
		}
		return out
	case sbpl.Any:
		var out automata.Or
		for _, x := range f {
			switch e := filterExpr(x, vnode); e {
			case automata.Const(true):
				return e
			case automata.Const(false):
			default:
				out = append(out, e)
			}
		}
		if len(out) == 0 {
			return automata.Const(false)
		}
		return out
	case sbpl.Not:
		switch e := filterExpr(f.Filter, vnode); e {
		case automata.Const(true):
			return automata.Const(false)
		case automata.Const(false):
			return automata.Const(true)
		default:
			return automata.Not{X: e}
		}
	case sbpl.Literal:
		return automata.In{Lang: automata.Literal(f.Path)}
	case sbpl.Subpath:
		if f.Path != "/" && strings.HasSuffix(f.Path, "/") {
			return automata.Const(false) // nothing is known to match it
		}
		return automata.In{Lang: automata.Subtree(f.Path)}
	case sbpl.Prefix:
		return automata.In{Lang: automata.Prefix(f.Text)}
	case sbpl.Regex:
		return automata.In{Lang: automata.Regex(f.Regex)}
	case sbpl.VnodeType:
		return automata.Const(f.Type == vnode)
	case sbpl.UnixSocket:
		return automata.Const(vnode == "SOCKET")
	case sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return automata.Const(false)
}

// certain returns what a filter says about every path of a kind, if that is the
// same for all of them whatever else it asks.
func certain(f sbpl.Filter, vnode string) (value, ok bool) {
	switch f := f.(type) {
	case sbpl.All:
		return certainAll(f, vnode, true)
	case sbpl.Any:
		return certainAll(f, vnode, false)
	case sbpl.Not:
		value, ok = certain(f.Filter, vnode)
		return !value, ok
	case sbpl.Literal, sbpl.Prefix, sbpl.Regex:
		return false, false
	case sbpl.Subpath:
		return false, f.Path != "/" && strings.HasSuffix(f.Path, "/")
	case sbpl.VnodeType:
		return f.Type == vnode, true
	case sbpl.UnixSocket:
		return vnode == "SOCKET", true
	case sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return false, true
}

// certainAll is certain for all of some filters or, if and is not set, any.
func certainAll(fs []sbpl.Filter, vnode string, and bool) (value, ok bool) {
	ok = true
	for _, x := range fs {
		value, known := certain(x, vnode)
		if known && value != and {
			return value, true
		}
		ok = ok && known
	}
	return and, ok
}
