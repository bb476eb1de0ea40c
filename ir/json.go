package ir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/strictjson"
)

// formVersion is the version of the JSON form. A reader refuses every other
// one, so it changes when a key is added too.
const formVersion = "1"

// document is the outermost object of the JSON form.
type document struct {
	Form int `json:"sbc_ir" const:"1"`
	Policy
}

// Encode returns the policy as indented JSON with everything that [Decode]
// needs to make the same policy of it. Keys stand in the order of the Go
// fields. What is zero, unset or empty is left out. Durations are nanoseconds
// and sizes are bytes, as their keys say. A path may hold bytes that are not
// UTF-8; package strictjson says how strings hold them.
func Encode(p *Policy) []byte {
	return strictjson.Encode(document{Form: 1, Policy: *p}, strictjson.Options{Forms: forms()})
}

// Canonical returns what the policy means as one line of JSON in the form of
// RFC 8785: [Encode] without where things were written (the range and via of
// every origin, and sources), which a comment in a policy file can change.
func Canonical(p *Policy) []byte {
	return strictjson.Encode(document{Form: 1, Policy: *p}, strictjson.Options{
		Canonical: true,
		Omit:      strictjson.Tagged("hash", "-"),
		Forms:     forms(),
	})
}

// Hash returns "sha256:" and the hexadecimal digest of [Canonical]: the name of
// what the policy means. It changes with every rule, their order, effects,
// addresses, layers and reasons, and with every setting; it does not change
// with comments and with the places and names of policy files.
func Hash(p *Policy) string {
	sum := sha256.Sum256(Canonical(p))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Decode reads what [Encode] or [Canonical] wrote. It takes nothing else: every
// unknown, repeated or wrongly cased key, null, wrong type and broken invariant
// (see [Validate]) is an error with its place in the named file, and the policy
// is nil. Problems have the code SBC0017, or SBC0004 and SBC0009 for duplicate
// keys and for nesting deeper than 100.
func Decode(src []byte, file string) (*Policy, diag.List) {
	text, ds := strictjson.Parse(src, file)
	if text == nil {
		return nil, ds
	}
	if form, ok := text.Lookup("sbc_ir"); ok && form != formVersion {
		// Of another version, all else that could be said would mislead.
		return nil, diag.List{formProblem(text, problem{
			at:  "/sbc_ir",
			msg: fmt.Sprintf("the IR has form %s, and this sbc reads form %s", form, formVersion),
		})}
	}
	var doc document
	if ds := text.Decode(&doc, forms()...); len(ds) > 0 {
		return nil, ds
	}
	for _, p := range validate(&doc.Policy) {
		ds.Add(formProblem(text, p))
	}
	if len(ds) > 0 {
		return nil, ds
	}
	return &doc.Policy, nil
}

// IsEncoded reports whether a text is meant as the JSON form of a policy, right
// or wrong: its outermost object has the key "sbc_ir" or, if it is not JSON,
// starts with it.
func IsEncoded(src []byte) bool {
	if text, _ := strictjson.Parse(src, ""); text != nil {
		_, ok := text.Lookup("sbc_ir")
		return ok
	}
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(src), []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"sbc_ir"`))
}

func formProblem(text *strictjson.Document, p problem) diag.Diagnostic {
	d := p.diagnostic()
	r := text.Range(p.at)
	d.Subject = &r
	return d
}

// Schema returns the JSON Schema (draft 2020-12) of the JSON form. It says less
// than [Decode] checks: duplicate keys and the invariants are beyond it.
func Schema() []byte {
	return strictjson.Schema(document{}, "https://github.com/sandboxc/sbc/schema/ir-1.json", "sbc intermediate representation", forms()...)
}

// forms are the types whose JSON form is not that of their Go type.
func forms() []strictjson.Form {
	return []strictjson.Form{
		strictjson.Words("effect", effects()...),
		strictjson.Words("operation", Ops()...),
		strictjson.Words("layer", layers()...),
		strictjson.Words("group", groups()...),
		strictjson.Words("on_missing", onMissings()...),
		strictjson.Words("sweep", sweeps()...),
		strictjson.Words("tmp mode", tmpModes()...),
		strictjson.Words("network mode", networkModes()...),
		strictjson.Words("loopback mode", loopbackModes()...),
		strictjson.Words("inherit", envInherits()...),
		strictjson.Words("supervise mode", superviseModes()...),
		strictjson.Words("kind of match", matchPath, matchSubtree, matchGlob),
		strictjson.As(newMatchForm, matchForm.match),
		strictjson.As(patternText, onceEach()),
	}
}

// onceEach returns a [glob.Parse] that reads equal patterns once: many rules have
// the same exceptions.
func onceEach() func(string) (*glob.Pattern, error) {
	known := map[string]*glob.Pattern{}
	return func(s string) (*glob.Pattern, error) {
		if p, ok := known[s]; ok {
			return p, nil
		}
		p, err := glob.Parse(s)
		if err == nil {
			known[s] = p
		}
		return p, err
	}
}

// matchKind is the kind of a [Match] in JSON.
type matchKind uint8

const (
	matchPath matchKind = iota
	matchSubtree
	matchGlob
)

func (k matchKind) String() string { return [...]string{"path", "subtree", "glob"}[k] }

// matchForm is the JSON form of a [Match]. Path is a path, or the pattern of a
// glob.
type matchForm struct {
	Kind   matchKind       `json:"kind"`
	Path   string          `json:"path"`
	Except []*glob.Pattern `json:"except,omitempty"`
}

func newMatchForm(m Match) matchForm {
	switch m := m.(type) {
	case Path:
		return matchForm{Kind: matchPath, Path: string(m)}
	case Subtree:
		return matchForm{Kind: matchSubtree, Path: string(m)}
	case Glob:
		return matchForm{Kind: matchGlob, Path: patternText(m.Pattern), Except: m.Except}
	}
	return matchForm{} // no match at all, which Validate and Decode refuse
}

func (f matchForm) match() (Match, error) {
	if f.Kind == matchGlob {
		p, err := glob.Parse(f.Path)
		return Glob{Pattern: p, Except: f.Except}, err
	}
	if len(f.Except) > 0 {
		return nil, errors.New("only a glob has exceptions")
	}
	if f.Kind == matchPath {
		return Path(f.Path), nil
	}
	return Subtree(f.Path), nil
}

func patternText(p *glob.Pattern) string {
	if p == nil {
		return "" // no pattern, which Validate and Decode refuse
	}
	return p.String()
}
