package frontend_test

import (
	"testing"

	"github.com/sandboxc/sbc/frontend"
)

func TestPathOn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, target, os, path, want string }{
		{"same", "linux", "linux", "/tmp/x", "/tmp/x"},
		{"to darwin", "darwin", "linux", "/tmp/x", "/private/tmp/x"},
		{"private on linux is itself", "darwin", "linux", "/private/tmp/x", "/private/tmp/x"},
		{"back to linux", "linux", "darwin", "/private/var/x", "/var/x"},
		{"darwin itself", "darwin", "darwin", "/private/etc", "/private/etc"},
		{"others", "darwin", "linux", "/home/u", "/home/u"},
		{"only whole names", "darwin", "linux", "/tmpx", "/tmpx"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := frontend.PathOn(tc.target, tc.os, tc.path); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
