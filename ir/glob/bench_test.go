package glob_test

import (
	"fmt"
	"testing"

	"github.com/sandboxc/sbc/ir/glob"
)

// guards are patterns as a policy has them beneath one write root.
var guards = []string{
	"/home/u/w/**/.env", "/home/u/w/**/.env.*", "/home/u/w/**/.npmrc", "/home/u/w/**/.netrc", "/home/u/w/**/.git/hooks/*",
	"/home/u/w/**/.git/config", "/home/u/w/**/.git/modules/**/{config,hooks}", "/home/u/w/**/.git/worktrees/*/gitdir",
	"/home/u/w/**/.vscode", "/home/u/w/**/.idea", "/home/u/w/**/.claude", "/home/u/w/**/.codex", "/home/u/w/**/.cursor",
	"/home/u/w/**/id_*", "/home/u/w/**/*.pem", "/home/u/w/**/*.key", "/home/u/w/**/*.sbc", "/home/u/w/**/.sbc",
	"/home/u/w/**/.aws/**", "/home/u/w/**/secrets.{json,yaml}",
}

func fileNames() []string {
	names := make([]string, 50_000)
	for i := range names {
		names[i] = fmt.Sprintf("module-%d.test.js", i)
	}
	return names
}

// One walk over 50,000 names with 20 patterns.
func BenchmarkSetStep(b *testing.B) {
	names := fileNames()
	s := glob.NewSet(parseAll(guards...)).Root()
	for _, name := range []string{"home", "u", "w"} {
		s, _ = s.Step(name)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			s.Step(name)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	patterns := parseAll(guards...)
	for _, fold := range folds {
		b.Run(fold.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range patterns {
					p.Covers("/home/u/w/node_modules/a/lib/module-17.test.js", fold)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		glob.MustParse("/home/u/w/**/.git/modules/**/{config,hooks}")
	}
}

func BenchmarkLiteral(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		glob.Literal("/home/u/Library/Application Support/x")
	}
}
