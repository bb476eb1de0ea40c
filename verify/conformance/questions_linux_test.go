package conformance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/mounts"
)

// question is one question to the kernel, with the answers of the policy and of
// the model of the mounts.
type question struct {
	op, path string
	rules    []int // by which the policy decides
	policy   bool
	model    bool
	alias    bool // a link leads to the path: a closing of the link closes it too
	pinned   bool
}

// disagreements asks the kernel about each path of the tree and a few names that
// are missing, and compares.
func (s *sandbox) disagreements(t failer) (bad []string, asked int) {
	t.Helper()
	var qs []question
	paths := s.paths(t)
	led := map[string]bool{}
	for _, p := range paths {
		if to, err := filepath.EvalSymlinks(p); err == nil && to != p {
			led[to] = true
		}
	}
	for _, p := range paths {
		if !strings.HasPrefix(p, s.dir+"/w") && !strings.HasPrefix(p, s.dir+"/r") || p == s.script || throughLink(p) {
			continue
		}
		qs = append(qs, s.questions(t, p, led)...)
	}
	texts := make([]string, len(qs))
	for i, q := range qs {
		texts[i] = fmt.Sprintf("%s %q", q.op, q.path)
	}
	for i, answer := range s.ask(t, texts) {
		q, kernel := qs[i], answer == "ok"
		name := strings.Replace(q.op+" "+q.path, s.dir, "$D", 1)
		switch {
		case kernel != q.model:
			bad = append(bad, fmt.Sprintf("%s: the kernel says %q, the model %t, the policy %t", name, answer, q.model, q.policy))
		case kernel != q.policy && !s.declared(q, kernel):
			bad = append(bad, fmt.Sprintf("%s: the kernel says %q, the policy %t, and no claim declares it", name, answer, q.policy))
		}
	}
	return bad, len(qs)
}

// questions are those about a path that exists, and about names in it.
func (s *sandbox) questions(t failer, p string, led map[string]bool) []question {
	t.Helper()
	st, err := os.Lstat(p)
	if err != nil {
		t.Fatal(err)
	}
	dir, link := st.IsDir(), st.Mode()&os.ModeSymlink != 0
	var out []question
	add := func(op string, policy []ir.Decision, model bool) {
		q := question{op: op, path: p, policy: true, model: model, alias: led[p]}
		for _, d := range policy {
			q.policy = q.policy && d.Effect == ir.Allow
			q.rules = append(q.rules, d.Rule)
			q.pinned = q.pinned || d.Pinned
		}
		out = append(out, q)
	}
	at := s.tree.Answer(p)
	read, write, unlink := s.decide(ir.Read, p, dir), s.decide(ir.Write, p, dir), s.decide(ir.Unlink, p, dir)
	beside := func(suffix string) (ir.Decision, mounts.Answer) {
		return s.decide(ir.Write, p+suffix, dir), s.tree.Answer(p + suffix)
	}
	moved, movedAt := beside(".moved")
	linked, linkedAt := beside(".linked")
	switch {
	case dir:
		add("list", []ir.Decision{read}, at.Read)
	case !link:
		add("read", []ir.Decision{read}, at.Read && !at.Private)
		add("write", []ir.Decision{write}, at.Write)
		add("link", []ir.Decision{write, linked}, at.Write && at.Unlink && linkedAt.Write)
	}
	add("rename", []ir.Decision{unlink, moved}, at.Unlink && movedAt.Write)
	if !dir || empty(p) {
		add("unlink", []ir.Decision{unlink}, at.Unlink)
	}
	if dir {
		for _, name := range []string{"new", ".env", "x.key", "a"} {
			q := p + "/" + name
			if _, err := os.Lstat(q); err == nil {
				continue
			}
			for op, asDir := range map[string]bool{"create": false, "mkdir": true} {
				d := s.decide(ir.Write, q, asDir)
				add(op, []ir.Decision{d}, s.tree.Answer(q).Write)
				out[len(out)-1].path = q
			}
		}
	}
	return out
}

func empty(dir string) bool {
	list, err := os.ReadDir(dir)
	return err == nil && len(list) == 0
}

func (s *sandbox) decide(op ir.Op, p string, dir bool) ir.Decision {
	return s.policy.Decide(ir.Query{Target: ir.Linux, Op: op, Path: p, Dir: dir})
}

// declared reports whether the report declares that the kernel answers otherwise
// than the policy. What it denies may be denied for the sake of another path.
func (s *sandbox) declared(q question, kernel bool) bool {
	_, err := os.Lstat(q.path)
	later := err != nil
	st, _ := os.Lstat(q.path)
	link := st != nil && st.Mode()&os.ModeSymlink != 0
	if !kernel {
		// Nothing is linked or renamed from one mount to another.
		return q.op == "link" || q.alias || s.unmountable(q.path) || slices.ContainsFunc(s.claims, func(c verify.Claim) bool { return c.Direction == verify.Denies || c.Later })
	}
	return slices.ContainsFunc(s.claims, func(c verify.Claim) bool {
		r := &s.policy.Files[c.Rule]
		speaks := slices.Contains(q.rules, c.Rule) || r.Match.Matches(q.path, glob.Exact) || q.op == "rename" || q.pinned
		return c.Direction == verify.Permits && speaks && (!c.Later || later || link || q.op == "rename" || q.op == "link")
	})
}

// unmountable reports whether the path does not exist, is a link, or lies in a
// directory that is closed as a whole: nothing can be opened there alone.
func (s *sandbox) unmountable(p string) bool {
	st, err := os.Lstat(p)
	return err != nil || st.Mode()&os.ModeSymlink != 0
}

func (s *sandbox) verdicts() string {
	var b strings.Builder
	for _, e := range s.report.Entries {
		if e.Verdict != target.Exact {
			fmt.Fprintf(&b, "%s %s %s\n", e.Rule, e.Verdict, e.Code)
		}
	}
	return b.String()
}
