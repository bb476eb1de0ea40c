package seatbelt

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

func TestViewFor(t *testing.T) {
	t.Parallel()
	rec, ds := host.ParseRecord([]byte(`{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1, "home": "/h", "temp": "/tmp", "cache": "/h/c", "config": "/h/d"},
		"tree": {"/tmp/a": {}, "/private/other": {}, "/w": {}}}`), "host.json")
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	tests := []struct {
		name, os, path string
		exists         bool
	}{
		{"linux: beneath /private", ir.Linux, "/private/tmp/a", true},
		{"linux: the directory itself", ir.Linux, "/private/tmp", true},
		{"linux: /private", ir.Linux, "/private", true},
		{"linux: what is not there", ir.Linux, "/private/tmp/b", false},
		{"linux: elsewhere", ir.Linux, "/w", true},
		{"linux: the rest of /private is itself", ir.Linux, "/private/other", true},
		{"darwin: as it is", ir.Darwin, "/private/tmp/a", false},
		{"darwin: elsewhere", ir.Darwin, "/w", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := viewFor(rec, &host.Facts{OS: tt.os}).Lstat(tt.path)
			if (err == nil) != tt.exists || (err != nil && !errors.Is(err, fs.ErrNotExist)) {
				t.Errorf("Lstat(%s) = %v, want exists %v", tt.path, err, tt.exists)
			}
		})
	}
}
