package host_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

func TestParseUnixSockets(t *testing.T) {
	t.Parallel()
	const head = "Num       RefCount Protocol Flags    Type St Inode Path\n"
	const sock = "00000000d6f3c465: 00000002 00000000 00010000 0001 01 "
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"headings", head, nil},
		{"not bound", head + sock + " 1120\n" + sock + "12345678\n", nil},
		{"sorted, once", head + sock + " 1120 /run/b\n" + sock + " 1121 /run/a\n" + sock + "112200 /run/b\n", []string{"/run/a", "/run/b"}},
		{"abstract and relative", head + sock + " 1 @/tmp/.X11-unix/X0\n" + sock + " 2 sock\n" + sock + " 3 @\n", nil},
		{"not listening, datagrams", head + "0000000000000000: 00000003 00000000 00000000 0002 03 17 /dev/log\n", []string{"/dev/log"}},
		{"spaces", head + sock + " 1 /run/a b  c \n", []string{"/run/a b  c "}},
		{"newlines", head + sock + " 1 /run/a\nb\n\nc\n" + sock + " 2 /run/d\n", []string{"/run/a\nb\n\nc", "/run/d"}},
		{"newline in an abstract name", head + sock + " 1 @a\n/run/b\n" + sock + " 2 /run/d\n", []string{"/run/d"}},
		{"not clean", head + sock + " 1 /run//a/./b\n", []string{"/run/a/b"}},
		{"not UTF-8", head + sock + " 1 /run/\xff\n", []string{"/run/\xff"}},
		{"no newline at the end", head + sock + " 1 /run/a", []string{"/run/a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, host.ParseUnixSockets([]byte(tt.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
