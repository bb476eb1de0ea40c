package profiles

import (
	"embed"
	"strings"
)

//go:embed builtin/*.hcl guards/*.hcl floors/*.hcl starters/*.hcl
var files embed.FS

// Prefix starts the name of every built-in file in ranges and messages.
const Prefix = "sbc:"

// Names lists the built-in profiles, from the narrowest to the widest.
func Names() []string {
	return []string{"strict", "readonly", "workspace-write-no-network", "workspace-proxy", "workspace-write"}
}

// Guards lists the guards, in the order in which their rules stand.
func Guards() []string {
	return []string{"credentials", "git-exec", "git-config", "shell-startup", "agent-config", "editor-config", "sbc-files"}
}

// Floors lists the targets that have a floor.
func Floors() []string { return []string{"darwin", "linux"} }

// Source returns the text of a built-in profile.
func Source(name string) ([]byte, bool) { return read("builtin/" + name + ".hcl") }

// GuardSource returns the text of a guard.
func GuardSource(name string) ([]byte, bool) { return read("guards/" + name + ".hcl") }

// FloorSource returns the text of a target's floor.
func FloorSource(target string) ([]byte, bool) { return read("floors/" + target + ".hcl") }

// File is the name of a built-in profile in ranges.
func File(name string) string { return Prefix + "builtin/" + name + ".hcl" }

// GuardFile is the name of a guard in ranges.
func GuardFile(name string) string { return Prefix + "guards/" + name + ".hcl" }

// FloorFile is the name of a floor in ranges.
func FloorFile(target string) string { return Prefix + "floors/" + target + ".hcl" }

// Open returns the text of a built-in file by its name in ranges.
func Open(file string) ([]byte, bool) {
	rest, ok := strings.CutPrefix(file, Prefix)
	if !ok {
		return nil, false
	}
	return read(rest)
}

func read(name string) ([]byte, bool) {
	src, err := files.ReadFile(name)
	return src, err == nil
}
