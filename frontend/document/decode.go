package document

import (
	"fmt"
	"slices"
	"strings"

	hclv2 "github.com/hashicorp/hcl/v2"

	"github.com/sandboxc/sbc/ir/diag"
)

// Decode evaluates a parsed file in a scope. It reports everything that is
// wrong, not only the first problem; the document is nil if there is an error.
// The schema is [Schema] or [FloorSchema].
func Decode(f File, schema BlockType, scope Scope) (*Block, diag.List) {
	d := &decoder{file: f, ctx: scope.context(), outer: scope.context(), scope: scope}
	d.weigher = newWeigher(d.ctx.Variables)
	d.checkScope()
	content := d.bodyContent(f.Body, schema)
	d.bindNames(content)
	root := d.content(schema, content)
	if d.diags.HasErrors() {
		return nil, d.diags
	}
	return root, d.diags
}

// checkScope refuses outside text that evaluation would change: it composes
// every string to NFC, and a decomposed name on disk would no longer be meant.
func (d *decoder) checkScope() {
	s := d.scope
	for _, v := range append([]string{s.Workspace, s.Home, s.Tmp, s.UserCache}, s.GitDirs...) {
		if !stable(v) {
			d.report(diag.Diagnostic{
				Code: diag.CodeNotNormalized, Severity: diag.Error,
				Summary: fmt.Sprintf("the path %q is not UTF-8 in normal form C", v),
				Detail:  "Expressions would change it. Move the directory, or give the policy in the JSON form of the IR.",
			})
		}
	}
}

type decoder struct {
	file    File
	ctx     *hclv2.EvalContext
	outer   *hclv2.EvalContext // without var and local, for variable blocks
	scope   Scope
	weigher *weigher
	diags   diag.List
}

func (d *decoder) place(r hclv2.Range) diag.Range { return d.file.Place(r) }

func (d *decoder) fail(code diag.Code, r hclv2.Range, summary, detail string) {
	at := d.place(r)
	d.report(diag.Diagnostic{Code: code, Severity: diag.Error, Summary: summary, Detail: detail, Subject: &at})
}

// report adds problems, up to [MaxProblems].
func (d *decoder) report(ds ...diag.Diagnostic) {
	for _, x := range ds {
		if len(d.diags) < MaxProblems || !d.diags.HasErrors() {
			d.diags.Add(x)
		}
	}
}

// bodySchema is the schema in the form that package hcl takes. Required
// attributes are checked here, not there, to get our own message.
func bodySchema(b BlockType) *hclv2.BodySchema {
	s := &hclv2.BodySchema{}
	for _, a := range b.Attrs {
		s.Attributes = append(s.Attributes, hclv2.AttributeSchema{Name: a.Name})
	}
	for _, c := range b.Blocks {
		h := hclv2.BlockHeaderSchema{Type: c.Name}
		if c.Label != "" {
			h.LabelNames = []string{c.Label}
		}
		s.Blocks = append(s.Blocks, h)
	}
	return s
}

// bodyContent sorts a body into what the schema knows. A body with very many
// attributes is refused as a whole: for each unknown one package hcl would look
// for the nearest name.
func (d *decoder) bodyContent(body hclv2.Body, schema BlockType) *hclv2.BodyContent {
	if attrs, _ := body.JustAttributes(); len(attrs) > MaxNames {
		d.fail(diag.CodeUnknownName, body.MissingItemRange(), fmt.Sprintf("a block has more than %d attributes", MaxNames), "Remove those that the policy language does not know.")
		return &hclv2.BodyContent{MissingItemRange: body.MissingItemRange()}
	}
	content, ds := body.Content(bodySchema(schema))
	d.report(d.file.Convert(ds)...)
	return content
}

// justAttributes is the content of a body that takes any attributes.
func (d *decoder) justAttributes(body hclv2.Body) hclv2.Attributes {
	attrs, ds := body.JustAttributes()
	d.report(d.file.Convert(ds)...)
	if len(attrs) > MaxNames {
		d.fail(diag.CodeNesting, body.MissingItemRange(), fmt.Sprintf("the policy has more than %d names", MaxNames), "Use fewer locals.")
		return nil
	}
	return attrs
}

func (d *decoder) content(schema BlockType, content *hclv2.BodyContent) *Block {
	b := &Block{Type: schema.Name, attrs: map[string]*attr{}}
	for _, as := range schema.Attrs {
		a, ok := content.Attributes[as.Name]
		if !ok {
			if as.Required {
				d.missing(schema, as, content)
			}
			continue
		}
		v, ok := d.value(as, a.Expr)
		if !ok {
			continue
		}
		b.attrs[as.Name] = &attr{name: d.place(a.NameRange), rng: d.place(a.Expr.Range()), value: v}
	}
	seen := map[string]hclv2.Range{}
	for _, hb := range content.Blocks {
		i := slices.IndexFunc(schema.Blocks, func(c BlockType) bool { return c.Name == hb.Type })
		if i < 0 {
			continue
		}
		if child := d.block(schema.Blocks[i], hb, seen); child != nil {
			b.Blocks = append(b.Blocks, child)
		}
	}
	return b
}

func (d *decoder) missing(schema BlockType, as Attr, content *hclv2.BodyContent) {
	if as.Name == "version" && schema.Name == "" {
		d.fail(diag.CodeVersion, content.MissingItemRange, "the policy has no version", `Write "version = 1" at the top of the file.`)
		return
	}
	where := "the policy"
	if schema.Name != "" {
		where = fmt.Sprintf("%q", schema.Name)
	}
	d.fail(diag.CodeMissing, content.MissingItemRange, fmt.Sprintf("%s has no %q", where, as.Name), as.Doc)
}

// block decodes one block, and reports an address that was seen before.
func (d *decoder) block(schema BlockType, hb *hclv2.Block, seen map[string]hclv2.Range) *Block {
	label, labelRange := "", hb.DefRange
	if len(hb.Labels) > 0 {
		label, labelRange = hb.Labels[0], hb.LabelRanges[0]
		if !d.label(schema, label, labelRange) {
			return nil
		}
	}
	address := strings.TrimSpace(hb.Type + " " + label)
	if first, dup := seen[address]; dup && !schema.Repeat {
		at, was := d.place(hb.DefRange), d.place(first)
		d.report(diag.Diagnostic{
			Code: diag.CodeDuplicate, Severity: diag.Error, Subject: &at,
			Summary: fmt.Sprintf("duplicate block %q", address),
			Detail:  "A block stands once in a file. Merge the two, or give one another name.",
			Related: []diag.Related{{Range: was, Message: "the first one is here"}},
		})
		return nil
	}
	seen[address] = hb.DefRange
	if schema.Free {
		return &Block{Type: schema.Name, Range: d.place(hb.DefRange)} // bound by bindNames
	}
	content := d.bodyContent(hb.Body, schema)
	if schema.Name == "variable" {
		ctx := d.ctx
		d.ctx = d.outer
		defer func() { d.ctx = ctx }()
	}
	b := d.content(schema, content)
	b.Label = Text{Value: label, Range: d.place(labelRange)}
	b.Range = d.place(hb.DefRange)
	return b
}

func (d *decoder) label(schema BlockType, label string, r hclv2.Range) bool {
	if schema.LabelEnum != nil && !slices.Contains(schema.LabelEnum, label) {
		d.enum(schema.Name, label, schema.LabelEnum, r)
		return false
	}
	if strings.TrimSpace(label) == "" {
		d.fail(diag.CodeMissing, r, fmt.Sprintf("the name of %q is empty", schema.Name), "Give the block a name; messages and accepts use it.")
		return false
	}
	if strings.ContainsFunc(label, func(c rune) bool { return c < ' ' || c == 0x7f || isMark(c) }) {
		d.fail(diag.CodeSyntax, r, fmt.Sprintf("the name of %q holds a control character", schema.Name), "Use letters, digits, spaces and punctuation.")
		return false
	}
	return true
}

// enum reports a word that is not in a closed list.
func (d *decoder) enum(what, got string, want []string, r hclv2.Range) {
	help := ""
	if near := diag.Nearest(got, want); near != "" {
		help = fmt.Sprintf("did you mean %q?", near)
	}
	at := d.place(r)
	d.report(diag.Diagnostic{
		Code: diag.CodeUnknownName, Severity: diag.Error, Subject: &at,
		Summary: fmt.Sprintf("unknown %s %q", what, Plain(got)),
		Detail:  fmt.Sprintf("It is one of %s.", quoteList(want)),
		Help:    help,
	})
}

func quoteList(list []string) string {
	q := make([]string, len(list))
	for i, s := range list {
		q[i] = fmt.Sprintf("%q", s)
	}
	if len(q) < 2 {
		return strings.Join(q, "")
	}
	return strings.Join(q[:len(q)-1], ", ") + " and " + q[len(q)-1]
}
