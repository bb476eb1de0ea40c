package bwrap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
)

// kernelChecks is how many random policies run under the real bubblewrap in an
// ordinary test; the soak sets RAPID_CHECKS and runs as many as that.
const kernelChecks = 15

var names = []string{"a", "b", "c", ".env", ".git", "hooks", "x.key"}

// genPath draws a path of one to three names beneath w or r.
func genPath(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom(names), 1, 3).Draw(t, label)
	return rapid.SampledFrom([]string{"w", "w", "w", "r"}).Draw(t, label+" top") + "/" + strings.Join(parts, "/")
}

// genTree draws words for plant.
func genTree(t *rapid.T) []string {
	words := []string{"w/", "r/"}
	dirs := map[string]bool{"w": true, "r": true}
	files := map[string]bool{}
	for range rapid.IntRange(1, 14).Draw(t, "size") {
		p := genPath(t, "node")
		bad := dirs[p] || files[p]
		for d := filepath.Dir(p); d != "."; d = filepath.Dir(d) {
			bad = bad || files[d]
		}
		if bad {
			continue
		}
		for d := filepath.Dir(p); d != "."; d = filepath.Dir(d) {
			dirs[d] = true
		}
		switch rapid.SampledFrom([]string{"file", "file", "dir", "link"}).Draw(t, "type") {
		case "dir":
			dirs[p] = true
			words = append(words, p+"/")
		case "file":
			files[p] = true
			words = append(words, p)
		case "link":
			files[p] = true
			words = append(words, p+"->"+rapid.SampledFrom([]string{"a", "../a", "nowhere"}).Draw(t, "text"))
		}
	}
	return words
}

var patterns = []string{
	"**/.env", "**/.git/hooks/*", "*/x.key", "a/*", "**/[ab]", "**/x.key", "**/c/**/a", "**/{b,c}/*", "**/.git", "a/**", "?", "*", "**/{a,b,c}",
}

// genRules draws a decision list as the frontends order it. Most of its paths
// are in the tree.
func genRules(t *rapid.T, tree []string) []string {
	var deny, ask, roots []string
	genPath := func(t *rapid.T, label string) string {
		if rapid.IntRange(0, 3).Draw(t, label+" in the tree") == 0 {
			return genPath(t, label)
		}
		p, _, _ := strings.Cut(rapid.SampledFrom(tree).Draw(t, label), "->")
		p = strings.TrimSuffix(p, "/")
		if up := rapid.IntRange(0, 1).Draw(t, label+" up"); up > 0 && strings.Count(p, "/") > 1 {
			p = filepath.Dir(p)
		}
		return p
	}
	for range rapid.IntRange(0, 4).Draw(t, "closings") {
		kind := rapid.SampledFrom([]string{"deny", "protect", "ask"}).Draw(t, "kind")
		line := kind + " "
		if rapid.Bool().Draw(t, "glob") {
			line += "$W/" + rapid.SampledFrom([]string{"", "w/", "w/", "w/a/", "r/"}).Draw(t, "base") + rapid.SampledFrom(patterns).Draw(t, "pattern")
			if rapid.IntRange(0, 2).Draw(t, "excepts") == 0 {
				line += " except $W/" + rapid.SampledFrom([]string{"**/b", "w/a/**", "**/hooks/x.key", "w/b/x.key", "**/x.key", "**/a"}).Draw(t, "except")
			}
			if rapid.IntRange(0, 4).Draw(t, "types") == 0 {
				line += " nondir"
			}
		} else {
			line += "$W/" + genPath(t, "closed") + rapid.SampledFrom([]string{"", "", " missing=skip"}).Draw(t, "missing")
		}
		if kind == "ask" {
			ask = append(ask, line)
		} else {
			deny = append(deny, line)
		}
	}
	seen := map[string]bool{}
	root := func(kind, path string) {
		if !seen[path] {
			seen[path] = true
			roots = append(roots, kind+" "+path)
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "roots") {
		root(rapid.SampledFrom([]string{"write", "read", "none"}).Draw(t, "access"), "$W/"+genPath(t, "root"))
	}
	if rapid.IntRange(0, 4).Draw(t, "write w") > 0 {
		root("write", "$W/w")
	}
	if rapid.Bool().Draw(t, "read r") {
		root("read", "$W/r")
	}
	if rapid.Bool().Draw(t, "read /") {
		root("read", "/")
	}
	slices.SortStableFunc(roots, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	return slices.Concat(deny, ask, roots)
}

// TestKernelDecidesAsPolicy holds the real kernel, under the compiled mounts, to
// [ir.Policy.Decide] for every path of random trees and for names that do not
// exist, wherever the report claims it.
func TestKernelDecidesAsPolicy(t *testing.T) {
	t.Parallel()
	for _, uid := range users() {
		var runs atomic.Int64
		var failed atomic.Bool
		t.Run(fmt.Sprint("uid ", uid), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				tree := genTree(rt)
				rules := genRules(rt, tree)
				if os.Getenv("RAPID_CHECKS") == "" && !failed.Load() && runs.Add(1) > kernelChecks {
					return
				}
				dir := workDir(t)
				defer os.RemoveAll(dir)
				plant(t, dir, uid, tree...)
				s := box(t, dir, uid, strings.Join(rules, "\n"))
				if bad := s.disagreements(t); len(bad) > 0 {
					failed.Store(true)
					rt.Fatalf("the kernel and the policy disagree:\n%s\ntree: %q\nrules:\n%s\nmounts:\n%s\nverdicts:\n%s",
						strings.Join(bad, "\n"), tree, strings.Join(rules, "\n"), strings.Join(mountLines(s.art), "\n"), strings.Join(verdicts(s.rep), "\n"))
				}
			})
		})
	}
}

// question is one question to the kernel with the policy's answer.
type question struct {
	text  string
	allow bool
}

// disagreements asks the kernel about every path of the tree and compares.
func (s *sandbox) disagreements(t testing.TB) []string {
	var qs []question
	led := linkTargets(t, s.dir)
	for _, p := range sortedPaths(t, s.dir) {
		if p != s.dir && !led[p] {
			qs = append(qs, s.existing(t, p)...)
		}
		if st, err := os.Lstat(p); err == nil && st.IsDir() {
			qs = append(qs, s.fresh(p)...)
		}
	}
	var texts []string
	for _, q := range qs {
		texts = append(texts, q.text)
	}
	var bad []string
	for i, answer := range s.ask(t, texts...) {
		if (answer == ok) != qs[i].allow {
			bad = append(bad, fmt.Sprintf("%s: the policy says allow=%v, the kernel %s", qs[i].text, qs[i].allow, answer))
		}
	}
	return bad
}

// linkTargets returns what the links beneath dir lead to: a glob that closes a
// link closes that too, which no decision says.
func linkTargets(t testing.TB, dir string) map[string]bool {
	out := map[string]bool{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type()&os.ModeSymlink != 0 {
			if to, err := filepath.EvalSymlinks(p); err == nil {
				out[to] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// existing are the questions about a path that exists.
func (s *sandbox) existing(t testing.TB, p string) []question {
	st, err := os.Lstat(p)
	if err != nil {
		t.Fatal(err)
	}
	dir := st.IsDir()
	var out []question
	add := func(text string, allow bool) { out = append(out, question{text + " " + p, allow}) }
	if d := s.decide(ir.Read, p, dir); s.kept(d.Rule, false) {
		add("read", d.Effect == ir.Allow)
	}
	d := s.decide(ir.Write, p, dir)
	// The mode of a directory in which every name is closed is left out: the
	// mount that closes the names closes it too.
	whole := dir && s.decide(ir.Write, p+"/\x01", false).Effect != ir.Allow
	if s.kept(d.Rule, false) && (d.Effect != ir.Allow || !whole) {
		add("write", d.Effect == ir.Allow)
	}
	to := s.decide(ir.Write, p+".moved", dir)
	if d := s.decide(ir.Unlink, p, dir); s.kept(d.Rule, false) && (d.Effect != ir.Allow || to.Effect == ir.Allow) {
		add("unlink", d.Effect == ir.Allow)
	}
	return out
}

// fresh are the questions about names that do not exist in a directory.
func (s *sandbox) fresh(dir string) []question {
	var out []question
	for _, name := range []string{"new", ".env", "x.key"} {
		p := filepath.Join(dir, name)
		if _, err := os.Lstat(p); err == nil || s.reserved(p) || s.excepted(p) {
			continue
		}
		d := s.decide(ir.Write, p, false)
		switch {
		case !s.kept(d.Rule, true):
		case d.Effect == ir.Allow && s.decide(ir.Write, dir, true).Effect != ir.Allow:
			// An opening that does not exist, where nothing can be made.
		default:
			out = append(out, question{"create " + p, d.Effect == ir.Allow})
		}
	}
	return out
}

func (s *sandbox) decide(op ir.Op, p string, dir bool) ir.Decision {
	return s.policy.Decide(ir.Query{Target: ir.Linux, Op: op, Path: p, Dir: dir})
}

// kept reports whether the report claims that the rule is kept: for what
// exists, and for names that appear later.
func (s *sandbox) kept(rule int, later bool) bool {
	for _, e := range s.rep.Entries {
		if e.Index != rule || e.Code == diag.CodePlantable || e.Code == diag.CodeMovable {
			continue
		}
		if e.Verdict != target.Exact && (later || e.Verdict != target.Snapshot) {
			return false
		}
	}
	return true
}

func (s *sandbox) reserved(p string) bool {
	return slices.ContainsFunc(s.art.Plan.Placeholders, func(r string) bool { return ir.Beneath(p, r) })
}

func (s *sandbox) excepted(p string) bool {
	return slices.ContainsFunc(s.policy.Files, func(r ir.FileRule) bool {
		g, ok := r.Match.(ir.Glob)
		return ok && slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return e.Covers(p, glob.Exact) })
	})
}
