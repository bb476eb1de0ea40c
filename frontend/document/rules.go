package document

import (
	"fmt"
	"slices"

	hclv2 "github.com/hashicorp/hcl/v2"

	"github.com/sandboxc/sbc/ir/diag"
)

// rules reads a rule list. In JSON its strings are literal, never templates.
func (d *decoder) rules(expr hclv2.Expression) ([]Rule, bool) {
	elems, ds := hclv2.ExprList(expr)
	if ds.HasErrors() {
		d.fail(diag.CodeWrongType, expr.Range(), `"rules" is not a list`, `Write [ { path = "...", action = "allow" } ].`)
		return nil, false
	}
	if d.file.JSON {
		ctx := d.ctx
		d.ctx = nil
		defer func() { d.ctx = ctx }()
	}
	out, good := []Rule{}, true
	for _, e := range elems {
		r, ok := d.rule(e)
		good = good && ok
		out = append(out, r)
	}
	return out, good
}

func (d *decoder) rule(expr hclv2.Expression) (Rule, bool) {
	r := Rule{Range: d.place(expr.Range())}
	keys, vals, good := d.items("rules", expr)
	if keys == nil && !good {
		d.fail(diag.CodeWrongType, expr.Range(), "an entry of a rule list is not an object", `Write { path = "...", action = "allow" }.`)
		return r, false
	}
	for i, k := range keys {
		var field *Text
		var enum []string
		switch k.Name {
		case "path":
			field = &r.Path
		case "access":
			field, enum = &r.Access, []string{"read", "write", "both"}
		case "action":
			field, enum = &r.Action, []string{"allow", "ask", "deny"}
		default:
			at := k.Range
			known := []string{"path", "access", "action"}
			ds := diag.Diagnostic{
				Code: diag.CodeUnknownName, Severity: diag.Error, Subject: &at,
				Summary: fmt.Sprintf("unknown key %q in a rule", Plain(k.Name)), Detail: fmt.Sprintf("The keys are %s.", quoteList(known)),
			}
			if near := diag.Nearest(k.Name, known); near != "" {
				ds.Help = fmt.Sprintf("did you mean %q?", near)
			}
			d.report(ds)
			good = false
			continue
		}
		t, ok := d.text(k.Name, vals[i])
		if ok && enum != nil && !slices.Contains(enum, t.Value) {
			d.enum(k.Name, t.Value, enum, vals[i].Range())
			ok = false
		}
		*field = t
		good = good && ok
	}
	for _, need := range []struct {
		name string
		got  Text
	}{{"path", r.Path}, {"action", r.Action}} {
		if good && need.got.Range == (diag.Range{}) {
			d.fail(diag.CodeMissing, expr.Range(), fmt.Sprintf("a rule has no %q", need.name), `Write { path = "...", action = "allow" }.`)
			good = false
		}
	}
	return r, good
}
