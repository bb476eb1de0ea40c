package sbpl

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/sandboxc/sbc/verify/sbpl/scheme"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// Limits of a profile.
const (
	// MaxRules is how many rules a profile may have.
	MaxRules = 200_000
	// MaxFilter is how many parts a filter may have.
	MaxFilter = 100_000
	// MaxImports is how deep imports may nest.
	MaxImports = 32
)

// Options say what a profile is read with. The zero value has no parameters
// and no files.
type Options struct {
	// Params are the values of (param "KEY"), given to sandbox-exec as
	// -D KEY=VALUE. One that is missing is #f.
	Params map[string]string
	// Files is the file system that (import "...") reads, from its root. Nil has
	// no files.
	Files fs.FS
	// Search are the directories that relative imports are looked up in, in
	// order; nil means SystemSearch. The parameter IMPORT_DIR stands for
	// one that replaces them.
	Search []string
}

// SystemSearch returns the directories that the system looks in.
func SystemSearch() []string {
	return []string{"/System/Library/Sandbox/Profiles", "/usr/share/sandbox"}
}

// Read evaluates the text of a profile. The file is its name in positions. An
// error wraps a [*syntax.Error] with the place.
func Read(file string, src []byte, o Options) (*Profile, error) {
	r := &reader{options: o, profile: &Profile{sources: map[string]string{}}}
	r.in = scheme.New(r.base)
	if err := r.load(file, src); err != nil {
		return nil, err
	}
	if r.profile.Version == 0 {
		return nil, scheme.Errorf(syntax.Pos{File: file, Line: 1, Column: 1}, "no version specified")
	}
	r.profile.index()
	return r.profile, nil
}

// reader is one reading of a profile.
type reader struct {
	options Options
	in      *scheme.Interp
	profile *Profile
	imports int
	trace   bool
}

// load evaluates the forms of one text.
func (r *reader) load(file string, src []byte) error {
	nodes, err := syntax.Parse(file, src)
	if err != nil {
		return err
	}
	r.profile.sources[file] = string(src)
	for _, n := range nodes {
		if _, err := r.in.Eval(scheme.FromSyntax(n), n.Start(), nil); err != nil {
			return err
		}
	}
	return nil
}

// op, modifier and constant are values in profiles.
type (
	op       struct{ name, written string }
	modifier struct{ Modifier }
	constant string
)

func (o op) String() string       { return o.written }
func (c constant) String() string { return string(c) }

// base returns the value of a name of the language.
func (r *reader) base(name scheme.Symbol) (scheme.Value, bool) {
	s := string(name)
	if f, ok := r.form(s); ok {
		return f, true
	}
	if noOps[s] {
		return scheme.Symbol("no-op"), true
	}
	if s == sysctlWrite {
		return op{"sysctl*", s}, true
	}
	if full, ok := Operation(s); ok {
		return op{full, s}, true
	}
	if f, ok := r.filter(s); ok {
		return f, true
	}
	switch {
	case s == "unix" || s == "unix-socket":
		return constant("unix-socket"), true
	case modifiers[s]:
		return modifierNamed(s), true
	case isConstant(s):
		return constant(s), true
	}
	return nil, false
}

// form returns the procedures and forms of the language.
func (r *reader) form(name string) (scheme.Value, bool) {
	builtin := func(least, most int, call func(at syntax.Pos, args []scheme.Value) (scheme.Value, error)) (scheme.Value, bool) {
		return &scheme.Builtin{Name: name, Min: least, Max: most, Call: func(_ *scheme.Interp, at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
			return call(at, args)
		}}, true
	}
	special := func(run func(in *scheme.Interp, f scheme.Form) (scheme.Value, *scheme.Tail, error)) (scheme.Value, bool) {
		return &scheme.Special{Name: name, Run: run}, true
	}
	switch name {
	case "version":
		return builtin(1, 1, r.version)
	case "allow":
		return builtin(0, -1, func(at syntax.Pos, args []scheme.Value) (scheme.Value, error) { return r.rule(Allow, at, args) })
	case "deny":
		return builtin(0, -1, func(at syntax.Pos, args []scheme.Value) (scheme.Value, error) { return r.rule(Deny, at, args) })
	case "with":
		return builtin(1, -1, r.with)
	case "import":
		return builtin(1, 1, r.importFile)
	case "trace":
		return builtin(1, 1, r.traceTo)
	case "param", "getenv":
		return builtin(1, 1, r.param)
	case "disable-callouts", "disable-full-symbolication", "disable-syscall-inference", "eliminate-duplicate-rules":
		return builtin(0, -1, func(syntax.Pos, []scheme.Value) (scheme.Value, error) {
			r.profile.Options = append(r.profile.Options, name)
			return scheme.Void{}, nil
		})
	case "regex-quote":
		return builtin(1, 1, regexQuote)
	case "split-string":
		return builtin(2, 2, splitString)
	case "sbpl-filter?":
		return builtin(0, -1, func(_ syntax.Pos, args []scheme.Value) (scheme.Value, error) {
			_, ok := filtersOf(args)
			return ok, nil
		})
	case "_IO":
		return builtin(2, 2, ioctlNumber)
	case "*entitlements*", "*params*":
		return nil, false
	case "debug":
		return special(func(*scheme.Interp, scheme.Form) (scheme.Value, *scheme.Tail, error) { return scheme.Void{}, nil, nil })
	case "with-filter":
		return special(r.withFilter)
	case "with-modifier":
		return special(r.withModifier)
	case "with-operations":
		return special(r.withOperations)
	case "apply-message-filter":
		return special(func(*scheme.Interp, scheme.Form) (scheme.Value, *scheme.Tail, error) {
			return modifier{Modifier{Name: name}}, nil, nil
		})
	}
	return nil, false
}

func (r *reader) version(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	v, ok := args[0].(int64)
	switch {
	case !ok || v < 1 || v > 3:
		return nil, scheme.Errorf(at, "unsupported version")
	case r.profile.Version != 0 && r.profile.Version != int(v) && r.imports == 0:
		return nil, scheme.Errorf(at, "the version is already %d", r.profile.Version)
	case r.profile.Version == 0:
		r.profile.Version = int(v)
	}
	return scheme.Void{}, nil
}

func (r *reader) param(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	key, ok := args[0].(string)
	if !ok {
		return nil, scheme.Errorf(at, "param wants a string, not %s", scheme.Text(args[0]))
	}
	if v, ok := r.options.Params[key]; ok {
		return v, nil
	}
	return false, nil
}

func (r *reader) traceTo(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	if _, ok := args[0].(string); !ok {
		return nil, scheme.Errorf(at, "argument to trace must be a string")
	}
	if r.trace {
		return nil, scheme.Errorf(at, "only one trace path may be specified")
	}
	r.trace = true
	r.profile.Options = append(r.profile.Options, "trace")
	return scheme.Void{}, nil
}

// regexQuote puts a backslash before what means something in an expression.
func regexQuote(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	s, ok := args[0].(string)
	if !ok {
		return nil, scheme.Errorf(at, "regex-quote wants a string, not %s", scheme.Text(args[0]))
	}
	var out []byte
	for i := range len(s) {
		switch s[i] {
		case '^', '.', '[', '$', '(', ')', '|', '*', '+', '?', '{', '\\':
			out = append(out, '\\')
		}
		out = append(out, s[i])
	}
	return string(out), nil
}

// splitString returns the parts of a string between those of another, without
// empty ones.
func splitString(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	s, ok := args[0].(string)
	sep, ok2 := args[1].(string)
	if !ok || !ok2 || sep == "" {
		return nil, scheme.Errorf(at, "split-string wants two strings")
	}
	var parts []scheme.Value
	for part := range strings.SplitSeq(s, sep) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return scheme.List(parts...), nil
}

// ioctlNumber composes the number of an ioctl from its group and number.
func ioctlNumber(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	group, ok := args[0].(string)
	n, ok2 := args[1].(int64)
	if !ok || !ok2 || group == "" {
		return nil, scheme.Errorf(at, "_IO wants a string and a number")
	}
	return n + 256*int64(group[0]), nil
}

// with makes a modifier: (with name arg...) or (with (name arg...)).
func (r *reader) with(at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	switch m := args[0].(type) {
	case modifier:
		if len(args) == 1 {
			return m, nil
		}
	case *scheme.Builtin:
		if modifiers[m.Name] {
			return r.in.Apply(m, at, args[1:])
		}
	}
	return nil, scheme.Errorf(at, "%s is no modifier", scheme.Text(args[0]))
}

// modifierNamed returns the procedure that makes a modifier.
func modifierNamed(name string) *scheme.Builtin {
	return &scheme.Builtin{Name: name, Max: -1, Call: func(_ *scheme.Interp, at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
		m := Modifier{Name: name}
		if full, ok := modifierAliases[name]; ok {
			m.Name = full
		}
		for _, a := range args {
			switch a := a.(type) {
			case string:
				m.Args = append(m.Args, quote(a))
			case int64, constant:
				m.Args = append(m.Args, fmt.Sprint(a))
			default:
				return nil, scheme.Errorf(at, "the modifier %s cannot take %s", name, scheme.Text(a))
			}
		}
		return modifier{m}, nil
	}}
}
