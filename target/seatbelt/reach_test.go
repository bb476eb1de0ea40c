package seatbelt_test

import (
	"testing"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func TestReachPrefix(t *testing.T) {
	t.Parallel()
	tree := func(p string) ir.Match { return ir.Subtree(p) }
	tests := []struct {
		name     string
		openings []ir.Match
		base     string
		shallow  bool
		want     int
		wantOK   bool
	}{
		{"nothing is open", nil, "/w/a", false, 0, false},
		{"beside", []ir.Match{tree("/w/b")}, "/w/a", false, 0, false},
		{"a name that continues", []ir.Match{tree("/w/ab")}, "/w/a", false, 0, false},
		{"above", []ir.Match{tree("/w")}, "/w/a", false, 1, true},
		{"all is open", []ir.Match{tree("/")}, "/w/a", false, 0, true},
		{"at the path", []ir.Match{tree("/w/a")}, "/w/a", false, 2, true},
		{"beneath", []ir.Match{tree("/w/a/b")}, "/w/a", false, 2, true},
		{"beneath, for the path alone", []ir.Match{tree("/w/a/b")}, "/w/a", true, 0, false},
		{"in another case", []ir.Match{tree("/W/a")}, "/w/a", false, 0, true},
		{"in another case beneath", []ir.Match{tree("/w/A/b")}, "/w/a", false, 1, true},
		{"in the other normal form", []ir.Match{tree("/w/é/b")}, "/w/e\u0301", false, 1, true},
		{"two of them", []ir.Match{tree("/w/a"), tree("/w")}, "/w/a/b", false, 1, true},
		{"a path alone above", []ir.Match{ir.Path("/w")}, "/w/a", false, 0, false},
		{"a path alone at the path", []ir.Match{ir.Path("/w/a")}, "/w/a", true, 2, true},
		{"a glob above", []ir.Match{ir.Glob{Pattern: glob.MustParse("/w/*/x")}}, "/w/a", false, 1, true},
		{"the root", []ir.Match{tree("/w")}, "/", false, 0, true},
		{"the root alone", []ir.Match{tree("/w")}, "/", true, 0, false},
		{"bytes that are not UTF-8", []ir.Match{tree("/\xff")}, "/\xff/a", false, 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n, ok := seatbelt.NewReach(tt.openings...).Prefix(tt.base, !tt.shallow)
			if n != tt.want && tt.wantOK || ok != tt.wantOK {
				t.Errorf("prefix(%q) = %d, %t, want %d, %t", tt.base, n, ok, tt.want, tt.wantOK)
			}
		})
	}
}
