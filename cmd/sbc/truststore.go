package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sandboxc/sbc/ir/strictjson"
)

// trustFile is the JSON form of the trusted policies, in trust.json in sbc's
// folder of the user's configuration. It is read strictly: what cannot be
// understood is an error and trusts nothing.
type trustFile struct {
	Version  int           `json:"sbc_trust" const:"1"`
	Policies []trustPolicy `json:"policies,omitempty"`
}

// trustPolicy is one trusted policy: the file that was found in a workspace, and
// every file that it is made of, itself included.
type trustPolicy struct {
	File  string            `json:"file"`
	Files map[string]string `json:"files"` // SHA-256 in hexadecimal by absolute path
}

// trustStore is the list of trusted policies.
type trustStore struct {
	path     string
	policies map[string]trustPolicy // by file
}

// trustState is what the store says of a policy.
type trustState uint8

const (
	unknown trustState = iota
	changed
	trusted
)

// trustStore reads the store; one that does not exist is empty.
func (s *session) trustStore() (*trustStore, error) {
	t := &trustStore{
		path:     filepath.Join(s.machine.facts.Config, "sbc", "trust.json"),
		policies: map[string]trustPolicy{},
	}
	text, err := s.read(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, misuse("", "cannot read the list of trusted policies: %v", err)
	}
	doc, ds := strictjson.Parse(text, t.path)
	var f trustFile
	if doc != nil {
		ds = doc.Decode(&f)
	}
	if len(ds) > 0 {
		return nil, misuse("remove the file and trust again what you trust", "%s is malformed: %s", t.path, ds[0].Summary)
	}
	for _, p := range f.Policies {
		t.policies[p.File] = p
	}
	return t, nil
}

// state says whether the policy in the files, one of which the store may know by
// name, is trusted with exactly these contents.
func (t *trustStore) state(file string, files map[string][]byte) trustState {
	p, ok := t.policies[file]
	switch {
	case !ok:
		return unknown
	case maps.Equal(p.Files, hashes(files)):
		return trusted
	}
	return changed
}

// hashes are the SHA-256 digests of contents.
func hashes(files map[string][]byte) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		sum := sha256.Sum256(text)
		out[name] = hex.EncodeToString(sum[:])
	}
	return out
}

// save writes the store, for its owner alone.
func (t *trustStore) save() error {
	f := trustFile{Version: 1}
	for _, name := range slices.Sorted(maps.Keys(t.policies)) {
		f.Policies = append(f.Policies, t.policies[name])
	}
	if err := os.MkdirAll(filepath.Dir(t.path), 0o700); err != nil {
		return fmt.Errorf("cannot make the directory for the list of trusted policies: %w", err)
	}
	text := strictjson.Encode(f, strictjson.Options{})
	file := t.path
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to // the user's configuration is closed to commands, and may be kept elsewhere
	}
	if err := writeAtomic(file, text, 0o600); err != nil {
		return fmt.Errorf("cannot write the list of trusted policies: %w", err)
	}
	return os.Chmod(file, 0o600)
}
