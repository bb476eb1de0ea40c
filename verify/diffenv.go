package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/regex"
)

// The names of variables are compared as paths are: every name is a file in the
// root directory. Only names of printable ASCII are looked at,
// those with a wildcard in them left out.

// Names of what decides besides the entries of a policy.
const (
	envGuarded = "\x00guarded" // names that make children run code, or look secret
	envInherit = "\x00inherit"
)

func (cs *changes) env(old, new *ir.Env, o DiffOptions) error {
	var lists [2]ranked
	var keys [2][]string
	lists[0], keys[0] = inherited(old)
	lists[1], keys[1] = inherited(new)
	// They differ where one of them has an entry of its own.
	var region automata.Or
	inOld, inNew := common(keys[0], keys[1])
	for _, r := range append(unmarked(lists[0].list.Rules, inOld), unmarked(lists[1].list.Rules, inNew)...) {
		region = append(region, r.When)
	}
	names := automata.And{automata.In{Lang: automata.Clean()}, automata.In{Lang: expression(`^/[!-)+-.0-<>@-~]+$`)}, region}
	list, _, err := clashes(names, lists, maxNames, o.MaxStates)
	if budget := (*automata.BudgetError)(nil); errors.As(err, &budget) {
		*cs = append(*cs, SettingChange{Field: "env", Relation: Undecided, Old: valueNo, New: valueNo})
		return nil
	}
	if err != nil {
		return err
	}
	for _, c := range list {
		name := c.path[1:]
		if was, is := old.Inherits(name), new.Inherits(name); was == is || is != c.wider() {
			return fmt.Errorf("internal error: the automata find that the variable %q differs, but the policies do not; please report", name)
		}
		x := SettingChange{
			Field: "env", Relation: relation(c.wider(), !c.wider()), What: name, Old: valueNo, New: valueYes,
			From: envOrigin(old, c.by[0].name), To: envOrigin(new, c.by[1].name),
		}
		if !c.wider() {
			x.Old, x.New = valueYes, valueNo
		}
		*cs = append(*cs, x)
	}
	cs.envSet(old, new)
	return nil
}

// envSet compares the variables that get a value.
func (cs *changes) envSet(old, new *ir.Env) {
	find := func(list []ir.EnvVar, name string) (ir.EnvVar, bool) {
		i := slices.IndexFunc(list, func(v ir.EnvVar) bool { return v.Name == name })
		if i < 0 {
			return ir.EnvVar{}, false
		}
		return list[i], true
	}
	text := func(v ir.EnvVar, set, inherits bool) string {
		switch {
		case set:
			return fmt.Sprintf("%q", v.Value)
		case inherits:
			return "the caller's"
		}
		return valueNo
	}
	var names []string
	for _, v := range slices.Concat(old.Set, new.Set) {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		a, was := find(old.Set, name)
		b, is := find(new.Set, name)
		if was && is && a.Value == b.Value {
			continue
		}
		c := SettingChange{
			Field: "env.set", Relation: Incomparable, What: name, From: a.Origin, To: b.Origin,
			Old: text(a, was, old.Inherits(name)), New: text(b, is, new.Inherits(name)),
		}
		switch {
		case c.Old == valueNo:
			c.Relation = Wider
		case c.New == valueNo:
			c.Relation = Narrower
		}
		*cs = append(*cs, c)
	}
}

// envOrigin is where the entry of a name among what decides was written.
func envOrigin(e *ir.Env, name string) ir.Origin {
	if name == envInherit {
		return e.Inherit.Origin
	}
	for _, r := range slices.Concat(e.Deny, e.Pass) {
		if r.Origin.Address == name {
			return r.Origin
		}
	}
	return ir.Origin{}
}

// inherited is which variables a command inherits, as a decision list; see
// [ir.Env.Inherits]. Rules with equal keys hold the same names and answer alike.
func inherited(e *ir.Env) (out ranked, keys []string) {
	add := func(kind, pattern string, when automata.Expr, label uint8, name string) {
		out.list.Rules = append(out.list.Rules, automata.Rule{When: when, Label: label})
		out.names = append(out.names, name)
		keys = append(keys, kind+" "+pattern)
	}
	for _, r := range e.Deny {
		add("deny", r.Pattern, named(r.Pattern), denied, r.Origin.Address)
	}
	for _, r := range e.Pass {
		add("name", r.Pattern, automata.In{Lang: automata.Literal("/" + r.Pattern)}, allowed, r.Origin.Address)
	}
	add("guarded", "", guarded(), denied, envGuarded)
	for _, r := range e.Pass {
		add("pass", r.Pattern, named(r.Pattern), allowed, r.Origin.Address)
	}
	switch e.Inherit.Value {
	case ir.EnvAll:
		add("inherit", "all", automata.Const(true), allowed, envInherit)
	case ir.EnvCore:
		add("inherit", "core", core(), allowed, envInherit)
	case ir.EnvNone:
	}
	return out, keys
}

// named is the names that a pattern matches, in which only * and ? are special.
func named(pattern string) automata.Expr {
	var b strings.Builder
	b.WriteByte('/')
	for len(pattern) > 0 {
		n := strings.IndexAny(pattern, "*?")
		if n < 0 {
			n = len(pattern)
		}
		b.WriteString(glob.Quote(pattern[:n]))
		if n < len(pattern) {
			b.WriteByte(pattern[n])
			n++
		}
		pattern = pattern[n:]
	}
	// "**" is no more than "*" within a name.
	text := b.String()
	for strings.Contains(text, "**") {
		text = strings.ReplaceAll(text, "**", "*")
	}
	p, err := glob.Parse(text)
	if err != nil {
		return automata.Const(false) // no name that a variable can have
	}
	return automata.In{Lang: automata.Glob(p, glob.Exact, false)}
}

// core is the names that "core" stands for.
func core() automata.Expr {
	out := automata.Or{named("LC_*")}
	for _, name := range ir.EnvCoreNames() {
		out = append(out, named(name))
	}
	return out
}

// guarded is the names that make children run code and those that look secret.
func guarded() automata.Expr {
	var code, own automata.Or
	for _, p := range ir.EnvCodePatterns() {
		code = append(code, named(p))
	}
	for _, name := range ir.EnvCoreNames() {
		own = append(own, named(name))
	}
	prefixes, word := ir.EnvSecretPatterns()
	out := automata.Or{automata.And{code, automata.Not{X: own}}}
	for _, p := range prefixes {
		out = append(out, automata.In{Lang: expression("^/" + anyCase(strings.TrimSuffix(p, "*")))})
	}
	// A name starts behind the slash.
	return append(out, automata.In{Lang: expression(anyCase(strings.ReplaceAll(word, "(^|", "(^/|")))})
}

// anyCase turns an expression for upper-case names into one for either case.
func anyCase(expr string) string {
	var b strings.Builder
	for _, c := range []byte(expr) {
		if 'A' <= c && c <= 'Z' {
			b.Write([]byte{'[', c, c + 'a' - 'A', ']'})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func expression(text string) automata.Lang { return automata.Regex(regex.MustParse(text)) }
