// Package environ makes the environment of a command: what it inherits of its
// caller's, what the policy sets, and a TMPDIR that it can use.
package environ
