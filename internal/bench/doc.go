// Package bench holds benchmarks only. Each runs two things in turn, A B A B,
// and reports the median of one against the median of the other, so that a busy
// machine slows both:
//
//	go test ./internal/bench -run '^$' -bench .
//
// They are figures to look at. No test asserts a time.
//
// Nobody imports it.
//
// # Stability
//
// None.
package bench
