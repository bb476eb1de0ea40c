package document

import (
	hclv2 "github.com/hashicorp/hcl/v2"

	"github.com/sandboxc/sbc/ir/diag"
)

// File is a policy file: its text, and its body once a parser has made one.
// Make it with [NewFile].
type File struct {
	Name string // what ranges call it
	Src  []byte
	Body hclv2.Body
	JSON bool // JSON syntax: strings in rules are no templates

	lines *diag.Source
}

// NewFile returns a file that is not parsed yet.
func NewFile(name string, src []byte, json bool) File {
	return File{Name: name, Src: src, JSON: json, lines: diag.NewSource(src)}
}

// At returns the range of the bytes from start to end.
func (f File) At(start, end int) diag.Range { return f.lines.Range(f.Name, start, end) }

// Place converts a range of package hcl: its columns count graphemes, ours
// count bytes. Only its byte offsets are looked at.
func (f File) Place(r hclv2.Range) diag.Range { return f.At(r.Start.Byte, r.End.Byte) }
