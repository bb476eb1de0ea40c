// Package sbpltest reads SBPL text and decides as macOS is known to: for an
// operation the rules with filters, newest first; then its last rule without
// filters; then the operation it falls back to. It shares no code with package
// sbpl, so that tests hold the printer and the emitter against something else
// than themselves.
//
//	p, err := sbpltest.Parse(text)
//	p.Allows(sbpltest.Query{Op: "file-read-data", Path: "/usr/bin/git"})
//
// It knows the operations and filters that sbc writes, and refuses all others
// as the system refuses an unbound symbol. Only tests import it.
//
// # Stability
//
// None: for tests.
package sbpltest
