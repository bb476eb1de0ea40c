package host_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

func TestBwrapBefore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		have, than string
		want       bool
	}{
		{"0.8.0", "0.12.0", true},
		{"0.12.0", "0.12.0", false},
		{"0.12", "0.12.0", false},
		{"0.12.0", "0.12", false},
		{"0.11.2", "0.12.0", true},
		{"0.12.1", "0.12.0", false},
		{"0.13.0", "0.12.0", false},
		{"1.0", "0.12.0", false},
		{"0.12.0-rc1", "0.12.0", false},
		{"0.11.9-12", "0.12.0", true},
		{"0", "0.0.1", true},
		{"", "0.0.1", true},
		{"unknown", "0.0.1", true},
		{"v0.13.0", "0.12.0", true},
	} {
		t.Run(tt.have+" before "+tt.than, func(t *testing.T) {
			t.Parallel()
			if got := (&host.Bwrap{Version: tt.have}).Before(tt.than); got != tt.want {
				t.Errorf("got %t", got)
			}
		})
	}
	if !(*host.Bwrap)(nil).Before("0.0.1") {
		t.Error("a missing bubblewrap is not old")
	}
}

func TestBwrapHas(t *testing.T) {
	t.Parallel()
	b := &host.Bwrap{Flags: []string{"--bind", "--perms"}}
	if !b.Has("--perms") || b.Has("--perm") || b.Has("") || (*host.Bwrap)(nil).Has("--perms") {
		t.Error("wrong answer")
	}
}

func TestParseBwrapVersion(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{
		"bubblewrap 0.8.0\n":                "0.8.0",
		"bubblewrap 0.12":                   "0.12",
		"":                                  "",
		"bwrap: Unknown option --version\n": "",
		"bubblewrap\n":                      "",
	} {
		if got := host.ParseBwrapVersion([]byte(out)); got != want {
			t.Errorf("%q: got %q, want %q", out, got, want)
		}
	}
}

func TestParseBwrapFlags(t *testing.T) {
	t.Parallel()
	const help = `usage: bwrap [OPTIONS...] [--] COMMAND [ARGS...]

    --help                       Print this help
    --tmpfs DEST                 Mount new tmpfs on DEST
    --unshare-user-try           Create new user namespace if possible else continue by skipping it
                                 like --not-an-option
    --bind SRC DEST              Equal to --bind but --other
	--bind SRC DEST              again
`
	want := []string{"--bind", "--help", "--tmpfs", "--unshare-user-try"}
	if diff := cmp.Diff(want, host.ParseBwrapFlags([]byte(help))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := host.ParseBwrapFlags(nil); len(got) != 0 {
		t.Errorf("nothing: got %q", got)
	}
}
