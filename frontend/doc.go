// Package frontend loads a policy: it reads the files of all layers, evaluates
// them, resolves their paths against the host, and merges them to one
// [ir.Policy] whose rules stand in their place in the decision list.
//
//	p, ds := frontend.Load(frontend.Options{
//		Policy:    "policy.hcl",
//		Workspace: "/vols/app",
//		Host:      host.NewLive(),
//		Facts:     facts,
//		Files:     files,
//	})
//	if ds.HasErrors() {
//		// nothing may be compiled; p is nil
//	}
//
// The package touches nothing itself: files come from [Files], the file system
// from [host.View].
//
// # Stability
//
// The Go API may still change.
package frontend
