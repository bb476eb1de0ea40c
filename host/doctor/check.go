package doctor

import (
	"context"
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// Status is the outcome of a check.
type Status string

// The outcomes.
const (
	OK   Status = "ok"
	Warn Status = "warn" // sandboxes run, but something is weaker or missing
	Fail Status = "fail" // sandboxes cannot run
	// Unknown is a check that could not be made, because an earlier one failed
	// or because the machine did not let it.
	Unknown Status = "unknown"
)

// Check is the outcome of one question.
type Check struct {
	// Name says what was asked, in a few lower-case words.
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Code explains the problem; empty if there is none.
	Code diag.Code `json:"code"`
	// Detail is what was found, in full sentences.
	Detail string `json:"detail"`
	// Remedy is what to do about it, in full sentences; may be empty.
	Remedy string `json:"remedy"`
}

// Machine is what the checks ask, beside the facts. [LiveMachine] is this
// machine.
type Machine struct {
	// Sources has the View for mounts, the files of /proc and /sys, and the
	// Runner that starts programs.
	Sources host.Sources
	// Landlock returns the version of the Landlock ABI, at least 1
	// (landlock_create_ruleset(2)).
	Landlock func() (int, error)
	// Writable reports whether this process may write the file or directory.
	Writable func(path string) bool
	// Plant makes a fresh directory that holds an empty directory "out" and a
	// directory "root" in which the link "evil" leads to "/oldroot" and the path
	// of "out". It passes "root" to try, and reports which of the two exists
	// then: "out/ghost" and "root/ghost". It removes everything again.
	Plant func(temp string, try func(root string)) (outside, inside bool, err error)
}

// Run makes all checks that the system of the facts has, in the order in which
// they depend on each other.
func Run(ctx context.Context, f host.Facts, m Machine) []Check {
	switch f.OS {
	case "linux":
		return linux(ctx, f, m)
	case "darwin":
		return darwin(ctx, m)
	}
	return []Check{{
		Name: "system", Status: Fail, Code: diag.CodeHostUnsupported,
		Detail: "Sandboxes run on Linux and macOS; this is " + f.OS + ".",
		Remedy: "Compile here with --target, and run the result on one of those.",
	}}
}

// Usable reports whether no check failed.
func Usable(checks []Check) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool { return c.Status == Fail })
}
