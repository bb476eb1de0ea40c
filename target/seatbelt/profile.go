package seatbelt

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// Profile is a policy as an SBPL profile. It implements [target.Artifact] and
// does not change.
type Profile struct {
	tree  sbpl.Profile
	style sbpl.Style
	text  string // of the tree, in the style
}

func newProfile(tree sbpl.Profile, style sbpl.Style) *Profile {
	return &Profile{tree: tree, style: style, text: tree.Print(style)}
}

// Exec is the program that runs a command under a profile. It is never looked
// up in PATH.
const Exec = "/usr/bin/sandbox-exec"

// WithProxy returns the profile with one connection more: to the launcher's
// proxy, which listens on this port of the loopback. A profile knows no port by
// itself, since there is none before the launcher has started.
func (p *Profile) WithProxy(port uint16) *Profile {
	tree := p.tree
	tree.Sections = append(tree.Sections[:len(tree.Sections):len(tree.Sections)], sbpl.Section{
		Title: "the launcher's proxy",
		Rules: []sbpl.Rule{{
			Action: sbpl.Allow, Ops: []sbpl.Op{"network-outbound"},
			Clauses: []sbpl.Clause{{Filter: sbpl.Address{Remote: true, Localhost: true, Port: port}}},
		}},
	})
	return newProfile(tree, p.style)
}

// Formats implements [target.Artifact].
func (p *Profile) Formats() []target.Format {
	return []target.Format{target.Text, target.JSON, target.Shell}
}

// Render implements [target.Artifact]. A profile that is too large for an
// argument cannot be had as a script.
func (p *Profile) Render(f target.Format) ([]byte, error) {
	switch f {
	case target.Text:
		return []byte(p.text), nil
	case target.JSON:
		out, err := json.MarshalIndent(p.tree, "", "  ")
		return append(out, '\n'), err
	case target.Shell:
		return p.script()
	case target.Args0:
	}
	return nil, fmt.Errorf("the format %q does not exist for darwin; it has text, json and sh", f)
}

// Bundle implements [target.Artifact]: the profile, and a script that runs a
// command under it.
func (p *Profile) Bundle() ([]target.BundleFile, error) {
	return []target.BundleFile{
		{Name: "profile.sb", Data: []byte(p.text), Mode: 0o644},
		{Name: "run", Data: []byte(runScript), Mode: 0o755},
	}, nil
}

// runScript goes into a bundle. It does not look anything up in PATH.
const runScript = `#!/bin/sh
# Runs a command under profile.sb, which lies beside this script: run CMD ARG...
if [ "$#" -eq 0 ]; then
	echo "usage: $0 CMD ARG..." >&2
	exit 125
fi
case $0 in
*/*) dir=${0%/*} ;;
*) dir=. ;;
esac
exec ` + Exec + ` -f "$dir/profile.sb" -- "$@"
`

// script returns a shell script with the profile in it. The profile is an
// argument and never a temporary file: another command in a sandbox that may
// write to the temporary directory could change it before it is read.
func (p *Profile) script() ([]byte, error) {
	if len(p.text) > maxArgument {
		return nil, fmt.Errorf("the profile has %d bytes, too many for an argument of a script; use the text with %s -f, or a bundle", len(p.text), Exec)
	}
	quoted := "'" + strings.ReplaceAll(p.text, "'", `'\''`) + "'"
	return []byte(`#!/bin/sh
# Runs a command under the profile below: sh THIS_SCRIPT CMD ARG...
if [ "$#" -eq 0 ]; then
	echo "usage: $0 CMD ARG..." >&2
	exit 125
fi
profile=` + quoted + `
exec ` + Exec + ` -p "$profile" -- "$@"
`), nil
}
