package seatbelt

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// Backend compiles for macOS. The zero value is ready to use.
type Backend struct{}

// Name implements [target.Backend].
func (Backend) Name() string { return ir.Darwin }

// Lower implements [target.Backend]. The artefact is a [*Profile]. The host is
// only asked whether single paths exist and what they are, and only if it is a
// Mac; the profile hardly depends on it.
func (Backend) Lower(p *ir.Policy, h host.View, o target.Options) (target.Artifact, target.Report) {
	l := &lowering{
		policy: p, host: h, decider: ir.NewDecider(p, ir.Darwin),
		fate: make([]fate, len(p.Files)), version: macOS(o.Facts),
	}
	if o.Facts != nil && o.Facts.OS != ir.Darwin {
		l.host = nil // what is on another system says nothing about a Mac
	}
	for i := range p.Files {
		r := &p.Files[i]
		if _, tree := r.Match.(ir.Subtree); tree && r.Read == ir.Allow && r.AppliesTo(ir.Darwin) && !r.Private {
			l.trees = append(l.trees, i)
		}
	}
	style := sbpl.Plain
	if o.Annotate {
		style = sbpl.Annotated
	}
	out := newProfile(l.profile(), style)
	report := target.Report{Target: ir.Darwin, Entries: append(l.fileEntries(), l.settingEntries()...)}
	report.Diagnostics = sizeDiagnostics(out)
	return out, report
}

// lowering is one policy on its way to a profile.
type lowering struct {
	policy  *ir.Policy
	host    host.View
	decider *ir.Decider
	fate    []fate // of each file rule
	trees   []int  // the rules that open a path with all beneath, strongest first
	moves   *moves
	version int // of macOS, 0 if not known
}

// fate is what became of a file rule.
type fate struct {
	lines      []string
	rough      bool     // it matches somewhat more (a closing) or less (an opening)
	long       []string // what is matched in its own case only
	pinned     []string // literal pins that stand for this rule
	exceptDirs bool     // no directory can be made where it has an exception
	overPinned bool     // what it opens cannot be removed, though the policy may permit it
}

func (f *fate) add(it item) {
	f.lines = append(f.lines, it.line())
}

func (f *fate) lose(fs filters) {
	f.rough = f.rough || fs.rough
	for _, p := range fs.long {
		if !slices.Contains(f.long, p) {
			f.long = append(f.long, p)
		}
	}
}

// profile builds the tree. Sections are independent of each other but for
// their order within one operation: the unfiltered rules of the floor yield to
// all others wherever they stand.
func (l *lowering) profile() sbpl.Profile {
	files := l.files()
	l.moves = newMoves(l, files.written)
	pins := l.pins(files.written)
	return sbpl.Profile{Sections: []sbpl.Section{
		{Title: "floor: what programs need besides files", Rules: l.floor(false)},
		{Title: "names on the way to what is open", Rules: rules(l.ancestors())},
		{Title: "read and execute: the last rule that matches decides", Rules: rules(files.read)},
		{Title: "write, link to, and make sockets: the last rule that matches decides", Rules: rules(files.write)},
		{Title: "pins: no removal, no rename, no replacement", Rules: rules(pins)},
		{Title: "whole directories are not cloned: what is closed in them would come along", Rules: []sbpl.Rule{
			{Action: sbpl.Deny, Ops: []sbpl.Op{"file-clone"}, Clauses: []sbpl.Clause{{Filter: directory}}},
		}},
		{Title: "network: " + l.policy.Network.Mode.Value.String(), Rules: l.network()},
		{Title: "Mach services of the policy", Rules: l.services()},
	}}
}

// Limits of a profile that are not known to break, but near to what is.
const (
	// maxArgument is how large a profile may be to be passed as an argument:
	// the system takes 1 MiB of arguments and environment together.
	maxArgument = 768 << 10
	// maxRules is how many rules a profile may have. Above some 17,770 the
	// system was seen to crash while loading one.
	maxRules = 17_000
)

func sizeDiagnostics(p *Profile) diag.List {
	var out diag.List
	if n := len(p.text); n > maxArgument {
		out.Add(diag.Diagnostic{
			Code: diag.CodeProfileSize, Severity: diag.Warning, Target: ir.Darwin,
			Summary: fmt.Sprintf("the profile has %d bytes, more than fit into an argument", n),
			Detail:  "Load it from a file: write it with -o or --bundle, and use sandbox-exec -f. It cannot be had as a script.",
		})
	}
	if n := p.tree.Rules(); n > maxRules {
		out.Add(diag.Diagnostic{
			Code: diag.CodeProfileSize, Severity: diag.Warning, Target: ir.Darwin,
			Summary: fmt.Sprintf("the profile has %d rules", n),
			Detail:  fmt.Sprintf("The system was seen to fail on more than %d. Close directories instead of many single paths.", maxRules),
		})
	}
	return out
}
