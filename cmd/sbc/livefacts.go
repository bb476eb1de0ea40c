package main

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/sandboxc/sbc/host"
)

func (a *app) liveFacts() (host.Facts, error) {
	home := a.env("HOME")
	return host.Facts{
		OS: runtime.GOOS, Arch: runtime.GOARCH, UID: os.Getuid(), Home: filepath.Clean(home), Temp: os.TempDir(),
		Cache: filepath.Join(home, ".cache"), Config: filepath.Join(home, ".config"),
	}, nil
}
