package mutation_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// judgeProfile says what becomes of a mutant of a profile.
func judgeProfile(o *original, m mutant) (outcome, error) {
	profile, err := sbpl.Read("profile.sb", []byte(m.text), sbpl.Options{})
	if err != nil {
		return outcome{refused, err.Error()}, nil
	}
	proof, err := verify.Profile(o.policy, verify.ProfileInput{File: "profile.sb", Text: []byte(m.text), Claims: o.profileClaims})
	switch over := (*automata.BudgetError)(nil); {
	case errors.As(err, &over):
		return outcome{undecided, err.Error()}, nil
	case err != nil && strings.Contains(err.Error(), "internal error"):
		return outcome{}, err
	case err != nil:
		return outcome{refused, err.Error()}, nil
	}
	for _, d := range proof.Undeclared() {
		if err := confirmProfile(o.policy, profile, d); err != nil {
			return outcome{}, err
		}
	}
	switch {
	case len(proof.Undeclared()) > 0:
		return outcome{rejected, proof.Undeclared()[0].Path}, nil
	case !proof.Holds():
		return outcome{hole, proof.Holes[0].Name}, nil
	}
	before, err := sbpl.Read("profile.sb", o.profile, sbpl.Options{})
	if err != nil {
		return outcome{}, err
	}
	differ, err := verify.Profiles(before, profile)
	switch {
	case err != nil:
		return outcome{}, err
	case len(differ) == 0:
		return outcome{equivalent, why(m)}, nil
	}
	return outcome{survived, fmt.Sprintf("%+v", differ[0])}, nil
}

// confirmProfile requires that the policy's own meaning and the model of the
// profile disagree as the difference says.
func confirmProfile(p *ir.Policy, profile *sbpl.Profile, d verify.Difference) error {
	hosts := *p // storage of the sandbox's own cannot be had, and the host's is not meant
	hosts.Files = slices.Clone(p.Files)
	for i := range hosts.Files {
		if r := &hosts.Files[i]; r.Private {
			r.Read, r.Write = ir.Deny, ir.Deny
		}
	}
	want := hosts.Decide(ir.Query{Target: ir.Darwin, Op: d.Op, Path: d.Path, Dir: d.Dir}).Effect == ir.Allow
	switch d.As {
	case "file-write-create": // what is pinned by its name is not made either
		want = want && !pinnedByName(p, d.Path)
	case "network-outbound": // to a socket in the file system
		want = slices.ContainsFunc(p.Network.UnixSockets, func(s ir.SocketRule) bool { return d.Path == s.Path || d.Path == "/private"+s.Path }) ||
			p.Network.Mode.Value == ir.NetFull && d.Path == "/private/var/run/mDNSResponder"
	}
	if want == (d.Direction == verify.Permits) {
		return fmt.Errorf("a wrong counterexample: %+v, but the policy says the same", d)
	}
	for _, kind := range sbpl.VnodeTypes() {
		got, err := profile.Decide(d.As, sbpl.Subject{Path: d.Path, Vnode: kind})
		if err != nil {
			return err
		}
		if (kind == "DIRECTORY") == d.Dir && got.Allow != want {
			return nil
		}
	}
	return fmt.Errorf("a wrong counterexample: %+v, but the profile says the same", d)
}

func pinnedByName(p *ir.Policy, path string) bool {
	for _, pin := range ir.NewDecider(p, ir.Darwin).Pins().Literals {
		if len(pin.Rules) > 0 && ir.Path(pin.Path).Matches(path, glob.Darwin) {
			return true
		}
	}
	return false
}
