//go:build !linux && !darwin

package host

// addSystem adds the facts that only this system has a way to tell: none.
func addSystem(*Facts) {}
