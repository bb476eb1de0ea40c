package strictjson

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
)

// Decode reads a text into the value that v points to, which should be zero.
// The file is the name for ranges. Nothing may be trusted of the value if a
// problem is returned. Problems have the codes that [Parse] says.
//
// It panics if the type of v has no JSON form, as a channel or a float.
func Decode(src []byte, file string, v any, forms ...Form) diag.List {
	doc, ds := Parse(src, file)
	if doc == nil {
		return ds
	}
	return doc.Decode(v, forms...)
}

// Decode is the function of the same name for a text that is already parsed.
func (d *Document) Decode(v any, forms ...Form) diag.List {
	dec := decoder{
		problems: problems{file: d.file, text: d.text, code: diag.CodeIRForm},
		doc:      d,
		shapes:   newShapes(forms),
	}
	dec.value(0, reflect.ValueOf(v).Elem())
	return dec.list
}

type decoder struct {
	problems
	doc    *Document
	shapes *shapes
}

// value reads node i into v. Its recursion follows the Go type and the nesting
// of the text, which is limited.
func (d *decoder) value(i int32, v reflect.Value) {
	if f := d.shapes.forms[v.Type()]; f != nil {
		d.form(i, v, f)
		return
	}
	switch v.Kind() { //nolint:exhaustive // what has no JSON form panics
	case reflect.Struct:
		if d.is(i, kindObject) {
			d.object(i, v)
		}
	case reflect.Map:
		if d.is(i, kindObject) {
			d.dict(i, v)
		}
	case reflect.Slice:
		if d.is(i, kindArray) {
			d.array(i, v)
		}
	case reflect.String:
		if d.is(i, kindString) {
			if s, ok := d.text(i); ok {
				v.SetString(s)
			}
		}
	case reflect.Bool:
		if d.is(i, kindBool) {
			v.SetBool(string(d.raw(i)) == "true")
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if d.is(i, kindNumber) {
			n, err := strconv.ParseInt(string(d.raw(i)), 10, v.Type().Bits())
			d.integer(i, err)
			v.SetInt(n)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if d.is(i, kindNumber) {
			n, err := strconv.ParseUint(string(d.raw(i)), 10, v.Type().Bits())
			d.integer(i, err)
			v.SetUint(n)
		}
	default:
		panic("strictjson: no JSON form for " + v.Type().String())
	}
}

// form reads node i as the type that stands for v's.
func (d *decoder) form(i int32, v reflect.Value, f *Form) {
	before := len(d.list)
	tmp := reflect.New(f.as).Elem()
	d.value(i, tmp)
	if len(d.list) > before {
		return // the form is wrong already
	}
	out, err := f.from(tmp)
	if err != nil {
		d.addAt(i, problem(err))
		return
	}
	v.Set(out)
}

func (d *decoder) object(i int32, v reflect.Value) {
	fields := d.shapes.fields(v.Type())
	seen := make([]bool, len(fields))
	for key := range d.doc.children(i) {
		n := indexOf(fields, unquote(d.raw(key)))
		if n < 0 {
			d.unknownKey(key, fields)
			continue
		}
		seen[n] = true
		d.value(key+1, v.FieldByIndex(fields[n].index))
		if c := fields[n].constant; c != "" && string(d.raw(key+1)) != c {
			d.addAt(key+1, diag.Diagnostic{Summary: fmt.Sprintf("the value of %q is not %s", fields[n].name, c)})
		}
	}
	for n, f := range fields {
		if !seen[n] && !f.optional {
			open := int(d.doc.nodes[i].start)
			d.addf(open, open+1, "missing key %q", f.name)
		}
	}
}

func indexOf(fields []field, name string) int {
	for i := range fields {
		if fields[i].name == name {
			return i
		}
	}
	return -1
}

func (d *decoder) unknownKey(key int32, fields []field) {
	name := unquote(d.raw(key))
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	p := diag.Diagnostic{Summary: "unknown key " + quote(name)}
	for _, n := range names {
		if strings.EqualFold(n, name) {
			p.Detail = "Keys are told apart by the case of their letters."
		}
	}
	if near := diag.Nearest(name, names); near != "" {
		p.Help = fmt.Sprintf("did you mean %q?", near)
	}
	d.addAt(key, p)
}

func (d *decoder) dict(i int32, v reflect.Value) {
	t := v.Type()
	if t.Key().Kind() != reflect.String {
		panic("strictjson: no JSON form for " + t.String())
	}
	if d.doc.nodes[i].next == i+1 {
		return
	}
	v.Set(reflect.MakeMap(t))
	for key := range d.doc.children(i) {
		name, ok := d.text(key)
		if !ok {
			continue
		}
		elem := reflect.New(t.Elem()).Elem()
		d.value(key+1, elem)
		v.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), elem)
	}
}

func (d *decoder) array(i int32, v reflect.Value) {
	n := 0
	for range d.doc.children(i) {
		n++
	}
	if n == 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	n = 0
	for child := range d.doc.children(i) {
		d.value(child, v.Index(n))
		n++
	}
}

// text returns the string of a node with its byte escapes taken off.
func (d *decoder) text(i int32) (string, bool) {
	s, ok := unescapeBytes(unquote(d.raw(i)))
	if !ok {
		d.addAt(i, diag.Diagnostic{
			Summary: "malformed byte in a string",
			Detail:  `A byte that is not UTF-8, or a NUL, is written as \u0000 and two lower-case hexadecimal digits, and nothing else is.`,
		})
	}
	return s, ok
}

// integer reports an integer that does not fit.
func (d *decoder) integer(i int32, err error) {
	raw := string(d.raw(i))
	switch {
	case strings.ContainsAny(raw, ".eE"):
		d.addAt(i, diag.Diagnostic{
			Summary: "not an integer: " + clip(raw),
			Detail:  "Write it without a fraction and without an exponent.",
		})
	case err != nil || raw == "-0":
		d.addAt(i, diag.Diagnostic{Summary: "number out of range: " + clip(raw)})
	}
}

// is reports whether node i is of the kind, and a problem if it is not.
func (d *decoder) is(i int32, want kind) bool {
	got := d.doc.nodes[i].kind
	if got != want {
		d.addAt(i, diag.Diagnostic{Summary: fmt.Sprintf("%s where %s is expected", got, want)})
	}
	return got == want
}

func (d *decoder) raw(i int32) []byte { return d.doc.raw(i) }

// addAt reports a problem of node i, whose bracket is the place if it has one.
func (d *decoder) addAt(i int32, p diag.Diagnostic) {
	n := d.doc.nodes[i]
	end := n.end
	if n.kind == kindObject || n.kind == kindArray {
		end = n.start + 1
	}
	d.add(int(n.start), int(end), p)
}
