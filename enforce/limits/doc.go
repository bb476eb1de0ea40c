// Package limits sets the limits of a policy on a command that is held: as
// resource limits (getrlimit(2)), and in a control group (cgroups(7), version 2)
// where the user may make one. It says which of the two keeps which limit, and
// what that does not cover.
//
//	set := limits.Of(&artifact.Plan)
//	var group *limits.Group
//	if dir, err := limits.Own(); err == nil && set.Wants() {
//		group, err = limits.Make(dir, os.Getpid(), alive, set) // an error says why not
//	}
//	launch.Run(ctx, &launch.Spec{Limits: set.Rlimits(group != nil), Group: group, ...})
//	for _, e := range set.Enforced(limits.Conditions{Group: group != nil, ...}) { ... }
//	err := group.Remove()
//
// A limit that nothing keeps is in the list too, with the mechanism [None]; what
// follows from that is the caller's to decide.
//
// # Stability
//
// Internal.
package limits
