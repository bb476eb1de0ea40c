// Package classify says what of a policy a command ran into: from how it ended,
// from what a trace recorded, and from what it wrote to its standard error.
//
//	vs := classify.Classify(classify.Input{
//		Exit: 1, Stderr: text, Decider: ir.NewDecider(p, ir.Linux), Network: p.Network.Mode.Value, Dir: dir,
//	})
//	for _, v := range vs { fmt.Println(v.Confidence, v.Text) }
//
// Evidence is weighed. A signal of the system call filter and a record of the
// kernel's refusal are certain. The text of an error message is likely, where it
// names a path in a form that programs use, and possible otherwise. Nothing is a
// violation that the policy permits: a path is held against the policy
// ([ir.Decider]), for the operation that the call made or the message suggests,
// and counts only if that is closed. So a file without permissions of its own, a
// log that is printed, or a name that does not exist is none.
//
// # What messages are understood
//
// The error texts of C libraries in some forty languages, and of Go, Rust, Java,
// node, Python, Ruby; paths before them or after them, in the quotes of GNU
// programs (plain, UTF-8, of several languages, as a shell would need them), as
// Python and node write them, or bare between colons; two paths of a rename or
// link; npm's and cargo's blocks of several lines; and what resolvers and
// clients say about hosts. A command that ended with status 0 has no violation
// by its messages.
//
// # What it cannot know
//
// On Linux the kernel says EACCES both for a path that the sandbox hides and for
// a file that its own permissions close; where the policy closes the path as
// well, it is named. A relative path is taken to be relative to the directory in
// which the command started. Links in paths are followed only by
// [Input.Resolve]. A path that the sandbox does not show at all looks missing,
// and counts only where [Input.Exists] says that the host has it.
//
// The package is pure: values in, values out.
//
// # Stability
//
// None yet: the launcher is its only user.
package classify
