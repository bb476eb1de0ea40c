package document

import (
	"github.com/sandboxc/sbc/ir/diag"
)

// Block is a decoded block, or a whole document. The accessors return the zero
// value for what is absent. A nil Block has nothing.
type Block struct {
	Type   string
	Label  Text
	Range  diag.Range // the header
	Blocks []*Block
	attrs  map[string]*attr
}

type attr struct {
	name  diag.Range // of the name
	rng   diag.Range // of the expression
	value any        // by kind: Text, []Text, bool, Number, []Pair, []Rule, []OpPaths
}

// Text is a string with its place. Literal text is encoded as [Literal] says.
type Text struct {
	Value string
	// Source is the text as it stands in the file, without the quotes of a
	// plain string; it names a list element in a way that is the same on every
	// machine.
	Source string
	Range  diag.Range
}

// Number is a number with its place: a count, a size in bytes, or a duration
// in nanoseconds.
type Number struct {
	Value int64
	Range diag.Range
}

// Pair is a name with a value.
type Pair struct {
	Name  string
	Value string
	Range diag.Range
}

// Rule is an entry of a rule list.
type Rule struct {
	Path   Text
	Access Text // "read", "write", "both"; empty if absent
	Action Text // "allow", "deny", "ask"
	Range  diag.Range
}

// OpPaths are the paths that a test names for one operation.
type OpPaths struct {
	Op    Text // "read", "write", "unlink"
	Paths []Text
}

// Has reports whether the attribute is present.
func (b *Block) Has(name string) bool { return b != nil && b.attrs[name] != nil }

// NameRange returns where the attribute is, name and value.
func (b *Block) NameRange(name string) diag.Range {
	if !b.Has(name) {
		return diag.Range{}
	}
	r := b.attrs[name].name
	r.End = b.attrs[name].rng.End
	return r
}

func get[T any](b *Block, name string) T {
	var zero T
	if !b.Has(name) {
		return zero
	}
	v, ok := b.attrs[name].value.(T)
	if !ok {
		return zero
	}
	return v
}

// Text returns a String attribute.
func (b *Block) Text(name string) Text { return get[Text](b, name) }

// Texts returns a Strings or Paths attribute.
func (b *Block) Texts(name string) []Text { return get[[]Text](b, name) }

// Bool returns a Bool attribute.
func (b *Block) Bool(name string) bool { return get[bool](b, name) }

// Number returns an Int, Size or Duration attribute.
func (b *Block) Number(name string) Number { return get[Number](b, name) }

// Pairs returns a StringMap attribute, sorted by name.
func (b *Block) Pairs(name string) []Pair { return get[[]Pair](b, name) }

// Rules returns a Rules attribute.
func (b *Block) Rules(name string) []Rule { return get[[]Rule](b, name) }

// OpPaths returns a PathsByOp attribute.
func (b *Block) OpPaths(name string) []OpPaths { return get[[]OpPaths](b, name) }

// Child returns the one block of a type that cannot be repeated, or nil.
func (b *Block) Child(typ string) *Block {
	if b == nil {
		return nil
	}
	for _, c := range b.Blocks {
		if c.Type == typ {
			return c
		}
	}
	return nil
}

// Children returns the blocks of a type, in order.
func (b *Block) Children(typ string) []*Block {
	if b == nil {
		return nil
	}
	var out []*Block
	for _, c := range b.Blocks {
		if c.Type == typ {
			out = append(out, c)
		}
	}
	return out
}
