//go:build !linux

package launch

import "context"

// Run returns [ErrSystem].
func Run(context.Context, *Spec) (*Result, error) { return nil, ErrSystem }
