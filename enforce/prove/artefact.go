package prove

import (
	"fmt"

	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
	"github.com/sandboxc/sbc/verify"
)

// Artefact is what a target emitted, as package verify reads it back.
func Artefact(art target.Artifact) (verify.Artefact, error) {
	switch a := art.(type) {
	case *bwrap.Artifact:
		return verify.MountArgs{Args: a.Args(), Prepared: Prepared(&a.Plan), Watch: Watched(&a.Plan)}, nil
	case *seatbelt.Profile:
		text, err := a.Render(target.Text)
		return verify.ProfileText{File: "policy.sb", Text: text}, err
	default:
		return nil, fmt.Errorf("nothing is known of an artefact of type %T", art)
	}
}
