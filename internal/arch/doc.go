// Package arch holds the rules about the shape of this repository as code:
// who may import whom, what a pure package must not touch, how long a file may
// be. Its tests apply the rules to every Go file of the module, so that a wrong
// arrow is a failed test and not a matter of memory.
//
//	files, err := arch.Load("../..")
//	for _, f := range files {
//		problems = append(problems, arch.Imports(f)...)
//	}
//
// Each rule is a function from parsed files to findings, "path:line: text", and
// has a test that sees it fail. Nothing but the tests of this package needs it.
//
// # Stability
//
// None: internal.
package arch
