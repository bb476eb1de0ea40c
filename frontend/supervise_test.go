package frontend_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/ir"
)

// TestSupervise: the nearest layer that says something counts, and a narrow one
// may only make it stricter.
func TestSupervise(t *testing.T) {
	t.Parallel()
	says := func(mode string) string {
		if mode == "" {
			return "version = 1\n"
		}
		return "version = 1\nprocess { supervise = \"" + mode + "\" }\n"
	}
	for _, tt := range []struct {
		own, extended, narrow string
		want                  ir.SuperviseMode
		set                   bool
		codes                 []string
	}{
		{want: ir.SuperviseCreate},
		{own: "create", want: ir.SuperviseCreate, set: true},
		{own: "open", want: ir.SuperviseOpen, set: true},
		{own: "off", extended: "open", want: ir.SuperviseOff, set: true},
		{extended: "off", want: ir.SuperviseOff, set: true},
		{own: "off", narrow: "create", want: ir.SuperviseCreate, set: true},
		{narrow: "open", want: ir.SuperviseOpen, set: true},
		{narrow: "off", want: ir.SuperviseCreate, codes: []string{"SBC1003 warning narrow.hcl:2:11"}},
		{own: "open", narrow: "create", want: ir.SuperviseOpen, set: true, codes: []string{"SBC1003 warning narrow.hcl:2:11"}},
	} {
		files := memFiles{
			"/w/policy.hcl": says(tt.own) + "extends = [\"./more.hcl\"]\n", "/w/more.hcl": says(tt.extended), "/w/narrow.hcl": says(tt.narrow),
		}
		p, ds := load(t, files, func(o *frontend.Options) { o.Narrow = []string{"narrow.hcl"} })
		if diff := cmp.Diff(tt.codes, codes(ds)); diff != "" {
			t.Errorf("%+v: diagnostics (-want +got):\n%s", tt, diff)
		}
		if p == nil {
			continue
		}
		if got := p.Process.Supervise; got.Value != tt.want || got.Set != tt.set {
			t.Errorf("%+v: %v, set %v", tt, got.Value, got.Set)
		}
	}
}
