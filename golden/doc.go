// Package golden holds one txtar file per case: a policy, a recorded host, and
// what they compile to (ir.txt, darwin.sb, linux.argv, report.json). It has
// tests only. They compile each policy again and compare byte by byte; with
// -update they rewrite the files instead:
//
//	go test ./golden            # compare
//	go test ./golden -update    # rewrite; read the diff before you commit it
//
// On a Mac, each darwin.sb is loaded by the system's own sandbox-exec too.
//
// # Stability
//
// None: the format of the files serves the tests.
package golden
