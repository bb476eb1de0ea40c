// Package conformance has the cases that sbc verify --kernel puts to the real
// kernel: a tree of files, a policy, a line of bash that runs under it, and what
// must come of that. It is pure: it knows what is to be done and what is right,
// and package enforce/kernel does it.
//
//	cases, err := conformance.Cases()              // the written ones
//	more := conformance.Generate(1, 300)           // made ones, the same for the same seed
//	text := cases[0].Policy.HCL("/srv/w")          // the policy, with W in its place
//	problems := cases[0].Expect.Problems(&outcome) // what is wrong with what came of it
//
// The written cases are data/*.json: cases.json is about files, links, networks
// and processes, escapes.json has attempts to get out, programs.json programs that
// must work. They name no part of sbc: whatever can turn a [Policy] into a sandbox
// can be held against them. A case that denies has a control, the same line
// without the rule, so that a line which fails for another reason shows.
//
// What [Generate] makes has its answers by construction. Each kind of case knows
// the meaning of the few rules that it writes, and asks no part of sbc.
//
// The tests of this package also compile random policies over random trees and
// run a probe under real bubblewrap, as root and as an ordinary user. The kernel
// must answer as the policy decides, but for what the report declares, and always
// as the model of the mounts does.
//
//	go test ./verify/conformance                          # a few policies
//	SBC_CONFORMANCE=2000 go test ./verify/conformance     # more, as make soak does
//
// # Stability
//
// The form of the cases may still grow; the Go API may still change.
package conformance
