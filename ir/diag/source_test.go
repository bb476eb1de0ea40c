package diag_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/diag"
)

func TestSourcePos(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		text   string
		offset int
		want   diag.Pos
	}{
		{name: "empty", text: "", offset: 0, want: diag.Pos{Line: 1, Column: 1, Byte: 0}},
		{name: "before the text", text: "ab", offset: -1, want: diag.Pos{Line: 1, Column: 1, Byte: 0}},
		{name: "behind the text", text: "ab", offset: 9, want: diag.Pos{Line: 1, Column: 3, Byte: 2}},
		{name: "a newline belongs to its line", text: "ab\ncd", offset: 2, want: diag.Pos{Line: 1, Column: 3, Byte: 2}},
		{name: "the start of a line", text: "ab\ncd", offset: 3, want: diag.Pos{Line: 2, Column: 1, Byte: 3}},
		{name: "after the last newline", text: "ab\n", offset: 3, want: diag.Pos{Line: 2, Column: 1, Byte: 3}},
		{name: "columns count bytes", text: "éb", offset: 2, want: diag.Pos{Line: 1, Column: 3, Byte: 2}},
		{name: "empty lines", text: "\n\n\n", offset: 2, want: diag.Pos{Line: 3, Column: 1, Byte: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := diag.NewSource([]byte(tt.text)).Pos(tt.offset)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestSourceLines(t *testing.T) {
	t.Parallel()
	s := diag.NewSource([]byte("ab\r\n\ncd"))
	type line struct {
		Text  string
		Start int
	}
	var got []line
	for n := range 5 {
		got = append(got, line{Text: string(s.Line(n)), Start: s.LineStart(n)})
	}
	want := []line{{"", 7}, {"ab", 0}, {"", 4}, {"cd", 5}, {"", 7}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if s.Len() != 7 {
		t.Errorf("Len() = %d, want 7", s.Len())
	}
}

func TestSourceRange(t *testing.T) {
	t.Parallel()
	s := diag.NewSource([]byte("ab\ncd\n"))
	want := diag.Range{
		File:  "f",
		Start: diag.Pos{Line: 1, Column: 2, Byte: 1},
		End:   diag.Pos{Line: 2, Column: 2, Byte: 4},
	}
	if diff := cmp.Diff(want, s.Range("f", 1, 4)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want.End = want.Start
	if diff := cmp.Diff(want, s.Range("f", 1, 0)); diff != "" {
		t.Errorf("an end before the start (-want +got)\n%s", diff)
	}
}

// Law: the line and the column of an offset lead back to it.
func TestSourcePosRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]byte("a\r\n\xc3\xa9"))).Draw(t, "text")
		s := diag.NewSource(text)
		offset := rapid.IntRange(0, len(text)).Draw(t, "offset")
		p := s.Pos(offset)
		if got := s.LineStart(p.Line) + p.Column - 1; got != offset || p.Byte != offset {
			t.Fatalf("%+v leads to %d, want %d", p, got, offset)
		}
		if got := 1 + bytes.Count(text[:offset], []byte("\n")); got != p.Line {
			t.Fatalf("line %d, want %d", p.Line, got)
		}
	})
}
