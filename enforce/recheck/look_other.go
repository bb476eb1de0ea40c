//go:build !linux

package recheck

import (
	"errors"
	"os"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Look describes a path as it is; plans of mounts are carried out on Linux only.
func Look(path string) (host.Node, error) { return host.Live{}.Lstat(path) }

// Open is for mounts too.
func Open(string) (*os.File, host.Node, error) { return nil, host.Node{}, errors.ErrUnsupported }

// Mounted is for mounts too.
func Mounted(int, *bwrap.Plan, host.View) error { return errors.ErrUnsupported }
