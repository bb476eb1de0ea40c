package sbpl

import (
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/verify/regex"
	"github.com/sandboxc/sbc/verify/sbpl/scheme"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

type construct func(at syntax.Pos, args []scheme.Value) (Filter, error)

// filter returns the procedure that makes a filter.
func (r *reader) filter(name string) (scheme.Value, bool) {
	kind := name
	if full, ok := filterAliases[name]; ok {
		kind = full
	}
	if kind == "kernel-mig-routine" {
		return &scheme.Special{Name: name, Run: routines}, true
	}
	c := r.construct(kind, name)
	if c == nil {
		return nil, false
	}
	return &scheme.Builtin{Name: name, Max: -1, Call: func(in *scheme.Interp, at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
		f, err := c(at, args)
		if err != nil {
			return nil, err
		}
		n := size(f)
		if n > MaxFilter {
			return nil, scheme.Errorf(at, "the filter has more than %d parts", MaxFilter)
		}
		return f, in.Charge(n/8, at)
	}}, true
}

func (r *reader) construct(kind, name string) construct {
	switch kind {
	case "require-all":
		return func(at syntax.Pos, args []scheme.Value) (Filter, error) {
			fs, err := filters(name, at, args)
			return All(fs), err
		}
	case "require-any":
		return func(at syntax.Pos, args []scheme.Value) (Filter, error) {
			fs, err := filters(name, at, args)
			return Any(fs), err
		}
	case "require-not":
		return func(at syntax.Pos, args []scheme.Value) (Filter, error) {
			fs, err := filters(name, at, args)
			if err == nil && len(fs) != 1 {
				err = scheme.Errorf(at, "require-not wants one filter, not %d", len(fs))
			}
			if err != nil {
				return nil, err
			}
			return Not{fs[0]}, nil
		}
	case "literal":
		return perText(name, func(s string, _ syntax.Pos) (Filter, error) { return Literal{s}, nil })
	case "subpath":
		return perText(name, func(s string, _ syntax.Pos) (Filter, error) { return Subpath{s}, nil })
	case "prefix":
		return perText(name, func(s string, _ syntax.Pos) (Filter, error) { return Prefix{s}, nil })
	case "regex":
		return perText(name, func(s string, at syntax.Pos) (Filter, error) {
			re, err := expression(s, at)
			return Regex{re}, err
		})
	case "path-ancestors":
		return perText(name, ancestors)
	case "vnode-type":
		return perConstant(name, vnodeTypes, func(s string) Filter { return VnodeType{s} })
	case "tty":
		return func(syntax.Pos, []scheme.Value) (Filter, error) { return VnodeType{"TTY"}, nil }
	case "target":
		return perConstant(name, targets, func(s string) Filter { return Target{s} })
	case "socket-domain":
		return perConstant(name, domains, func(s string) Filter { return Socket{kind, s} })
	case "socket-type":
		return perConstant(name, socketTypes, func(s string) Filter { return Socket{kind, s} })
	case "socket-protocol":
		return perConstant(name, nil, func(s string) Filter { return Socket{kind, s} })
	case "local", "remote":
		return func(at syntax.Pos, args []scheme.Value) (Filter, error) {
			return address(name, kind == "remote", at, args)
		}
	case "require-entitlement":
		return entitlement
	}
	if f := named(kind, name); f != nil {
		return f
	}
	return opaque(kind, name)
}

// named makes a Name of global-name, global-name-prefix and so on.
func named(kind, name string) construct {
	attr, match := kind, NameExact
	if a, ok := strings.CutSuffix(kind, "-prefix"); ok {
		attr, match = a, NamePrefix
	} else if a, ok := strings.CutSuffix(kind, "-regex"); ok {
		attr, match = a, NameRegex
	}
	if !nameFilters[attr] {
		return nil
	}
	return perText(name, func(s string, at syntax.Pos) (Filter, error) {
		f := Name{Attr: attr, Match: match, Text: s}
		var err error
		if match == NameRegex {
			f.Regex, err = expression(s, at)
		}
		return f, err
	})
}

// opaque makes the filters whose truth is not known.
func opaque(kind, name string) construct {
	attr := kind
	for _, suffix := range []string{"-prefix", "-regex"} {
		if a, ok := strings.CutSuffix(kind, suffix); ok && opaqueFilters[a] == argPattern {
			attr = a
		}
	}
	takes, known := opaqueFilters[attr]
	if strings.HasPrefix(kind, "syscall-group-") {
		takes, known = argNothing, true
	}
	if !known {
		return nil
	}
	return func(at syntax.Pos, args []scheme.Value) (Filter, error) {
		f := Opaque{Name: kind}
		for _, a := range args {
			ok := false
			switch v := a.(type) {
			case string:
				ok = takes == argText || takes == argPattern
				f.Args = append(f.Args, quote(v))
				if ok && strings.HasSuffix(kind, "-regex") {
					if _, err := expression(v, at); err != nil {
						return nil, err
					}
				}
			case int64:
				ok = takes == argSymbol
				f.Args = append(f.Args, strconv.FormatInt(v, 10))
			case constant:
				ok = takes == argSymbol
				f.Args = append(f.Args, string(v))
			case bool:
				ok = takes == argBool || kind == "%entitlement-string"
				f.Args = append(f.Args, scheme.Text(v))
			}
			if !ok {
				return nil, scheme.Errorf(at, "%s cannot take %s", name, scheme.Text(a))
			}
		}
		if len(args) == 0 && (takes == argText || takes == argPattern || takes == argSymbol) {
			return nil, scheme.Errorf(at, "%s wants an argument", name)
		}
		return f, nil
	}
}

// routines makes (kernel-mig-routine name...), whose names are not evaluated:
// there are hundreds.
func routines(_ *scheme.Interp, f scheme.Form) (scheme.Value, *scheme.Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	out := Opaque{Name: "kernel-mig-routine"}
	for _, o := range ops {
		out.Args = append(out.Args, scheme.Text(o.Expr))
	}
	return out, nil, nil
}

// entitlement makes (require-entitlement "name" value-filter).
func entitlement(at syntax.Pos, args []scheme.Value) (Filter, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, scheme.Errorf(at, "require-entitlement wants a string, and at most one filter")
	}
	name, ok := args[0].(string)
	if !ok {
		return nil, scheme.Errorf(at, "require-entitlement wants a string, not %s", scheme.Text(args[0]))
	}
	f := Opaque{Name: "require-entitlement", Args: []string{quote(name)}}
	if len(args) == 2 {
		value, ok := args[1].(Filter)
		if !ok {
			return nil, scheme.Errorf(at, "require-entitlement cannot take %s", scheme.Text(args[1]))
		}
		f.Args = append(f.Args, value.String())
	}
	return f, nil
}

// perText makes a filter for each string; several are alternatives.
func perText(name string, f func(s string, at syntax.Pos) (Filter, error)) construct {
	return func(at syntax.Pos, args []scheme.Value) (Filter, error) {
		var out Any
		for _, a := range args {
			s, ok := a.(string)
			if !ok {
				return nil, scheme.Errorf(at, "%s wants a string, not %s", name, scheme.Text(a))
			}
			x, err := f(s, at)
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
		return alternatives(name, at, out)
	}
}

// perConstant makes a filter for each constant; nil takes numbers only.
func perConstant(name string, known map[string]bool, f func(string) Filter) construct {
	return func(at syntax.Pos, args []scheme.Value) (Filter, error) {
		var out Any
		for _, a := range args {
			n, number := a.(int64)
			c, ok := a.(constant)
			switch {
			case number && name != "vnode-type" && name != "target":
				out = append(out, f(strconv.FormatInt(n, 10)))
			case ok && (known[string(c)] || (known == nil && strings.HasPrefix(string(c), "IPPROTO_"))):
				out = append(out, f(string(c)))
			default:
				return nil, scheme.Errorf(at, "%s cannot take %s", name, scheme.Text(a))
			}
		}
		return alternatives(name, at, out)
	}
}

func alternatives(name string, at syntax.Pos, out Any) (Filter, error) {
	switch len(out) {
	case 0:
		return nil, scheme.Errorf(at, "%s wants an argument", name)
	case 1:
		return out[0], nil
	}
	return out, nil
}

func expression(s string, at syntax.Pos) (*regex.Regex, error) {
	re, err := regex.Parse(s)
	if err != nil {
		return nil, scheme.Errorf(at, "%v", err)
	}
	return re, nil
}

// ancestors matches every directory above a path, up to the root.
func ancestors(p string, at syntax.Pos) (Filter, error) {
	if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "${") {
		return nil, scheme.Errorf(at, "path must start with a /")
	}
	out := Any{}
	p = strings.TrimSuffix(p, "/")
	for i := range len(p) {
		switch {
		case p[i] != '/':
		case i == 0:
			out = append(out, Literal{"/"})
		default:
			out = append(out, Literal{p[:i]})
		}
	}
	return out, nil
}

func filtersOf(args []scheme.Value) ([]Filter, bool) {
	out := make([]Filter, 0, len(args))
	for _, a := range args {
		f, ok := a.(Filter)
		if !ok {
			return nil, false
		}
		out = append(out, f)
	}
	return out, true
}

func filters(name string, at syntax.Pos, args []scheme.Value) ([]Filter, error) {
	fs, ok := filtersOf(args)
	if ok {
		return fs, nil
	}
	for _, a := range args {
		if _, ok := a.(Filter); !ok {
			return nil, scheme.Errorf(at, "%s wants filters, not %s", name, scheme.Text(a))
		}
	}
	return nil, nil
}
