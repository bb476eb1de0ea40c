// Package sbpl reads macOS sandbox profiles (SBPL) and answers what they
// decide: those that sbc writes, and those of browsers, package managers and
// system services.
//
//	p, err := sbpl.Read("profile.sb", src, sbpl.Options{})
//	if err != nil {
//		return err // a *syntax.Error with file, line and column
//	}
//	d, err := p.Decide("file-read-data", sbpl.Subject{Path: "/w/.env"})
//	// d.Allow, d.Rule.Pos, d.Assumed
//
// It shares no code with the emitter in target/seatbelt: both are written from
// what is known about macOS, so that one can check the other.
//
// # How a profile decides
//
// A profile is a program that ends in a list of rules. An operation is asked of
// a chain, which [Profile.Chain] returns: the rules with filters on that
// operation, the newest first; then its last rule without filters; then the
// same for the operation that it falls back to (file-write-data, file-write*,
// file*, default). A few operations fall back to nothing and are allowed if no
// rule speaks about them. Neither the depth of a path nor the order of rules on
// different operations matters. Several filters of one rule are alternatives.
//
// # What is not known
//
// Not all of this has been settled by experiment. Where a decision rests on
// something unsettled, [Decision.Assumed] says so; [Assumptions] lists what
// there is. Filters about what a profile's text cannot tell (entitlements,
// extensions, the calling program) are taken not to match, and named.
//
// # What sbc writes
//
// [Subset] checks a text against the small part of the language that sbc itself
// may write, and refuses everything that is more, or that is known to fail.
//
// # Who should not use it
//
// Emitters: target/seatbelt must not import it.
//
// # Stability
//
// None yet.
package sbpl
