package hcl

import (
	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir/diag"
)

// Parse parses a policy file. The file is usable only if there is no error.
func Parse(name string, src []byte) (document.File, diag.List) {
	out := document.File{Name: name, Src: src}
	if ds := document.CheckBytes(name, src); ds.HasErrors() {
		return out, ds
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hclv2.InitialPos) // its problems come again from the parser
	if ds := document.CheckTokens(name, src, tokens); ds.HasErrors() {
		return out, ds
	}
	f, hds := hclsyntax.ParseConfig(src, name, hclv2.InitialPos)
	ds := document.Convert(src, hds)
	if f == nil || ds.HasErrors() {
		return out, ds
	}
	body, ok := f.Body.(*hclsyntax.Body)
	if !ok {
		return out, ds
	}
	ds.Add(duplicateKeys(src, body)...)
	out.Body = body
	return out, ds
}
