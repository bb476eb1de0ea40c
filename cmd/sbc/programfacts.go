package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/sandboxc/sbc/host"
)

// askedOnce is a runner that remembers what programs say of themselves: a program
// that is the same file says the same again. Starting bubblewrap twice takes as
// long as all else that sbc run does.
type askedOnce struct {
	host.Runner
	dir ownDir
}

// askedBefore is where answers are kept; empty if the user's cache is not known.
func askedBefore(env func(string) string) ownDir {
	cache := env("XDG_CACHE_HOME")
	if home := env("HOME"); !filepath.IsAbs(cache) && filepath.IsAbs(home) {
		cache = filepath.Join(home, ".cache")
	}
	if !filepath.IsAbs(cache) {
		return ""
	}
	return ownDir(filepath.Join(cache, "sbc", "programs"))
}

// Run implements [host.Runner].
func (r askedOnce) Run(ctx context.Context, c host.Command) (host.Output, error) {
	key, ok := answerKey(c)
	if !ok {
		return r.Runner.Run(ctx, c)
	}
	var out host.Output
	if text, ok := r.dir.read(key); ok && gob.NewDecoder(bytes.NewReader(text)).Decode(&out) == nil {
		return out, nil
	}
	out, err := r.Runner.Run(ctx, c)
	if again, still := answerKey(c); err == nil && out.Code == 0 && still && again == key {
		var text bytes.Buffer
		if gob.NewEncoder(&text).Encode(out) == nil {
			r.dir.trim(keptStarts)
			r.dir.write(key, text.Bytes())
		}
	}
	return out, err
}

// answerKey names a question that a program answers from itself alone, by the
// file that it is.
func answerKey(c host.Command) (string, bool) {
	if len(c.Args) != 1 || c.Args[0] != "--version" && c.Args[0] != "--help" || len(c.Files) > 0 {
		return "", false
	}
	path, err := filepath.EvalSymlinks(c.Path)
	if err != nil {
		return "", false
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.Mode().IsRegular() {
		return "", false
	}
	return digestOf(fmt.Sprintf("%q %q %d:%d %d %d", path, c.Args[0], st.Dev, st.Ino, info.Size(), info.ModTime().UnixNano())), true
}
