package environ

import (
	"maps"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
)

// Temp is what is known of temporary directories.
type Temp struct {
	// Writable reports whether the command may write in a directory, private
	// storage included.
	Writable func(path string) bool
	// Storage returns the directory of the sandbox's own in which a path lies, or
	// nothing. Such a directory starts empty.
	Storage func(path string) string
	// IsDir reports whether a path is a directory on the host.
	IsDir func(path string) bool
}

// standard are the directories that programs use without a TMPDIR.
var standard = []string{"/tmp", "/var/tmp"}

// Make returns an environment, sorted, each entry NAME=VALUE. Caller is an
// environment in the same form; of two entries with one name the first counts,
// as for getenv(3). An inherited TMPDIR that is no directory, or not one that
// the command may write to, is replaced by one that is; so is a missing one if
// /tmp is not writable. What the policy sets is as it says.
func Make(env *ir.Env, caller []string, t Temp) []string {
	vars := map[string]string{}
	for _, entry := range caller {
		name, value, ok := strings.Cut(entry, "=")
		if _, twice := vars[name]; ok && !twice && env.Inherits(name) {
			vars[name] = value
		}
	}
	tmp, inherited := vars["TMPDIR"]
	switch {
	case inherited && t.usable(tmp), !inherited && t.usable(standard[0]):
	case t.fallback() != "":
		vars["TMPDIR"] = t.fallback()
	default:
		delete(vars, "TMPDIR")
	}
	for _, v := range env.Set {
		vars[v.Name] = v.Value
	}
	out := make([]string, 0, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		out = append(out, name+"="+vars[name])
	}
	return out
}

// Lookup returns the value of a name in an environment.
func Lookup(env []string, name string) (string, bool) {
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Names returns the names in an environment, in its order.
func Names(env []string) []string {
	out := make([]string, 0, len(env))
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		out = append(out, name)
	}
	return out
}

// usable reports whether the command finds a directory of the path in which it
// may write.
func (t Temp) usable(dir string) bool {
	dir = strings.TrimRight(dir, "/")
	if !ir.Clean(dir) || !t.Writable(dir) {
		return false
	}
	if own := t.Storage(dir); own != "" {
		return own == dir
	}
	return t.IsDir(dir)
}

// fallback returns the first standard directory that is usable, or nothing.
func (t Temp) fallback() string {
	for _, dir := range standard {
		if t.usable(dir) {
			return dir
		}
	}
	return ""
}
