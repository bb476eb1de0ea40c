//go:build !linux

package cover

// Main does nothing: mounts are made on Linux only.
func Main() {}
