package strictjson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/strictjson"
)

type color uint8

func (c color) String() string { return [...]string{"red", "green", "blue"}[c] }

type place struct {
	Line int           `json:"line"`
	Byte time.Duration `json:"byte,omitzero"` // an integer with a String method
}

type head struct {
	Form int `json:"form" const:"1"`
}

// shape is an interface that is written as a string.
type shape interface{ text() string }

type circle string

func (c circle) text() string { return string(c) }

type record struct {
	head
	Name   string            `json:"name"`
	On     bool              `json:"on,omitzero"`
	Port   uint16            `json:"port,omitzero"`
	Color  color             `json:"color"`
	Shape  shape             `json:"shape,omitzero"`
	Place  place             `json:"place,omitzero"`
	Places []place           `json:"places,omitempty"`
	Rows   [][]int8          `json:"rows"`
	Labels map[string]string `json:"labels,omitempty" hash:"-"`
}

func forms() []strictjson.Form {
	return []strictjson.Form{
		strictjson.Words("color", color(0), color(1), color(2)),
		strictjson.As(func(s shape) string { return s.text() }, func(s string) (shape, error) {
			if s == "" {
				return nil, errors.New("a shape without a name")
			}
			return circle(s), nil
		}),
	}
}

func full() record {
	return record{
		head: head{Form: 1}, Name: "a\"b\\c\n\u202e\xff\x00é😀", On: true, Port: 65535, Color: 2, Shape: circle("o"),
		Place: place{Line: 3, Byte: 1 << 62}, Places: []place{{Line: 1}, {Line: -2, Byte: 7}},
		Rows:   [][]int8{{-128, 127}, nil, {0}},
		Labels: map[string]string{"b": "2", "a": "1", "\xfe": ""},
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	want := `{
  "form": 1,
  "name": "a\"b\\c\n\u202e\u0000ff\u000000é😀",
  "on": true,
  "port": 65535,
  "color": "blue",
  "shape": "o",
  "place": {"line": 3, "byte": 4611686018427387904},
  "places": [{"line": 1}, {"line": -2, "byte": 7}],
  "rows": [[-128, 127], [], [0]],
  "labels": {"\u0000fe": "", "a": "1", "b": "2"}
}
`
	if diff := cmp.Diff(want, string(strictjson.Encode(full(), strictjson.Options{Forms: forms()}))); diff != "" {
		t.Errorf("readable (-want +got):\n%s", diff)
	}
	want = `{"color":"blue","form":1,"labels":{"\u0000fe":"","a":"1","b":"2"},"name":"a\"b\\c\n` + "\u202e" +
		`\u0000ff\u000000é😀","on":true,"place":{"byte":4611686018427387904,"line":3},"places":[{"line":1},{"byte":7,"line":-2}],` +
		`"port":65535,"rows":[[-128,127],[],[0]],"shape":"o"}`
	opts := strictjson.Options{Forms: forms(), Canonical: true}
	if diff := cmp.Diff(want, string(strictjson.Encode(full(), opts))); diff != "" {
		t.Errorf("canonical (-want +got):\n%s", diff)
	}
	small := record{head: head{Form: 1}}
	want = `{"form": 1, "name": "", "color": "red", "rows": []}` + "\n"
	if diff := cmp.Diff(want, string(strictjson.Encode(&small, strictjson.Options{Forms: forms()}))); diff != "" {
		t.Errorf("small (-want +got):\n%s", diff)
	}
}

// A field with the tag is left out, and a struct of which nothing is left too.
func TestEncodeOmits(t *testing.T) {
	t.Parallel()
	type inner struct {
		Where int `json:"where" hash:"-"`
	}
	v := struct {
		A int   `json:"a"`
		B int   `json:"b" hash:"-"`
		C inner `json:"c,omitzero"`
		D inner `json:"d"`
	}{1, 2, inner{3}, inner{4}}
	got := strictjson.Encode(v, strictjson.Options{Canonical: true, Omit: strictjson.Tagged("hash", "-")})
	if want := `{"a":1,"d":{}}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Long values are broken at the outermost level that needs it.
func TestEncodeBreaksLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 80)
	v := map[string][]string{"a": {long, "y"}, "b": {"z"}}
	want := `{
  "a": ["` + long + `", "y"],
  "b": ["z"]
}
`
	if diff := cmp.Diff(want, string(strictjson.Encode(v, strictjson.Options{}))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want = `{
  "a": [
    "` + long + long + `"
  ]
}
`
	v = map[string][]string{"a": {long + long}}
	if diff := cmp.Diff(want, string(strictjson.Encode(v, strictjson.Options{}))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, canonical := range []bool{false, true} {
		src := strictjson.Encode(full(), strictjson.Options{Forms: forms(), Canonical: canonical})
		var got record
		if ds := strictjson.Decode(src, "x.json", &got, forms()...); ds != nil {
			t.Fatalf("problems: %v", lines(ds))
		}
		if diff := cmp.Diff(full(), got, cmp.AllowUnexported(record{})); diff != "" {
			t.Errorf("value (-want +got):\n%s", diff)
		}
	}
}

func TestDecodeProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		src  string
		want []string
	}{
		{"least", `{"form":1,"name":"","color":"red","rows":[]}`, nil},
		{"syntax", `{"form":1,}`, []string{`SBC0017 1:11-12 "}" where a key in quotes is expected`}},
		{"trailing data", `{} 1`, []string{`SBC0017 1:4-5 text after the end of the value`}},
		{"not UTF-8", "{\"\xff\":1}", []string{`SBC0017 1:3-4 the byte 0xff is not UTF-8`}},
		{"duplicate", `{"form":1,"form":1,"name":"","color":"red","rows":[]}`, []string{`SBC0004 1:11-17 duplicate key "form"`}},
		{"too deep", strings.Repeat("[", 101), []string{`SBC0009 1:101-102 nested deeper than 100 levels`}},
		{"wrong type at the root", `[]`, []string{`SBC0017 1:1-2 an array where an object is expected`}},
		{"missing keys", `{"form":1}`, []string{
			`SBC0017 1:1-2 missing key "name"`,
			`SBC0017 1:1-2 missing key "color"`,
			`SBC0017 1:1-2 missing key "rows"`,
		}},
		{"unknown keys", `{"form":1,"name":"","color":"red","rows":[],"nmae":1,"Name":2,"x":3}`, []string{
			`SBC0017 1:45-51 unknown key "nmae"`,
			`SBC0017 1:54-60 unknown key "Name"`,
			`SBC0017 1:63-66 unknown key "x"`,
		}},
		{"wrong types", `{"form":1,"name":7,"color":2,"rows":{},"on":"yes","port":"1","place":[],"labels":[]}`, []string{
			`SBC0017 1:18-19 a number where a string is expected`,
			`SBC0017 1:28-29 a number where a string is expected`,
			`SBC0017 1:37-38 an object where an array is expected`,
			`SBC0017 1:45-50 a string where a boolean is expected`,
			`SBC0017 1:58-61 a string where a number is expected`,
			`SBC0017 1:70-71 an array where an object is expected`,
			`SBC0017 1:82-83 an array where an object is expected`,
		}},
		{"null", `{"form":1,"name":null,"color":null,"rows":null,"on":null,"place":null,"shape":null}`, []string{
			`SBC0017 1:18-22 null where a string is expected`,
			`SBC0017 1:31-35 null where a string is expected`,
			`SBC0017 1:43-47 null where an array is expected`,
			`SBC0017 1:53-57 null where a boolean is expected`,
			`SBC0017 1:66-70 null where an object is expected`,
			`SBC0017 1:79-83 null where a string is expected`,
		}},
		{"numbers", `{"form":1,"name":"","color":"red","rows":[[128,-129,1.0,1e0,-0]],"port":65536}`, []string{
			`SBC0017 1:44-47 number out of range: 128`,
			`SBC0017 1:48-52 number out of range: -129`,
			`SBC0017 1:53-56 not an integer: 1.0`,
			`SBC0017 1:57-60 not an integer: 1e0`,
			`SBC0017 1:61-63 number out of range: -0`,
			`SBC0017 1:73-78 number out of range: 65536`,
		}},
		{"negative where unsigned", `{"form":1,"name":"","color":"red","rows":[],"port":-1}`, []string{`SBC0017 1:52-54 number out of range: -1`}},
		{"constant", `{"form":2,"name":"","color":"red","rows":[]}`, []string{`SBC0017 1:9-10 the value of "form" is not 1`}},
		{"unknown word", `{"form":1,"name":"","color":"Red","rows":[]}`, []string{`SBC0017 1:29-34 unknown color "Red"`}},
		{"refused by a form", `{"form":1,"name":"","color":"red","rows":[],"shape":""}`, []string{`SBC0017 1:53-55 a shape without a name`}},
		{"in an array", "{\"form\":1,\"name\":\"\",\"color\":\"red\",\"rows\":[],\"places\":[{\"line\":1},\n{\"lines\":1}]}", []string{
			`SBC0017 2:2-9 unknown key "lines"`,
			`SBC0017 2:1-2 missing key "line"`,
		}},
		{"byte escape cut", `{"form":1,"name":"\u0000f","color":"red","rows":[]}`, []string{`SBC0017 1:18-27 malformed byte in a string`}},
		{"byte escape in capitals", `{"form":1,"name":"\u0000FF","color":"red","rows":[]}`, []string{`SBC0017 1:18-28 malformed byte in a string`}},
		{"byte escape of ASCII", `{"form":1,"name":"\u000041","color":"red","rows":[]}`, []string{`SBC0017 1:18-28 malformed byte in a string`}},
		{"byte escapes that are a character", `{"form":1,"name":"\u0000c3\u0000a9","color":"red","rows":[]}`, []string{`SBC0017 1:18-36 malformed byte in a string`}},
		{"byte escape in a key", `{"form":1,"name":"","color":"red","rows":[],"labels":{"\u0000":""}}`, []string{`SBC0017 1:55-63 malformed byte in a string`}},
		{"long word", `{"form":1,"name":"","color":"red","rows":[],"` + strings.Repeat("x", 100) + `":1}`, []string{
			`SBC0017 1:45-147 unknown key "` + strings.Repeat("x", 80) + `..."`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var v record
			if diff := cmp.Diff(tt.want, lines(strictjson.Decode([]byte(tt.src), "x.json", &v, forms()...))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeHelps(t *testing.T) {
	t.Parallel()
	src := `{"form":1,"name":"","color":"gren","rows":[],"Name":1,"hello":1}`
	var v record
	var got [][2]string
	for _, d := range strictjson.Decode([]byte(src), "x.json", &v, forms()...) {
		got = append(got, [2]string{d.Detail, d.Help})
	}
	want := [][2]string{
		{`It is "red", "green" or "blue".`, `did you mean "green"?`},
		{"Keys are told apart by the case of their letters.", `did you mean "name"?`},
		{"", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("detail and help (-want +got):\n%s", diff)
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	const text = `{"a":[{"b":1},{"b":"x"}],"c":[],"d":{"/x~":1,"/\u0000ff":2}}`
	doc, ds := strictjson.Parse([]byte(text), "x.json")
	if ds != nil {
		t.Fatal(ds)
	}
	tests := []struct{ pointer, want string }{
		{"", text},
		{"/a", `[{"b":1},{"b":"x"}]`},
		{"/a/1", `{"b":"x"}`},
		{"/a/1/b", `"x"`},
		{"/a/0/c", `{"b":1}`},
		{"/a/2/b", `[{"b":1},{"b":"x"}]`},
		{"/c", `[]`},
		{"/d/~1x~0", `1`},
		{"/d/~1\xff", `2`},
	}
	for _, tt := range tests {
		r := doc.Range(tt.pointer)
		if got := text[r.Start.Byte:r.End.Byte]; got != tt.want {
			t.Errorf("Range(%q) is %s, want %s", tt.pointer, got, tt.want)
		}
	}
	if got, ok := doc.Lookup("c"); got != "[]" || !ok {
		t.Errorf("Lookup(c) = %q, %t", got, ok)
	}
	if _, ok := doc.Lookup("b"); ok {
		t.Error("Lookup(b) found something")
	}
}

// Every string that Go can hold comes back, and the text is JSON to others.
func TestStringsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := map[string][]string{string(rapid.SliceOf(rapid.Byte()).Draw(t, "key")): {
			string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")), rapid.String().Draw(t, "text"),
		}}
		for _, canonical := range []bool{false, true} {
			src := strictjson.Encode(v, strictjson.Options{Canonical: canonical})
			if !json.Valid(src) {
				t.Fatalf("not JSON: %s", src)
			}
			var got map[string][]string
			if ds := strictjson.Decode(src, "x.json", &got); ds != nil {
				t.Fatalf("%s: %v", src, lines(ds))
			}
			if diff := cmp.Diff(v, got); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
		}
	})
}

// encoding/json accepts what Check accepts, and what it refuses beyond that is
// listed in the condition.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,true,null,"x\u00e9\ud83d\ude00"]}`, `[`, `"\ud83d"`, "\"\xff\"", "01", "{} {}", "\ufeff1", `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ds := strictjson.Check(src, "x.json", 1000)
		if len(ds) == 0 && !json.Valid(src) {
			t.Fatal("Check accepts what is not JSON")
		}
		if len(ds) == 0 || !json.Valid(src) {
			return
		}
		for _, d := range ds {
			stricter := d.Code != diag.CodeSyntax ||
				d.Summary == "malformed escape in a string" ||
				strings.HasSuffix(d.Summary, "is not UTF-8")
			if !stricter {
				t.Fatalf("Check refuses JSON: %v", lines(ds))
			}
		}
	})
}

func TestSchema(t *testing.T) {
	t.Parallel()
	want := `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://example.org/x.json",
  "title": "a record",
  "$ref": "#/$defs/record",
  "$defs": {
    "record": {
      "type": "object",
      "properties": {
        "form": {"const": 1},
        "name": {"type": "string"},
        "on": {"type": "boolean"},
        "port": {"type": "integer", "minimum": 0, "maximum": 65535},
        "color": {"enum": ["red", "green", "blue"]},
        "shape": {"type": "string"},
        "place": {"$ref": "#/$defs/place"},
        "places": {"type": "array", "items": {"$ref": "#/$defs/place"}},
        "rows": {
          "type": "array",
          "items": {"type": "array", "items": {"type": "integer", "minimum": -128, "maximum": 127}}
        },
        "labels": {"type": "object", "additionalProperties": {"type": "string"}}
      },
      "required": ["form", "name", "color", "rows"],
      "additionalProperties": false
    },
    "place": {
      "type": "object",
      "properties": {
        "line": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
        "byte": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807}
      },
      "required": ["line"],
      "additionalProperties": false
    }
  }
}
`
	got := strictjson.Schema(record{}, "https://example.org/x.json", "a record", forms()...)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func BenchmarkCheck(b *testing.B) {
	src := []byte("[" + strings.Repeat(`{"path":"/usr/lib","access":["read","write"],"n":12},`, 20_000) + "1]")
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if ds := strictjson.Check(src, "x.json", 0); ds != nil {
			b.Fatal(ds)
		}
	}
}
