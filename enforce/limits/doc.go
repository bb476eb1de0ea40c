// Package limits sets the limits of a policy on a command that is held: as
// resource limits (getrlimit(2)), and in a control group (cgroups(7), version 2)
// where the user may make one. It says which of the two keeps which limit, and
// what that does not cover.
//
//	set := limits.Of(&artifact.Plan)
//	group, why := limits.NewGroup(limits.Root, set)   // why not, for the report
//	lims := set.Rlimits(group != nil)
//	...                                               // launch.Run with both
//	for _, e := range set.Enforced(hard, uid, group != nil) { ... }
//	err := group.Remove()
//
// A limit that nothing keeps is in the list too, with the mechanism [None]; what
// follows from that is the caller's to decide.
//
// # Stability
//
// Internal.
package limits
