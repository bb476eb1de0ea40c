package main

import (
	"bytes"
	"encoding/json"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// reportVersion is the version of [reportForm].
const reportVersion = 1

// reportForm is the JSON form of what became of a policy: the full report of
// sbc explain, and of a bundle.
type reportForm struct {
	Version     int               `json:"sbc_reports"`
	Name        string            `json:"name"`
	Hash        string            `json:"hash"` // of the IR
	Workspace   string            `json:"workspace"`
	Host        string            `json:"host"` // live, none, or the name of a record
	Sources     []reportSource    `json:"sources"`
	Files       []string          `json:"files,omitempty"` // of a bundle
	Targets     []json.RawMessage `json:"targets"`         // the form of target.Judgement.Encode
	Diagnostics json.RawMessage   `json:"diagnostics"`     // the form of diag.JSON
}

type reportSource struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Layer  string `json:"layer"`
	Narrow bool   `json:"narrow,omitempty"`
}

// encodeReport prints the full report. files are those of a bundle.
func encodeReport(l *loaded, all []lowered, files []string) ([]byte, error) {
	form := reportForm{
		Version: reportVersion, Name: l.policy.Name, Hash: ir.Hash(l.policy), Workspace: l.policy.Workspace,
		Host: l.machine.name, Sources: []reportSource{}, Files: files,
	}
	for _, s := range l.policy.Sources {
		form.Sources = append(form.Sources, reportSource{File: s.File, SHA256: s.SHA256, Layer: s.Layer.String(), Narrow: s.Narrow})
	}
	for _, x := range all {
		text, err := x.judgement.Encode(l.policy)
		if err != nil {
			return nil, err
		}
		form.Targets = append(form.Targets, text)
	}
	var ds bytes.Buffer
	if err := diag.JSON(&ds, verdictDiagnostics(l, all)); err != nil {
		return nil, err
	}
	form.Diagnostics = ds.Bytes()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(form); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
