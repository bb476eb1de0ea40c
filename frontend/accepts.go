package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// accepts reads the accept blocks and those of the command line.
func (b *builder) accepts(p *ir.Policy) {
	for _, u := range b.units {
		for _, a := range u.doc.Children("accept") {
			code := diag.Code(a.Label.Value)
			address := "accept." + a.Label.Value
			if u.narrow {
				b.setAside(u, a.Range, address, "the accept")
				continue
			}
			if !b.lossCode(code, a.Label.Range) {
				continue
			}
			if strings.TrimSpace(a.Text("reason").Value) == "" {
				b.fail(diag.CodeMissing, a.NameRange("reason"), address, "the reason of an accept is empty", "Say why the loss is taken.")
				continue
			}
			if a.Text("rule").Value == "" {
				b.fail(diag.CodeMissing, a.NameRange("rule"), address, "the rule of an accept is empty", "Name the rule by its address, as the report prints it.")
				continue
			}
			p.Accepts = append(p.Accepts, ir.Accept{
				Code: code, Rule: document.Plain(a.Text("rule").Value), Target: a.Text("target").Value,
				Reason: document.Plain(a.Text("reason").Value), Layer: u.layer, Origin: u.origin(address, a.Range),
			})
		}
	}
	for _, text := range b.opts.Accepts {
		code, rule, ok := strings.Cut(text, ":")
		if !ok || rule == "" {
			b.fail(diag.CodeMissing, diag.Range{}, "", fmt.Sprintf("--accept %q has no rule", text), "Write --accept CODE:RULE, with the rule's address as the report prints it.")
			continue
		}
		if b.lossCode(diag.Code(code), diag.Range{}) {
			p.Accepts = append(p.Accepts, ir.Accept{
				Code: diag.Code(code), Rule: rule, Reason: "accepted on the command line", Layer: ir.LayerSession,
				Origin: ir.Origin{Address: "session.accept[" + text + "]"},
			})
		}
	}
}

// lossCode checks that a code is one that an accept can name.
func (b *builder) lossCode(code diag.Code, at diag.Range) bool {
	if slices.Contains(diag.Codes(), code) && strings.HasPrefix(string(code), "SBC21") {
		return true
	}
	b.fail(diag.CodeUnknownName, at, "", fmt.Sprintf("%q is not the code of a loss", string(code)), "Codes of losses are SBC21xx, as the report prints them.")
	return false
}

// tests reads the test blocks of the policy itself.
func (b *builder) tests(p *ir.Policy) {
	for _, u := range b.units {
		if u.layer != ir.LayerWorkspace || u.narrow {
			continue
		}
		for _, t := range u.doc.Children("test") {
			test := ir.Test{Name: t.Label.Value, Origin: u.origin("test."+t.Label.Value, t.Range)}
			test.Allow = b.testPaths(u, t, "allow")
			test.Deny = b.testPaths(u, t, "deny")
			p.Tests = append(p.Tests, test)
		}
	}
}

func (b *builder) testPaths(u unit, t *document.Block, attr string) []ir.TestPath {
	var out []ir.TestPath
	for _, op := range t.OpPaths(attr) {
		for _, text := range op.Paths {
			p, ok := b.paths.read(text, true)
			if !ok {
				continue
			}
			tp := ir.TestPath{Op: opOf(op.Op.Value), Origin: u.origin("test."+t.Label.Value, text.Range)}
			if p.isGlob() {
				tp.Pattern = p.pattern.String()
			} else {
				tp.Pattern = globQuote(p.literal)
			}
			out = append(out, tp)
		}
	}
	return out
}

func opOf(word string) ir.Op {
	for _, o := range ir.Ops() {
		if o.String() == word {
			return o
		}
	}
	return ir.Read
}
