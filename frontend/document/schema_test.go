package document_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/frontend/document"
	jsonfront "github.com/sandboxc/sbc/frontend/json"
)

// walk calls f for every block type with the path of the blocks around it.
func walk(b document.BlockType, around []document.BlockType, f func(b document.BlockType, around []document.BlockType)) {
	f(b, around)
	for _, c := range b.Blocks {
		walk(c, append(slices.Clone(around), b), f)
	}
}

// TestSchemaDocs holds every block and attribute to have a sentence for the
// reference and a name that both syntaxes can write.
func TestSchemaDocs(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z][a-z_]*$`)
	sentence := regexp.MustCompile(`^["A-Z].*\.$`)
	for _, schema := range []document.BlockType{document.Schema(), document.FloorSchema()} {
		walk(schema, nil, func(b document.BlockType, _ []document.BlockType) {
			if !sentence.MatchString(b.Doc) || b.Name != "" && !name.MatchString(b.Name) {
				t.Errorf("block %q: %q", b.Name, b.Doc)
			}
			seen := map[string]bool{}
			for _, a := range b.Attrs {
				if !sentence.MatchString(a.Doc) || !name.MatchString(a.Name) || seen[a.Name] {
					t.Errorf("attribute %q of %q: %q", a.Name, b.Name, a.Doc)
				}
				seen[a.Name] = true
				for _, e := range a.Enum {
					if a.Kind != document.String || !name.MatchString(e) {
						t.Errorf("attribute %q of %q: enum %q", a.Name, b.Name, e)
					}
				}
			}
			for _, c := range b.Blocks {
				if seen[c.Name] {
					t.Errorf("%q of %q is both attribute and block", c.Name, b.Name)
				}
				seen[c.Name] = true
			}
		})
	}
}

// sample is a value of an attribute in JSON that both the schema and the
// decoder take.
func sample(a document.Attr) any {
	switch a.Kind {
	case document.String:
		if a.Enum != nil {
			return a.Enum[0]
		}
		return "x"
	case document.Strings, document.Paths:
		return []any{"/x", []any{"/y"}}
	case document.Bool:
		return true
	case document.Int:
		return 1
	case document.Size:
		return "1GiB"
	case document.Duration:
		return "1m"
	case document.StringMap:
		return map[string]any{"A": "x"}
	case document.PathsByOp:
		return map[string]any{"read": []any{"/x"}, "write": []any{}, "unlink": []any{"/y"}}
	case document.Rules:
		return []any{map[string]any{"path": "x", "action": "deny"}}
	case document.Any:
		return []any{1, "x"}
	}
	return nil
}

// wrong are values that an attribute does not take.
func wrong(a document.Attr) []any {
	all := []any{7.5, map[string]any{"nothing": 1}}
	switch a.Kind {
	case document.Any:
		return nil
	case document.Bool, document.Int, document.Rules:
		return append(all, "x", []any{"x"})
	case document.String:
		if a.Enum != nil {
			all = append(all, a.Enum[0]+"x")
		}
		return append(all, true, []any{"x"})
	case document.Size, document.Duration:
		return append(all, true, []any{"x"})
	case document.Strings, document.Paths:
		return append(all, "x", []any{1}, []any{[]any{[]any{"x"}}})
	case document.StringMap, document.PathsByOp:
		return append(all, "x", []any{"x"})
	}
	return nil
}

// nest puts a body into the blocks around it, and adds what they need.
func nest(b document.BlockType, body map[string]any, around []document.BlockType) map[string]any {
	for i := len(around) - 1; i >= 0; i-- {
		var in any = body
		if b.Label != "" {
			label := "x"
			if b.LabelEnum != nil {
				label = b.LabelEnum[0]
			}
			in = map[string]any{label: body}
		}
		outer := needed(around[i])
		outer[b.Name] = in
		body, b = outer, around[i]
	}
	return body
}

// needed is a body with the required attributes alone.
func needed(b document.BlockType) map[string]any {
	out := map[string]any{}
	for _, a := range b.Attrs {
		if a.Required || b.Name == "variable" && a.Name == "default" {
			out[a.Name] = sample(a)
		}
	}
	return out
}

// TestSchemaWhole holds the JSON Schema and the decoder to agree on every block,
// attribute and enum value of the language, and on what is next to them.
func TestSchemaWhole(t *testing.T) {
	t.Parallel()
	schema := policySchema(t)
	check := func(what string, doc map[string]any, want bool) {
		t.Helper()
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := accepts(t, schema, text); (err == nil) != want {
			t.Errorf("%s: the schema says %v, want valid: %v\n%s", what, err, want, text)
		}
		f, ds := jsonfront.Parse("p.json", text)
		if !ds.HasErrors() {
			_, more := document.Decode(f, document.Schema(), scope())
			ds.Add(more...)
		}
		if ds.HasErrors() == want {
			t.Errorf("%s: the decoder says %v, want valid: %v\n%s", what, problems(ds), want, text)
		}
	}
	n := 0
	walk(document.Schema(), nil, func(b document.BlockType, around []document.BlockType) {
		at := fmt.Sprintf("block %q", b.Name)
		check(at, nest(b, needed(b), around), true)
		if !b.Free {
			body := needed(b)
			body["nothing"] = 1
			check(at+" with an unknown key", nest(b, body, around), false)
		}
		for _, l := range b.LabelEnum {
			check(at+" "+l, nest(document.BlockType{Name: b.Name}, map[string]any{l: needed(b)}, around), true)
			check(at+" "+l+"x", nest(document.BlockType{Name: b.Name}, map[string]any{l + "x": needed(b)}, around), false)
		}
		for _, a := range b.Attrs {
			n++
			with := func(v any) map[string]any {
				body := needed(b)
				body[a.Name] = v
				return nest(b, body, around)
			}
			check(at+" "+a.Name, with(sample(a)), true)
			for _, e := range a.Enum {
				check(at+" "+a.Name+" "+e, with(e), true)
			}
			for _, v := range wrong(a) {
				check(fmt.Sprintf("%s %s = %v", at, a.Name, v), with(v), false)
			}
			if a.Required {
				body := needed(b)
				delete(body, a.Name)
				check(at+" without "+a.Name, nest(b, body, around), false)
			}
			if !strings.Contains(string(document.JSONSchema()), quote(a.Doc)) {
				t.Errorf("the schema does not describe %s of %s", a.Name, at)
			}
		}
	})
	if n < 50 {
		t.Errorf("only %d attributes", n)
	}
}
