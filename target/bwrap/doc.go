// Package bwrap lowers a policy to bubblewrap: a mount plan, the arguments
// that make bwrap carry it out, and a seccomp program.
//
//	art, rep := bwrap.Backend{}.Lower(policy, view, target.Options{Facts: facts})
//	text, err := art.Render(target.Text)
//
// The plan is a walk over the tree of paths that the policy names, the host's
// matches of its globs and of their exceptions, and the pins. [ir.Decider] is
// asked at each of them, and a mount is made where its answer differs from
// what the parent's mount gives. One list, a directory before what lies
// beneath it, at most one mount a path.
//
// A mount protects what exists when the sandbox starts. What that costs is
// named in the report, rule by rule; docs/targets/linux.md has the whole list.
//
// Launchers use [Artifact] and its [Plan]: descriptors to pass, directories to
// make, placeholders to make and take away again. Everyone else should render
// the artefact.
//
// # Stability
//
// The JSON form of the plan is versioned. The Go types may still change.
package bwrap
