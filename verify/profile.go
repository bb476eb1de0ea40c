package verify

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// ProfileInput is the text of a Seatbelt profile and what is said of it.
type ProfileInput struct {
	File string // for positions
	Text []byte
	// Claims are what the report says of the policy's rules.
	Claims []Claim
	// MaxStates bounds the automata; 0 is their own bound.
	MaxStates int
}

// Profile holds a Seatbelt profile against the policy, for every path that can
// reach the kernel of macOS, for each of its operations and for directories and
// other files apart.
//
// What is not settled about Seatbelt is decided as package sbpl assumes; the
// proof names those assumptions.
func Profile(p *ir.Policy, in ProfileInput) (*Proof, error) {
	profile, problems := sbpl.ReadSubset(in.File, in.Text)
	if profile == nil {
		err := fmt.Errorf("%s", problems[0])
		if _, unreadable := sbpl.Read(in.File, in.Text, sbpl.Options{}); unreadable == nil {
			return nil, &RefusedError{Problem: err.Error()}
		}
		return nil, err
	}
	v := newProfileProof(ir.NewDecider(p, ir.Darwin), profile)
	v.claims, v.max = in.Claims, in.MaxStates
	for _, x := range problems {
		v.proof.Holes = append(v.proof.Holes, Hole{Name: "language", Line: x.Pos.Line, Text: x.Msg})
	}
	if err := v.network(); err != nil {
		return nil, err
	}
	if err := v.others(); err != nil {
		return nil, err
	}
	if err := v.files(); err != nil {
		return nil, err
	}
	for _, a := range sbpl.Assumptions() {
		if v.assumed[a.Name] {
			v.proof.Assumed = append(v.proof.Assumed, a.Name)
		}
	}
	return v.proof, nil
}

// RefusedError is a profile that macOS would take, and that holds something which
// sbc never writes and which is not compared for that reason.
type RefusedError struct {
	Problem string // with its place
}

// Error returns the problem.
func (e *RefusedError) Error() string { return e.Problem }

// profileProof is one proof under way.
type profileProof struct {
	policy  *ir.Policy
	decider *ir.Decider
	hosts   *ir.Decider // of the policy as it speaks about the host's files
	profile *sbpl.Profile
	claims  []Claim
	max     int
	assumed map[string]bool
	kinds   []string // see kindsOfFile
	clauses map[clauseKey]clause
	matches map[matchKey]automata.Expr
	proof   *Proof
}

func newProfileProof(d *ir.Decider, profile *sbpl.Profile) *profileProof {
	return &profileProof{
		policy: d.Policy(), decider: d, hosts: hostsDecider(d), profile: profile,
		proof: &Proof{}, assumed: map[string]bool{}, clauses: map[clauseKey]clause{}, matches: map[matchKey]automata.Expr{},
	}
}

// operation is an operation of Seatbelt and what it is to the policy
// (Seatbelt's own names; what each checks is in docs/targets/darwin.md).
type operation struct {
	name string
	op   ir.Op
	// creates is set if it makes a name, in which case what is pinned by its
	// name must not be made either: a prepared directory could take its place.
	creates bool
	// files is set if it is never asked of a directory.
	files bool
	// closed is set if directories are closed to it, whatever the policy says: what
	// is cloned with a directory is more than the directory, and nobody asks about
	// that.
	closed bool
	// sockets is set if it connects to a socket in the file system, which the
	// policy lists.
	sockets bool
}

// operations are those on files, but for looking at attributes.
func operations() []operation {
	return []operation{
		{name: "file-read-data", op: ir.Read},
		{name: "file-read-xattr", op: ir.Read},
		{name: "process-exec", op: ir.Read, files: true},
		{name: "process-exec-interpreter", op: ir.Read, files: true},
		{name: "file-clone", op: ir.Read, closed: true},
		{name: "file-write-data", op: ir.Write},
		{name: "file-write-create", op: ir.Write, creates: true},
		{name: "file-write-mode", op: ir.Write},
		{name: "file-write-owner", op: ir.Write},
		{name: "file-write-flags", op: ir.Write},
		{name: "file-write-times", op: ir.Write},
		{name: "file-write-xattr", op: ir.Write},
		{name: "file-write-acl", op: ir.Write},
		{name: "file-write-finderinfo", op: ir.Write},
		{name: "file-link", op: ir.Write},
		{name: "network-bind", op: ir.Write, files: true},
		{name: "network-inbound", op: ir.Write, files: true},
		{name: "file-write-unlink", op: ir.Unlink},
		{name: "network-outbound", op: ir.Write, files: true, sockets: true},
	}
}

// domain are the paths that reach the kernel: absolute, clean, and through no
// link that every Mac has at its root.
func domain() automata.Expr {
	out := automata.And{automata.In{Lang: automata.Clean()}}
	for _, link := range rootLinks {
		out = append(out, automata.Or{
			automata.In{Lang: automata.Literal(link)},
			automata.Not{X: automata.In{Lang: automata.Subtree(link)}},
		})
	}
	return out
}

// files compares the decisions about files.
func (v *profileProof) files() error {
	questions, err := v.questions()
	if err != nil {
		return err
	}
	parts := newPartProof(domain(), v.max)
	gaps, err := v.gaps(parts, questions)
	if err != nil {
		return err
	}
	seen := map[kind]bool{}
	for i, x := range questions {
		for _, g := range gaps[i] {
			if x.closed && x.dir {
				v.proof.Holes = append(v.proof.Holes, Hole{Name: "clone", Line: -1, Text: fmt.Sprintf("%q can be cloned with all that is closed in it", g.path)})
				continue
			}
			d, err := v.difference(x, g)
			if err != nil {
				return err
			}
			k := kind{op: d.Op, direction: d.Direction, rule: d.Rule, line: d.Line}
			if !seen[k] {
				seen[k] = true
				v.proof.Differences = append(v.proof.Differences, d)
			}
		}
	}
	if err := v.moves(parts, questions); err != nil {
		return err
	}
	if err := v.seen(parts); err != nil {
		return err
	}
	v.proof.States = int(parts.states.Load())
	return nil
}

// gaps answers all questions.
func (v *profileProof) gaps(parts *partProof, questions []question) ([][]gap, error) {
	out := make([][]gap, len(questions))
	err := inParallel(len(questions), func(i int) (err error) {
		x := questions[i]
		out[i], err = parts.compare(x.want, x.got, v.excusesOf(x.operation, x.dir))
		return err
	})
	return out, err
}

// inParallel does n things, two at a time, and returns the first of their errors.
// After an error the rest may not be done.
func inParallel(n int, do func(int) error) error {
	const workers = 2
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || failed.Load() {
					return
				}
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// difference confirms a difference by the policy's own meaning and by the model
// of the profile, and traces it.
func (v *profileProof) difference(x question, g gap) (Difference, error) {
	path, permits := g.path, g.permits
	want := v.policy.Decide(ir.Query{Target: ir.Darwin, Op: x.op, Path: path, Dir: x.dir})
	got, err := v.profile.Decide(x.name, sbpl.Subject{Path: path, Vnode: x.vnode})
	if err != nil {
		return Difference{}, err
	}
	may := want.Effect == ir.Allow && v.hosts.Decide(x.op, path, x.dir).Effect == ir.Allow
	if got.Allow != permits || !x.creates && !x.sockets && may == permits {
		return Difference{}, fmt.Errorf("internal error: the automata find that %s on %q (%s) differs, but the policy says %s and the profile %v; please report",
			x.name, path, x.vnode, want.Effect, got.Allow)
	}
	for _, a := range got.Assumed {
		v.assumed[a.Name] = true
	}
	d := Difference{Op: x.op, As: x.name, Direction: Denies, Path: path, Dir: x.dir, Rule: want.Rule, Line: -1, Emitted: got.Builtin}
	if permits {
		d.Direction = Permits
	}
	if got.Rule != nil {
		d.Line, d.Emitted = got.Rule.Pos.Line, v.profile.Line(got.Rule.Pos)
	}
	return d, nil
}
