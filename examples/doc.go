// Package examples holds policies that people really need, and what they
// compile to. It has tests only: each policy is compiled for both targets
// without a loss that nobody accepted, and compared with its snapshot. With
// -update they write the snapshots instead, as sbc golden update does.
//
// Nobody imports it.
//
// # Stability
//
// None.
package examples
