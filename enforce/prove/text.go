package prove

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/mounts"
)

// Text proves a text that was to be what a target emits for a policy: from a
// file, perhaps edited. For darwin it is a profile; for linux the arguments of
// bubblewrap, one a line or each with a NUL behind it. The artefact and the
// report are those of the policy as it compiles now: they say what the launcher
// prepares and what the report claims.
func Text(p *ir.Policy, file string, text []byte, art target.Artifact, rep target.Report, o Options) (*verify.Proof, error) {
	switch a := art.(type) {
	case *bwrap.Artifact:
		s, err := readArgs(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return verify.Mounts(p, mountsInput(s.Args, &a.Plan, rep, o))
	case *seatbelt.Profile:
		return verify.Profile(p, verify.ProfileInput{File: file, Text: text, Claims: Claims(rep)})
	default:
		return nil, fmt.Errorf("nothing is known of an artefact of type %T", art)
	}
}

func readArgs(text []byte) (*mounts.Sandbox, error) {
	if bytes.HasPrefix(text, []byte("#!")) {
		return nil, errors.New("a script is not read; write the arguments (compile --format text or args0), or a bundle")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return mounts.ReadArgs0(text, mounts.ReadOptions{})
	}
	return mounts.ReadText(text, mounts.ReadOptions{})
}
