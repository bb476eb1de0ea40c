package frontend

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// place is a path or glob of a policy, absolute and clean.
type place struct {
	text       string        // as the author wrote it, without marks
	literal    string        // the path, or empty for a glob
	pattern    *glob.Pattern // the glob, or nil
	everywhere bool          // the glob is written "**/x"
	rng        diag.Range
}

func (p place) isGlob() bool { return p.pattern != nil }

// pathReader turns the text of paths into places.
type pathReader struct {
	workspace string
	home      string
	view      host.View
	diags     *diag.List
}

func (r pathReader) fail(code diag.Code, rng diag.Range, summary, detail string) {
	r.diags.Add(diag.Diagnostic{Code: code, Severity: diag.Error, Subject: &rng, Summary: summary, Detail: detail})
}

// read reads a path or a glob. A bare name is refused if named says where the
// path stands in a closing, since it is unclear what it means there.
func (r pathReader) read(t document.Text, bareOK bool) (place, bool) {
	plain := document.Plain(t.Value)
	out := place{text: plain, rng: t.Range}
	text := document.GlobText(t.Value) // marked characters escaped
	switch {
	case plain == "":
		r.fail(diag.CodePath, t.Range, "the path is empty", `Write "." for the workspace.`)
		return out, false
	case strings.ContainsRune(plain, 0):
		r.fail(diag.CodePath, t.Range, "the path holds a NUL", "No file has such a name. Remove it.")
		return out, false
	case !utf8.ValidString(plain):
		r.fail(diag.CodePath, t.Range, "the path is not UTF-8", "Give such a path in the JSON form of the IR.")
		return out, false
	case strings.HasPrefix(text, "!"):
		r.fail(diag.CodeGlob, t.Range, fmt.Sprintf("%q starts with \"!\"", plain), `Exceptions are written with except = ["`+plain[1:]+`"]; for a file whose name starts with "!" write "./`+plain+`".`)
		return out, false
	case strings.HasSuffix(plain, "\n"):
		r.fail(diag.CodePath, t.Range, "the path ends in a line break", "A heredoc ends in one. Write the path in quotes.")
		return out, false
	case strings.HasPrefix(text, `\~`) && (plain == "~" || strings.HasPrefix(plain, "~/")):
		r.fail(diag.CodePath, t.Range, fmt.Sprintf("%q does not start with the home directory", plain),
			`Text from outside and of literal() is taken as it is. Give the whole path, or write "./~" for a file of that name.`)
		return out, false
	case strings.HasPrefix(text, "{"):
		r.fail(diag.CodeGlob, t.Range, fmt.Sprintf("%q starts with a brace", plain), `Write "./" before it for the workspace, or one entry for each alternative.`)
		return out, false
	case strings.HasPrefix(text, "~") && text != "~" && !strings.HasPrefix(text, "~/"):
		r.fail(diag.CodePath, t.Range, fmt.Sprintf("%q names another user's home", plain), `Write the whole path, or "./`+plain+`" for a file of that name.`)
		return out, false
	case strings.Contains(t.Value, "[[:") || strings.Contains(t.Value, "[![:") || strings.Contains(t.Value, "[^[:"):
		r.fail(diag.CodeGlob, t.Range, fmt.Sprintf("%q holds a class by name", plain), `Write the characters: "[a-z]" and not "[[:lower:]]".`)
		return out, false
	case !bareOK && bare(text):
		name := strings.TrimRight(plain, "/")
		r.fail(diag.CodePath, t.Range, fmt.Sprintf("%q is a bare name", plain), fmt.Sprintf("Write %q for the one in the workspace, or %q for all of them.", "./"+name, "**/"+name))
		return out, false
	}
	if !strings.ContainsAny(t.Value, "*?[{") { // marked characters do not count
		return r.literal(out, plain)
	}
	return r.glob(out, text)
}

func (r pathReader) literal(out place, plain string) (place, bool) {
	abs := plain
	switch {
	case plain == "~":
		abs = r.home
	case strings.HasPrefix(plain, "~/"):
		abs = path.Join(r.home, plain[2:])
	case !path.IsAbs(plain):
		abs = r.workspace + "/" + plain
	}
	if at, ambiguous := r.upThroughLink(abs); ambiguous {
		r.fail(diag.CodePath, out.rng, fmt.Sprintf("%q goes up behind the link %q", out.text, at), upDetail)
		return out, false
	}
	if leavesRoot(abs) {
		r.fail(diag.CodePath, out.rng, fmt.Sprintf("%q leads above the root directory", out.text), `Remove the surplus "..".`)
		return out, false
	}
	out.literal = path.Clean(abs)
	return out, true
}

const upDetail = "It would mean one path as it is written and another to the system. Write the path that is meant."

// upThroughLink reports whether ".." stands behind a symbolic link, and which:
// what the text means is then not where the system goes.
func (r pathReader) upThroughLink(abs string) (link string, ambiguous bool) {
	if !strings.Contains(abs, "/..") {
		return "", false
	}
	at := "/"
	for s := range strings.SplitSeq(abs, "/") {
		if s == ".." {
			if n, err := r.view.Lstat(at); err == nil && n.Type == host.Link {
				return at, true
			}
		}
		at = path.Join(at, s)
	}
	return "", false
}

// leavesRoot reports whether ".." goes above "/".
func leavesRoot(abs string) bool {
	depth := 0
	for s := range strings.SplitSeq(abs, "/") {
		switch s {
		case "", ".":
		case "..":
			depth--
			if depth < 0 {
				return true
			}
		default:
			depth++
		}
	}
	return false
}

// bare reports whether the text is one name, which is neither a whole path nor
// says where it starts.
func bare(text string) bool {
	name := strings.TrimRight(text, "/")
	return name != "" && name != "~" && name != "." && name != ".." && !strings.Contains(name, "/")
}

func (r pathReader) glob(out place, text string) (place, bool) {
	switch {
	case strings.HasPrefix(text, "**/"):
		out.everywhere = true
		text = "/" + text
	case text == "**":
		text = "/**"
	case strings.HasPrefix(text, "~/"):
		text = glob.Quote(r.home) + text[1:]
	case !strings.HasPrefix(text, "/"):
		text = glob.Quote(r.workspace) + "/" + text
	}
	clean := cleanGlob(text)
	p, err := glob.Parse(clean)
	if err != nil {
		r.fail(diag.CodeGlob, out.rng, fmt.Sprintf("%q is no glob: %v", out.text, err), `A path that holds "*", "?", "[" or "{" itself is written with literal("...").`)
		return out, false
	}
	if lit, ok := p.IsLiteral(); ok {
		out.literal = lit
		return out, true
	}
	out.pattern = p
	return out, true
}

// cleanGlob removes doubled and trailing slashes and "." segments, and leading
// ".." after a literal part. What remains is checked by the parser.
func cleanGlob(text string) string {
	var out []string
	for _, s := range strings.Split(text, "/") {
		switch {
		case s == "" || s == ".":
		case s == ".." && len(out) > 0 && out[len(out)-1] != ".." && !glob.HasMeta(out[len(out)-1]):
			out = out[:len(out)-1]
		default:
			out = append(out, s)
		}
	}
	joined := strings.Join(out, "/")
	if strings.HasPrefix(text, "/") {
		return "/" + joined
	}
	return joined
}
