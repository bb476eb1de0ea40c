//go:build !amd64

package seccomp_test

// foreignCase is empty: the 32-bit programs of an ARM processor cannot be
// called from inside a 64-bit one.
func foreignCase() []kernelCase { return nil }

func foreignProbes() map[string]func() error { return nil }
