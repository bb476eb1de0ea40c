package frontend_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/profiles"
)

// node is a block, or a document, that can be written in either syntax.
type node struct {
	typ, label string
	labelled   bool
	attrs      []pair
	blocks     []node
}

type pair struct {
	name  string
	value any // text, raw, bool, []any, []pair
}

// text is a template without quotes, whose sequences both syntaxes have.
type text string

// literal is a string that no syntax looks into: the same in rules of JSON.
type literal string

// number is written as it is.
type number string

// drawDoc draws a document of version 1 from the schema. Most of them load.
func drawDoc(t *rapid.T) node {
	return drawBody(t, document.Schema())
}

func drawBody(t *rapid.T, schema document.BlockType) node {
	n := node{typ: schema.Name}
	for _, a := range schema.Attrs {
		needed := a.Required || schema.Name == "variable" && a.Name == "default" || schema.Name == "guards" && a.Name == "reason"
		if !needed && rapid.IntRange(0, 2).Draw(t, a.Name) != 0 {
			continue
		}
		n.attrs = append(n.attrs, pair{a.Name, drawValue(t, a, schema.Name)})
	}
	if schema.Free {
		for i := range rapid.IntRange(0, 2).Draw(t, "locals") {
			n.attrs = append(n.attrs, pair{fmt.Sprintf("l%d", i), text(rapid.SampledFrom(openPaths()).Draw(t, "local"))})
		}
	}
	for _, c := range schema.Blocks {
		most := 1
		if c.Label != "" {
			most = 2
		}
		for i := range rapid.IntRange(0, most).Draw(t, c.Name) {
			b := drawBody(t, c)
			b.label, b.labelled = drawLabel(t, c, i), c.Label != ""
			if !c.Repeat && slices.ContainsFunc(n.blocks, func(o node) bool { return o.typ == b.typ && o.label == b.label }) {
				continue
			}
			n.blocks = append(n.blocks, b)
		}
	}
	return n
}

func drawLabel(t *rapid.T, c document.BlockType, i int) string {
	switch {
	case c.LabelEnum != nil:
		return rapid.SampledFrom(c.LabelEnum).Draw(t, "label")
	case c.Name == "except":
		return rapid.SampledFrom(profiles.Guards()).Draw(t, "guard")
	case c.Name == "accept":
		return rapid.SampledFrom([]string{"SBC2101", "SBC2110"}).Draw(t, "code")
	case c.Name == "variable":
		return fmt.Sprintf("v%d", i)
	case c.Label == "":
		return ""
	}
	return rapid.SampledFrom([]string{"a", "b c", "é"}).Draw(t, "label")
}

func openPaths() []string {
	return []string{
		"/a", "/w", ".", "./b", "~", "~/c", "${workspace}/d", "/w/b/e", "/w//f/", "/etc/g", "/tmp", "/", "~/.ssh", "/w/B", "/ln", "/w/ln/x", "/w/é", "/w/a b",
	}
}

func closedPaths() []string {
	return append(openPaths()[1:], "**/.env", "./**/x", "/w/*", "~/{c,.aws}/*", "/{etc,a}/g", "${home}/*", "/**/b", "/w/[a-c]", "./.git/config")
}

func drawValue(t *rapid.T, a document.Attr, block string) any {
	list := func(from []string, most int) any {
		out := []any{}
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(from), 0, most).Draw(t, "list") {
			out = append(out, text(s))
		}
		if a.Kind == document.Paths && len(out) > 0 && rapid.IntRange(0, 4).Draw(t, "nest") == 0 {
			out = append(out, []any{text(from[0])}, text("${git_dirs}"))
		}
		return out
	}
	switch a.Kind {
	case document.Int:
		if a.Name == "version" {
			return number("1")
		}
		return number(rapid.SampledFrom([]string{"1", "256", "1e2", "7.0"}).Draw(t, "int"))
	case document.Bool:
		return rapid.Bool().Draw(t, "bool")
	case document.Size:
		return text(rapid.SampledFrom([]string{"1B", "512MiB", "2GiB"}).Draw(t, "size"))
	case document.Duration:
		return text(rapid.SampledFrom([]string{"10m", "1h30m", "250ms"}).Draw(t, "duration"))
	case document.StringMap:
		return []pair{{"A", text("${os}")}, {"B_C", text(anyText(t))}}
	case document.PathsByOp:
		return []pair{{"read", list(closedPaths(), 2)}, {"unlink", list(openPaths(), 1)}}
	case document.Rules:
		return drawRules(t)
	case document.Any:
		return list(openPaths(), 2)
	case document.Paths:
		closing := block == "deny" || block == "ask"
		if closing {
			return list(closedPaths(), 3)
		}
		return list(openPaths(), 2)
	case document.Strings:
		switch a.Name {
		case "extends":
			return list([]string{"strict", "readonly", "workspace-write-no-network"}, 1)
		case "exclude":
			return list([]string{"git-exec", "editor-config"}, 2)
		case "pass", "deny":
			if block == "env" {
				return list([]string{"FOO", "A*", "LD_PRELOAD"}, 2)
			}
		case "mach_services":
			return list([]string{"com.apple.x"}, 1)
		}
		return list([]string{"example.org", "*.example.com:443", "[::1]:80", "10.0.0.1"}, 2)
	case document.String:
		if a.Enum != nil {
			return text(rapid.SampledFrom(a.Enum).Draw(t, "enum"))
		}
		return text(anyText(t))
	}
	return nil
}

// anyText draws text with whatever a string may hold, templates included.
func anyText(t *rapid.T) string {
	parts := []string{"a", " ", "é", "🙂", "\"", "\\", "\t", "\n", "'", "$ ", "% ", "$${x}", "%%{x}", "${os}", "${workspace}", "{", "}", "#", "//", "\u2028", "<>&", "*"}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 4).Draw(t, "text"), "") + "."
}

func drawRules(t *rapid.T) any {
	out := []any{}
	for range rapid.IntRange(0, 4).Draw(t, "rules") {
		action := rapid.SampledFrom([]string{"allow", "deny", "ask"}).Draw(t, "action")
		from := []string{"a", "/w", "./b", "~/c", "/w/b/e", "/etc/g", "/", "/w/B", "/ln", "/w/ln/x"}
		if action != "allow" {
			from = append(from, "**/x", "/w/*", "*.pem")
		}
		r := []pair{{"path", literal(rapid.SampledFrom(from).Draw(t, "path"))}, {"action", literal(action)}}
		if access := rapid.SampledFrom([]string{"", "read", "write", "both"}).Draw(t, "access"); access != "" {
			r = append(r, pair{"access", literal(access)})
		}
		out = append(out, r)
	}
	return out
}

// hcl writes a document in HCL syntax.
func (n node) hcl() string {
	var b strings.Builder
	n.writeHCL(&b)
	return b.String()
}

func (n node) writeHCL(b *strings.Builder) {
	for _, a := range n.attrs {
		fmt.Fprintf(b, "%s = %s\n", a.name, hclValue(a.value))
	}
	for _, c := range n.blocks {
		b.WriteString(c.typ)
		if c.labelled {
			b.WriteString(" " + escaped(c.label))
		}
		b.WriteString(" {\n")
		c.writeHCL(b)
		b.WriteString("}\n")
	}
}

func hclValue(v any) string {
	switch v := v.(type) {
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, hclValue(x))
		}
		return "[" + strings.Join(out, ", ") + "]"
	case []pair:
		var out []string
		for _, p := range v {
			out = append(out, p.name+" = "+hclValue(p.value))
		}
		return "{ " + strings.Join(out, ", ") + " }"
	}
	return scalarText(v)
}

// json writes a document in JSON syntax. Blocks of one type are gathered at the
// first of them.
func (n node) json() string {
	var out []string
	for _, a := range n.attrs {
		out = append(out, escaped(a.name)+": "+jsonValue(a.value))
	}
	var types []string
	for _, c := range n.blocks {
		if !slices.Contains(types, c.typ) {
			types = append(types, c.typ)
		}
	}
	for _, typ := range types {
		var labels []string
		bodies := map[string][]string{}
		for _, c := range n.blocks {
			if c.typ != typ {
				continue
			}
			if bodies[c.label] == nil {
				labels = append(labels, c.label)
			}
			bodies[c.label] = append(bodies[c.label], c.json())
			if !c.labelled {
				out = append(out, escaped(typ)+": "+c.json())
				labels = nil
			}
		}
		var byLabel []string
		for _, l := range labels {
			body := strings.Join(bodies[l], ", ")
			if len(bodies[l]) > 1 {
				body = "[" + body + "]"
			}
			byLabel = append(byLabel, escaped(l)+": "+body)
		}
		if labels != nil {
			out = append(out, escaped(typ)+": {"+strings.Join(byLabel, ", ")+"}")
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func jsonValue(v any) string {
	switch v := v.(type) {
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, jsonValue(x))
		}
		return "[" + strings.Join(out, ", ") + "]"
	case []pair:
		var out []string
		for _, p := range v {
			out = append(out, escaped(p.name)+": "+jsonValue(p.value))
		}
		return "{" + strings.Join(out, ", ") + "}"
	}
	return scalarText(v)
}

func scalarText(v any) string {
	switch v := v.(type) {
	case text:
		return escaped(string(v))
	case literal:
		return escaped(string(v))
	case number:
		return string(v)
	case bool:
		return fmt.Sprint(v)
	}
	panic(fmt.Sprintf("no text for %T", v))
}

// escaped is a string as both syntaxes write it.
func escaped(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}
