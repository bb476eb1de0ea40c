package ir_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// Short forms for the tables below.

func subtree(p string) ir.Match { return ir.Subtree(p) }

func pattern(p string, except ...string) ir.Match {
	g := ir.Glob{Pattern: glob.MustParse(p)}
	for _, e := range except {
		g.Except = append(g.Except, glob.MustParse(e))
	}
	return g
}

func none(p string) ir.FileRule { return ir.FileRule{Match: subtree(p), Read: ir.Deny, Write: ir.Deny} }

func read(p string) ir.FileRule {
	return ir.FileRule{Match: subtree(p), Read: ir.Allow, Write: ir.Deny}
}

func write(p string) ir.FileRule {
	return ir.FileRule{Match: subtree(p), Read: ir.Allow, Write: ir.Allow}
}

func deny(m ir.Match) ir.FileRule      { return ir.FileRule{Match: m, Read: ir.Deny, Write: ir.Deny} }
func ask(m ir.Match) ir.FileRule       { return ir.FileRule{Match: m, Read: ir.Ask, Write: ir.Ask} }
func denyWrite(m ir.Match) ir.FileRule { return ir.FileRule{Match: m, Write: ir.Deny} }

func only(target string, r ir.FileRule) ir.FileRule {
	r.Target = target
	return r
}

func nonDir(r ir.FileRule) ir.FileRule {
	r.NonDir = true
	return r
}

// question is asked of both targets unless it names one. A path that ends in
// "/" is a directory.
type question struct {
	target string
	op     ir.Op
	path   string
	want   ir.Decision
}

func allowed(rule int) ir.Decision { return ir.Decision{Effect: ir.Allow, Rule: rule} }
func denied(rule int) ir.Decision  { return ir.Decision{Effect: ir.Deny, Rule: rule} }
func asked(rule int) ir.Decision   { return ir.Decision{Effect: ir.Ask, Rule: rule} }
func pinned(rule int) ir.Decision  { return ir.Decision{Effect: ir.Deny, Rule: rule, Pinned: true} }
func unmatched() ir.Decision       { return ir.Decision{Effect: ir.Deny, Rule: -1} }

type decideCase struct {
	name      string
	rules     []ir.FileRule
	questions []question
}

func runDecideCases(t *testing.T, cases []decideCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &ir.Policy{Files: c.rules}
			for _, q := range c.questions {
				askBoth(t, p, q)
			}
		})
	}
}

// askBoth asks the policy and the decider.
func askBoth(t *testing.T, p *ir.Policy, q question) {
	t.Helper()
	path, dir := q.path, false
	if len(path) > 1 && path[len(path)-1] == '/' {
		path, dir = path[:len(path)-1], true
	}
	for _, target := range targets() {
		if q.target != "" && q.target != target {
			continue
		}
		if diff := cmp.Diff(q.want, p.Decide(ir.Query{Target: target, Op: q.op, Path: path, Dir: dir})); diff != "" {
			t.Errorf("%s %s on %s (-want +got):\n%s", q.op, q.path, target, diff)
		}
		if diff := cmp.Diff(q.want, ir.NewDecider(p, target).Decide(q.op, path, dir)); diff != "" {
			t.Errorf("%s %s on %s, from the index (-want +got):\n%s", q.op, q.path, target, diff)
		}
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	runDecideCases(t, []decideCase{
		{"nothing matched is deny", nil, []question{
			{"", ir.Read, "/", unmatched()},
			{"", ir.Write, "/x", unmatched()},
			{"", ir.Unlink, "/x", unmatched()},
		}},
		{"the first rule that matches answers", []ir.FileRule{none("/w/a/b"), write("/w/a"), read("/w")}, []question{
			{"", ir.Read, "/w/a/b", denied(0)},
			{"", ir.Write, "/w/a/b/c", denied(0)},
			{"", ir.Write, "/w/a/c", allowed(1)},
			{"", ir.Read, "/w/c", allowed(2)},
			{"", ir.Write, "/w/c", denied(2)},
			{"", ir.Read, "/v", unmatched()},
		}},
		{"pass leaves the answer to the rules below", []ir.FileRule{denyWrite(subtree("/w/a")), write("/w")}, []question{
			{"", ir.Read, "/w/a", allowed(1)},
			{"", ir.Write, "/w/a", denied(0)},
		}},
		{"read+allow of a rule list leaves writing alone", []ir.FileRule{{Match: subtree("/w/a"), Read: ir.Allow}, none("/w")}, []question{
			{"", ir.Read, "/w/a", allowed(0)},
			{"", ir.Write, "/w/a", denied(1)},
		}},
		{"a subtree is the path and all beneath it, and no path that only starts alike", []ir.FileRule{write("/w")}, []question{
			{"", ir.Read, "/w", allowed(0)},
			{"", ir.Read, "/w/a/b", allowed(0)},
			{"", ir.Read, "/wa", unmatched()},
			{"", ir.Read, "/", unmatched()},
		}},
		{"a path is itself alone", []ir.FileRule{{Match: ir.Path("/"), Read: ir.Allow}, {Match: ir.Path("/w"), Read: ir.Allow}}, []question{
			{"", ir.Read, "/", allowed(0)},
			{"", ir.Read, "/w", allowed(1)},
			{"", ir.Read, "/w/a", unmatched()},
			{"", ir.Read, "/v", unmatched()},
		}},
		{"the root is above everything", []ir.FileRule{read("/")}, []question{
			{"", ir.Read, "/", allowed(0)},
			{"", ir.Read, "/w/a", allowed(0)},
		}},
		{"a glob covers what it matches and all beneath", []ir.FileRule{deny(pattern("/w/**/.env*")), write("/w")}, []question{
			{"", ir.Read, "/w/.env", denied(0)},
			{"", ir.Read, "/w/a/b/.env.d/c/d", denied(0)},
			{"", ir.Read, "/w/a.env", allowed(1)},
		}},
		{"an exception covers what it matches and all beneath", []ir.FileRule{deny(pattern("/**/.env.*", "/**/.env.example")), write("/w")}, []question{
			{"", ir.Read, "/w/.env.local", denied(0)},
			{"", ir.Read, "/w/.env.example", allowed(1)},
			{"", ir.Read, "/w/.env.example/a/b", allowed(1)},
			{"", ir.Read, "/w/.env.example/.env.local", allowed(1)},
			{"", ir.Read, "/w/.env.d/.env.example", allowed(1)},
		}},
		{"ask is not deny, and neither is allow", []ir.FileRule{ask(subtree("/w/a")), deny(subtree("/w/b")), write("/w")}, []question{
			{"", ir.Read, "/w/a", asked(0)},
			{"", ir.Write, "/w/a", asked(0)},
			{"", ir.Unlink, "/w/a", asked(0)},
			{"", ir.Read, "/w/b", denied(1)},
			{"", ir.Unlink, "/w/b", denied(1)},
		}},
		{"a deny above an ask answers", []ir.FileRule{deny(subtree("/w/a")), ask(subtree("/w")), write("/w")}, []question{
			{"", ir.Read, "/w/a", denied(0)},
			{"", ir.Read, "/w/b", asked(1)},
		}},
		{"a grant above the ask opens it", []ir.FileRule{{Match: subtree("/w/a"), Read: ir.Allow}, ask(subtree("/w/a")), write("/w")}, []question{
			{"", ir.Read, "/w/a", allowed(0)},
			{"", ir.Write, "/w/a", asked(1)},
		}},
		{"a rule for one target", []ir.FileRule{only(ir.Darwin, none("/w")), only(ir.Linux, read("/w")), write("/w")}, []question{
			{ir.Darwin, ir.Read, "/w", denied(0)},
			{ir.Linux, ir.Read, "/w", allowed(1)},
			{ir.Linux, ir.Write, "/w", denied(1)},
		}},
		{"what is not a directory", []ir.FileRule{nonDir(deny(subtree("/w/.git"))), nonDir(denyWrite(pattern("/w/*/.git"))), write("/w")}, []question{
			{"", ir.Read, "/w/.git", denied(0)},
			{"", ir.Read, "/w/.git/", allowed(2)},
			{"", ir.Write, "/w/.git/config", allowed(2)},
			{"", ir.Write, "/w/a/.git", denied(1)},
			{"", ir.Write, "/w/a/.git/", allowed(2)},
			{"", ir.Write, "/w/a/.git/config", allowed(2)},
		}},
	})
}

func TestDecideFolds(t *testing.T) {
	t.Parallel()
	const (
		nfc = "/w/caf\u00e9"
		nfd = "/w/cafe\u0301"
		up  = "/w/CAFE\u0301"
	)
	runDecideCases(t, []decideCase{
		{"a deny matches either case on darwin", []ir.FileRule{deny(subtree("/w/Secret")), write("/w")}, []question{
			{"", ir.Read, "/w/Secret/a", denied(0)},
			{ir.Darwin, ir.Read, "/w/sECRET/a", denied(0)},
			{ir.Linux, ir.Read, "/w/sECRET/a", allowed(1)},
		}},
		{"an ask does too", []ir.FileRule{ask(subtree("/w/Secret")), write("/w")}, []question{
			{ir.Darwin, ir.Read, "/w/secret", asked(0)},
			{ir.Linux, ir.Read, "/w/secret", allowed(1)},
		}},
		{"and an allow never", []ir.FileRule{write("/w/Open")}, []question{
			{"", ir.Read, "/w/Open", allowed(0)},
			{"", ir.Read, "/w/open", unmatched()},
			{"", ir.Read, "/W/Open", unmatched()},
		}},
		{"a read root closes writing under each spelling and opens one", []ir.FileRule{read("/w/A"), write("/w")}, []question{
			{"", ir.Read, "/w/A", allowed(0)},
			{ir.Darwin, ir.Write, "/w/a", denied(0)},
			{ir.Darwin, ir.Read, "/w/a", allowed(1)},
			{ir.Linux, ir.Write, "/w/a", allowed(1)},
		}},
		{"both normal forms", []ir.FileRule{deny(subtree(nfc)), write("/w")}, []question{
			{"", ir.Read, nfc, denied(0)},
			{ir.Darwin, ir.Read, nfd, denied(0)},
			{ir.Darwin, ir.Read, up + "/a", denied(0)},
			{ir.Linux, ir.Read, nfd, allowed(1)},
		}},
		{"and the other way round", []ir.FileRule{deny(subtree(nfd)), write("/w")}, []question{
			{ir.Darwin, ir.Read, nfc, denied(0)},
			{ir.Linux, ir.Read, nfc, allowed(1)},
		}},
		{"letters beyond ASCII have their case", []ir.FileRule{deny(subtree("/w/\u00e6")), write("/w")}, []question{
			{ir.Darwin, ir.Read, "/w/\u00c6", allowed(1)},
		}},
		{"a glob folds, its exceptions do not", []ir.FileRule{deny(pattern("/**/.env.*", "/**/.env.example")), write("/w")}, []question{
			{ir.Darwin, ir.Read, "/w/.ENV.local", denied(0)},
			{ir.Linux, ir.Read, "/w/.ENV.local", allowed(1)},
			{ir.Darwin, ir.Read, "/w/.env.example", allowed(1)},
			{ir.Darwin, ir.Read, "/w/.env.Example", denied(0)},
		}},
		{"bytes that are not UTF-8 are themselves", []ir.FileRule{deny(subtree("/w/\xff")), write("/w")}, []question{
			{"", ir.Read, "/w/\xff/a", denied(0)},
			{"", ir.Read, "/w/\xfe", allowed(1)},
			{"", ir.Read, "/w/\ufffd", allowed(1)},
		}},
	})
}

func TestUnlink(t *testing.T) {
	t.Parallel()
	runDecideCases(t, []decideCase{
		{"unlink is write", []ir.FileRule{read("/w/a"), write("/w")}, []question{
			{"", ir.Unlink, "/w/b", allowed(1)},
			{"", ir.Unlink, "/w/a/b", denied(0)},
		}},
		{"a writable path whose parent is not writable is pinned", []ir.FileRule{write("/w"), read("/")}, []question{
			{"", ir.Write, "/w", allowed(0)},
			{"", ir.Unlink, "/w", pinned(0)},
			{"", ir.Unlink, "/w/a", allowed(0)},
		}},
		{"the root is pinned", []ir.FileRule{write("/")}, []question{
			{"", ir.Unlink, "/", pinned(0)},
			{"", ir.Unlink, "/w", allowed(0)},
		}},
		{"an inner root in a writable directory is not pinned", []ir.FileRule{write("/w/a"), write("/w")}, []question{
			{"", ir.Unlink, "/w/a", allowed(0)},
		}},
		{"a directory above something closed is pinned", []ir.FileRule{deny(subtree("/w/a/b/c")), write("/w")}, []question{
			{"", ir.Unlink, "/w", pinned(1)},
			{"", ir.Unlink, "/w/a/", pinned(1)},
			{"", ir.Unlink, "/w/a/b/", pinned(1)},
			{"", ir.Unlink, "/w/a/b/c", denied(0)},
			{"", ir.Unlink, "/w/a/x", allowed(1)},
			{"", ir.Unlink, "/w/x/", allowed(1)},
		}},
		{"closed for writing is closed", []ir.FileRule{denyWrite(subtree("/w/a/b")), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", pinned(1)},
		}},
		{"an ask pins as a deny does", []ir.FileRule{ask(subtree("/w/a/b")), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", pinned(1)},
		}},
		{"a read root pins as well", []ir.FileRule{read("/w/a/b"), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", pinned(1)},
		}},
		{"what is open again pins nothing", []ir.FileRule{write("/w/a/b"), read("/w/a/b"), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", allowed(2)},
			{"", ir.Unlink, "/w/a/b/", allowed(0)},
		}},
		{"open again for itself alone still pins", []ir.FileRule{{Match: ir.Path("/w/a/b"), Read: ir.Allow, Write: ir.Allow}, none("/w/a/b"), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", pinned(2)},
			{"", ir.Unlink, "/w/a/b/", pinned(0)},
		}},
		{"a file or link that is closed pins what is above it", []ir.FileRule{nonDir(deny(subtree("/w/a/.git"))), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", pinned(1)},
			{"", ir.Unlink, "/w/a/.git", denied(0)},
			{"", ir.Unlink, "/w/a/.git/", allowed(1)},
		}},
		{"and nothing if it is open again", []ir.FileRule{{Match: ir.Path("/w/a/.git"), Read: ir.Allow, Write: ir.Allow}, nonDir(deny(subtree("/w/a/.git"))), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", allowed(2)},
			{"", ir.Unlink, "/w/a/.git", allowed(0)},
		}},
		{"a rule of another target pins nothing", []ir.FileRule{only(ir.Darwin, deny(subtree("/w/a/b"))), write("/w")}, []question{
			{ir.Darwin, ir.Unlink, "/w/a/", pinned(1)},
			{ir.Linux, ir.Unlink, "/w/a/", allowed(1)},
		}},
		{"a pin folds as its closing does", []ir.FileRule{deny(subtree("/w/a/b")), write("/w")}, []question{
			{ir.Darwin, ir.Unlink, "/w/A/", pinned(1)},
			{ir.Linux, ir.Unlink, "/w/A/", allowed(1)},
		}},
		{"a root's pin does not fold", []ir.FileRule{write("/v/A/x"), write("/v/a")}, []question{
			{"", ir.Unlink, "/v/A/x", pinned(0)},
			{"", ir.Unlink, "/v/a/x", allowed(1)},
		}},
		{"an exception within what is closed is pinned", []ir.FileRule{deny(pattern("/w/**/d", "/w/**/d/open")), write("/w")}, []question{
			{"", ir.Write, "/w/d/open", allowed(1)},
			{"", ir.Unlink, "/w/d/open", pinned(1)},
			{"", ir.Unlink, "/w/d/open/x", allowed(1)},
			{"", ir.Unlink, "/w/d", denied(0)},
		}},
		{"an exception beside what is closed is not", []ir.FileRule{deny(pattern("/**/.env.*", "/**/.env.example")), write("/w")}, []question{
			{"", ir.Unlink, "/w/.env.example", allowed(1)},
		}},
	})
}

func TestUnlinkUnderGlobs(t *testing.T) {
	t.Parallel()
	runDecideCases(t, []decideCase{
		{"**/ and one segment is move-safe", []ir.FileRule{deny(pattern("/**/.env")), write("/w"), read("/")}, []question{
			{"", ir.Unlink, "/w/a/", allowed(1)},
			{"", ir.Unlink, "/w", pinned(1)},
			{"", ir.Unlink, "/w/a/.env", denied(0)},
		}},
		{"with such exceptions too", []ir.FileRule{deny(pattern("/**/.env*", "/**/*.example")), write("/")}, []question{
			{"", ir.Unlink, "/w/a/", allowed(1)},
		}},
		{"otherwise what a leading part matches is pinned", []ir.FileRule{denyWrite(pattern("/**/.git/hooks/*")), write("/")}, []question{
			{"", ir.Unlink, "/w/.git/", pinned(1)},
			{"", ir.Unlink, "/w/.git/hooks/", pinned(1)},
			{"", ir.Unlink, "/w/", allowed(1)},
			{"", ir.Unlink, "/w/hooks/", allowed(1)},
			{"", ir.Unlink, "/w/.git/hooks/pre-commit", denied(0)},
			{"", ir.Unlink, "/w/.git/objects/", allowed(1)},
		}},
		{"and what is above its base", []ir.FileRule{denyWrite(pattern("/w/a/**/.git/config")), write("/")}, []question{
			{"", ir.Unlink, "/w/", pinned(1)},
			{"", ir.Unlink, "/w/a/", pinned(1)},
			{"", ir.Unlink, "/w/a/b/", allowed(1)},
			{"", ir.Unlink, "/w/a/b/.git/", pinned(1)},
			{"", ir.Unlink, "/w/b/", allowed(1)},
		}},
		{"for every alternative", []ir.FileRule{denyWrite(pattern("/w/{a,b/c}/*")), write("/")}, []question{
			{"", ir.Unlink, "/w/", pinned(1)},
			{"", ir.Unlink, "/w/a/", pinned(1)},
			{"", ir.Unlink, "/w/b/", pinned(1)},
			{"", ir.Unlink, "/w/b/c/", pinned(1)},
			{"", ir.Unlink, "/w/c/", allowed(1)},
		}},
		{"an exception of another kind takes move-safety away", []ir.FileRule{deny(pattern("/**/.env", "/w/keep/.env")), write("/")}, []question{
			{"", ir.Write, "/w/keep/.env", allowed(1)},
			// The pattern has no leading part, so nothing is pinned for it.
			{"", ir.Unlink, "/w/keep/", allowed(1)},
		}},
		{"a glob without wildcards is literal", []ir.FileRule{deny(pattern("/w/a/b", "/w/a/b/c")), write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", pinned(1)},
			{"", ir.Unlink, "/w/a/b", denied(0)},
			{"", ir.Unlink, "/w/a/b/c", pinned(1)},
		}},
		{"a glob's pins fold", []ir.FileRule{denyWrite(pattern("/w/**/.git/hooks/*")), write("/")}, []question{
			{ir.Darwin, ir.Unlink, "/w/a/.GIT/", pinned(1)},
			{ir.Darwin, ir.Unlink, "/W/", pinned(1)},
			{ir.Linux, ir.Unlink, "/w/a/.GIT/", allowed(1)},
		}},
		{"a read glob that leaves writing pins nothing", []ir.FileRule{{Match: pattern("/w/*/x"), Read: ir.Allow}, write("/w")}, []question{
			{"", ir.Unlink, "/w/a/", allowed(1)},
		}},
	})
}
