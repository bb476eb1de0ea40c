//go:build !linux

package placeholder

import (
	"errors"
	"fmt"
)

// Holder holds placeholders for one run.
type Holder struct{}

var errUnsupported = fmt.Errorf("placeholders: %w", errors.ErrUnsupported)

// Hold fails if there is a path: what mounts cannot close, other systems close
// themselves.
func Hold(paths []string, _ Options) (*Holder, error) {
	if sorted, err := sortedPaths(paths); err != nil || len(sorted) == 0 {
		return &Holder{}, err
	}
	return nil, errUnsupported
}

// Check returns nothing.
func (*Holder) Check() []Left { return nil }

// Release does nothing.
func (*Holder) Release() ([]Left, error) { return nil, nil }

// Reap does nothing.
func Reap(Options) ([]Left, error) { return nil, nil }

func recorded(Options) ([]string, error) { return nil, nil }

func isPlaceholder(string, Options) (looks, is bool) { return false, false }

func create(string) error { return errUnsupported }

func maskFile(string) error { return errUnsupported }
