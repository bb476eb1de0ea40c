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
	return parse(f)
}

// ParseBuiltin is [Parse] for a file that comes with sbc. It leaves out the
// bounds, which a test holds all of them to.
func ParseBuiltin(name string, src []byte) (document.File, diag.List) {
	return parse(document.NewFile(name, src, false))
}

func parse(f document.File) (document.File, diag.List) {
	parsed, hds := hclsyntax.ParseConfig(f.Src, f.Name, hclv2.InitialPos)
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
