package trace_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/trace"
)

// TestStore: what was refused and what is missing have bounds of their own, and
// the text of all has one.
func TestStore(t *testing.T) {
	t.Parallel()
	s := trace.NewStore(2)
	who := func() (int, string) { return 7, "/bin/x" }
	for _, p := range []string{"/a", "/b", "/c", "/a"} {
		s.Add(trace.Record{Call: "open", Path: p, Errno: "EACCES"}, false, who)
	}
	s.Add(trace.Record{Call: "open", Path: "/a", Errno: "ENOENT"}, true, who)
	want := []trace.Record{
		{Call: "open", Path: "/a", Errno: "EACCES", PID: 7, Exe: "/bin/x", Count: 2},
		{Call: "open", Path: "/b", Errno: "EACCES", PID: 7, Exe: "/bin/x", Count: 1},
		{Call: "open", Path: "/a", Errno: "ENOENT", PID: 7, Exe: "/bin/x", Count: 1},
	}
	if diff := cmp.Diff(want, s.Records()); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if got := s.Lost(); got != (trace.Lost{Beyond: 1}) {
		t.Errorf("lost %+v", got)
	}

	long := trace.NewStore(1 << 20)
	for i := range 1000 {
		long.Add(trace.Record{Path: strings.Repeat("x", 4000+i)}, false, who)
	}
	text := 0
	for _, r := range long.Records() {
		text += len(r.Path) + len(r.Exe)
	}
	if n := len(long.Records()); text > trace.MaxText || n < 400 || long.Lost().Beyond != 1000-n {
		t.Errorf("%d records of %d bytes, lost %+v", n, text, long.Lost())
	}
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, bytes, want string }{
		{"nothing", "", "none"},
		{"one byte", "\x02", "none"},
		{"family alone", "\x02\x00", `inet "" ""`},
		{"inet", "\x02\x00\x01\xbb\xc0\x00\x02\x01\x00\x00", `inet "" "192.0.2.1:443"`},
		{"inet6", "\x0a\x00\x00\x50\x00\x00\x00\x00\x20\x01\x0d\xb8" + strings.Repeat("\x00", 11) + "\x01\x00\x00\x00\x00", `inet6 "" "[2001:db8::1]:80"`},
		{"inet6 that is inet", "\x0a\x00\x00\x50\x00\x00\x00\x00" + strings.Repeat("\x00", 10) + "\xff\xff\xc0\x00\x02\x01", `inet6 "" "192.0.2.1:80"`},
		{"unix", "\x01\x00/run/x\x00rest", `unix "/run/x" ""`},
		{"unix without an end", "\x01\x00/run/x", `unix "/run/x" ""`},
		{"abstract", "\x01\x00\x00name", `unix "" "@name"`},
		{"unnamed", "\x01\x00", `unix "" ""`},
		{"netlink", "\x10\x00" + strings.Repeat("\x00", 10), `netlink "" ""`},
		{"vsock", "\x28\x00" + strings.Repeat("\x00", 14), `AF_40 "" ""`},
	} {
		if got := trace.ParseAddress([]byte(tc.bytes)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}
