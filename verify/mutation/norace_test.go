//go:build !race

package mutation_test

// slower says how much less is taken than can be: nothing here takes long.
const slower = 1
