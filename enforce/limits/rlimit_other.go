//go:build !linux

package limits

import "errors"

var errSystem = errors.New("prlimit(2) is of Linux")

// Hard is for Linux only.
func Hard() (map[Resource]uint64, error) { return nil, errSystem }

// Apply is for Linux only.
func Apply(int, []Rlimit) error { return errSystem }

// PerSandbox is for Linux only.
func PerSandbox() bool { return false }
