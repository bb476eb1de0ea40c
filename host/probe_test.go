package host_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

// script is a runner that answers by the arguments.
type script map[string]host.Output

func (s script) Run(_ context.Context, c host.Command) (host.Output, error) {
	if c.Env != nil || c.Path != "/usr/bin/bwrap" || len(c.Args) != 1 {
		return host.Output{}, errors.New("unexpected command")
	}
	out, ok := s[c.Args[0]]
	if !ok {
		return out, errors.New("cannot start")
	}
	return out, nil
}

func TestProbe(t *testing.T) {
	t.Parallel()
	const sockets = "Num RefCount Protocol Flags Type St Inode Path\n0000000000000000: 00000002 00000000 00010000 0001 01 17 /run/sock\n"
	const users = "root:x:0:0:root:/root:/bin/sh\nshort:x:1000\nu:x:1000:1000:U:/home/u:/bin/sh\nv:x:1000:1000::/home/v:/bin/sh\n"
	files := map[string]string{
		"/etc/passwd":    users,
		"/proc/net/unix": sockets,
	}
	bwrap := script{
		"--version": {Stdout: []byte("bubblewrap 0.8.0\n")},
		"--help":    {Stdout: []byte("usage:\n  --perms OCTAL\n  --bind SRC DEST\n")},
	}
	view := parseRecord(t, `{"sbc_host": 1, "facts": `+factsJSON+`, "tree": {
		"/home": {"link": "data/home"},
		"/data/home/u/.cache": {"link": "/elsewhere"},
		"/usr/bin/bwrap": {"perm": "755"}
	}}`)
	linux := host.Facts{OS: "linux", Arch: "amd64", Kernel: "6.1.0", UID: 1000}
	mac := host.Facts{OS: "darwin", Arch: "arm64", OSVersion: "14.4.1", UID: 501, Home: "/Users/u"}
	for _, tt := range []struct {
		name   string
		base   host.Facts
		env    map[string]string
		runner host.Runner
		want   func(*host.Facts) // changes base
		err    string
	}{
		{
			name: "everything set", base: linux, runner: bwrap,
			env: map[string]string{"HOME": "/home/u/", "TMPDIR": "/t/./x", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/f", "PATH": "/sbin:/usr/bin"},
			want: func(f *host.Facts) {
				f.Home, f.Temp, f.Cache, f.Config = "/data/home/u", "/t/x", "/c", "/f"
				f.Bwrap = &host.Bwrap{Path: "/usr/bin/bwrap", Version: "0.8.0", Flags: []string{"--bind", "--perms"}}
			},
		},
		{
			name: "nothing set", base: linux, runner: bwrap,
			want: func(f *host.Facts) {
				f.Home, f.Temp, f.Cache, f.Config = "/data/home/u", "/tmp", "/data/home/u/.cache", "/data/home/u/.config"
			},
		},
		{
			name: "relative counts as unset", base: linux, runner: bwrap,
			env: map[string]string{"HOME": "u", "TMPDIR": "t", "XDG_CACHE_HOME": "c", "XDG_CONFIG_HOME": "f", "PATH": "usr/bin::.:bin"},
			want: func(f *host.Facts) {
				f.Home, f.Temp, f.Cache, f.Config = "/data/home/u", "/tmp", "/data/home/u/.cache", "/data/home/u/.config"
			},
		},
		{
			name: "home that does not exist", base: linux, runner: bwrap, env: map[string]string{"HOME": "/nonexistent"},
			want: func(f *host.Facts) {
				f.Home, f.Temp, f.Cache, f.Config = "/nonexistent", "/tmp", "/nonexistent/.cache", "/nonexistent/.config"
			},
		},
		{
			name: "bubblewrap that does not answer", base: linux, runner: script{"--help": {Code: 1, Stdout: []byte("  --bind\n")}},
			env: map[string]string{"HOME": "/h", "PATH": "/usr/bin"},
			want: func(f *host.Facts) {
				f.Home, f.Temp, f.Cache, f.Config = "/h", "/tmp", "/h/.cache", "/h/.config"
				f.Bwrap = &host.Bwrap{Path: "/usr/bin/bwrap"}
			},
		},
		{
			name: "mac", base: mac, runner: bwrap, env: map[string]string{"PATH": "/usr/bin", "XDG_CACHE_HOME": "/c", "TMPDIR": "/var/folders/x/T/"},
			want: func(f *host.Facts) {
				f.Home, f.Temp, f.Cache, f.Config = "/Users/u", "/var/folders/x/T", "/Users/u/Library/Caches", "/Users/u/.config"
			},
		},
		{
			name: "no home", base: host.Facts{OS: "linux", UID: 7}, runner: bwrap,
			want: func(*host.Facts) {}, err: "the home directory of user 7 is not known: set HOME",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := host.Probe(t.Context(), host.Sources{
				Base: tt.base, View: view, Runner: tt.runner,
				Env: func(name string) string { return tt.env[name] },
				ReadFile: func(p string) ([]byte, error) {
					if text, ok := files[p]; ok {
						return []byte(text), nil
					}
					return nil, fs.ErrNotExist
				},
			})
			want := tt.base
			if tt.err == "" && want.OS == "linux" {
				want.Sockets = []string{"/run/sock"}
			}
			tt.want(&want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.err, errText(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFindProgram(t *testing.T) {
	t.Parallel()
	view := parseRecord(t, `{"sbc_host": 1, "facts": `+factsJSON+`, "tree": {
		"/plain/bwrap": {"perm": "644"},
		"/dir/bwrap": {"type": "dir"},
		"/dangling/bwrap": {"link": "gone"},
		"/denied/bwrap": {"lstat": "permission"},
		"/link/bwrap": {"link": "../usr/bin/bwrap"},
		"/bin": {"link": "usr/bin"},
		"/usr/bin/bwrap": {"perm": "755"}
	}}`)
	for _, tt := range []struct{ name, path, want string }{
		{"none", "", ""},
		{"missing", "/gone:/usr", ""},
		{"not to be executed", "/plain:/dir:/dangling:/denied", ""},
		{"the first that will do", "/plain:/dir:/dangling:/denied:/link:/usr/bin", "/link/bwrap"},
		{"through a link", "/bin:/usr/bin", "/bin/bwrap"},
		{"relative", ":.:usr/bin", ""},
		{"slash at the end", "/usr/bin/", "/usr/bin/bwrap"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := host.FindProgram(view, tt.path, "bwrap"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
