package host

import (
	"os"
	"runtime"
)

// LiveSources is this machine, for [Probe]. The environment is the caller's:
// usually os.Getenv.
func LiveSources(env func(string) string) Sources {
	base := Facts{OS: runtime.GOOS, Arch: runtime.GOARCH, UID: os.Getuid()}
	addSystem(&base)
	return Sources{Base: base, Env: env, View: Live{}, ReadFile: os.ReadFile, Runner: Exec{}}
}
