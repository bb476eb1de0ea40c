package document

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/sandboxc/sbc/ir/diag"
)

// level is a bracket that is open, or the file itself.
type level struct {
	chain int  // operators of the expression that is being read
	lines bool // a line break ends the expression
}

// CheckTokens refuses nesting and chains that the parser or the evaluation
// would recurse into, numbers that would be written out at great length, and
// strings that evaluation would change.
func (f File) CheckTokens(tokens hclsyntax.Tokens) diag.List {
	var ds diag.List
	open := []level{{lines: true}}
	for i, t := range tokens {
		top := &open[len(open)-1]
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			top.chain++ // an index of an index, or a directive within a directive, looks like one beside it
			open = append(open, level{lines: t.Type == hclsyntax.TokenOBrace && !startsFor(tokens[i+1:])})
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			open = open[:max(1, len(open)-1)]
		case hclsyntax.TokenNewline:
			if top.lines {
				top.chain = 0
			}
		case hclsyntax.TokenComma:
			top.chain = 0
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash,
			hclsyntax.TokenPercent, hclsyntax.TokenQuestion, hclsyntax.TokenAnd, hclsyntax.TokenOr,
			hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq,
			hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenDot:
			top.chain++
		case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenIdent:
			ds.Add(f.CheckNormal(t.Range.Start.Byte, t.Range.End.Byte, unescape(t))...)
		case hclsyntax.TokenNumberLit:
			ds.Add(f.CheckNumber(t.Range.Start.Byte, t.Range.End.Byte, string(t.Bytes))...)
		default:
		}
		switch {
		case len(open) > MaxNesting+1:
			return f.tooDeep(t, fmt.Sprintf("the policy is nested deeper than %d levels", MaxNesting))
		case top.chain > MaxChain:
			return f.tooDeep(t, fmt.Sprintf("an expression has more than %d operators", MaxChain))
		case len(ds) >= MaxProblems:
			return ds
		}
	}
	return ds
}

// startsFor reports whether the tokens start with the keyword of a
// for-expression, in whose braces line breaks do not count.
func startsFor(tokens hclsyntax.Tokens) bool {
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenNewline && t.Type != hclsyntax.TokenComment {
			return t.Type == hclsyntax.TokenIdent && string(t.Bytes) == "for"
		}
	}
	return false
}

func (f File) tooDeep(t hclsyntax.Token, summary string) diag.List {
	r := f.At(t.Range.Start.Byte, t.Range.End.Byte)
	return diag.List{{Code: diag.CodeNesting, Severity: diag.Error, Summary: summary, Detail: "Write it flatter.", Subject: &r}}
}

// CheckNumber refuses a number with a large exponent.
func (f File) CheckNumber(start, end int, text string) diag.List {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return nil
	}
	if n, err := strconv.Atoi(text[i+1:]); err == nil && -maxExponent <= n && n <= maxExponent {
		return nil
	}
	r := f.At(start, end)
	return diag.List{{
		Code: diag.CodeQuantity, Severity: diag.Error, Subject: &r,
		Summary: "the exponent of the number is absurd", Detail: "Write the number out.",
	}}
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
		n := map[byte]int{'u': 4, 'U': 8}[b[i+1]]
		if n == 0 || i+2+n > len(b) {
			out = append(out, b[i], b[i+1])
			i++
			continue
		}
		if r, err := strconv.ParseUint(string(b[i+2:i+2+n]), 16, 32); err == nil {
			out = append(out, string(rune(r))...)
		}
		i += 1 + n
	}
	return string(out)
}
