package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/sandboxc/sbc/enforce/kernel"
)

// caseRunner is how this very program runs a case.
func caseRunner(through string) (kernel.Runner, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, misuse("", "cannot find this program: %v", err)
	}
	if through == throughScript {
		return scriptRunner(self), nil
	}
	return runRunner(self), nil
}

// runRunner runs cases by sbc run.
func runRunner(self string) kernel.Runner {
	return func(ctx context.Context, j kernel.Job) (int, error) {
		return kernel.Start(ctx, j, self, "run", "-p", j.Policy, "--workspace", j.Workspace, "--dir", j.Dir, "--", "bash", "-c", j.Line)
	}
}

// scriptRunner compiles a policy to a script, and runs the command by that.
func scriptRunner(self string) kernel.Runner {
	return func(ctx context.Context, j kernel.Job) (int, error) {
		compile := j
		compile.Stdin = nil
		f, err := os.CreateTemp(filepath.Dir(j.Policy), "run-*.sh") // copies of a command share the policy
		if err != nil {
			return -1, err
		}
		script := f.Name()
		if err := f.Close(); err != nil {
			return -1, err
		}
		exit, err := kernel.Start(ctx, compile, self, "compile", j.Policy, "--workspace", j.Workspace, "--target", "linux", "--format", "sh", "-o", script)
		if err != nil || exit != 0 {
			return exit, err
		}
		return kernel.Start(ctx, j, "bash", script, "bash", "-c", j.Line)
	}
}
