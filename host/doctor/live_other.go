//go:build !linux

package doctor

import "errors"

func landlockABI() (int, error) { return 0, errors.ErrUnsupported }

// writable is asked about cgroups, which only Linux has.
func writable(string) bool { return false }
