// Package profiles holds what sbc brings along, as policy files that a person
// can print and copy: the built-in profiles, the guards, and the floor of each
// target.
//
//	src, ok := profiles.Source("readonly")
//
// # Stability
//
// The names of profiles and guards are part of the policy language. Their
// content may change between versions; the changelog says how.
package profiles
