package document

import (
	"regexp"
	"strings"

	hclv2 "github.com/hashicorp/hcl/v2"

	"github.com/sandboxc/sbc/ir/diag"
)

// MaxProblems is how many problems of one file are named. More help nobody.
const MaxProblems = 100

// Convert turns diagnostics of package hcl into ours. Of several for the same
// expression only the first is kept: the others follow from it.
func (f File) Convert(in hclv2.Diagnostics) diag.List {
	var out diag.List
	seen := map[hclv2.Expression]bool{}
	for _, d := range in {
		if d.Expression != nil {
			if seen[d.Expression] {
				continue
			}
			seen[d.Expression] = true
		}
		if len(out) == MaxProblems {
			break
		}
		out.Add(f.convert(d))
	}
	return out
}

func (f File) convert(d *hclv2.Diagnostic) diag.Diagnostic {
	out := diag.Diagnostic{
		Code:     codeFor(d.Summary),
		Severity: diag.Error,
		Summary:  oneLine(summary(d)),
		Detail:   oneLine(d.Detail),
	}
	if out.Detail == "" {
		out.Detail = "Correct it."
	}
	if d.Severity == hclv2.DiagWarning {
		out.Severity = diag.Warning
	}
	if d.Subject != nil {
		r := f.Place(*d.Subject)
		out.Subject = &r
	}
	if d.Context != nil {
		r := f.Place(*d.Context)
		out.Context = &r
	}
	return out
}

// oneLine makes text fit where a message has one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

var quoted = regexp.MustCompile(`"([^"]*)"`)

// summary is a lower-case summary that names the user's word where upstream
// has it in the detail only.
func summary(d *hclv2.Diagnostic) string {
	name := ""
	if m := quoted.FindStringSubmatch(d.Detail); m != nil {
		name = " " + m[0]
	}
	switch d.Summary {
	case "Unsupported argument":
		return "unknown attribute" + name
	case "Unsupported block type":
		return "unknown block" + name
	case "Extraneous JSON object property":
		return "unknown key" + name
	case "Attribute redefined":
		return "duplicate attribute" + name
	case "Missing required argument":
		return "missing attribute" + name
	}
	if d.Summary == "" {
		return "invalid expression"
	}
	return strings.ToLower(d.Summary[:1]) + d.Summary[1:]
}

func codeFor(summary string) diag.Code {
	switch summary {
	case "Unsupported argument", "Unsupported block type", "Extraneous JSON object property":
		return diag.CodeUnknownName
	case "Attribute redefined", "Duplicate argument", "Duplicate object attribute", "Duplicate object key":
		return diag.CodeDuplicate
	case "Missing required argument":
		return diag.CodeMissing
	case "Unknown variable", "Unsupported attribute", "Call to unknown function", "Variables not allowed", "Function calls not allowed":
		return diag.CodeUnknownVar
	}
	switch {
	case strings.HasPrefix(summary, "Missing ") && strings.Contains(summary, " for "), summary == "Missing block label",
		strings.HasPrefix(summary, "Extraneous label for"):
		return diag.CodeMissing
	case strings.HasPrefix(summary, "Incorrect"), strings.HasPrefix(summary, "Unsuitable"),
		strings.HasPrefix(summary, "Invalid function argument"), strings.HasPrefix(summary, "Invalid template interpolation value"),
		strings.HasPrefix(summary, "Invalid index"), strings.HasPrefix(summary, "Error in function call"),
		strings.HasPrefix(summary, "Invalid operand"), strings.HasPrefix(summary, "Inconsistent"), strings.HasPrefix(summary, "Null"), strings.HasPrefix(summary, "Iteration over"):
		return diag.CodeWrongType
	}
	return diag.CodeSyntax
}
