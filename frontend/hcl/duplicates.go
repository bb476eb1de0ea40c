package hcl

import (
	"fmt"

	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir/diag"
)

// duplicateKeys reports every key that stands twice in an object expression.
func duplicateKeys(src []byte, body *hclsyntax.Body) diag.List {
	var ds diag.List
	_ = hclsyntax.VisitAll(body, func(n hclsyntax.Node) hclv2.Diagnostics {
		obj, ok := n.(*hclsyntax.ObjectConsExpr)
		if !ok {
			return nil
		}
		seen := map[string]hclv2.Range{}
		for _, item := range obj.Items {
			key, ok := staticKey(item.KeyExpr)
			if !ok {
				continue // found when it is evaluated
			}
			if first, dup := seen[key]; dup {
				at := document.Place(src, item.KeyExpr.Range())
				ds.Add(diag.Diagnostic{
					Code: diag.CodeDuplicate, Severity: diag.Error, Subject: &at,
					Summary: fmt.Sprintf("duplicate key %q", key),
					Detail:  "A key stands once in an object. Remove one.",
					Related: []diag.Related{{Range: document.Place(src, first), Message: "the first one is here"}},
				})
				continue
			}
			seen[key] = item.KeyExpr.Range()
		}
		return nil
	})
	return ds
}

func staticKey(e hclsyntax.Expression) (string, bool) {
	v, ds := e.Value(nil)
	if ds.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}
