package strictjson

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// shapes remembers what is known of the Go types of one call.
type shapes struct {
	forms map[reflect.Type]*Form
	known map[reflect.Type][]field
}

func newShapes(forms []Form) *shapes {
	s := &shapes{forms: map[reflect.Type]*Form{}, known: map[reflect.Type][]field{}}
	for i := range forms {
		if s.forms[forms[i].typ] != nil {
			panic("strictjson: two forms for " + forms[i].typ.String())
		}
		s.forms[forms[i].typ] = &forms[i]
	}
	return s
}

// field is a field of a struct, or of a struct embedded in it.
type field struct {
	name     string
	index    []int
	typ      reflect.Type
	optional bool   // left out when zero or empty
	constant string // the only value that the field may have, or empty
	tag      reflect.StructTag
}

// fields returns the fields of a struct type in their order.
func (s *shapes) fields(t reflect.Type) []field {
	if fs, ok := s.known[t]; ok {
		return fs
	}
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, optional := parseTag(f.Tag.Get("json"))
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && name == "":
			for _, in := range s.fields(f.Type) {
				in.index = slices.Concat([]int{i}, in.index)
				out = append(out, in)
			}
		case name == "":
			panic(fmt.Sprintf("strictjson: field %s of %s has no name for JSON", f.Name, t))
		default:
			out = append(out, field{name: name, index: []int{i}, typ: f.Type, optional: optional, constant: f.Tag.Get("const"), tag: f.Tag})
		}
	}
	s.known[t] = out
	return out
}

// parseTag splits the text of a json tag. A name is empty if there is none.
func parseTag(tag string) (name string, optional bool) {
	name, option, _ := strings.Cut(tag, ",")
	return name, option == "omitzero" || option == "omitempty"
}

// isEmpty reports whether an optional field with the value is left out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() { //nolint:exhaustive // all other kinds are asked alike
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

// Tagged returns the function for [Options].Omit that leaves out what has the
// value under the key of its tag: Tagged("hash", "-") leaves out `hash:"-"`.
func Tagged(key, value string) func(reflect.StructTag) bool {
	return func(tag reflect.StructTag) bool { return tag.Get(key) == value }
}
