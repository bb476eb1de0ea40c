package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestComplete walks all commands: each has a sentence, an example of two lines
// that calls it, and a script; each flag occurs in a script.
func TestComplete(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	var calls []string // command lines of all scripts
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "sbc ") {
				calls = append(calls, strings.TrimSuffix(line, "\n"))
			}
		}
	}
	common := &cobra.Command{}
	new(policyFlags).register(common)
	new(judgeFlags).register(common)
	diagnosticsFlag(common, new(string))
	shared := common.Flags()
	root := newRoot(newApp(strings.NewReader(""), io.Discard, io.Discard))
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		path := cmd.CommandPath()
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || strings.ToLower(cmd.Short[:1]) != cmd.Short[:1] {
			t.Errorf("%s: short help %q", path, cmd.Short)
		}
		example := strings.Split(cmd.Example, "\n")
		if len(example) != 2 {
			t.Errorf("%s: an example of %d lines", path, len(example))
		}
		for _, line := range example {
			if !strings.HasPrefix(line, "  ") || !strings.Contains(line, path) && cmd.Name() != "version" {
				t.Errorf("%s: example %q", path, line)
			}
		}
		verb := strings.TrimPrefix(path, "sbc ")
		script := regexp.MustCompile(`\b` + strings.Fields(verb)[0] + `_[a-z]+\.txtar$`)
		if cmd.HasParent() && !matchAny(script, files) {
			t.Errorf("%s: no script", path)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			caller := path
			if shared.Lookup(f.Name) != nil {
				caller = "sbc" // one verb is enough
			}
			used := regexp.MustCompile(`\b` + caller + `\b.* --` + f.Name + `\b`)
			if f.Shorthand != "" {
				used = regexp.MustCompile(`\b` + caller + `\b.* (--` + f.Name + `\b|-` + f.Shorthand + ` )`)
			}
			if !matchAny(used, calls) {
				t.Errorf("%s: no script uses --%s", path, f.Name)
			}
		})
	}
	walk(root)
}

func matchAny(re *regexp.Regexp, list []string) bool {
	for _, s := range list {
		if re.MatchString(s) {
			return true
		}
	}
	return false
}
