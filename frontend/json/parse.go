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
	f := document.NewFile(name, src, true)
	if ds := f.CheckBytes(); ds.HasErrors() {
		return f, ds
	}
	if ds := strictjson.Check(src, name, document.MaxNesting); ds.HasErrors() {
		for i := range ds {
			if ds[i].Detail == "" {
				ds[i].Detail = "A policy in JSON is one object."
			}
		}
		return f, ds
	}
	text := withoutComments(src)
	if ds := checkTokens(f, text); ds.HasErrors() {
		return f, ds
	}
	parsed, hds := hcljson.Parse(text, name)
	ds := f.Convert(hds)
	if parsed == nil || ds.HasErrors() {
		return f, ds
	}
	f.Body = parsed.Body
	return f, ds
}

// checkTokens applies the bounds on expressions to the templates in strings. It
// refuses strings that evaluation would change, and what HCL would take for
// less than was written: a list of documents, and null, which as the value of a
// block is no block at all.
func checkTokens(f document.File, text []byte) diag.List {
	var ds diag.List
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	for {
		before := int(dec.InputOffset())
		tok, err := dec.Token()
		if err != nil {
			return ds // the end; strictjson has checked the syntax
		}
		end := int(dec.InputOffset())
		start := before + len(text[before:end]) - len(bytes.TrimLeft(text[before:end], " \t\r\n,:"))
		switch tok := tok.(type) {
		case json.Delim:
			if tok == '[' && before == 0 {
				r := f.At(start, end)
				ds.Add(wrong(r, "the policy is a list", "A policy in JSON is one object."))
			}
		case nil:
			r := f.At(start, end)
			ds.Add(wrong(r, "null stands for nothing", "Give a value, or leave the key out."))
		case json.Number:
			ds.Add(f.CheckNumber(start, end, tok.String())...)
		case string:
			ds.Add(checkString(f, start, end, tok)...)
		}
		if len(ds) >= document.MaxProblems {
			return ds
		}
	}
}

func wrong(r diag.Range, summary, detail string) diag.Diagnostic {
	return diag.Diagnostic{Code: diag.CodeWrongType, Severity: diag.Error, Subject: &r, Summary: summary, Detail: detail}
}

func checkString(f document.File, start, end int, s string) diag.List {
	ds := f.CheckNormal(start, end, s)
	if strings.Contains(s, "${") || strings.Contains(s, "%{") {
		// Positions within the template are about those in the text: an escape
		// is longer there.
		tokens, _ := hclsyntax.LexTemplate([]byte(s), f.Name, hclv2.Pos{Line: 1, Column: 1, Byte: start + 1})
		ds.Add(f.CheckTokens(tokens)...)
	}
	return ds
}
