package conformance_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// everyday is how many random policies an ordinary test runs for each user.
const everyday = 150

func count() int64 {
	if n, err := strconv.Atoi(os.Getenv("SBC_CONFORMANCE")); err == nil {
		return int64(n)
	}
	return everyday
}

var names = []string{"a", "b", "c", ".env", "x.key"}

// drawPath draws a path of one to three names beneath w or r.
func drawPath(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom(names), 1, 3).Draw(t, label)
	return rapid.SampledFrom([]string{"w", "w", "w", "r"}).Draw(t, label+" top") + "/" + strings.Join(parts, "/")
}

// drawTree draws words for newWorld.
func drawTree(t *rapid.T) []string {
	out := []string{"w/", "r/"}
	kinds := map[string]string{"w": "dir", "r": "dir"}
	for range rapid.IntRange(2, 14).Draw(t, "nodes") {
		path := drawPath(t, "node")
		fits := kinds[path] == ""
		parts := strings.Split(path, "/")
		for i := 1; i < len(parts); i++ {
			kind := kinds[strings.Join(parts[:i], "/")]
			fits = fits && (kind == "" || kind == "dir")
		}
		if !fits {
			continue
		}
		for i := 1; i < len(parts); i++ {
			kinds[strings.Join(parts[:i], "/")] = "dir"
		}
		kind := rapid.SampledFrom([]string{"file", "file", "file", "dir", "link"}).Draw(t, "kind")
		kinds[path] = kind
		switch kind {
		case "dir":
			path += "/"
		case "link":
			path += "->" + rapid.SampledFrom([]string{"a", "../a", "../../r", "nowhere"}).Draw(t, "text")
		}
		out = append(out, path)
	}
	return out
}

var patterns = []string{"**/.env", "*/x.key", "a/*", "**/[ab]", "**/*.key", "**/{b,c}/*", "a/**", "?", "*", "**/.env*", "*.key"}

// drawPolicy draws the text of a policy. Most of its paths are in the tree.
func drawPolicy(t *rapid.T, tree []string) string {
	some := func(label string) string {
		if rapid.IntRange(0, 3).Draw(t, label+" anywhere") == 0 {
			return "$D/" + drawPath(t, label)
		}
		path, _, _ := strings.Cut(rapid.SampledFrom(tree).Draw(t, label), "->")
		path = strings.TrimSuffix(path, "/")
		if i := strings.LastIndexByte(path, '/'); i > 1 && rapid.Bool().Draw(t, label+" up") {
			path = path[:i]
		}
		return "$D/" + path
	}
	list := func(label string, n int, always ...string) string {
		var quoted []string
		for _, p := range always {
			quoted = append(quoted, strconv.Quote(p))
		}
		for range rapid.IntRange(0, n).Draw(t, label) {
			quoted = append(quoted, strconv.Quote(some(label)))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	var b strings.Builder
	b.WriteString("version = 1\nguards {\n  exclude = [\"credentials\", \"git-exec\", \"git-config\", \"shell-startup\", \"agent-config\", \"editor-config\", \"sbc-files\"]\n" +
		"  reason  = \"only what is written here\"\n}\nfilesystem {\n  tmp   = \"private\"\n")
	reads, writes := []string{scratch + "/bin"}, []string{}
	if rapid.Bool().Draw(t, "read r") {
		reads = append(reads, "$D/r")
	}
	if rapid.IntRange(0, 4).Draw(t, "write w") > 0 {
		writes = append(writes, "$D/w")
	}
	fmt.Fprintf(&b, "  read  = %s\n  write = %s\n  none  = %s\n", list("read", 2, reads...), list("write", 1, writes...), list("none", 1))
	for i := range rapid.IntRange(0, 4).Draw(t, "closings") {
		path := some("closed")
		if rapid.Bool().Draw(t, "pattern") {
			base := rapid.SampledFrom([]string{"$D/", "$D/w/", "$D/w/", "$D/w/a/", "$D/r/", ""}).Draw(t, "base")
			path = base + rapid.SampledFrom(patterns).Draw(t, "glob")
			if base == "" {
				path = "**/" + rapid.SampledFrom(names).Draw(t, "everywhere")
			}
		}
		fmt.Fprintf(&b, "  %s \"c%d\" {\n    paths = [%q]\n", rapid.SampledFrom([]string{"deny", "deny", "ask"}).Draw(t, "kind"), i, path)
		if rapid.Bool().Draw(t, "writing") {
			b.WriteString("    access = \"write\"\n")
		}
		except := rapid.SampledFrom([]string{"", "", "", "**/b", "$D/w/a", "**/a/x.key", "**/c", "$D/w/b/x.key"}).Draw(t, "except")
		if except != "" && !strings.HasPrefix(path, except) { // one that leaves nothing closed pins all the same
			fmt.Fprintf(&b, "    except = [%q]\n", except)
		}
		if rapid.IntRange(0, 2).Draw(t, "missing") == 0 {
			b.WriteString("    on_missing = \"skip\"\n")
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// TestRandom: on random trees the kernel answers as random policies decide.
func TestRandom(t *testing.T) {
	t.Parallel()
	for _, uid := range users() {
		var runs, ran, asked atomic.Int64
		var failed atomic.Bool
		t.Run(fmt.Sprint("uid ", uid), func(t *testing.T) {
			t.Parallel()
			for enough := false; !enough; enough = ran.Load() >= count() || runs.Load() > 20*count() || failed.Load() {
				rapid.Check(t, func(rt *rapid.T) {
					tree := drawTree(rt)
					policy := drawPolicy(rt, tree)
					if !failed.Load() && ran.Load() >= count() {
						return
					}
					runs.Add(1)
					w := newWorld(rt, uid, tree)
					defer w.remove()
					s := w.compile(rt, policy)
					if s == nil {
						return // refused
					}
					ran.Add(1)
					bad, n := s.disagreements(rt)
					asked.Add(int64(n))
					if len(bad) > 0 {
						failed.Store(true)
						rt.Fatalf("%s\ntree: %q\n%s\nmounts:\n%s\nverdicts:\n%s", strings.Join(bad, "\n"), tree, policy, strings.Join(s.args, " "), s.verdicts())
					}
				})
			}
			t.Logf("%d policies, %d of them refused; %d questions", runs.Load(), runs.Load()-ran.Load(), asked.Load())
		})
	}
}
