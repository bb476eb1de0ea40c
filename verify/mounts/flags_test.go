package mounts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sandboxc/sbc/verify/mounts"
)

// tight leaves nothing open.
const tight = "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net " +
	"--cap-drop ALL --die-with-parent --new-session --seccomp 3 " // 13 arguments

func names(flags []mounts.Flag) []string {
	out := []string{}
	for _, f := range flags {
		name := itoa(f.Index) + " " + f.Name
		if f.Info {
			name += " (info)"
		}
		out = append(out, name)
	}
	return out
}

func TestFlags(t *testing.T) {
	t.Parallel()
	const env = "-1 environment (info)"
	tests := []struct {
		name string
		args string
		want []string
	}{
		{"nothing is closed", "", []string{
			"-1 capabilities", "-1 cgroup-namespace", env, "-1 ipc-namespace", "-1 nested-namespaces (info)", "-1 network",
			"-1 parent", "-1 pid-namespace", "-1 seccomp", "-1 session", "-1 user-namespace", "-1 uts-namespace",
		}},
		{"everything is closed", tight, []string{env}},
		{
			"all namespaces, if possible", strings.ReplaceAll(strings.ReplaceAll(tight, "--unshare-user", "--unshare-all"), "--disable-userns", "--assert-userns-disabled"),
			[]string{env, "-1 user-namespace"},
		},
		{"the network is shared after all", tight + "--share-net", []string{env, "13 network"}},
		{"and then not", tight + "--share-net --unshare-net", []string{env}},
		{"a capability comes back", tight + "--cap-add CAP_SYS_ADMIN", []string{env, "13 capabilities"}},
		{"and goes again, by name", tight + "--cap-add CAP_SYS_ADMIN --cap-drop CAP_SYS_ADMIN", []string{env, "13 capabilities"}},
		{"and goes again, with all", tight + "--cap-add CAP_SYS_ADMIN --cap-drop ALL", []string{env}},
		{"only one capability is dropped", strings.Replace(tight, "ALL", "CAP_SYS_ADMIN", 1), []string{"-1 capabilities", env}},
		{"namespaces of somebody else", tight + "--userns2 4 --pidns 5", []string{env, "13 foreign-namespace", "15 foreign-namespace"}},
		{"no boundary", tight + "--not-a-security-boundary", []string{env, "13 no-boundary"}},
		{"a clear environment", tight + "--clearenv", []string{"13 environment (info)"}},
		{"a secret", tight + "--setenv GITHUB_TOKEN x --setenv LANG C", []string{env, "13 secret-in-arguments"}},

		{"the host's processes", tight + "--ro-bind /proc /proc", []string{env, "13 host-proc"}},
		{"the host's processes, from the root", tight + "--bind / /", []string{env, "13 host-proc"}},
		{"covered", tight + "--bind / / --proc /proc", []string{env}},
		{"covered and shown again", tight + "--bind / / --proc /proc --ro-bind / /mnt", []string{env, "18 host-proc"}},
		{"covered with what is above", tight + "--bind / /mnt --tmpfs /mnt", []string{env}},
		{"covered if something exists", tight + "--bind / / --ro-bind-try /usr /proc", []string{env, "13 host-proc"}},
		{"covered too early", tight + "--proc /proc --ro-bind / /", []string{env, "15 host-proc"}},
		{"one process", tight + "--ro-bind /proc/1 /p", []string{env, "13 host-proc"}},
		{"settings of the kernel", tight + "--proc /proc --ro-bind /proc/sys /proc/sys", []string{env}},
		{"processes without a namespace", strings.Replace(tight, "--unshare-pid ", "", 1) + "--proc /proc", []string{env, "-1 pid-namespace", "12 host-proc"}},

		{"devices", tight + "--dev-bind /dev /dev", []string{env, "13 devices"}},
		{"an overlay", tight + "--overlay-src /a --tmp-overlay /a", []string{env, "15 overlay"}},
		{"relative paths", tight + "--bind a /b --tmpfs c", []string{env, "13 unclean-path", "16 unclean-path"}},
		{"paths that go up", tight + "--bind /a/../b /b", []string{env, "13 unclean-path"}},
		{"a link as a destination", tight + "--symlink /a /l --tmpfs /l --dir /l/x --symlink /a /l", []string{env, "16 symlink-destination", "18 symlink-destination"}},
		{"the same content twice", tight + "--bind-data 4 /a --bind-data 4 /b --file 3 /c", []string{env, "16 descriptor-twice", "19 descriptor-twice"}},
		{"descriptors", tight + "--bind-fd 4 /a --sync-fd 5", []string{env, "13 descriptor", "16 descriptor (info)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			flags := mounts.Flags(read(t, tt.args))
			if diff := cmp.Diff(tt.want, names(flags)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, f := range flags {
				if f.Text == "" || strings.HasSuffix(f.Text, ".") {
					t.Errorf("%s: %q", f.Name, f.Text)
				}
			}
		})
	}
}

func TestInherited(t *testing.T) {
	t.Parallel()
	s, err := mounts.Read(strings.Fields("--args 9 --seccomp 3 --bind-data 4 /a --bind-fd 5 /b --pidns 6 --info-fd 7"), mounts.ReadOptions{Data: map[int][]byte{9: nil}})
	if err != nil {
		t.Fatal(err)
	}
	got := mounts.Inherited(s, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	want := []mounts.Flag{
		{Name: mounts.FlagInherited, Index: -1, Text: "descriptor 10 is passed on to the command"},
		{Name: mounts.FlagInherited, Index: -1, Text: "descriptor 8 is passed on to the command"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
