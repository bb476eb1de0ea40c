//go:build race

package mutation_test

// slower says how much less is taken than can be: with the race detector all
// takes several times as long, and there is little here that it could find.
const slower = 4
