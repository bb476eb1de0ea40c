package verify_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/automata"
)

// small is a policy: /w may be written, less what glob closes and /w/s.
func small() *ir.Policy {
	return &ir.Policy{Version: 1, Workspace: "/w", Files: []ir.FileRule{
		{
			Match: ir.Glob{Pattern: glob.MustParse("/**/*.key")}, Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace,
			Origin: ir.Origin{Address: "filesystem.deny.keys"},
		},
		{
			Match: ir.Subtree("/w/s"), Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace,
			Origin: ir.Origin{Address: "filesystem.deny.s"},
		},
		{
			Match: ir.Subtree("/w"), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerWorkspace,
			Origin: ir.Origin{Address: "filesystem.write[/w]"},
		},
	}}
}

const (
	reads    = "(allow file-read* process-exec* file-clone (subpath \"/w\"))\n"
	noReads  = "(deny file-read* process-exec* file-clone (regex #\"^(/[^/]+)*/[^/]*\\.[Kk][Ee][Yy](/|$)\") (regex #\"^/[Ww]/[Ss](/|$)\"))\n"
	writes   = "(allow file-write* file-link network-bind network-inbound (subpath \"/w\"))\n"
	noWrites = "(deny file-write* file-link network-bind network-inbound (regex #\"^(/[^/]+)*/[^/]*\\.[Kk][Ee][Yy](/|$)\") (regex #\"^/[Ww]/[Ss](/|$)\"))\n"
	pins     = "(deny file-write-unlink file-write-create (literal \"/w\"))\n"
	rest     = "(deny file-clone (vnode-type DIRECTORY))\n(deny network-outbound (subpath \"/\"))\n" + needs
	head     = "(version 1)\n(deny default)\n(deny file-link)\n(deny file-clone)\n"
)

// needs is what every profile has besides files and the network, and the names
// on the way to what is open.
const needs = `(allow file-read-metadata (literal "/") (literal "/etc") (literal "/tmp") (literal "/var") (literal "/private/etc/localtime"))
(deny process-info* nvram*)
(allow process-fork pseudo-tty ipc-posix-sem* sysctl-read)
(deny sysctl-read (sysctl-name-prefix "kern.procargs"))
(allow signal process-info* (target same-sandbox))
(allow file-ioctl (literal "/dev/tty") (literal "/dev/ptmx") (literal "/dev/dtracehelper") (regex #"^/dev/ttys[0-9]+$"))
(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center") (ipc-posix-name-prefix "apple.cfprefs."))
(allow ipc-posix-shm* (ipc-posix-name-prefix "/psm_") (ipc-posix-name-prefix "/__KMP_REGISTERED_LIB_"))
(allow mach-lookup (global-name "com.apple.logd") (global-name "com.apple.system.logger") (global-name "com.apple.system.notification_center"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership"))
(allow mach-lookup (global-name "com.apple.bsd.dirhelper") (global-name "com.apple.cfprefsd.agent") (global-name "com.apple.cfprefsd.daemon"))
(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.SystemConfiguration.DNSConfiguration"))
`

// TestProfile holds profiles that were written by hand against the policy.
func TestProfile(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"equal", head + reads + noReads + writes + noWrites + pins + rest, nil},
		{"in another order of what closes", head + reads + writes + noWrites + noReads + rest + pins, nil},
		{
			"a closing is missing for reading", head + reads + writes + noWrites + pins + rest,
			[]string{`movable: a directory with what filesystem.deny.keys closes in it can be moved so that it is open as "/w/.key"`, "permits read file-read-data /w/s dir rule 1 line 5"},
		},
		{
			"the last rule wins", head + noReads + reads + writes + noWrites + pins + rest,
			[]string{`movable: a directory with what filesystem.deny.keys closes in it can be moved so that it is open as "/w/.key"`, "permits read file-read-data /w/s dir rule 1 line 6"},
		},
		{
			"a pin is missing", head + reads + noReads + writes + noWrites + rest,
			[]string{"permits write file-write-create /w dir rule 2 line 7", "permits unlink file-write-unlink /w dir rule 2 line 7"},
		},
		{
			"more is closed", head + reads + noReads + "(deny file-read-data (literal \"/w/x\"))\n" + writes + noWrites + pins + rest,
			[]string{"denies read file-read-data /w/x dir rule 2 line 7"},
		},
		{
			"only attributes may be changed", head + reads + noReads + writes + noWrites + "(allow file-write-mode (subpath \"/w/s\"))\n" + pins + rest,
			[]string{"permits write file-write-mode /w/s dir rule 1 line 9"},
		},
		{
			"links may be made to what is closed", strings.Replace(head, "(deny file-link)\n", "", 1) + reads + noReads + writes + noWrites + pins + rest,
			[]string{"permits write file-link / dir rule -1 line -1"},
		},
		{
			"the network", head + reads + noReads + writes + noWrites + pins + rest + "(allow network-outbound (remote ip \"localhost:*\"))\n",
			[]string{"network: a connection to this machine is open (network-outbound)"},
		},
		{
			"sockets", head + reads + noReads + writes + noWrites + pins + rest + "(allow network-outbound (literal \"/w/sock\"))\n",
			[]string{"permits write network-outbound /w/sock rule 2 line 24"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			proof, err := verify.Profile(small(), verify.ProfileInput{File: "p.sb", Text: []byte(tc.text)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range proof.Holes {
				got = append(got, h.Name+": "+h.Text)
			}
			for _, d := range proof.Differences {
				dir := ""
				if d.Dir {
					dir = "dir "
				}
				got = append(got, fmt.Sprintf("%s %s %s %s %srule %d line %d", d.Direction, d.Op, d.As, d.Path, dir, d.Rule, d.Line))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

// TestProfileBudget: a proof that would take too long is no yes.
func TestProfileBudget(t *testing.T) {
	t.Parallel()
	text := head + reads + noReads + writes + noWrites + pins + rest
	_, err := verify.Profile(small(), verify.ProfileInput{File: "p.sb", Text: []byte(text), MaxStates: 3})
	if over := (*automata.BudgetError)(nil); !errors.As(err, &over) {
		t.Errorf("got %v, want an error about the budget", err)
	}
}

// TestProfileRefused: what cannot be read, or what sbc never writes, is an error
// with its place.
func TestProfileRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, line, want string }{
		{"an unknown operation", "(deny made-up)", "p.sb:3:7: made-up is no operation, or not the name that sbc writes"},
		{"an escape", "(allow process-exec* (literal \"/w/x\") (with no-sandbox))", "p.sb:3:39: no-sandbox: what is started would run without the sandbox"},
		{
			"a dead path", "(allow file-read* (subpath \"/tmp/x\"))",
			"p.sb:3:28: \"/tmp/x\" passes the link /tmp, which the kernel resolves to /private/tmp: the rule would match nothing",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := verify.Profile(small(), verify.ProfileInput{File: "p.sb", Text: []byte("(version 1)\n(deny default)\n" + tc.line + "\n")})
			if err == nil || err.Error() != tc.want {
				t.Errorf("got %v\nwant %s", err, tc.want)
			}
		})
	}
}
