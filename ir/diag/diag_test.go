package diag_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/diag"
)

func TestSorted(t *testing.T) {
	t.Parallel()
	src := diag.NewSource([]byte("0123456789"))
	place := func(file string, start, end int) *diag.Range {
		r := src.Range(file, start, end)
		return &r
	}
	want := diag.List{
		{Code: "SBC4001", Severity: diag.Error, Summary: "no file"},
		{Code: "SBC2001", Severity: diag.Warning, Summary: "x", Subject: place("a", 1, 2)},
		{Code: "SBC0001", Severity: diag.Error, Summary: "x", Subject: place("a", 5, 6)},
		{Code: "SBC0001", Severity: diag.Error, Summary: "x", Subject: place("a", 5, 7)},
		{Code: "SBC0002", Severity: diag.Error, Summary: "x", Subject: place("a", 5, 6)},
		{Code: "SBC0002", Severity: diag.Error, Summary: "x", Rule: "r", Subject: place("a", 5, 6)},
		{Code: "SBC0002", Severity: diag.Error, Summary: "x", Rule: "r", Target: "linux", Subject: place("a", 5, 6)},
		{Code: "SBC0002", Severity: diag.Error, Summary: "y", Rule: "r", Target: "linux", Subject: place("a", 5, 6)},
		{Code: "SBC0001", Severity: diag.Note, Summary: "x", Subject: place("a", 5, 6)},
		{Code: "SBC0001", Severity: diag.Error, Summary: "x", Subject: place("b", 0, 1)},
	}
	var in diag.List
	for i := range want { // backwards, and each twice
		in.Add(want[len(want)-1-i], want[len(want)-1-i])
	}
	if diff := cmp.Diff(want, in.Sorted()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(in) != 2*len(want) || in[0].Subject.File != "b" {
		t.Error("Sorted changed its receiver")
	}
}

func TestHasErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		list diag.List
		want bool
	}{
		{name: "empty", want: false},
		{name: "no error", list: diag.List{{Severity: diag.Security}, {Severity: diag.Warning}, {Severity: diag.Note}}, want: false},
		{name: "an error", list: diag.List{{Severity: diag.Note}, {Severity: diag.Error}}, want: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.list.HasErrors(); got != tt.want {
				t.Errorf("HasErrors() = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSeverityString(t *testing.T) {
	t.Parallel()
	var got []string
	for s := range diag.Severity(6) {
		got = append(got, s.String())
	}
	want := []string{"invalid severity", "error", "security", "warning", "note", "invalid severity"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
