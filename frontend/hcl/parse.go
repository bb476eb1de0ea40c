package hcl

import (
	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir/diag"
)

// Parse parses a policy file. The file is usable only if there is no error.
func Parse(name string, src []byte) (document.File, diag.List) {
	f := document.NewFile(name, src, false)
	if ds := f.CheckBytes(); ds.HasErrors() {
		return f, ds
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hclv2.InitialPos) // its problems come again from the parser
	if ds := f.CheckTokens(tokens); ds.HasErrors() {
		return f, ds
	}
	parsed, hds := hclsyntax.ParseConfig(src, name, hclv2.InitialPos)
	ds := f.Convert(hds)
	if parsed == nil || ds.HasErrors() {
		return f, ds
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return f, ds
	}
	ds.Add(duplicateKeys(f, body)...)
	f.Body = body
	return f, ds
}
