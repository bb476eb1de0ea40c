// Package githook holds tests only: they take the hook out of
// docs/git-hooks.md, put it into a repository, and commit with real git.
//
// Nobody imports it.
//
// # Stability
//
// None.
package githook
