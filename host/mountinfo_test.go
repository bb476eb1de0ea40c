package host_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

func TestParseMountInfo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []host.Mount
		err        string
	}{
		{name: "empty", text: ""},
		{
			name: "several, in order",
			text: "22 27 0:21 / /proc rw,relatime - proc proc rw\n27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n",
			want: []host.Mount{{Dev: "0:21", Root: "/", Point: "/proc", FSType: "proc"}, {Dev: "254:0", Root: "/", Point: "/", FSType: "ext4"}},
		},
		{
			name: "no newline at the end", text: "1 0 8:1 / / rw - ext4 /dev/sda rw",
			want: []host.Mount{{Dev: "8:1", Root: "/", Point: "/", FSType: "ext4"}},
		},
		{
			name: "tags", text: "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 propagate_from:3 - ext3 /dev/root rw\n",
			want: []host.Mount{{Dev: "98:0", Root: "/mnt1", Point: "/mnt2", FSType: "ext3"}},
		},
		{
			name: "escapes", text: `40 1 8:1 /a\040b\011c\012d\134e\043f /p\134\060x\303\251 rw - tmpfs none rw` + "\n",
			want: []host.Mount{{Dev: "8:1", Root: "/a b\tc\nd\\e#f", Point: "/p\\0xé", FSType: "tmpfs"}},
		},
		{
			name: "not UTF-8", text: "40 1 8:1 / /p\xff\\377 rw - tmpfs none rw\n",
			want: []host.Mount{{Dev: "8:1", Root: "/", Point: "/p\xff\xff", FSType: "tmpfs"}},
		},
		{
			name: "hyphens in paths", text: "40 1 8:1 /- /a-b/- rw - tmpfs - rw\n",
			want: []host.Mount{{Dev: "8:1", Root: "/-", Point: "/a-b/-", FSType: "tmpfs"}},
		},
		{
			name: "root that is no path", text: "40 1 0:4 net:[4026531840] /run/netns/x rw - nsfs nsfs rw\n41 1 8:1 /x//deleted /etc/resolv.conf rw - ext4 /dev/sda rw\n",
			want: []host.Mount{{Dev: "0:4", Root: "net:[4026531840]", Point: "/run/netns/x", FSType: "nsfs"}, {Dev: "8:1", Root: "/x//deleted", Point: "/etc/resolv.conf", FSType: "ext4"}},
		},
		{
			name: "empty source", text: "40 1 0:4 / /x rw - tmpfs  rw\n",
			want: []host.Mount{{Dev: "0:4", Root: "/", Point: "/x", FSType: "tmpfs"}},
		},
		{name: "no separator", text: "1 0 8:1 / / rw - ext4 /dev/sda rw\n22 27 0:21 / /proc rw,relatime\n", err: "mountinfo line 2: too few fields"},
		{name: "few fields", text: "22 27 0:21 / - proc proc rw\n", err: "mountinfo line 1: too few fields"},
		{name: "empty line", text: "1 0 8:1 / / rw - ext4 /dev/sda rw\n\n", err: "mountinfo line 2: too few fields"},
		{name: "short escape", text: `1 0 8:1 / /a\04 rw - ext4 /dev/sda rw`, err: `mountinfo line 1: malformed escape in "/a\\04"`},
		{name: "escape of no digits", text: `1 0 8:1 /\x20a / rw - ext4 /dev/sda rw`, err: `mountinfo line 1: malformed escape in "/\\x20a"`},
		{name: "escape too large", text: `1 0 8:1 /\777 / rw - ext4 /dev/sda rw`, err: `mountinfo line 1: malformed escape in "/\\777"`},
		{name: "relative point", text: "1 0 8:1 / x rw - ext4 /dev/sda rw", err: `mountinfo line 1: the mount point "x" is not absolute`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := host.ParseMountInfo([]byte(tt.text))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.err, errText(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}
