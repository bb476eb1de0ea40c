package hcl

import (
	"fmt"

	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir/diag"
)

// duplicateKeys reports every key that stands twice in an object expression. A
// computed key is looked at when the object is read, if it is the value of an
// attribute; deeper in an expression it could overwrite another one unseen, and
// so must be alone.
func duplicateKeys(f document.File, body *hclsyntax.Body) diag.List {
	var ds diag.List
	read := map[*hclsyntax.ObjectConsExpr]bool{}
	_ = hclsyntax.VisitAll(body, func(n hclsyntax.Node) hclv2.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.Block:
			if n.Type == "locals" || n.Type == "variable" {
				return nil
			}
			markRead(read, n.Body)
		case *hclsyntax.Body:
			if n == body {
				markRead(read, n)
			}
		case *hclsyntax.ObjectConsExpr:
			if len(ds) < document.MaxProblems {
				ds.Add(objectKeys(f, n, read[n])...)
			}
		}
		return nil
	})
	return ds
}

// markRead marks the objects that the decoder reads key by key: the values of
// attributes, and the elements of lists that are.
func markRead(read map[*hclsyntax.ObjectConsExpr]bool, body *hclsyntax.Body) {
	for _, a := range body.Attributes {
		switch e := a.Expr.(type) {
		case *hclsyntax.ObjectConsExpr:
			read[e] = true
		case *hclsyntax.TupleConsExpr:
			for _, x := range e.Exprs {
				if o, ok := x.(*hclsyntax.ObjectConsExpr); ok {
					read[o] = true
				}
			}
		}
	}
}

func objectKeys(f document.File, obj *hclsyntax.ObjectConsExpr, read bool) diag.List {
	var ds diag.List
	seen := map[string]hclv2.Range{}
	for _, item := range obj.Items {
		at := f.Place(item.KeyExpr.Range())
		key, ok := staticKey(item.KeyExpr)
		if !ok {
			if !read && len(obj.Items) > 1 {
				ds.Add(diag.Diagnostic{
					Code: diag.CodeDuplicate, Severity: diag.Error, Subject: &at,
					Summary: "a computed key stands beside other keys",
					Detail:  "It may be equal to one of them. Give it an object of its own, or write the key out.",
				})
			}
			continue
		}
		if first, dup := seen[key]; dup {
			ds.Add(diag.Diagnostic{
				Code: diag.CodeDuplicate, Severity: diag.Error, Subject: &at,
				Summary: fmt.Sprintf("duplicate key %q", key),
				Detail:  "A key stands once in an object. Remove one.",
				Related: []diag.Related{{Range: f.Place(first), Message: "the first one is here"}},
			})
			continue
		}
		seen[key] = item.KeyExpr.Range()
	}
	return ds
}

// staticKey returns the key that needs no evaluation: a word, a string without
// template sequences, or a number.
func staticKey(e hclsyntax.Expression) (string, bool) {
	k, ok := e.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	switch w := k.Wrapped.(type) {
	case *hclsyntax.ScopeTraversalExpr:
	case *hclsyntax.LiteralValueExpr:
	case *hclsyntax.TemplateExpr:
		if !w.IsStringLiteral() {
			return "", false
		}
	default:
		return "", false
	}
	v, ds := k.Value(nil)
	if ds.HasErrors() || v.IsNull() || !v.IsKnown() {
		return "", false
	}
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", false
	}
	return v.AsString(), true
}
