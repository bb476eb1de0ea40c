// Package program writes programs that tests start.
package program
