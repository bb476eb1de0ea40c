package automata_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// guarded returns three lists of a policy and the three of its profile: globs
// beneath some roots, with an exception, and other roots; closings fold. In the
// profile each alternative of a glob is a regular expression of its own.
func guarded(b *testing.B, globs, roots, literals int) []automata.List {
	b.Helper()
	var policy, profile [3][]automata.Rule
	add := func(to *[3][]automata.Rule, from int, label uint8, when automata.Expr) {
		for i := from; i < 3; i++ {
			to[i] = append(to[i], automata.Rule{When: when, Label: label})
		}
	}
	var names []string
	for r := range roots {
		names = append(names, fmt.Sprintf("home/user/project%d/src", r))
	}
	except := glob.MustParse("/**/.env.example")
	for g := range globs {
		name := fmt.Sprintf(".%cname%d", 'a'+g%26, g)
		if g%4 == 0 {
			name = ".git/" + name + "*"
		}
		p := glob.MustParse("/{" + strings.Join(names, ",") + "}/**/" + name)
		add(&policy, g%2, 0, automata.And{
			automata.In{Lang: automata.Glob(p, glob.Darwin, true)},
			automata.Not{X: automata.In{Lang: automata.Glob(except, glob.Exact, true)}},
		})
		for _, root := range names {
			text := "^" + foldedText("/"+root) + `(/[^/]+)*` + strings.ReplaceAll(foldedText("/"+name), "*", "[^/]*") + `(/|$)`
			add(&profile, g%2, 0, automata.And{
				automata.In{Lang: automata.Regex(mustRegex(b, text))},
				automata.Not{X: automata.In{Lang: automata.Regex(mustRegex(b, `^(/[^/]+)*/\.env\.example(/|$)`))}},
			})
		}
	}
	for r := range literals {
		path := fmt.Sprintf("/home/user/%c%d/dir%d/file", 'a'+r%26, r, r/7)
		label := uint8(r % 2)
		add(&policy, r%3, label, automata.In{Lang: automata.Subtree(path)})
		add(&profile, r%3, label, automata.In{Lang: automata.Subtree(path)})
	}
	for _, root := range names {
		add(&policy, 0, 1, automata.In{Lang: automata.Subtree("/" + root)})
		add(&profile, 0, 1, automata.In{Lang: automata.Subtree("/" + root)})
	}
	var out []automata.List
	for _, side := range [][3][]automata.Rule{policy, profile} {
		for _, rules := range side {
			out = append(out, automata.List{Rules: rules})
		}
	}
	return out
}

func foldedText(s string) string {
	var out strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			fmt.Fprintf(&out, "[%c%c]", c-'a'+'A', c)
		case c == '.':
			out.WriteString(`\.`)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func BenchmarkExplore(b *testing.B) {
	for _, bm := range []struct {
		name                   string
		globs, roots, literals int
		cases                  int
	}{
		{"agent-40x8-60", 40, 8, 60, 0},
		{"literals-1000-20", 20, 1, 1000, 0},
		{"cases-40x8-60", 40, 8, 60, 3},
		{"cases-1000-20", 20, 1, 1000, 3},
		{"rules-50", 10, 2, 40, 0},
		{"rules-100", 20, 2, 80, 0},
		{"rules-200", 40, 2, 160, 0},
		{"rules-400", 80, 2, 320, 0},
		{"rules-800", 160, 2, 640, 0},
	} {
		b.Run(bm.name, func(b *testing.B) {
			lists := guarded(b, bm.globs, bm.roots, bm.literals)
			b.ReportAllocs()
			for b.Loop() {
				res, err := automata.Explore(clean(), lists, automata.Options{Cases: bm.cases})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(res.States), "states")
				for _, c := range res.Classes {
					if c.Labels[0] != c.Labels[3] || c.Labels[1] != c.Labels[4] || c.Labels[2] != c.Labels[5] {
						b.Fatalf("the sides differ: %+v", c)
					}
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	lists := guarded(b, 40, 8, 60)
	b.ReportAllocs()
	for b.Loop() {
		d, err := automata.Compile(&lists[2], automata.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(d.States()), "states")
		b.ReportMetric(float64(d.Bytes()), "table-bytes")
	}
}

func BenchmarkDecide(b *testing.B) {
	lists := guarded(b, 40, 8, 60)
	d, err := automata.Compile(&lists[2], automata.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range []string{"/usr/lib/libc.so", "/home/user/project3/src/a/b/.git/hooks/main_test.go"} {
		b.Run(path[1:4], func(b *testing.B) {
			for b.Loop() {
				d.Decide(path)
			}
		})
	}
}
