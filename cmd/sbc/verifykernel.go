package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sandboxc/sbc/enforce/kernel"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/conformance"
)

// kernelFlags are the flags of sbc verify --kernel.
type kernelFlags struct {
	on      bool
	cases   int
	seed    uint64
	run     string
	through string
	dir     string
}

// The ways in which a case is run.
const (
	throughRun    = "run"
	throughScript = "script"
)

// kernelCases is how many cases are made if the user does not say.
const kernelCases = 300

// register registers --kernel and the flags that go with it.
func (f *kernelFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&f.on, "kernel", false, "put the cases that come with sbc to the kernel of this machine; takes no POLICY")
	fs.IntVar(&f.cases, "cases", kernelCases, "with --kernel: make `N` cases beside the written ones")
	fs.Uint64Var(&f.seed, "seed", 1, "with --kernel: make those that `S` stands for")
	fs.StringVar(&f.run, "run", "", "with --kernel: only cases whose name matches the regular expression `REGEX`")
	fs.StringVar(&f.through, "through", throughRun, "with --kernel: run the cases by sbc run, or by the script that sbc compile writes: run or script")
	fs.StringVar(&f.dir, "scratch", "", "with --kernel: make files in `DIR`, which must not be a temporary directory (default: sbc/kernel in your cache directory)")
	complete(cmd, "through", throughRun, throughScript)
}

// misplaced returns a flag that needs --kernel and was given without, or one
// that was given with it and says nothing about it.
func (f *kernelFlags) misplaced(cmd *cobra.Command) error {
	with := []string{"cases", "seed", "run", "through", "scratch"}
	var wrong string
	cmd.Flags().Visit(func(x *pflag.Flag) {
		switch {
		case x.Name == "kernel" || x.Name == "format":
		case slices.Contains(with, x.Name) != f.on:
			wrong = x.Name
		}
	})
	switch {
	case wrong == "":
		return nil
	case f.on:
		return misuse("leave it out: the cases have their own policies", "--%s says nothing with --kernel", wrong)
	}
	return misuse("add --kernel, or leave it out", "--%s says something with --kernel only", wrong)
}

// verifyKernel puts the cases to the kernel.
func (a *app) verifyKernel(f *kernelFlags, format string) error {
	if runtime.GOOS != ir.Linux {
		return misuse("run it on Linux; sbc verify POLICY --target linux proves an output anywhere", "the cases are about mounts and system calls of Linux, and this is %s", runtime.GOOS)
	}
	if err := oneOf("format", format, "text", "json"); err != nil {
		return err
	}
	if err := oneOf("through", f.through, throughRun, throughScript); err != nil {
		return err
	}
	cases, err := f.choose()
	if err != nil {
		return err
	}
	dir, err := a.kernelScratch(f.dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // each case has said what it could not remove
	runner, err := caseRunner(f.through)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := kernelAnswer{Version: 1, User: os.Getuid(), Through: f.through, Seed: f.seed, made: f.cases, Passed: []string{}, Failed: []kernelFailure{}, Skipped: []kernelNote{}, Unshown: []kernelNote{}}
	start := time.Now()
	o := kernel.Options{Parent: dir, Runner: runner, Path: casePath(a.env("PATH")), Parallel: runtime.NumCPU()}
	if f.through == throughScript {
		// Bubblewrap follows a link that takes the place of a source after it was
		// looked at, unless it is given a descriptor.
		o.Lacks = []string{"sbc run", "held sources"}
	} else if !a.holdsSources() {
		o.Lacks = []string{"held sources"}
	}
	kernel.Run(ctx, cases, o, out.add)
	out.Seconds = time.Since(start).Seconds()
	if ctx.Err() != nil {
		return misuse("", "interrupted after %d of %d cases", out.Cases, len(cases))
	}
	out.sort()
	return a.printKernel(&out, format)
}

// choose returns the written cases and the made ones, as far as they match.
func (f *kernelFlags) choose() ([]conformance.Case, error) {
	if f.cases < 0 {
		return nil, misuse("write --cases 0 for the written ones alone", "--cases is negative")
	}
	name, err := regexp.Compile(f.run)
	if err != nil {
		return nil, misuse("", "-run %q is no regular expression: %v", f.run, err)
	}
	cases, err := conformance.Cases()
	if err != nil {
		return nil, &fault{status: exitInternal, text: fmt.Sprintf("internal error: %v; please report", err)}
	}
	cases = append(cases, conformance.Generate(f.seed, f.cases)...)
	cases = slices.DeleteFunc(cases, func(c conformance.Case) bool { return !name.MatchString(c.ID) })
	if len(cases) == 0 {
		return nil, misuse("sbc verify --kernel --format json lists all names", "no case has a name that matches %q", f.run)
	}
	return cases, nil
}

// kernelScratch makes the directory for the cases.
func (a *app) kernelScratch(parent string) (string, error) {
	if parent == "" {
		cache := a.env("XDG_CACHE_HOME")
		if !filepath.IsAbs(cache) {
			cache = filepath.Join(a.accountHome(), ".cache")
		}
		parent = filepath.Join(cache, "sbc", "kernel")
		if err := os.MkdirAll(parent, 0o700); err != nil {
			return "", misuse("name a directory of yours with --scratch", "cannot make a directory for the cases: %v", err)
		}
	}
	dir, err := os.MkdirTemp(parent, "v")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", misuse("name a directory of yours with --scratch", "cannot make a directory for the cases: %v", err)
	}
	for _, tmp := range []string{"/tmp/", "/var/tmp/"} {
		if strings.HasPrefix(dir, tmp) {
			_ = os.RemoveAll(dir)
			return "", misuse("name another one with --scratch", "%s lies in a temporary directory, which policies open", parent)
		}
	}
	return dir, nil
}

// casePath is the PATH of the commands: the user's own, in which sbc finds
// bubblewrap too, less what is part of a home directory, which the commands do not
// have; and the system's directories.
func casePath(own string) string {
	var dirs []string
	for _, dir := range append(strings.Split(own, ":"), "/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin") {
		home := strings.HasPrefix(dir, "/root/") || strings.HasPrefix(dir, "/home/")
		if filepath.IsAbs(dir) && !home && !slices.Contains(dirs, filepath.Clean(dir)) {
			dirs = append(dirs, filepath.Clean(dir))
		}
	}
	return strings.Join(dirs, ":")
}

// holdsSources reports whether sbc run passes sources by descriptor here.
func (a *app) holdsSources() bool {
	facts, err := a.liveFacts(true)
	return err == nil && facts.Bwrap.Has("--bind-fd") && facts.Bwrap.Has("--ro-bind-fd")
}
