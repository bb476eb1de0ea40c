package bwrap

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/target"
)

// Artifact is a policy as bubblewrap carries it out.
type Artifact struct {
	Plan Plan
	// Seccomp is the program as bwrap --seccomp reads it.
	Seccomp []byte
	// Arch is the architecture that the program is for, as Go calls it.
	Arch string
	// Bwrap is the path of the bubblewrap that the plan was made for; empty
	// means the one in PATH.
	Bwrap string
}

// Args returns bubblewrap's options, without its name and without the command.
func (a *Artifact) Args() []string { return a.Plan.Args() }

// Formats implements [target.Artifact].
func (a *Artifact) Formats() []target.Format {
	return []target.Format{target.Text, target.JSON, target.Args0, target.Shell}
}

// errSupervised is the error of a form that is used without sbc run.
var errSupervised = errors.New("the plan needs sbc run, which decides about names while the command runs; lower the policy without that")

// Render implements [target.Artifact]. A plan that needs sbc run has no script
// and no args0, which are used without it. Text has an argument a line, each as
// bash reads it: an argument with spaces is in single quotes, one with a newline
// or another character that cannot be seen is $'...'.
func (a *Artifact) Render(f target.Format) ([]byte, error) {
	if a.Plan.Supervise != nil && (f == target.Args0 || f == target.Shell) {
		return nil, errSupervised
	}
	switch f {
	case target.Text:
		return a.text(), nil
	case target.JSON:
		return a.json()
	case target.Args0:
		return a.args0(), nil
	case target.Shell:
		return a.script(), nil
	}
	return nil, fmt.Errorf("the target linux has no format %q; it has %v", f, a.Formats())
}

// Bundle implements [target.Artifact]. A plan that needs sbc run comes without
// what is used without it.
func (a *Artifact) Bundle() ([]target.BundleFile, error) {
	plan, err := a.json()
	if err != nil {
		return nil, err
	}
	if a.Plan.Supervise != nil {
		return []target.BundleFile{
			{Name: "plan.json", Data: plan, Mode: 0o644},
			{Name: "seccomp.bpf", Data: slices.Clone(a.Seccomp), Mode: 0o644},
		}, nil
	}
	return []target.BundleFile{
		{Name: "argv.args0", Data: a.args0(), Mode: 0o644},
		{Name: "plan.json", Data: plan, Mode: 0o644},
		{Name: "run.sh", Data: a.script(), Mode: 0o755},
		{Name: "seccomp.bpf", Data: slices.Clone(a.Seccomp), Mode: 0o644},
	}, nil
}

func (a *Artifact) text() []byte {
	var b strings.Builder
	for _, arg := range a.Args() {
		b.WriteString(Quote(arg))
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

func (a *Artifact) args0() []byte {
	var b strings.Builder
	for _, arg := range a.Args() {
		b.WriteString(arg)
		b.WriteByte(0)
	}
	return []byte(b.String())
}
