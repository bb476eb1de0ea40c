package frontend

import "github.com/sandboxc/sbc/ir"

// PathOn returns what a path of a host with the operating system hostOS is on a
// target. The kernel of macOS knows /tmp, /var and /etc as /private/tmp and so
// on; everything else is itself.
func PathOn(target, hostOS, path string) string {
	linux, darwin, _ := perTarget(ir.Subtree(path), hostOS)
	if target == ir.Darwin {
		return darwin.Base()
	}
	return linux.Base()
}
