// Package kernel puts the cases of package conformance to the real kernel: it
// makes the files of a case in a fresh directory, has a command run there in a
// sandbox by whatever [Runner] it is given, compares what came of it with what
// is expected, and takes everything away again.
//
//	cases, err := conformance.Cases()
//	kernel.Run(ctx, cases, kernel.Options{Parent: dir, Parallel: 2, Runner: runner}, func(r kernel.Result) {
//		fmt.Println(r.Case.ID, r.Problems)
//	})
//
// All of it happens as the calling user. A case that has a control runs twice,
// in two directories: what a sandbox denies must succeed without the rule, or
// its failure shows nothing.
//
// The package is for sbc verify --kernel and for tests.
//
// # Stability
//
// The Go API may still change.
package kernel
