package seatbelt

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// loss is one way in which a rule differs from what it says.
type loss struct {
	feature target.Feature // empty keeps the rule's own
	verdict target.Verdict
	code    diag.Code
	text    string
	instead string
}

// fileEntries returns the verdicts on the file rules, in their order.
func (l *lowering) fileEntries() []target.Entry {
	out := make([]target.Entry, 0, len(l.policy.Files))
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		if !r.AppliesTo(ir.Darwin) {
			continue
		}
		e := target.Entry{
			Rule: r.Origin.Address, Index: i, Feature: l.feature(r), Verdict: target.Exact, Enforcer: target.Kernel,
			Layer: r.Layer, Guard: r.Guard, Opens: r.Opens(), Origin: r.Origin, Emitted: l.fate[i].lines,
		}
		if len(e.Emitted) == 0 {
			e.Emitted = []string{"(deny default)"} // nothing weaker opens what it closes
		}
		losses := l.losses(i)
		if len(losses) == 0 {
			out = append(out, e)
		}
		for _, x := range losses {
			lost := e
			lost.Verdict, lost.Code, lost.Loss, lost.Instead = x.verdict, x.code, x.text, x.instead
			if x.feature != "" {
				lost.Feature = x.feature
			}
			out = append(out, lost)
		}
	}
	return out
}

// feature names what a rule uses.
func (l *lowering) feature(r *ir.FileRule) target.Feature {
	node, state := l.lstat(r.Match.Base())
	switch _, literal := ir.Literal(r.Match); {
	case r.Private:
		return target.RootPrivate
	case r.NonDir:
		return target.CloseNonDir
	case !r.Opens() && !literal:
		return target.CloseGlob
	case r.Group == ir.GroupRoot && r.Read.Closes():
		return target.RootNone
	case !r.Opens() && state == missing:
		return target.CloseMissing
	case !r.Opens() && node.Type == host.Link:
		return target.CloseLink
	case !r.Opens():
		return target.CloseLiteral
	case state == missing:
		return target.RootMissing
	case r.Write == ir.Allow && state == exists && node.Type != host.Dir:
		return target.RootFile
	case r.Write == ir.Allow:
		return target.RootWrite
	}
	return target.RootRead
}

// losses returns what a rule loses.
func (l *lowering) losses(i int) []loss {
	r, f := &l.policy.Files[i], &l.fate[i]
	if r.Private {
		return []loss{{
			verdict: target.Narrower, code: diag.CodeTmp, instead: `tmp = "shared"`,
			text: quote(r.Match.Base()) + " cannot be private to a run, so it is closed; sbc run points TMPDIR to a directory of the run's own",
		}}
	}
	var out []loss
	if from, to, dead := linked(r.Match); dead {
		return append(out, deadLoss(r, from, to))
	}
	if f.rough {
		out = append(out, loss{
			verdict: target.Narrower, code: diag.CodeCharacter, text: r.Match.String() + " is matched byte by byte: " + roughly(r),
			instead: "write the name out, or use *",
		})
	}
	for _, p := range f.long {
		out = append(out, loss{
			feature: target.CloseCase, verdict: target.Wider, code: diag.CodeCase, instead: "close a directory further up",
			text: fmt.Sprintf("%s is too long to be matched in either case; it is closed as written only", quote(p)),
		})
	}
	if f.exceptDirs {
		out = append(out, loss{
			verdict: target.Narrower, code: diag.CodeExceptDir,
			text: "no directory can be made, moved or removed at or beneath an exception of " + r.Match.String() + ": what is closed could be moved with it",
		})
	}
	if f.overPinned {
		out = append(out, loss{
			feature: target.Pinning, verdict: target.Narrower, code: diag.CodeFileRoot, instead: "open the directory above",
			text: "what " + r.Match.String() + " opens cannot be removed or renamed",
		})
	}
	out = append(out, l.moveLosses(i)...)
	for _, p := range f.pinned {
		if _, state := l.lstat(p); state == missing {
			out = append(out, loss{
				feature: target.Pinning, verdict: target.Narrower, code: diag.CodeMissingClosed, instead: "make the directory before the start",
				text: quote(p) + " does not exist, and the command cannot make it: another directory could be moved to its place",
			})
		}
	}
	if p, ok := ir.Literal(r.Match); ok && r.Write.Closes() && !r.Opens() {
		if node, state := l.lstat(p); state == exists && node.Type == host.File && node.Nlink > 1 {
			out = append(out, loss{
				feature: target.CloseAlias, verdict: target.Wider, code: diag.CodeAlias, instead: "replace the file by a copy of its own",
				text: fmt.Sprintf("%s has %d hard links; by another name it may be open", quote(p), node.Nlink),
			})
		}
	}
	return out
}

func roughly(r *ir.FileRule) string {
	if r.Opens() {
		return "where it asks for any character, only ASCII is open"
	}
	return "where it asks for one character beyond ASCII, up to four bytes are closed"
}

func (l *lowering) moveLosses(i int) []loss {
	var out []loss
	for _, w := range l.moves.weaknesses(i) {
		if w.movable {
			text := "a directory can be moved away with what " + quote(w.pattern) + " closes in it"
			if w.to != "" {
				text += ", for example to " + quote(w.to)
			}
			out = append(out, loss{
				feature: target.CloseGlobMove, verdict: target.Wider, code: diag.CodeMovable, text: text,
				instead: "a pattern of the form **/NAME, which matches wherever a thing goes",
			})
		}
		if w.plants {
			out = append(out, loss{
				feature: target.CloseGlobPlant, verdict: target.Wider, code: diag.CodePlantable,
				text:    "a directory that was prepared under another name can be renamed so that " + quote(w.pattern) + " matches in it",
				instead: "a pattern of the form **/NAME, or a literal path",
			})
		}
	}
	return out
}

// state is what the host says about a path.
type state uint8

const (
	unknown state = iota // nothing is known of the host, or it may not be looked at
	exists
	missing
)

// lstat asks the host. A host that does not know its own root knows nothing.
func (l *lowering) lstat(path string) (host.Node, state) {
	if l.host == nil {
		return host.Node{}, unknown
	}
	node, err := l.host.Lstat(path)
	switch {
	case err == nil:
		return node, exists
	case !errors.Is(err, fs.ErrNotExist):
		return host.Node{}, unknown
	}
	if _, err := l.host.Lstat("/"); err != nil {
		return host.Node{}, unknown
	}
	return host.Node{}, missing
}
