package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// sandboxExec is the program that applies a Seatbelt profile.
const sandboxExec = "/usr/bin/sandbox-exec"

// darwin makes the checks of macOS: a profile must load, and it must hold.
func darwin(ctx context.Context, m Machine) []Check {
	c := Check{Name: "sandbox-exec", Status: OK, Detail: "It is " + sandboxExec + "."}
	if _, err := m.Sources.View.Lstat(sandboxExec); err != nil {
		c.Status, c.Code = Fail, diag.CodeStartFailed
		c.Detail = fmt.Sprintf("%s cannot be looked at: %v.", sandboxExec, err)
		if errors.Is(err, fs.ErrNotExist) {
			c.Code, c.Detail = diag.CodeBinaryMissing, "There is no "+sandboxExec+"."
		}
		c.Remedy = "It is a part of macOS: run sbc on macOS 13 or newer."
		return append([]Check{c}, notMade("sandbox-exec is missing", "profile")...)
	}
	return []Check{c, profile(ctx, m.Sources.Runner)}
}

// profile loads one profile that permits a program to start, and one that does
// not.
func profile(ctx context.Context, r host.Runner) Check {
	c := Check{Name: "profile", Status: OK, Detail: "A profile loads and holds."}
	out, err := applyProfile(ctx, r, "(version 1)(allow default)")
	switch {
	case err != nil:
		c.Status, c.Code = Fail, diag.CodeStartFailed
		c.Detail = fmt.Sprintf("%s cannot be started: %v.", sandboxExec, err)
		return c
	case out.Code != 0:
		c.Status, c.Code = Fail, diag.CodeStartFailed
		c.Detail = "A profile does not load. " + said(out)
		if strings.Contains(string(out.Stderr), "Operation not permitted") {
			c.Remedy = "Start sbc outside of the sandbox that it is in: profiles do not nest."
		}
		return c
	}
	out, err = applyProfile(ctx, r, "(version 1)(allow default)(deny process-exec*)")
	if err == nil && out.Code == 0 {
		c.Status, c.Code = Fail, diag.CodeStartFailed
		c.Detail = "A profile loads but does not hold: it denies to start programs, and one started."
	}
	return c
}

func applyProfile(ctx context.Context, r host.Runner, text string) (host.Output, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return r.Run(ctx, host.Command{Path: sandboxExec, Args: []string{"-p", text, "/usr/bin/true"}})
}
