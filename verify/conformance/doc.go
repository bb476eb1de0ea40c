// Package conformance holds tests only: random small policies over random small
// trees of files are compiled, and run under real bubblewrap, as root and as an
// ordinary user. A probe inside tries to read, list, write, create, rename,
// unlink and link at each path. The kernel must answer as the policy decides, but
// for what the report declares, and always as the model of the mounts does.
//
//	go test ./verify/conformance                          # a few policies
//	SBC_CONFORMANCE=2000 go test ./verify/conformance     # more, as make soak does
//
// Nobody imports it.
//
// # Stability
//
// None.
package conformance
