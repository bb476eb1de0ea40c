// Package run is the life of one command under a compiled policy:
//
//	approve   what was asked becomes what runs, with a hash
//	prepare   directories, placeholders, and a second look at every source
//	start     the backend confines the command and holds it to its limits
//	capture   its output, if that is asked for
//	finish    classify what was denied, sweep what appeared, clean up
//
// Loading and lowering a policy is the caller's part, and so is saying anything
// to people.
package run
