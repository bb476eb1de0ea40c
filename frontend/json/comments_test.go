package json_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	jsonfront "github.com/sandboxc/sbc/frontend/json"
)

func TestWithoutComments(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"none", `{"a": 1}`, `{"a": 1}`},
		{"alone", `{"//": 1}`, `{       }`},
		{"first", `{"//": 1, "a": 2}`, `{         "a": 2}`},
		{"last", `{"a": 2, "//": 1}`, `{"a": 2         }`},
		{"between", `{"a": 2 , "//" : "x" , "b": 3}`, `{"a": 2 ,              "b": 3}`},
		{"of several lines", "{\"//\": [\n\"é\"\n],\n\"a\": 1}", "{       \n    \n  \n\"a\": 1}"},
		{"nested", `{"a": [{"//": {}, "b": {"c": 1, "//": []}}]}`, `{"a": [{          "b": {"c": 1          }}]}`},
		{"within a comment", `{"//": {"//": 1, "a": 2}, "b": 3}`, `{                         "b": 3}`},
		{"as a value", `{"a": "//", "b": ["//", "//"]}`, `{"a": "//", "b": ["//", "//"]}`},
		{"escaped", `{"\u002f/": 1, "a": 2}`, `{              "a": 2}`},
		{"of another key", `{"// ": 1, "///": 2}`, `{"// ": 1, "///": 2}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, string(jsonfront.WithoutComments([]byte(tt.in)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWithoutCommentsLaw: what remains is the same value without the comments.
func TestWithoutCommentsLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 4)
		text, err := json.MarshalIndent(v, "", rapid.SampledFrom([]string{"", "  "}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		out := jsonfront.WithoutComments(text)
		if len(out) != len(text) {
			t.Fatalf("%d bytes became %d", len(text), len(out))
		}
		var got any
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%v in\n%s\nof\n%s", err, out, text)
		}
		if diff := cmp.Diff(dropComments(v), got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, text)
		}
	})
}

func drawValue(t *rapid.T, depth int) any {
	kinds := 3
	if depth > 0 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{"", "//", "a\"b", "\\", "é"}).Draw(t, "string")
	case 1:
		return float64(rapid.IntRange(-9, 9).Draw(t, "number"))
	case 2:
		return rapid.Bool().Draw(t, "bool")
	case 3:
		return nil
	case 4:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for _, k := range rapid.SliceOfN(rapid.SampledFrom([]string{"//", "a", "b", "\"", "!", "~"}), 0, 4).Draw(t, "keys") {
		object[k] = drawValue(t, depth-1)
	}
	return object
}

func dropComments(v any) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, dropComments(x))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if k != "//" {
				out[k] = dropComments(x)
			}
		}
		return out
	}
	return v
}
