package document

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/sandboxc/sbc/ir/diag"
)

// CheckTokens refuses nesting and chains that the parser or the evaluation
// would recurse into, and strings that evaluation would change.
func CheckTokens(name string, src []byte, tokens hclsyntax.Tokens) diag.List {
	var ds diag.List
	depth, chain := 0, 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			depth++
			chain = 0
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth--
		case hclsyntax.TokenNewline, hclsyntax.TokenComma:
			chain = 0
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash,
			hclsyntax.TokenPercent, hclsyntax.TokenQuestion, hclsyntax.TokenAnd, hclsyntax.TokenOr,
			hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq,
			hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenDot:
			chain++
		case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit:
			ds.Add(CheckNormal(name, src, t.Range.Start.Byte, t.Range.End.Byte, unescape(t))...)
		default:
		}
		if depth > MaxNesting {
			return tooDeep(name, src, t, fmt.Sprintf("the policy is nested deeper than %d levels", MaxNesting))
		}
		if chain > MaxChain {
			return tooDeep(name, src, t, fmt.Sprintf("an expression has more than %d operators", MaxChain))
		}
	}
	return ds
}

func tooDeep(name string, src []byte, t hclsyntax.Token, summary string) diag.List {
	r := At(name, src, t.Range.Start.Byte, t.Range.End.Byte)
	return diag.List{{Code: diag.CodeNesting, Severity: diag.Error, Summary: summary, Detail: "Write it flatter.", Subject: &r}}
}

// unescape resolves \u and \U escapes, so that a decomposed character cannot
// hide behind them. Other escapes do not matter for normal forms.
func unescape(t hclsyntax.Token) string {
	b := t.Bytes
	if t.Type != hclsyntax.TokenQuotedLit {
		return string(b)
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		n := 0
		switch b[i+1] {
		case 'u':
			n = 4
		case 'U':
			n = 8
		}
		if n == 0 || i+2+n > len(b) {
			out = append(out, b[i], b[i+1])
			i++
			continue
		}
		var r rune
		if _, err := fmt.Sscanf(string(b[i+2:i+2+n]), "%x", &r); err == nil {
			out = append(out, string(r)...)
		}
		i += 1 + n
	}
	return string(out)
}
