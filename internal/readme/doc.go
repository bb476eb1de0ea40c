// Package readme holds tests only: they keep the generated parts of README.md
// equal to the program. The matrix of verdicts comes from the tables of the
// targets, and the terminal session is run again. With -update they rewrite
// README.md instead:
//
//	go test ./internal/readme -update
//
// They also follow every relative link of the documentation.
//
// Nobody imports it.
//
// # Stability
//
// None.
package readme
