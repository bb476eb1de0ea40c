package diag_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sandboxc/sbc/ir/diag"
)

// The types below read SARIF by its specified names, apart from the types that
// write it.

type region struct {
	StartLine, StartColumn, EndLine, EndColumn int
}

type location struct {
	ID               int
	Message          *struct{ Text string }
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           *region
	}
}

type result struct {
	RuleID           string
	RuleIndex        int
	Level            string
	Message          struct{ Text string }
	Locations        []location
	RelatedLocations []location
	Properties       map[string]string
}

type rule struct {
	ID                                      string
	HelpURI                                 string
	ShortDescription, FullDescription, Help struct{ Text, Markdown string }
	Properties                              map[string]any
}

type run struct {
	Tool struct {
		Driver struct {
			Name, Version string
			Rules         []rule
		}
	}
	ColumnKind string
	Results    []result
}

func sarif(t *testing.T, l diag.List, sources diag.SourceSet) ([]byte, run) {
	t.Helper()
	var b bytes.Buffer
	if err := diag.SARIF(&b, l, "1.2.3", sources.Source); err != nil {
		t.Fatal(err)
	}
	if err := validateSARIF(t, b.Bytes()); err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if !bytes.HasSuffix(b.Bytes(), []byte("}\n")) || bytes.HasSuffix(b.Bytes(), []byte("\n\n")) {
		t.Error("the output does not end with one newline")
	}
	var log struct{ Runs []run }
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), log.Runs[0]
}

func validateSARIF(t *testing.T, doc []byte) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/sarif.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(v)
}

func TestSARIFEmpty(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := diag.SARIF(&b, nil, "", nil); err != nil {
		t.Fatal(err)
	}
	want := `{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "sbc",
          "informationUri": "https://github.com/sandboxc/sbc",
          "rules": []
        }
      },
      "columnKind": "utf16CodeUnits",
      "results": []
    }
  ]
}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := validateSARIF(t, b.Bytes()); err != nil {
		t.Error(err)
	}
}

func TestSARIFResults(t *testing.T) {
	t.Parallel()
	sources := diag.SourceSet{"policy.hcl": []byte(network)}
	l := diag.List{
		{
			Code:     diag.CodeUnknownName,
			Severity: diag.Error,
			Summary:  `unknown network mode "of"`,
			Detail:   "Write one of them.",
			Help:     "did you mean \"off\"?",
			Rule:     "network.mode",
			Target:   "linux",
			Subject:  at(t, network, `"of"`),
			Related: []diag.Related{
				{Message: "nowhere"},
				{Message: "the block", Range: *at(t, network, "network {")},
				{Message: "the file", Range: diag.Range{File: "dir/a b.hcl"}},
			},
		},
		{Code: diag.CodeBroadRoot, Severity: diag.Security, Summary: "wide"},
		{Code: diag.CodeDeadRule, Severity: diag.Warning, Summary: "dead"},
		{Code: diag.CodeSnapshot, Severity: diag.Note, Summary: "later"},
	}
	_, got := sarif(t, l, sources)

	var first result
	first.RuleID, first.RuleIndex, first.Level = "SBC0002", 0, "error"
	first.Message.Text = "unknown network mode \"of\"\nWrite one of them.\nhelp: did you mean \"off\"?\nnote: nowhere"
	first.Properties = map[string]string{"severity": "error", "rule": "network.mode", "target": "linux"}
	first.Locations = make([]location, 1)
	first.Locations[0].PhysicalLocation.ArtifactLocation.URI = "policy.hcl"
	first.Locations[0].PhysicalLocation.Region = &region{3, 10, 3, 14}
	first.RelatedLocations = make([]location, 2)
	first.RelatedLocations[0].ID = 1
	first.RelatedLocations[0].Message = &struct{ Text string }{"the block"}
	first.RelatedLocations[0].PhysicalLocation.ArtifactLocation.URI = "policy.hcl"
	first.RelatedLocations[0].PhysicalLocation.Region = &region{2, 1, 2, 10}
	first.RelatedLocations[1].ID = 2
	first.RelatedLocations[1].Message = &struct{ Text string }{"the file"}
	first.RelatedLocations[1].PhysicalLocation.ArtifactLocation.URI = "dir/a%20b.hcl"
	without := func(code string, index int, level, severity, text string) result {
		r := result{RuleID: code, RuleIndex: index, Level: level, Locations: []location{}}
		r.Message.Text = text
		r.Properties = map[string]string{"severity": severity}
		return r
	}
	want := []result{
		without("SBC1008", 2, "warning", "security", "wide"),
		without("SBC1001", 1, "warning", "warning", "dead"),
		without("SBC2101", 3, "note", "note", "later"),
		first,
	}
	if diff := cmp.Diff(want, got.Results); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if d := got.Tool.Driver; d.Name != "sbc" || d.Version != "1.2.3" || got.ColumnKind != "utf16CodeUnits" {
		t.Errorf("driver %q %q, columns %q", d.Name, d.Version, got.ColumnKind)
	}
}

func TestSARIFRules(t *testing.T) {
	t.Parallel()
	_, got := sarif(t, diag.List{
		{Code: diag.CodeLimit, Severity: diag.Warning, Summary: "a"},
		{Code: diag.CodeLimit, Severity: diag.Warning, Summary: "b"},
		{Code: diag.CodeKnownCVE, Severity: diag.Security, Summary: "c"},
		{Code: diag.CodeBroadRoot, Severity: diag.Security, Summary: "d"},
		{Code: diag.CodeBroadRoot, Severity: diag.Error, Summary: "e"},
	}, nil)
	want := map[string]map[string]any{
		"SBC1008": nil, // also an error here
		"SBC2110": nil,
		"SBC4004": {"tags": []any{"security"}, "security-severity": "6.0"},
	}
	properties := map[string]map[string]any{}
	for _, r := range got.Tool.Driver.Rules {
		properties[r.ID] = r.Properties
		page, ok := diag.PageOf(diag.Code(r.ID))
		if !ok {
			t.Errorf("%s has no page", r.ID)
		}
		if diff := cmp.Diff(
			[]string{page.Title, page.Meaning, page.Remedy, page.Body, "https://github.com/sandboxc/sbc/blob/main/ir/diag/pages/" + r.ID + ".md"},
			[]string{r.ShortDescription.Text, r.FullDescription.Text, r.Help.Text, r.Help.Markdown, r.HelpURI},
		); diff != "" {
			t.Errorf("%s (-want +got)\n%s", r.ID, diff)
		}
	}
	if diff := cmp.Diff(want, properties); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSARIFRegions(t *testing.T) {
	t.Parallel()
	const text = "é\U0001f600\xff = \"日\"\nb\n"
	src := diag.NewSource([]byte(text))
	start := strings.Index(text, "日")
	tests := []struct {
		name    string
		subject diag.Range
		uri     string
		want    *region
	}{
		{
			name:    "UTF-16 columns", // é 1, the emoji 2, the stray byte 1, then ` = "`
			subject: src.Range("policy.hcl", start, start+len("日")),
			uri:     "policy.hcl", want: &region{1, 9, 1, 10},
		},
		{
			name:    "several lines",
			subject: src.Range("policy.hcl", start, len(text)-1),
			uri:     "policy.hcl", want: &region{1, 9, 2, 2},
		},
		{
			name:    "the end of the file",
			subject: src.Range("policy.hcl", len(text), len(text)),
			uri:     "policy.hcl", want: &region{3, 1, 3, 1},
		},
		{
			name:    "without source there are no columns",
			subject: diag.Range{File: "other.hcl", Start: diag.Pos{Line: 4, Column: 7, Byte: 50}, End: diag.Pos{Line: 5, Column: 1, Byte: 60}},
			uri:     "other.hcl", want: &region{4, 0, 4, 0},
		},
		{name: "the file as a whole", subject: diag.Range{File: "policy.hcl"}, uri: "policy.hcl"},
		{name: "escapes", subject: diag.Range{File: "a b/%ü#?.hcl"}, uri: "a%20b/%25%C3%BC%23%3F.hcl"},
		{name: "not UTF-8", subject: diag.Range{File: "\xff.hcl"}, uri: "%FF.hcl"},
		{name: "a colon is not a scheme", subject: diag.Range{File: "c:x.hcl"}, uri: "./c:x.hcl"},
		{name: "absolute", subject: diag.Range{File: "/srv/x.hcl"}, uri: "file:///srv/x.hcl"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, got := sarif(t, diag.List{{Code: "SBC0001", Severity: diag.Error, Summary: "x", Subject: &tt.subject}},
				diag.SourceSet{"policy.hcl": []byte(text)})
			place := got.Results[0].Locations[0].PhysicalLocation
			if place.ArtifactLocation.URI != tt.uri {
				t.Errorf("uri %q, want %q", place.ArtifactLocation.URI, tt.uri)
			}
			if diff := cmp.Diff(tt.want, place.Region); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Text from a policy must stay text: no placeholder, no link.
func TestSARIFMessages(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, summary, want string }{
		{name: "globs stay readable", summary: "**/[a-z]{b,c}", want: "**/[a-z]{b,c}"},
		{name: "placeholder", summary: "x{0}y", want: "x{{0}}y"},
		{name: "link", summary: `[a](http://b) \[c`, want: `\[a\](http://b) \\\[c`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, got := sarif(t, diag.List{{Code: "SBC0001", Severity: diag.Error, Summary: tt.summary}}, nil)
			if diff := cmp.Diff(tt.want, got.Results[0].Message.Text); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The schema must be able to say no.
func TestSARIFSchemaRejects(t *testing.T) {
	t.Parallel()
	good, _ := sarif(t, diag.List{{Code: "SBC0001", Severity: diag.Error, Summary: "x", Subject: at(t, network, "network")}},
		diag.SourceSet{"policy.hcl": []byte(network)})
	tests := []struct{ name, old, changed string }{
		{name: "version", old: `"2.1.0"`, changed: `"2.0.0"`},
		{name: "level", old: `"level": "error"`, changed: `"level": "fatal"`},
		{name: "column", old: `"startColumn": 1`, changed: `"startColumn": 0`},
		{name: "one column", old: `"startColumn": 1,`, changed: ``},
		{name: "uri", old: `"uri": "policy.hcl"`, changed: `"uri": "a%zz"`},
		{name: "text", old: `"text": "x"`, changed: `"text": ""`},
		{name: "unknown key", old: `"ruleIndex"`, changed: `"ruleindex"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			bad := bytes.Replace(good, []byte(tt.old), []byte(tt.changed), 1)
			if bytes.Equal(bad, good) {
				t.Fatalf("%q does not occur", tt.old)
			}
			if err := validateSARIF(t, bad); err == nil {
				t.Error("accepted")
			}
		})
	}
}
