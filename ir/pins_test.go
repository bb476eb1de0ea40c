package ir_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
)

// pinLines writes pins as "path rules root", "pattern rule" and "edge rule".
func pinLines(p ir.Pins) []string {
	var out []string
	for _, l := range p.Literals {
		s := fmt.Sprintf("%s %v", l.Path, l.Rules)
		if l.Root {
			s += " root"
		}
		out = append(out, s)
	}
	for _, g := range p.Patterns {
		out = append(out, fmt.Sprintf("pattern %s %d", g.Pattern, g.Rule))
	}
	for _, g := range p.Edges {
		out = append(out, fmt.Sprintf("edge %s %d", g.Pattern, g.Rule))
	}
	return out
}

func TestPins(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		target string
		rules  []ir.FileRule
		want   []string
	}{
		{"nothing", ir.Linux, nil, nil},
		{"a root", ir.Linux, []ir.FileRule{write("/w")}, []string{"/w [] root"}},
		{"an inner root", ir.Linux, []ir.FileRule{write("/w/a"), write("/w")}, []string{"/w [] root"}},
		{"everything", ir.Linux, []ir.FileRule{write("/")}, []string{"/ [] root"}},
		{"a closing without a root", ir.Linux, []ir.FileRule{deny(subtree("/w/a/b")), read("/w")}, nil},
		{"above closings", ir.Linux, []ir.FileRule{deny(subtree("/w/a/b")), ask(subtree("/w/a/c")), write("/w")}, []string{
			"/w [0 1] root", "/w/a [0 1]",
		}},
		{"roots come sorted", ir.Linux, []ir.FileRule{write("/w/b"), write("/w/a"), write("/v")}, []string{
			"/v [] root", "/w/a [] root", "/w/b [] root",
		}},
		{"above a root in a closed tree", ir.Linux, []ir.FileRule{write("/w/a/b"), none("/w/a"), write("/w")}, []string{
			"/w [1] root", "/w/a/b [] root",
		}},
		{"what is open again", ir.Linux, []ir.FileRule{write("/w/a"), read("/w/a"), write("/w")}, []string{"/w [] root"}},
		{"leading parts", ir.Linux, []ir.FileRule{denyWrite(pattern("/w/a/**/.git/hooks/*")), write("/w")}, []string{
			"/w [0] root", "/w/a [0]", "pattern /w/a/**/.git 0", "pattern /w/a/**/.git/hooks 0",
		}},
		{"a move-safe glob", ir.Linux, []ir.FileRule{deny(pattern("/**/.env")), write("/w")}, []string{"/w [] root"}},
		{"edges", ir.Linux, []ir.FileRule{
			deny(pattern("/w/*/d", "/w/*/d/a", "/w/*/d/b")),
			{Match: ir.Path("/w/e"), Read: ir.Deny, Write: ir.Deny},
			write("/w"),
			{Match: pattern("/dev/tty*"), Read: ir.Allow, Write: ir.Allow},
		}, []string{"/w [0 1] root", "pattern /w/* 0", "edge /w/*/d/a 0", "edge /w/*/d/b 0", "edge /w/e/* 1", "edge /dev/tty* 3"}},
		{"what is not a directory holds nothing", ir.Linux, []ir.FileRule{nonDir(deny(ir.Path("/w/.git"))), write("/w")}, []string{"/w [0] root"}},
		{"a target's own rules", ir.Darwin, []ir.FileRule{only(ir.Linux, deny(subtree("/w/a/b"))), write("/w")}, []string{"/w [] root"}},
		{"where another spelling may be writable", ir.Darwin, []ir.FileRule{deny(subtree("/w/a/b")), write("/W")}, []string{
			"/W [] root", "/w [0] root", "/w/a [0] root",
		}},
		{"where no spelling is", ir.Darwin, []ir.FileRule{deny(subtree("/w/a/b")), write("/v")}, []string{"/v [] root"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := ir.NewDecider(&ir.Policy{Files: tt.rules}, tt.target)
			if diff := cmp.Diff(tt.want, pinLines(d.Pins())); diff != "" {
				t.Errorf("pins (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeciderMatching(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Files: []ir.FileRule{deny(pattern("/**/.env")), denyWrite(subtree("/w/a")), read("/w/a"), write("/w"), none("/v")}}
	d := ir.NewDecider(p, ir.Linux)
	if d.Target() != ir.Linux || d.Policy() != p {
		t.Errorf("decider of %q", d.Target())
	}
	tests := []struct {
		op   ir.Op
		path string
		want []int
	}{
		{ir.Read, "/w/a/.env", []int{0, 2, 3}},
		{ir.Write, "/w/a/.env", []int{0, 1, 2, 3}},
		{ir.Unlink, "/w/a/b", []int{1, 2, 3}},
		{ir.Read, "/x", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, d.Matching(tt.op, tt.path, false)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.op, tt.path, diff)
		}
	}
}

func TestLiteralAndMoveSafe(t *testing.T) {
	t.Parallel()
	tests := []struct {
		match    ir.Match
		literal  string // empty if it is none
		moveSafe bool   // of a glob
	}{
		{ir.Path("/a*"), "/a*", false},
		{ir.Subtree("/a"), "/a", false},
		{pattern(`/a/b\*`), "/a/b*", false},
		{pattern("/a/*"), "", false},
		{pattern("/**/.env"), "", true},
		{pattern("/**/.env*", "/**/.env.example"), "", true},
		{pattern("/**/.env*", "/**/.env.example", "/w/.env.x"), "", false},
		{pattern("/**/{a,b}"), "", true},
		{pattern("/**/{a,b/c}"), "", false},
		{pattern("/w/**/.env"), "", false},
		{pattern("/**"), "", false},
	}
	for _, tt := range tests {
		lit, ok := ir.Literal(tt.match)
		if lit != tt.literal || ok != (tt.literal != "") {
			t.Errorf("Literal(%s) = %q, %t, want %q", tt.match, lit, ok, tt.literal)
		}
		if g, ok := tt.match.(ir.Glob); ok && ir.MoveSafe(g) != tt.moveSafe {
			t.Errorf("MoveSafe(%s) = %t, want %t", g, !tt.moveSafe, tt.moveSafe)
		}
	}
}

func TestPathHelpers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		path, parent string
		ancestors    []string
	}{
		{"/", "/", nil},
		{"/a", "/", []string{"/"}},
		{"/a/b/c", "/a/b", []string{"/", "/a", "/a/b"}},
	}
	for _, tt := range tests {
		if got := ir.Parent(tt.path); got != tt.parent {
			t.Errorf("Parent(%q) = %q, want %q", tt.path, got, tt.parent)
		}
		if diff := cmp.Diff(tt.ancestors, ir.Ancestors(tt.path)); diff != "" {
			t.Errorf("Ancestors(%q) (-want +got):\n%s", tt.path, diff)
		}
	}
	for path, want := range map[string]bool{
		"/": true, "/a": true, "/a/b": true, "/\xff": true, "/...": true,
		"": false, "a": false, "/a/": false, "//a": false, "/a/../b": false, "/.": false, "/a\x00": false,
	} {
		if got := ir.Clean(path); got != want {
			t.Errorf("Clean(%q) = %t, want %t", path, got, want)
		}
	}
}
