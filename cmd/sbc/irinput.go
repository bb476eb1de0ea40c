package main

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/strictjson"
	"github.com/sandboxc/sbc/profiles"
)

// irText returns the content of a policy in the JSON form of the IR: a file that
// is named so, or a JSON object with the key "sbc_ir".
func (s *session) irText(ref string) ([]byte, bool) {
	file := ref
	if ref != frontend.Stdin {
		if !strings.HasSuffix(ref, ".json") {
			return nil, false
		}
		file = s.cache.abs(ref)
	}
	text, err := s.cache.ReadFile(file)
	if err != nil {
		return nil, false // the frontend reports it
	}
	return text, strings.HasSuffix(ref, ".ir.json") || isIR(text)
}

// loadIR decodes a policy in the JSON form of the IR, which takes no more layers.
func (s *session) loadIR(ref string, text []byte) (*loaded, error) {
	if flag := s.flags.layered(); flag != "" {
		return nil, misuse("give it to sbc ir when you make the file", "%s cannot be used with a policy in the JSON form of the IR", flag)
	}
	file := ref
	if ref == frontend.Stdin {
		file = stdinName
	}
	l := s.failed(ref)
	p, ds := ir.Decode(text, file)
	l.policy = p
	l.diags.Add(ds...)
	if p != nil {
		l.source = s.sourceOf(p)
	}
	return l, nil
}

// isIR reports whether the text is an object that says it is the IR.
func isIR(text []byte) bool {
	doc, _ := strictjson.Parse(text, "")
	if doc == nil {
		return false
	}
	_, ok := doc.Lookup("sbc_ir")
	return ok
}

// sourceOf returns a function for the texts that the ranges of a decoded policy
// point into. A file that has another content by now gives none.
func (s *session) sourceOf(p *ir.Policy) func(string) []byte {
	return func(file string) []byte {
		if text, ok := profiles.Open(file); ok {
			return text
		}
		for _, src := range p.Sources {
			if src.File != file || src.Path == "" {
				continue
			}
			text, err := s.cache.ReadFile(src.Path)
			if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != src.SHA256 {
				return nil
			}
			return text
		}
		return s.cache.Source(file)
	}
}
