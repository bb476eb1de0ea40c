package mutation_test

import (
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/mounts"
)

// judgeMounts says what becomes of a mutant of a command line.
func judgeMounts(o *original, m mutant) (outcome, error) {
	proof, err := verify.Mounts(o.policy, verify.MountsInput{
		Args: m.args, Prepared: prove.Prepared(o.plan), View: o.view, Sockets: o.facts.Sockets, Claims: o.mountClaims,
	})
	switch {
	case err != nil && strings.Contains(err.Error(), "internal error"):
		return outcome{}, err
	case err != nil:
		return outcome{refused, err.Error()}, nil
	}
	sandbox, table, err := o.table(m.args)
	if err != nil {
		return outcome{}, err
	}
	for _, d := range proof.Undeclared() {
		if err := confirmMounts(o.policy, table, d); err != nil {
			return outcome{}, err
		}
	}
	switch {
	case len(proof.Undeclared()) > 0:
		return outcome{rejected, proof.Undeclared()[0].Path}, nil
	case !proof.Holds():
		return outcome{hole, proof.Holes[0].Name}, nil
	}
	before, was, err := o.table(o.args)
	if err != nil {
		return outcome{}, err
	}
	switch d, shown := o.sameTree(was.Tree(), table.Tree()); {
	case d != "":
		return outcome{survived, d}, nil
	case shown:
		return outcome{equivalent, "an empty file of the sandbox's own, which covers a socket, can be read: the policy permits reading there"}, nil
	}
	a, b := flagNames(before), flagNames(sandbox)
	switch {
	case a == b:
		return outcome{equivalent, why(m)}, nil
	case a == strings.ReplaceAll(b, " "+mounts.FlagDescriptor, ""):
		return outcome{equivalent, "the tree of mounts is the same; a descriptor more is named, which leads to whoever starts bubblewrap"}, nil
	case strings.ReplaceAll(b, " "+mounts.FlagNested, "") == a:
		return outcome{equivalent, "the tree of mounts is the same; nested user namespaces are refused a second time by the system call filter"}, nil
	}
	return outcome{survived, "flags " + a + " became " + b}, nil
}

func (o *original) table(args []string) (*mounts.Sandbox, *mounts.Table, error) {
	s, err := mounts.Read(args, mounts.ReadOptions{})
	if err != nil {
		return nil, nil, err
	}
	t, err := mounts.Build(s, mounts.Options{View: o.view, Prepared: prove.Prepared(o.plan)})
	return s, t, err
}

func flagNames(s *mounts.Sandbox) string {
	var b strings.Builder
	for _, f := range mounts.Flags(s) {
		b.WriteString(" " + f.Name)
	}
	return b.String()
}

// confirmMounts requires that the policy's own meaning and the table of mounts
// disagree as the difference says.
func confirmMounts(p *ir.Policy, table *mounts.Table, d verify.Difference) error {
	want := p.Decide(ir.Query{Target: ir.Linux, Op: d.Op, Path: d.Path, Dir: d.Dir})
	if (want.Effect == ir.Allow) == (d.Direction == verify.Permits) {
		return fmt.Errorf("a wrong counterexample: %+v, but the policy says the same (%+v)", d, want)
	}
	a := table.Access(d.Path)
	got := map[ir.Op]bool{ir.Read: a.Read, ir.Write: a.Write, ir.Unlink: a.Unlink}[d.Op]
	foreign := a.Private && want.Effect == ir.Allow && !p.Files[want.Rule].Private // the host's file is meant
	if got && !foreign != (d.Direction == verify.Permits) {
		return fmt.Errorf("a wrong counterexample: %+v, but the mounts say the same (%+v)", d, a)
	}
	return nil
}

// sameTree returns a path that two trees answer differently, or "". Shown is set
// if they differ in storage of the sandbox's own that may be read, where the
// policy permits reading of what the host has there.
func (o *original) sameTree(a, b *mounts.Node) (path string, shown bool) {
	paths := map[string]bool{}
	var add func(n *mounts.Node)
	add = func(n *mounts.Node) {
		paths[n.Path], paths[strings.TrimSuffix(n.Path, "/")+"/\x01"] = true, true
		for _, k := range n.Children {
			add(k)
		}
	}
	add(a)
	add(b)
	for p := range paths {
		x, y := a.Answer(p), b.Answer(p)
		x.Entry, y.Entry = 0, 0
		if x == y {
			continue
		}
		read := x
		read.Read = true
		if x.Private && y == read && o.policy.Decide(ir.Query{Target: ir.Linux, Op: ir.Read, Path: p}).Effect == ir.Allow {
			shown = true
			continue
		}
		return fmt.Sprintf("%q: %+v became %+v", p, x, y), shown
	}
	return "", shown
}
