package document

import (
	"bytes"
	"encoding/json"
)

// SchemaID names the JSON Schema of a policy document.
const SchemaID = "https://github.com/sandboxc/sbc/schema/policy-1.json"

// JSONSchema returns the JSON Schema (draft 2020-12) of a policy document in
// JSON syntax, made from [Schema], for editors and other programs. It says less
// than loading checks: whether a path, a size or a host means something, and
// duplicate keys, are beyond it. A string that is a template as a whole may
// stand for any value.
func JSONSchema() []byte {
	doc := objectSchema(Schema())
	doc["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	doc["$id"] = SchemaID
	doc["title"] = "sbc policy"
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if enc.Encode(doc) != nil {
		return nil // cannot happen: the values are plain
	}
	return out.Bytes()
}

type schemaNode = map[string]any

// comment is the key of a comment, which may stand in every object.
const comment = "//"

// objectSchema is a document, or the body of a block.
func objectSchema(b BlockType) schemaNode {
	out := schemaNode{"type": "object"}
	if b.Doc != "" {
		out["description"] = b.Doc
	}
	if b.Free {
		return out
	}
	properties := schemaNode{comment: true}
	var required []string
	for _, a := range b.Attrs {
		properties[a.Name] = attrSchema(a)
		if a.Required {
			required = append(required, a.Name)
		}
	}
	for _, c := range b.Blocks {
		properties[c.Name] = blockSchema(c)
	}
	out["properties"] = properties
	out["additionalProperties"] = false
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// blockSchema is a block where it stands: its body, or an object with its labels
// as keys. Either may be a list of its kind, as HCL's JSON syntax has it.
func blockSchema(b BlockType) schemaNode {
	body := orList(objectSchema(b))
	if b.Label == "" {
		return body
	}
	labels := schemaNode{comment: true}
	out := schemaNode{"type": "object", "description": b.Doc, "properties": labels, "additionalProperties": body}
	if b.LabelEnum != nil {
		for _, l := range b.LabelEnum {
			labels[l] = body
		}
		out["additionalProperties"] = false
	}
	return orList(out)
}

func orList(s schemaNode) schemaNode {
	return schemaNode{"anyOf": []schemaNode{s, {"type": "array", "items": s}}}
}

// attrSchema is the value of an attribute.
func attrSchema(a Attr) schemaNode {
	out := kindSchema(a)
	if a.Doc != "" {
		out["description"] = a.Doc
	}
	return out
}

func kindSchema(a Attr) schemaNode {
	text := schemaNode{"type": "string"}
	whole := schemaNode{"type": "string", "pattern": `^\$\{[\s\S]*\}$`} // an expression, whatever it gives
	or := func(s schemaNode) schemaNode { return schemaNode{"anyOf": []schemaNode{s, whole}} }
	list := schemaNode{"type": "array", "items": schemaNode{"anyOf": []schemaNode{text, {"type": "array", "items": text}}}}
	switch a.Kind {
	case String:
		if a.Enum != nil {
			return or(schemaNode{"enum": a.Enum})
		}
		return schemaNode{"type": "string"}
	case Size, Duration:
		return schemaNode{"type": "string"}
	case Strings, Paths:
		return or(list)
	case Bool:
		return or(schemaNode{"type": "boolean"})
	case Int:
		return or(schemaNode{"type": "integer"})
	case StringMap:
		return or(schemaNode{"type": "object", "additionalProperties": text})
	case PathsByOp:
		return schemaNode{
			"type": "object", "additionalProperties": false,
			"properties": schemaNode{comment: true, "read": or(list), "write": or(list), "unlink": or(list)},
		}
	case Rules:
		return schemaNode{"type": "array", "items": ruleSchema()}
	case Any:
		return schemaNode{}
	}
	return schemaNode{"not": schemaNode{}} // an unknown kind takes nothing, which a test would show
}

// ruleSchema is an entry of a rule list; its strings are no templates.
func ruleSchema() schemaNode {
	return schemaNode{
		"type": "object", "required": []string{"path", "action"}, "additionalProperties": false,
		"properties": schemaNode{
			comment: true, "path": schemaNode{"type": "string"},
			"access": schemaNode{"enum": []string{"read", "write", "both"}},
			"action": schemaNode{"enum": []string{"allow", "deny", "ask"}},
		},
	}
}
