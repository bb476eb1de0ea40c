package document_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sandboxc/sbc/frontend/document"
	jsonfront "github.com/sandboxc/sbc/frontend/json"
)

func policySchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(document.SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(document.SchemaID)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func accepts(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// TestJSONSchema: the schema and the decoder agree on the shape of documents.
func TestJSONSchema(t *testing.T) {
	t.Parallel()
	schema := policySchema(t)
	tests := []struct {
		name, text string
		want       bool
	}{
		{"least", `{"version": 1}`, true},
		{"no version", `{}`, false},
		{"a version that is a string", `{"version": "1"}`, false},
		{"comments", `{"version": 1, "//": ["x"], "filesystem": {"//": 7, "read": ["/usr"]}}`, true},
		{"unknown key", `{"version": 1, "filesytem": {}}`, false},
		{"unknown attribute", `{"version": 1, "filesystem": {"raed": ["/usr"]}}`, false},
		{"nested lists", `{"version": 1, "filesystem": {"write": ["${workspace}", ["/a", "/b"]]}}`, true},
		{"an expression for a list", `{"version": 1, "filesystem": {"write": "${git_dirs}"}}`, true},
		{"a string for a list", `{"version": 1, "filesystem": {"write": "/usr"}}`, false},
		{"a number in a list", `{"version": 1, "filesystem": {"write": [7]}}`, false},
		{"labels", `{"version": 1, "filesystem": {"deny": {"a": {"paths": ["./a"]}, "b": {"paths": ["./b"], "access": "write"}}}}`, true},
		{"no paths", `{"version": 1, "filesystem": {"deny": {"a": {"access": "write"}}}}`, false},
		{"enum", `{"version": 1, "network": {"mode": "of"}}`, false},
		{"null", `{"version": 1, "network": null}`, false},
		{"a target", `{"version": 1, "target": {"darwin": {"filesystem": {"read": ["/opt"]}}}}`, true},
		{"an unknown target", `{"version": 1, "target": {"windows": {}}}`, false},
		{"an accept twice", `{"version": 1, "accept": {"SBC2110": [{"rule": "a", "reason": "b"}, {"rule": "c", "reason": "d"}]}}`, true},
		{"rules", `{"version": 1, "rules": [{"path": "${x", "access": "both", "action": "deny"}]}`, true},
		{"a rule without an action", `{"version": 1, "rules": [{"path": "x"}]}`, false},
		{"locals", `{"version": 1, "locals": {"a": "x", "b": ["y"]}}`, true},
		{"test", `{"version": 1, "test": {"t": {"deny": {"read": ["~/.ssh/**"], "unlink": ["./x"]}}}}`, true},
		{"an unknown operation", `{"version": 1, "test": {"t": {"deny": {"raed": ["x"]}}}}`, false},
		{"a flag", `{"version": 1, "process": {"ptrace": true}}`, true},
		{"a flag that is a string", `{"version": 1, "process": {"ptrace": "true"}}`, false},
		{"a map", `{"version": 1, "env": {"set": {"CI": "1"}}}`, true},
		{"a map of numbers", `{"version": 1, "env": {"set": {"CI": 1}}}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := accepts(t, schema, []byte(tt.text))
			if (err == nil) != tt.want {
				t.Errorf("the schema: %v, want valid: %v", err, tt.want)
			}
			f, ds := jsonfront.Parse("policy.json", []byte(tt.text))
			if !ds.HasErrors() {
				_, more := document.Decode(f, document.Schema(), document.Scope{Workspace: "/w", GitDirs: []string{"/w/.git"}})
				ds.Add(more...)
			}
			if ds.HasErrors() == tt.want {
				t.Errorf("the decoder: %v, want valid: %v", ds, tt.want)
			}
		})
	}
}

// TestJSONSchemaExamples: every example in JSON is valid.
func TestJSONSchemaExamples(t *testing.T) {
	t.Parallel()
	schema := policySchema(t)
	files, err := filepath.Glob("../../examples/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(`"sbc_host"`)) {
			continue // a record of a machine
		}
		if err := accepts(t, schema, text); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}
