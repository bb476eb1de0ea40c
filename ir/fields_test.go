package ir_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
)

// clone copies a policy whole.
func clone(t *testing.T, p *ir.Policy) *ir.Policy {
	t.Helper()
	out, ds := ir.Decode(ir.Encode(p), "clone.json")
	if ds != nil {
		t.Fatal(ds)
	}
	return out
}

// change is a way to make a policy another one. The fields are those passed on
// the way to the change, such as "Origin.Range".
type change struct {
	name   string
	fields []string
	apply  func(*ir.Policy)
}

// changes returns a change for every value that a policy holds, found by
// walking its Go types.
func changes(p *ir.Policy) []change {
	w := walker{}
	w.walk(reflect.ValueOf(p).Elem(), "", nil, func(p *ir.Policy) reflect.Value { return reflect.ValueOf(p).Elem() })
	return w.out
}

type walker struct{ out []change }

// walk adds the changes of v, which get finds in another policy.
func (w *walker) walk(v reflect.Value, name string, fields []string, get func(*ir.Policy) reflect.Value) {
	add := func(what string, f func(reflect.Value)) {
		w.out = append(w.out, change{name + what, fields, func(p *ir.Policy) { f(get(p)) }})
	}
	switch v.Interface().(type) {
	case ir.Match:
		add(" is another kind", func(v reflect.Value) { v.Set(reflect.ValueOf(otherMatch(v.Interface()))) })
		add(" has another base", func(v reflect.Value) { v.Set(reflect.ValueOf(moved(v.Interface()))) })
		if g, ok := v.Interface().(ir.Glob); ok {
			more := append(slices.Clone(g.Except), glob.MustParse("/more"))
			add(" has one more exception", func(v reflect.Value) { v.Set(reflect.ValueOf(ir.Glob{Pattern: g.Pattern, Except: more})) })
		}
		return
	case *glob.Pattern:
		panic("a pattern outside of a match")
	case diag.Range:
		if v.IsZero() {
			return // no place at all; a part of one alone would be invalid
		}
	}
	switch v.Kind() { //nolint:exhaustive // all others panic
	case reflect.Struct:
		for i := range v.NumField() {
			typ, _, _ := strings.Cut(v.Type().Name(), "[")
			field := typ + "." + v.Type().Field(i).Name
			w.walk(v.Field(i), name+"."+v.Type().Field(i).Name, append(slices.Clone(fields), field),
				func(p *ir.Policy) reflect.Value { return get(p).Field(i) })
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), fmt.Sprintf("%s[%d]", name, i), fields, func(p *ir.Policy) reflect.Value { return get(p).Index(i) })
		}
		if v.Len() > 0 {
			add(" is one shorter", func(v reflect.Value) { v.Set(v.Slice(1, v.Len())) })
		}
		if v.Len() > 1 {
			add(" is in another order", func(v reflect.Value) { reflect.Swapper(v.Interface())(0, 1) })
		}
	case reflect.String:
		add(" is another string", func(v reflect.Value) { v.SetString(v.String() + "x") })
	case reflect.Bool:
		add(" is the other value", func(v reflect.Value) { v.SetBool(!v.Bool()) })
	case reflect.Int, reflect.Int64:
		add(" is one more", func(v reflect.Value) { v.SetInt(v.Int() + 1) })
	case reflect.Uint8, reflect.Uint16:
		add(" is one more", func(v reflect.Value) { v.SetUint(v.Uint() + 1) })
	default:
		panic("a field of the kind " + v.Kind().String())
	}
}

func otherMatch(m any) ir.Match {
	switch m := m.(type) {
	case ir.Path:
		return ir.Subtree(m)
	case ir.Subtree:
		return ir.Glob{Pattern: glob.Literal(string(m))}
	case ir.Glob:
		return ir.Path(m.Base())
	}
	panic("an unknown match")
}

func moved(m any) ir.Match {
	switch m := m.(type) {
	case ir.Path:
		return m + "x"
	case ir.Subtree:
		return m + "x"
	case ir.Glob:
		return ir.Glob{Pattern: glob.MustParse(m.Pattern.String() + "x"), Except: m.Except}
	}
	panic("an unknown match")
}

// Every change of a policy shows in its JSON form. It shows in the hash unless
// it only says where something was written, and in the text form unless it is
// one of the few things that the text leaves out.
func TestEveryFieldCounts(t *testing.T) {
	t.Parallel()
	notInHash := []string{"Origin.Range", "Origin.Via", "Policy.Sources"}
	notInText := []string{"Range.End", "Pos.Column", "Pos.Byte", "Source.SHA256"}
	has := func(c change, fields []string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(c.fields, f) })
	}
	p := irtest.Full()
	cs := changes(p)
	if len(cs) < 500 {
		t.Errorf("only %d changes", len(cs))
	}
	json, hash, text := ir.Encode(p), ir.Hash(p), p.Text()
	hashes := map[string]string{}
	for _, c := range cs {
		q := clone(t, p)
		c.apply(q)
		if bytes.Equal(json, ir.Encode(q)) {
			t.Errorf("%s: the JSON form is the same", c.name)
		}
		changed := ir.Hash(q)
		if same := changed == hash; same != has(c, notInHash) {
			t.Errorf("%s: the hash is the same: %t", c.name, same)
		}
		if same := text == q.Text(); same != has(c, notInText) {
			t.Errorf("%s: the text is the same: %t", c.name, same)
		}
		if other := hashes[changed]; other != "" && changed != hash {
			t.Errorf("%s: the same hash as %s", c.name, other)
		}
		hashes[changed] = c.name
	}
}

// The full policy is full: each field of each struct is set somewhere. Without
// that the test above would walk past it.
func TestFullPolicyIsFull(t *testing.T) {
	t.Parallel()
	if ds := ir.Validate(irtest.Full()); ds != nil {
		t.Error(ds)
	}
	zero := map[string]bool{} // by field: it is zero everywhere
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() { //nolint:exhaustive // the others hold no fields
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().String() + "." + v.Type().Field(i).Name
				known, ok := zero[name]
				zero[name] = (known || !ok) && v.Field(i).IsZero()
				walk(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(irtest.Full()).Elem())
	var empty []string
	for name, is := range zero {
		if is {
			empty = append(empty, name)
		}
	}
	if diff := cmp.Diff([]string(nil), empty); diff != "" {
		t.Errorf("fields that are zero everywhere (-want +got):\n%s", diff)
	}
}

// Moving everything to another place, as a comment does, keeps the hash.
func TestHashIgnoresPlaces(t *testing.T) {
	t.Parallel()
	p, q := irtest.Full(), irtest.Full()
	for _, c := range changes(q) {
		if slices.Contains(c.fields, "Origin.Range") && !slices.Contains(c.fields, "Policy.Sources") {
			c.apply(q)
		}
	}
	q.Sources[0].SHA256 = strings.Repeat("0", 64)
	if a, b := ir.Hash(p), ir.Hash(q); a != b {
		t.Errorf("hash %s, then %s", a, b)
	}
	if bytes.Equal(ir.Encode(p), ir.Encode(q)) {
		t.Error("nothing was moved")
	}
}
