package target_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// said prints the diagnostics of a judgement, a line each.
func said(ds diag.List) []string {
	var out []string
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%v %s %s: %s", d.Severity, d.Code, d.Rule, d.Summary))
	}
	return out
}

func TestJudge(t *testing.T) {
	t.Parallel()
	deny := func(v target.Verdict, c diag.Code) target.Entry {
		return target.Entry{Rule: "filesystem.deny.x", Index: 0, Verdict: v, Code: c, Loss: "something is lost", Enforcer: target.Kernel, Layer: ir.LayerWorkspace}
	}
	guard := deny(target.Wider, diag.CodePlantable)
	guard.Rule, guard.Guard, guard.Layer = "guards.git-exec.hooks", "git-exec", ir.LayerGuard
	launcher := target.Entry{Rule: "limits.wall", Index: -1, Verdict: target.Exact, Code: diag.CodeLimit, Enforcer: target.Launcher, Layer: ir.LayerWorkspace}
	watched := deny(target.Exact, diag.CodeOthers)
	watched.Index = -1
	watched.Enforcer, watched.Watch = target.Launcher, target.WatchNames
	watchedGuard := guard
	watchedGuard.Verdict, watchedGuard.Code, watchedGuard.Enforcer, watchedGuard.Watch = target.Exact, diag.CodeOthers, target.Launcher, target.WatchNames
	closed := watched
	closed.Code = ""
	opens := deny(target.Dropped, diag.CodeLoopback)
	opens.Opens = true
	skip := deny(target.Narrower, diag.CodeMissingOpen)
	user := deny(target.Wider, diag.CodeAlias)
	user.Layer = ir.LayerUser
	tests := []struct {
		name    string
		entries []target.Entry
		policy  ir.Policy
		opts    target.JudgeOptions
		ok      bool
		want    []string
	}{
		{name: "exact says nothing", entries: []target.Entry{deny(target.Exact, "")}, ok: true},
		{name: "narrower warns", entries: []target.Entry{deny(target.Narrower, diag.CodeFileRoot)}, ok: true, want: []string{"warning SBC2111 filesystem.deny.x: filesystem.deny.x is narrower on linux"}},
		{name: "snapshot is a note", entries: []target.Entry{deny(target.Snapshot, diag.CodeSnapshot)}, ok: true, want: []string{"note SBC2101 filesystem.deny.x: filesystem.deny.x is snapshot on linux"}},
		{name: "and an error under strict", entries: []target.Entry{deny(target.Snapshot, diag.CodeSnapshot)}, opts: target.JudgeOptions{Strict: true}, want: []string{"error SBC2101 filesystem.deny.x: filesystem.deny.x is snapshot on linux"}},
		{name: "wider is an error", entries: []target.Entry{deny(target.Wider, diag.CodeAlias)}, want: []string{"error SBC2106 filesystem.deny.x: filesystem.deny.x is wider on linux"}},
		{name: "dropped is an error", entries: []target.Entry{deny(target.Dropped, diag.CodeNoHost)}, want: []string{"error SBC2104 filesystem.deny.x: filesystem.deny.x is dropped on linux"}},
		{name: "and a warning for what only opens", entries: []target.Entry{opens}, ok: true, want: []string{"warning SBC2127 filesystem.deny.x: filesystem.deny.x is dropped on linux"}},
		{name: "a guard's losses are one note", entries: []target.Entry{guard, guard}, ok: true, want: []string{"note SBC2103 guards.git-exec: guard git-exec: a prepared directory can be renamed into place (2 rules)"}},
		{name: "strict does not concern guards", entries: []target.Entry{guard}, opts: target.JudgeOptions{Strict: true}, ok: true, want: []string{"note SBC2103 guards.git-exec: guard git-exec: a prepared directory can be renamed into place (1 rule)"}},
		{name: "what the launcher keeps is a note", entries: []target.Entry{launcher}, ok: true, want: []string{"note SBC2110 : kept by the launcher only (limits.wall)"}},
		{
			name: "what the launcher decides is exact, but for what others make", entries: []target.Entry{watched, watchedGuard, watchedGuard}, ok: true, opts: target.JudgeOptions{Strict: true},
			want: []string{
				"note SBC2132 : what other programs make during a run is not covered (filesystem.deny.x)",
				"note SBC2132 guards.git-exec: guard git-exec: what other programs make during a run is not covered (2 rules)",
			},
		},
		{name: "and for nothing where opens are decided", entries: []target.Entry{closed}, ok: true, opts: target.JudgeOptions{Strict: true}},
		{name: "and dropped without it", entries: []target.Entry{launcher}, opts: target.JudgeOptions{Standalone: true}, want: []string{"error SBC2110 limits.wall: limits.wall is dropped on linux"}},
		{
			name: "a missing opening that may be left out is a note", entries: []target.Entry{skip}, ok: true,
			policy: ir.Policy{Files: []ir.FileRule{{OnMissing: ir.MissingSkip}}},
			want:   []string{"note SBC2108 filesystem.deny.x: filesystem.deny.x is narrower on linux"},
		},
		{
			name: "an accept takes the loss", entries: []target.Entry{deny(target.Wider, diag.CodeAlias)}, ok: true,
			policy: ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeAlias, Rule: "filesystem.deny", Layer: ir.LayerWorkspace}}},
			want:   []string{"note SBC2106 filesystem.deny.x: filesystem.deny.x is wider on linux, and accepted"},
		},
		{
			name: "an accept of another code does not", entries: []target.Entry{deny(target.Wider, diag.CodeAlias)},
			policy: ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeSnapshot, Rule: "filesystem.deny", Layer: ir.LayerWorkspace}}},
			want:   []string{"error SBC2106 filesystem.deny.x: filesystem.deny.x is wider on linux"},
		},
		{
			name: "nor one of half a name", entries: []target.Entry{deny(target.Wider, diag.CodeAlias)},
			policy: ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeAlias, Rule: "filesystem.den", Layer: ir.LayerWorkspace}}},
			want:   []string{"error SBC2106 filesystem.deny.x: filesystem.deny.x is wider on linux"},
		},
		{
			name: "nor one for another target", entries: []target.Entry{deny(target.Wider, diag.CodeAlias)},
			policy: ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeAlias, Rule: "filesystem.deny.x", Target: ir.Darwin, Layer: ir.LayerWorkspace}}},
			want:   []string{"error SBC2106 filesystem.deny.x: filesystem.deny.x is wider on linux"},
		},
		{
			name: "nor one of a lower layer", entries: []target.Entry{deny(target.Wider, diag.CodeAlias)},
			policy: ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeAlias, Rule: "filesystem.deny.x", Layer: ir.LayerUser}}},
			want:   []string{"error SBC2106 filesystem.deny.x: filesystem.deny.x is wider on linux"},
		},
		{
			name: "one of a higher layer does", entries: []target.Entry{user}, ok: true,
			policy: ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeAlias, Rule: "filesystem.deny.x", Layer: ir.LayerSession}}},
			want:   []string{"note SBC2106 filesystem.deny.x: filesystem.deny.x is wider on linux, and accepted"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := target.Judge(&tt.policy, target.Report{Target: ir.Linux, Entries: tt.entries}, tt.opts)
			if j.OK() != tt.ok {
				t.Errorf("OK = %v", j.OK())
			}
			if diff := cmp.Diff(tt.want, said(j.Diagnostics)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnusedAccepts(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Accepts: []ir.Accept{
		{Code: diag.CodeAlias, Rule: "used", Layer: ir.LayerWorkspace},
		{Code: diag.CodeAlias, Rule: "unused", Layer: ir.LayerWorkspace},
		{Code: diag.CodeAlias, Rule: "elsewhere", Target: ir.Darwin, Layer: ir.LayerWorkspace},
		{Code: diag.CodeAlias, Rule: "session", Layer: ir.LayerSession},
	}}
	judge := func(name string) target.Judgement {
		return target.Judge(p, target.Report{Target: name, Entries: []target.Entry{{Rule: "used", Index: -1, Verdict: target.Wider, Code: diag.CodeAlias, Layer: ir.LayerWorkspace}}}, target.JudgeOptions{})
	}
	tests := []struct {
		name string
		all  []target.Judgement
		want []string
	}{
		{"both targets", []target.Judgement{judge(ir.Linux), judge(ir.Darwin)}, []string{
			`warning SBC1004 unused: the accept of SBC2106 for "unused" matches no loss`,
			`warning SBC1004 elsewhere: the accept of SBC2106 for "elsewhere" matches no loss`,
			`warning SBC1004 session: the accept of SBC2106 for "session" matches no loss`,
		}},
		// The other target may have a use for it; the command line knows what it asked for.
		{"one target", []target.Judgement{judge(ir.Linux)}, []string{`warning SBC1004 session: the accept of SBC2106 for "session" matches no loss`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, said(target.UnusedAccepts(p, tt.all))); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Accepts: []ir.Accept{{Code: diag.CodeAlias, Rule: "a", Reason: "known <it>", Layer: ir.LayerWorkspace}}}
	r := target.Report{Target: ir.Linux, Entries: []target.Entry{
		{Rule: "a", Index: -1, Verdict: target.Wider, Code: diag.CodeAlias, Loss: "l", Enforcer: target.Kernel, Feature: target.CloseAlias, Layer: ir.LayerWorkspace, Emitted: []string{"--x"}},
		{Rule: "b", Index: -1, Verdict: target.Exact, Feature: target.RootRead},
	}}
	got, err := target.Judge(p, r, target.JudgeOptions{}).Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "sbc_report": 1,
  "target": "linux",
  "totals": {"exact":1,"wider":1},
  "entries": [
    {"rule":"a","verdict":"wider","severity":"note","code":"SBC2106","loss":"l","enforcer":"kernel","feature":"close.alias","layer":"workspace","accepted":"known <it>","emitted":["--x"]},
    {"rule":"b","verdict":"exact","feature":"root.read"}
  ]
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("encoded (-want +got):\n%s", diff)
	}
}
