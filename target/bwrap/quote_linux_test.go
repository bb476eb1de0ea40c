package bwrap

import (
	"os/exec"
	"strings"
	"testing"
)

// FuzzQuote holds quote to the real bash, in two locales: the word is one line
// and means the text again. The text is inert, since bash gets it as the
// arguments of printf in a script that starts nothing else.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{
		"", "a b", "a'b", `\`, "$(id)", "`id`", "\n", "é", "\xff\xfe", "\u202e", "~", "a=b", "-n", "%s", "!x", "{a,b}", "*", "\x01", "$'x'", `$"x"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "\x00") {
			return // no path and no argument holds NUL
		}
		word := Quote(s)
		if strings.Contains(word, "\n") {
			t.Errorf("quote(%q) = %q, more than one line", s, word)
		}
		for _, locale := range []string{"C", "C.UTF-8"} {
			cmd := exec.Command("bash", "--norc", "--noprofile", "-c", "set -f; words=("+word+`); printf '%s,%s' "${#words[@]}" "${words[0]}"`)
			cmd.Env = []string{"LC_ALL=" + locale, "PATH=/nowhere"}
			out, err := cmd.CombinedOutput()
			if want := "1," + s; err != nil || string(out) != want {
				t.Errorf("bash in locale %s reads %s as %q, want %q: %v", locale, word, out, want, err)
			}
		}
	})
}
