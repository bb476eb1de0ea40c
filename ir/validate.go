package ir

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// Validate reports every broken invariant of a policy, in the policy's order.
// A policy that a frontend made has none; [Decode] lets none with a problem
// through. The place is that of the rule's origin. All have the code SBC0017.
func Validate(p *Policy) diag.List {
	var ds diag.List
	for _, pr := range validate(p) {
		d := pr.diagnostic()
		if pr.origin != nil && pr.origin.Range.File != "" {
			r := pr.origin.Range
			d.Subject = &r
		}
		ds.Add(d)
	}
	return ds
}

// problem is one broken invariant.
type problem struct {
	at     string // JSON pointer into the JSON form
	msg    string
	origin *Origin // of the rule or setting; nil for the policy as a whole
}

func (p problem) diagnostic() diag.Diagnostic {
	d := diag.Diagnostic{Code: diag.CodeIRForm, Severity: diag.Error, Summary: p.msg}
	if p.origin != nil {
		d.Rule = p.origin.Address
	}
	return d
}

func validate(p *Policy) []problem {
	v := &validator{}
	v.policy(p)
	v.files(p.Files)
	v.network(&p.Network)
	v.env(&p.Env)
	v.process(&p.Process)
	v.limits(&p.Limits)
	v.author(p)
	return v.problems
}

type validator struct{ problems []problem }

// at is a part of the policy that is being checked.
type at struct {
	v      *validator
	path   string
	origin *Origin
}

func (v *validator) at(origin *Origin, format string, args ...any) at {
	return at{v: v, path: fmt.Sprintf(format, args...), origin: origin}
}

// must reports a problem of the key unless ok.
func (a at) must(ok bool, key, format string, args ...any) {
	if !ok {
		a.v.problems = append(a.v.problems, problem{at: a.path + "/" + key, msg: fmt.Sprintf(format, args...), origin: a.origin})
	}
}

// known checks a value of a closed set, whose String says what it is.
func known[T interface {
	comparable
	fmt.Stringer
}](a at, key string, value T, set []T,
) {
	a.must(slices.Contains(set, value), key, "%s", value)
}

func (a at) text(key, s string) {
	a.must(!strings.Contains(s, "\x00"), key, "a NUL in %q", s)
}

func (a at) nonEmpty(key, s string) {
	a.must(s != "", key, "%s is empty", key)
	a.text(key, s)
}

// absolute checks a path that is always there.
func (a at) absolute(key, s string) {
	switch {
	case s == "":
		a.must(false, key, "%s is empty", key)
	case strings.Contains(s, "\x00"):
		a.text(key, s)
	default:
		a.must(Clean(s), key, "the path %q is not absolute and clean", s)
	}
}

// absoluteOrEmpty checks a path that need not be there.
func (a at) absoluteOrEmpty(key, s string) {
	if s != "" {
		a.absolute(key, s)
	}
}

func (a at) pattern(key string, p *glob.Pattern) {
	a.must(p != nil && len(p.Alternatives()) > 0, key, "a glob without a pattern")
}

func (a at) target(key, target string, mayBeEmpty bool) {
	ok := target == Darwin || target == Linux || target == "" && mayBeEmpty
	a.must(ok, key, "unknown target %q", target)
}

// from checks the layer and the origin that every part has.
func (a at) from(layer Layer, o *Origin) {
	known(a, "layer", layer, layers())
	a.written(o)
}

// written checks an origin.
func (a at) written(o *Origin) {
	a.nonEmpty("origin/address", o.Address)
	for i, via := range o.Via {
		a.nonEmpty(fmt.Sprintf("origin/via/%d", i), via)
	}
	r := o.Range
	a.text("origin/range/file", r.File)
	if r.Start == (diag.Pos{}) {
		a.must(r.End == diag.Pos{}, "origin/range/end", "a range that ends and does not start")
		return
	}
	a.must(r.File != "", "origin/range/file", "a place without a file")
	ordered := r.Start.Line >= 1 && r.Start.Column >= 1 && r.Start.Byte >= 0 &&
		r.End.Line >= r.Start.Line && r.End.Column >= 1 && r.End.Byte >= r.Start.Byte
	a.must(ordered, "origin/range", "a range whose ends are not places in their order")
}

// Clean reports whether a path is absolute and clean and has no NUL, as every
// path in a policy is.
func Clean(p string) bool {
	return strings.HasPrefix(p, "/") && path.Clean(p) == p && !strings.Contains(p, "\x00")
}

func (v *validator) policy(p *Policy) {
	a := v.at(nil, "")
	a.must(p.Version == 1, "version", "version %d of the policy language, which is not 1", p.Version)
	a.text("name", p.Name)
	a.absolute("workspace", p.Workspace)
	a.absoluteOrEmpty("home", p.Home)
	a.absoluteOrEmpty("temp", p.Temp)
	setting(v, "/tmp", &p.Tmp)
	known(v.at(&p.Tmp.Origin, "/tmp"), "value", p.Tmp.Value, tmpModes())
	for i := range p.Sources {
		s := &p.Sources[i]
		a := v.at(nil, "/sources/%d", i)
		a.nonEmpty("file", s.File)
		a.absoluteOrEmpty("path", s.Path)
		digest := len(s.SHA256) == 64 && strings.Trim(s.SHA256, "0123456789abcdef") == ""
		a.must(digest, "sha256", "%q is no digest", s.SHA256)
		known(a, "layer", s.Layer, layers())
	}
}

// setting checks that a setting is whole or not there.
func setting[T comparable](v *validator, path string, s *Setting[T]) {
	a := v.at(&s.Origin, "%s", path)
	if s.Set {
		a.from(s.Layer, &s.Origin)
		return
	}
	var zero T
	o := &s.Origin
	unset := s.Value == zero && s.Layer == 0 && o.Address == "" && o.Range == (diag.Range{}) && len(o.Via) == 0
	name := strings.ReplaceAll(path[1:], "/", ".")
	a.must(unset, "set", "%s is not set and has a value, a layer or an origin", name)
}
