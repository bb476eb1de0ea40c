package strictjson

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Options says how [Encode] writes. The zero value is the form for people.
type Options struct {
	// Canonical writes one line in the form of RFC 8785 (JSON Canonicalization
	// Scheme): sorted keys, no white space, no newline at the end. It is
	// defined for integers of up to 53 bits; larger ones are written exactly.
	Canonical bool
	// Omit leaves fields out, by their struct tags; nil leaves out none.
	Omit func(reflect.StructTag) bool
	// Forms are those that Decode is given.
	Forms []Form
}

// Encode writes a value, or what v points to. The same value always gives the
// same text. The form for people has the keys in the order of the Go fields,
// keeps what is short on one line, ends with a newline, and writes what could
// steer a terminal as \u escapes.
//
// It panics if the type of v has no JSON form, as a channel or a float.
func Encode(v any, o Options) []byte {
	e := encoder{shapes: newShapes(o.Forms), omit: o.Omit}
	val := e.value(reflect.Indirect(reflect.ValueOf(v)))
	p := printer{canonical: o.Canonical}
	p.print(val, 0, 0)
	if !o.Canonical {
		p.out = append(p.out, '\n')
	}
	return p.out
}

// value is a JSON value to be printed: an object, an array, or a scalar that
// has its text.
type value struct {
	kind    kind
	text    string
	members []member
}

// member is a value of an array or, with its key, of an object.
type member struct {
	key string
	val value
}

type encoder struct {
	shapes *shapes
	omit   func(reflect.StructTag) bool
}

func (e *encoder) value(v reflect.Value) value {
	if f := e.shapes.forms[v.Type()]; f != nil {
		return e.value(f.to(v))
	}
	switch v.Kind() { //nolint:exhaustive // what has no JSON form panics
	case reflect.Struct:
		return e.object(v)
	case reflect.Map:
		return e.dict(v)
	case reflect.Slice:
		out := value{kind: kindArray, members: make([]member, v.Len())}
		for i := range v.Len() {
			out.members[i].val = e.value(v.Index(i))
		}
		return out
	case reflect.String:
		return value{kind: kindString, text: escapeBytes(v.String())}
	case reflect.Bool:
		return value{kind: kindBool, text: strconv.FormatBool(v.Bool())}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value{kind: kindNumber, text: strconv.FormatInt(v.Int(), 10)}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value{kind: kindNumber, text: strconv.FormatUint(v.Uint(), 10)}
	default:
		panic("strictjson: no JSON form for " + v.Type().String())
	}
}

func (e *encoder) object(v reflect.Value) value {
	out := value{kind: kindObject}
	for _, f := range e.shapes.fields(v.Type()) {
		fv := v.FieldByIndex(f.index)
		if f.optional && isEmpty(fv) || e.omit != nil && e.omit(f.tag) {
			continue
		}
		val := e.value(fv)
		if f.optional && val.kind == kindObject && len(val.members) == 0 {
			continue // all of it was left out
		}
		out.members = append(out.members, member{f.name, val})
	}
	return out
}

func (e *encoder) dict(v reflect.Value) value {
	if v.Type().Key().Kind() != reflect.String {
		panic("strictjson: no JSON form for " + v.Type().String())
	}
	out := value{kind: kindObject}
	for _, k := range v.MapKeys() {
		out.members = append(out.members, member{escapeBytes(k.String()), e.value(v.MapIndex(k))})
	}
	slices.SortFunc(out.members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	return out
}
