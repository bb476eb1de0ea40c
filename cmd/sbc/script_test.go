package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the outputs that scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sbc": func() {
			a := newApp(os.Stdin, os.Stdout, os.Stderr)
			a.accountHome = func() string { return os.Getenv("ACCOUNT_HOME") } // scripts have a home of their own
			os.Exit(a.run(os.Args[1:]))
		},
	})
}

func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		WorkdirRoot:         scratch(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			sbc, err := exec.LookPath("sbc") // testscript puts it into PATH
			if err != nil {
				return err
			}
			env.Vars = append(env.Vars, "SBC="+sbc, "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "SBC_POLICY=", "NO_COLOR=1")
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":  exits,
			"large":  large,
			"bytes":  rawBytes,
			"nested": nested,
		},
	})
}

// scratch makes a directory that is not beneath a temporary directory: those are
// open to every command by default, and hide what a rule of the workspace does.
func scratch(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(cache, "sbc-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// exits STATUS COMMAND ARG... runs a command that must end with the status.
// What it prints can be looked at afterwards.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// large FILE BYTES makes a file of that size.
func large(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte("#"), n), 0o644))
}

// bytes FILE TEXT makes a file with the text, which may hold the escapes of Go.
func rawBytes(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unescape(ts, args[1])), 0o644))
}

// nested FILE PREFIX OPEN COUNT CLOSE [SUFFIX] makes a file that is nested so
// deep.
func nested(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	text := args[1] + strings.Repeat(args[2], n) + strings.Repeat(args[4], n) + strings.Join(args[5:], "")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unescape(ts, text)), 0o644))
}

func unescape(ts *testscript.TestScript, s string) string {
	out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	ts.Check(err)
	return out
}
