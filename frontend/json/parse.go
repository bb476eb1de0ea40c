package json

import (
	"bytes"
	"encoding/json"
	"strings"

	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/strictjson"
)

// Parse parses a policy file. The file is usable only if there is no error.
func Parse(name string, src []byte) (document.File, diag.List) {
	out := document.File{Name: name, Src: src, JSON: true}
	if ds := document.CheckBytes(name, src); ds.HasErrors() {
		return out, ds
	}
	if ds := strictjson.Check(src, name, document.MaxNesting); ds.HasErrors() {
		for i := range ds {
			if ds[i].Detail == "" {
				ds[i].Detail = "A policy in JSON is one object."
			}
		}
		return out, ds
	}
	if ds := checkStrings(name, src); ds.HasErrors() {
		return out, ds
	}
	f, hds := hcljson.Parse(src, name)
	ds := document.Convert(src, hds)
	if f == nil || ds.HasErrors() {
		return out, ds
	}
	out.Body = f.Body
	return out, ds
}

// checkStrings applies the bounds on expressions to the templates in strings,
// and refuses strings that evaluation would change.
func checkStrings(name string, src []byte) diag.List {
	var ds diag.List
	dec := json.NewDecoder(bytes.NewReader(src))
	for {
		before := int(dec.InputOffset())
		tok, err := dec.Token()
		if err != nil {
			return ds // the end; strictjson has checked the syntax
		}
		s, ok := tok.(string)
		if !ok {
			continue
		}
		end := int(dec.InputOffset())
		start := before + max(bytes.IndexByte(src[before:end], '"'), 0)
		ds.Add(document.CheckNormal(name, src, start, end, s)...)
		if strings.Contains(s, "${") || strings.Contains(s, "%{") {
			// Positions within the template are those of the string's start.
			at := hclv2.Pos{Line: 1, Column: 1, Byte: start}
			tokens, _ := hclsyntax.LexTemplate([]byte(s), name, at)
			ds.Add(document.CheckTokens(name, src, tokens)...)
		}
		if ds.HasErrors() {
			return ds
		}
	}
}
