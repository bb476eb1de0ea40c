package verify

import (
	"github.com/sandboxc/sbc/verify/mounts"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// Artefact is what was emitted for a target: [ProfileText] or [MountArgs].
//
//sumtype:decl
type Artefact interface{ artefact() }

// ProfileText is a Seatbelt profile.
type ProfileText struct {
	File string // for positions
	Text []byte
}

// MountArgs are the arguments of bubblewrap, and the objects that the launcher
// makes before the start, by path on the host.
type MountArgs struct {
	Args     []string
	Prepared map[string]mounts.Object
	// Watch is what the launcher decides while the command runs.
	Watch Watch
}

func (ProfileText) artefact() {}
func (MountArgs) artefact()   {}

// model answers for an artefact.
type model interface {
	// check returns what the artefact does otherwise than the policy, which does
	// as the test wants.
	check(q *asked) ([]Finding, error)
}

// profileModel is the model of a Seatbelt profile.
type profileModel struct {
	*Tester
	profile   *sbpl.Profile
	questions []question
	claims    claims
}

func newProfileModel(x *Tester, a ProfileText) (*profileModel, error) {
	profile, err := sbpl.Read(a.File, a.Text, sbpl.Options{})
	if err != nil {
		return nil, err
	}
	questions, err := newProfileProof(x.decider, profile).questions()
	return &profileModel{Tester: x, profile: profile, questions: questions, claims: newClaims(x.target.Claims, WatchNothing)}, err
}

// check asks every operation of Seatbelt that the test's operation stands for,
// of every kind of file. It returns the first path of each kind of finding.
func (m *profileModel) check(q *asked) ([]Finding, error) {
	var out []Finding
	seen := map[FindingKind]bool{}
	for _, x := range m.questions {
		if x.op != q.op || x.sockets || q.typ != 0 && x.dir != q.kinds()[0] {
			continue
		}
		// Whoever may write a directory may not always make one of that name, and
		// what is cloned with a directory is more than the directory.
		if q.wrong == denied && (x.creates || x.closed) {
			continue
		}
		path, found, err := m.find(q.domain, x.got.list(), q.wrong)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		got, err := m.profile.Decide(x.name, sbpl.Subject{Path: path, Vnode: x.vnode})
		if err != nil {
			return nil, err
		}
		f := m.finding(q, path, x.dir, false, m.claims, false)
		f.As, f.Emitted = x.name, got.Builtin
		if got.Rule != nil {
			f.Line, f.Emitted = got.Rule.Pos.Line, m.profile.Line(got.Rule.Pos)
		}
		if !seen[f.Kind] {
			seen[f.Kind] = true
			out = append(out, f)
		}
	}
	return out, nil
}

// finding is a path on which an artefact differs from the policy, with the claim
// that declares it, if one does.
func (x *Tester) finding(q *asked, path string, dir, missing bool, cs claims, link bool) Finding {
	d := Difference{Op: q.op, Direction: Permits, Path: path, Dir: dir, Missing: missing}
	if q.wrong == denied {
		d.Direction = Denies
	}
	f := Finding{Path: path, Dir: dir, Line: -1}
	f.Policy = x.decider.Decide(q.op, path, dir)
	d.Rule = f.Policy.Rule
	d.Others = x.decider.Matching(q.op, path, dir)
	var pins []int
	if f.Policy.Pinned {
		pins = pinnedBy(x.decider, path)
	}
	cs.cover(&d, whenIs(missing, link), pins)
	f.Code = d.Declared
	later := f.Code != "" && (missing || link) && !cs.always(&d, pins)
	switch {
	case d.Direction == Permits && later:
		f.Kind = OnlyNow
	case d.Direction == Permits:
		f.Kind = ArtefactPermits
	case f.Code != "":
		f.Kind = MoreDenied
	default:
		f.Kind = ArtefactDenies
	}
	return f
}

// always reports whether a claim that holds for what exists at the start too
// covers a difference.
func (cs claims) always(d *Difference, pins []int) bool {
	now := *d
	now.Declared, now.Missing = "", false
	cs.cover(&now, existing, pins)
	return now.Declared != ""
}
