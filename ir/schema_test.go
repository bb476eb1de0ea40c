package ir_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/irtest"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(ir.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("ir.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("ir.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parseJSON(t *testing.T, src []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSchemaTakesEncodedPolicies(t *testing.T) {
	t.Parallel()
	s := compileSchema(t)
	for _, src := range [][]byte{ir.Encode(irtest.Full()), ir.Canonical(irtest.Full()), []byte(small)} {
		if err := s.Validate(parseJSON(t, src)); err != nil {
			t.Error(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		p := irtest.Policies().Draw(rt, "policy")
		if err := s.Validate(parseJSON(t, ir.Encode(p))); err != nil {
			rt.Fatal(err)
		}
	})
}

// The schema and Decode refuse the same misshapen texts: at every object of the
// full policy an unknown key, a key too few, and at every value a wrong type.
func TestSchemaRefusesWhatDecodeRefuses(t *testing.T) {
	t.Parallel()
	s := compileSchema(t)
	root := parseJSON(t, ir.Encode(irtest.Full()))
	tried := map[string]bool{}
	try := func(what string, mustFail bool) {
		if tried[what] {
			return // at another entry of the list
		}
		tried[what] = true
		src, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		_, ds := ir.Decode(src, "x.json")
		schemaErr := s.Validate(parseJSON(t, src))
		if mustFail && (ds == nil || schemaErr == nil) {
			t.Errorf("%s: Decode says %v, the schema says %v", what, ds, schemaErr)
		}
		if schemaErr != nil && ds == nil {
			t.Errorf("%s: the schema refuses what Decode takes: %v", what, schemaErr)
		}
	}
	var walk func(v any, path string, set func(any))
	origins := 0
	walk = func(v any, path string, set func(any)) {
		if strings.HasSuffix(path, "/origin") {
			if origins++; origins > 1 {
				return // all have one definition
			}
		}
		for _, other := range []any{nil, true, "surely no such word", json.Number("-7.5"), []any{nil}, map[string]any{"x": nil}} {
			switch other.(type) { // another name or another truth may well be valid
			case string:
				if _, same := v.(string); same {
					continue
				}
			case bool:
				if _, same := v.(bool); same {
					continue
				}
			}
			set(other)
			try(fmt.Sprintf("%s is %v", path, other), true)
		}
		set(v)
		switch v := v.(type) {
		case map[string]any:
			v["x"] = 1
			try(path+" has an unknown key", true)
			delete(v, "x")
			for key, elem := range v {
				delete(v, key)
				v[strings.ToUpper(key)] = elem
				try(path+"/"+key+" in capitals", true)
				delete(v, strings.ToUpper(key))
				try(path+" without "+key, false)
				v[key] = elem
				walk(elem, path+"/"+key, func(other any) { v[key] = other })
			}
		case []any:
			for i, elem := range v {
				walk(elem, path+"/*", func(other any) { v[i] = other })
			}
		}
	}
	walk(root, "", func(v any) { root = v })
	if len(tried) < 1000 {
		t.Errorf("only %d texts", len(tried))
	}
}
