package host_test

import (
	"io/fs"
	"testing"

	"github.com/sandboxc/sbc/host"
)

func TestCanSupervise(t *testing.T) {
	t.Parallel()
	const actions = "kill_process kill_thread trap errno user_notif trace log allow\n"
	for _, tt := range []struct {
		release, actions, want string
	}{
		{"6.18.5", actions, ""},
		{"5.19.0-43-generic", actions, ""},
		{"5.19", actions, ""},
		{"7.0-rc1", actions, ""},
		{"10.2.0", actions, ""},
		{"5.18.19", actions, "the kernel is 5.18.19, and 5.19 is needed"},
		{"4.19.0-27-amd64", actions, "the kernel is 4.19.0-27-amd64, and 5.19 is needed"},
		{"5.9.1", actions, "the kernel is 5.9.1, and 5.19 is needed"},
		{"", actions, `the release of the kernel, "", is not understood`},
		{"6", actions, `the release of the kernel, "6", is not understood`},
		{"6.x", actions, `the release of the kernel, "6.x", is not understood`},
		{"-6.1", actions, `the release of the kernel, "-6.1", is not understood`},
		{"6.1.0", "kill_thread trap errno trace allow\n", "the kernel's seccomp filters cannot ask another process (user_notif)"},
		{"6.1.0", "no_user_notif\n", "the kernel's seccomp filters cannot ask another process (user_notif)"},
		{"6.1.0", "", "what seccomp filters may answer cannot be read: open " + host.SeccompActions + ": file does not exist"},
	} {
		err := host.CanSupervise(tt.release, func(path string) ([]byte, error) {
			if tt.actions == "" || path != host.SeccompActions {
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			}
			return []byte(tt.actions), nil
		})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.release, got, tt.want)
		}
	}
}
