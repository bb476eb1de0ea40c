package strictjson

import (
	"reflect"
	"strconv"
	"strings"
)

// Schema returns a JSON Schema (draft 2020-12) of the texts that [Decode] reads
// into the type of v, or of what v points to. Every struct is a definition
// under "$defs" that allows no other keys. What a schema cannot say is left
// out: duplicate keys, byte escapes, and whatever a [Form] checks itself.
func Schema(v any, id, title string, forms ...Form) []byte {
	s := schemas{shapes: newShapes(forms), types: map[string]reflect.Type{}}
	root := s.of(reflect.Indirect(reflect.ValueOf(v)).Type(), "")
	all := object(
		member{"$schema", str("https://json-schema.org/draft/2020-12/schema")},
		member{"$id", str(id)},
		member{"title", str(title)},
	)
	all.members = append(all.members, root.members...)
	all.members = append(all.members, member{"$defs", object(s.defs...)})
	p := printer{}
	p.print(all, 0, 0)
	return append(p.out, '\n')
}

type schemas struct {
	shapes *shapes
	types  map[string]reflect.Type // by the name of the definition
	defs   []member                // in the order in which they are met
}

func (s *schemas) of(t reflect.Type, constant string) value {
	if f := s.shapes.forms[t]; f != nil {
		switch {
		case f.words == nil && f.as.Kind() == reflect.Struct:
			return s.ref(f.as, definitionName(t))
		case f.words == nil:
			return s.of(f.as, constant)
		}
		words := value{kind: kindArray}
		for _, w := range f.words {
			words.members = append(words.members, member{val: str(w)})
		}
		return object(member{"enum", words})
	}
	switch t.Kind() { //nolint:exhaustive // what has no JSON form panics
	case reflect.Struct:
		return s.ref(t, definitionName(t))
	case reflect.Map:
		return object(member{"type", str("object")}, member{"additionalProperties", s.of(t.Elem(), "")})
	case reflect.Slice:
		return object(member{"type", str("array")}, member{"items", s.of(t.Elem(), "")})
	case reflect.String:
		return object(member{"type", str("string")})
	case reflect.Bool:
		return object(member{"type", str("boolean")})
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if constant != "" {
			return object(member{"const", number(constant)})
		}
		lo, hi := bounds(t)
		return object(member{"type", str("integer")}, member{"minimum", number(lo)}, member{"maximum", number(hi)})
	default:
		panic("strictjson: no JSON form for " + t.String())
	}
}

// ref names the definition of a struct type, and makes it at the first time.
func (s *schemas) ref(t reflect.Type, name string) value {
	switch known := s.types[name]; {
	case known == nil:
		s.types[name] = t
		s.define(name, t)
	case known != t:
		panic("strictjson: two types have the definition " + name)
	}
	return object(member{"$ref", str("#/$defs/" + name)})
}

func (s *schemas) define(name string, t reflect.Type) {
	at := len(s.defs)
	s.defs = append(s.defs, member{key: name})
	required, properties := value{kind: kindArray}, object()
	for _, f := range s.shapes.fields(t) {
		properties.members = append(properties.members, member{f.name, s.of(f.typ, f.constant)})
		if !f.optional {
			required.members = append(required.members, member{val: str(f.name)})
		}
	}
	s.defs[at].val = object(
		member{"type", str("object")},
		member{"properties", properties},
		member{"required", required},
		member{"additionalProperties", value{kind: kindBool, text: "false"}},
	)
}

// definitionName returns "Setting_TmpMode" for Setting[path/pkg.TmpMode].
func definitionName(t reflect.Type) string {
	parts := strings.FieldsFunc(t.Name(), func(r rune) bool { return strings.ContainsRune("[],", r) })
	for i, part := range parts {
		parts[i] = part[strings.LastIndexAny(part, "./")+1:]
	}
	return strings.Join(parts, "_")
}

// bounds returns the least and the greatest value of an integer type.
func bounds(t reflect.Type) (lo, hi string) {
	switch t.Kind() { //nolint:exhaustive // integers only
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "0", strconv.FormatUint(1<<t.Bits()-1, 10)
	default:
		top := int64(1)<<(t.Bits()-1) - 1
		return strconv.FormatInt(-top-1, 10), strconv.FormatInt(top, 10)
	}
}

func object(ms ...member) value  { return value{kind: kindObject, members: ms} }
func str(s string) value         { return value{kind: kindString, text: s} }
func number(digits string) value { return value{kind: kindNumber, text: digits} }
