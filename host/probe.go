package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

// Sources is where [Probe] gets its answers from. [LiveSources] is this machine.
type Sources struct {
	// Base holds the facts that need no probing: OS, Arch, Kernel, OSVersion,
	// UID, and Home as the user database has it where that is no file.
	Base Facts
	// Env returns the value of an environment variable, or "".
	Env func(name string) string
	// View is asked for links and programs.
	View View
	// ReadFile returns the content of a file.
	ReadFile func(path string) ([]byte, error)
	// Runner starts bubblewrap.
	Runner Runner
}

// probeTimeout is how long a program that a probe starts may take.
const probeTimeout = 5 * time.Second

// Probe finds out the facts of a machine.
//
// Home is $HOME if that is absolute, else what the user database says, with
// links followed. Temp is $TMPDIR or /tmp; Config is $XDG_CONFIG_HOME or
// ~/.config; Cache is $XDG_CACHE_HOME or ~/.cache, and ~/Library/Caches on
// macOS. Links in those three are not followed, so that who uses them sees the
// links. A variable that is not absolute counts as unset, as the XDG base
// directory specification says.
//
// It fails if there is no home directory; a bubblewrap that is missing or does
// not answer is no error.
func Probe(ctx context.Context, s Sources) (Facts, error) {
	f := s.Base
	home := firstAbsolute(s.Env("HOME"), AccountHome(s))
	if home == "" {
		return f, fmt.Errorf("the home directory of user %d is not known: set HOME", f.UID)
	}
	if r, err := Resolve(s.View, home); err == nil {
		home = r.Path
	}
	f.Home = home
	f.Temp = firstAbsolute(s.Env("TMPDIR"), "/tmp")
	f.Config = firstAbsolute(s.Env("XDG_CONFIG_HOME"), path.Join(home, ".config"))
	f.Cache = firstAbsolute(s.Env("XDG_CACHE_HOME"), path.Join(home, ".cache"))
	if f.OS == "darwin" {
		f.Cache = path.Join(home, "Library/Caches")
	}
	if f.OS == "linux" {
		if data, err := s.ReadFile("/proc/net/unix"); err == nil {
			f.Sockets = ParseUnixSockets(data)
		}
		f.Supervise = CanSupervise(f.Kernel, s.ReadFile) == nil
		f.Bwrap = probeBwrap(ctx, s)
	}
	return f, nil
}

// AccountHome returns the home directory that the user database has for the
// user, whatever $HOME says; "" if it has none that is absolute.
func AccountHome(s Sources) string {
	return firstAbsolute(s.Base.Home, passwdHome(s.ReadFile, s.Base.UID))
}

// firstAbsolute returns the first absolute path, clean, or "".
func firstAbsolute(paths ...string) string {
	for _, p := range paths {
		if path.IsAbs(p) {
			return path.Clean(p)
		}
	}
	return ""
}

// passwdHome returns the home directory of a user by /etc/passwd (passwd(5)).
func passwdHome(readFile func(string) ([]byte, error), uid int) string {
	data, err := readFile("/etc/passwd")
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(data) {
		fields := strings.Split(strings.TrimSuffix(string(line), "\n"), ":")
		if len(fields) >= 6 && fields[2] == strconv.Itoa(uid) {
			return fields[5]
		}
	}
	return ""
}

// FindProgram returns the path of a program that a search path, as in $PATH,
// leads to: the first regular file of that name that someone may execute.
// Directories that are not absolute are left out: what they name depends on
// where sbc was started. It is "" if there is none.
func FindProgram(v View, searchPath, name string) string {
	for _, dir := range strings.Split(searchPath, ":") {
		if !path.IsAbs(dir) {
			continue
		}
		p := path.Join(dir, name)
		if r, err := Resolve(v, p); err == nil && r.Node.Type == File && r.Node.Perm&0o111 != 0 {
			return p
		}
	}
	return ""
}

func probeBwrap(ctx context.Context, s Sources) *Bwrap {
	p := FindProgram(s.View, s.Env("PATH"), "bwrap")
	if p == "" {
		return nil
	}
	b := &Bwrap{Path: p}
	if out, err := runBriefly(ctx, s.Runner, Command{Path: p, Args: []string{"--version"}}); err == nil {
		b.Version = ParseBwrapVersion(out.Stdout)
	}
	if out, err := runBriefly(ctx, s.Runner, Command{Path: p, Args: []string{"--help"}}); err == nil {
		b.Flags = ParseBwrapFlags(out.Stdout)
	}
	return b
}

func runBriefly(ctx context.Context, r Runner, c Command) (Output, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	out, err := r.Run(ctx, c)
	if err == nil && out.Code != 0 {
		err = errors.New("the program failed")
	}
	return out, err
}
