// Package e2e holds tests only: they build sbc, compile policies with it, and
// run real programs under real bubblewrap, as root and as an ordinary user.
// Every refusal has a positive control.
//
// Nobody imports it.
//
// # Stability
//
// None.
package e2e
