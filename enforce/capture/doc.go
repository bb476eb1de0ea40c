// Package capture keeps the beginning and the end of a stream, however long it
// is, so that a command that prints much neither fills the memory nor has to be
// stopped for it.
package capture
