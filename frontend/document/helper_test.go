package document_test

import (
	"fmt"
	"testing"

	"github.com/sandboxc/sbc/frontend/document"
	hclfront "github.com/sandboxc/sbc/frontend/hcl"
	jsonfront "github.com/sandboxc/sbc/frontend/json"
	"github.com/sandboxc/sbc/ir/diag"
)

func scope() document.Scope {
	return document.Scope{
		Workspace: "/w[1]", Home: "/home/u", Tmp: "/tmp", UserCache: "/home/u/.cache", OS: "linux",
		GitDirs: []string{"/w[1]/.git", "/m/.git"},
		Vars:    map[string]string{"given": "from --var", "star": "*"},
		Env: func(name string) (string, bool) {
			v, ok := map[string]string{"SET": "from the environment", "EMPTY": ""}[name]
			return v, ok
		},
	}
}

// decode parses a document, in JSON if it starts with a brace, and decodes it.
func decode(t *testing.T, src string, change func(*document.Scope)) (*document.Block, diag.List) {
	t.Helper()
	parse, name := hclfront.Parse, "p.hcl"
	if src != "" && src[0] == '{' {
		parse, name = jsonfront.Parse, "p.json"
	}
	f, ds := parse(name, []byte(src))
	if ds.HasErrors() {
		return nil, ds
	}
	s := scope()
	if change != nil {
		change(&s)
	}
	return document.Decode(f, document.Schema(), s)
}

// good decodes a document that must have no problem.
func good(t *testing.T, src string) *document.Block {
	t.Helper()
	doc, ds := decode(t, src, nil)
	if doc == nil || len(ds) > 0 {
		t.Fatalf("%s\n%v", src, problems(ds))
	}
	return doc
}

func problems(ds diag.List) []string {
	var out []string
	for _, d := range ds {
		at := ""
		if d.Subject != nil {
			at = fmt.Sprintf("%d:%d-%d:%d", d.Subject.Start.Line, d.Subject.Start.Column, d.Subject.End.Line, d.Subject.End.Column)
		}
		out = append(out, fmt.Sprintf("%s %s %s", d.Code, at, d.Summary))
	}
	return out
}

func values(ts []document.Text) []string {
	var out []string
	for _, t := range ts {
		out = append(out, document.Plain(t.Value))
	}
	return out
}
