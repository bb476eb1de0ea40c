package seatbelt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
	"github.com/sandboxc/sbc/target/seatbelt/sbpltest"
)

// Every line has a reason, is known to the oldest system or says since when it
// is, and reads as SBPL.
func TestFloorLines(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range seatbelt.Floor() {
		text := f.Rule.String()
		if f.Reason == "" || f.Since == 0 || f.Need.String() == "invalid need" || seen[text] {
			t.Errorf("incomplete or repeated: %+v", f)
		}
		seen[text] = true
		if _, err := sbpltest.Parse([]byte("(version 1)" + text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		for _, never := range []string{"no-sandbox", "import", "param", "file-read-data", "file-write", "process-exec"} {
			if strings.Contains(text, never) {
				t.Errorf("%s has %q", text, never)
			}
		}
	}
}

func TestFloorAnswers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name            string
		query           sbpltest.Query
		none, prox, ful bool
	}{
		{"fork", sbpltest.Query{Op: "process-fork"}, true, true, true},
		{"signal within", sbpltest.Query{Op: "signal", Target: "same-sandbox"}, true, true, true},
		{"signal without", sbpltest.Query{Op: "signal", Target: "others"}, false, false, false},
		{"look at itself", sbpltest.Query{Op: "process-info-pidinfo", Target: "self"}, true, true, true},
		{"look at others", sbpltest.Query{Op: "process-info-pidinfo", Target: "others"}, false, false, false},
		{"processor count", sbpltest.Query{Op: "sysctl-read", Name: "hw.ncpu"}, true, true, true},
		{"arguments of others", sbpltest.Query{Op: "sysctl-read", Name: "kern.procargs2"}, false, false, false},
		{"terminal settings", sbpltest.Query{Op: "file-ioctl", Path: "/dev/ttys003"}, true, true, true},
		{"settings of a disk", sbpltest.Query{Op: "file-ioctl", Path: "/dev/disk0"}, false, false, false},
		{"the link /tmp", sbpltest.Query{Op: "file-read-metadata", Path: "/tmp"}, true, true, true},
		{"what is in /var", sbpltest.Query{Op: "file-read-metadata", Path: "/var/x"}, false, false, false},
		{"boot settings", sbpltest.Query{Op: "nvram*"}, false, false, false},
		{"hard link", sbpltest.Query{Op: "file-link", Path: "/etc/passwd"}, false, false, false},
		{"clone", sbpltest.Query{Op: "file-clone", Path: "/etc/passwd"}, false, false, false},
		{"multiprocessing", sbpltest.Query{Op: "ipc-posix-sem*", Name: "/mp-x"}, true, true, true},
		{"shared memory of others", sbpltest.Query{Op: "ipc-posix-shm-write-data", Name: "apple.cfprefs.501v1"}, false, false, false},
		{"user names", sbpltest.Query{Op: "mach-lookup", Name: "com.apple.system.opendirectoryd.libinfo"}, true, true, true},
		{"the keychain", sbpltest.Query{Op: "mach-lookup", Name: "com.apple.SecurityServer"}, false, false, false},
		{"certificates", sbpltest.Query{Op: "mach-lookup", Name: "com.apple.trustd.agent"}, false, true, true},
		{"name service", sbpltest.Query{Op: "network-outbound", Path: "/private/var/run/mDNSResponder"}, false, false, true},
		{"name service over Mach", sbpltest.Query{Op: "mach-lookup", Name: "com.apple.dnssd.service"}, false, false, true},
		{"routing socket", sbpltest.Query{Op: "system-socket", Domain: "AF_ROUTE"}, false, false, true},
		{"kernel control", sbpltest.Query{Op: "system-socket", Domain: "AF_SYSTEM", Protocol: 2}, false, false, true},
		{"kernel event socket", sbpltest.Query{Op: "system-socket", Domain: "AF_SYSTEM", Protocol: 1}, false, false, false},
	}
	profiles := map[ir.NetworkMode]*sbpltest.Profile{}
	for _, mode := range []ir.NetworkMode{ir.NetNone, ir.NetProxy, ir.NetFull} {
		p := &ir.Policy{Version: 1}
		p.Network.Mode.Value = mode
		profiles[mode] = lower(t, p, nil).profile
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := [3]bool{
				profiles[ir.NetNone].Allows(tt.query), profiles[ir.NetProxy].Allows(tt.query), profiles[ir.NetFull].Allows(tt.query),
			}
			if want := [3]bool{tt.none, tt.prox, tt.ful}; got != want {
				t.Errorf("none, proxy, full: %v, want %v", got, want)
			}
		})
	}
}

// The version of the host only matters for lines that say so, and none does
// for the systems that are supported today.
func TestFloorByVersion(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Version: 1}
	_, unknown, _ := compile(t, p, nil, target.Options{})
	for _, version := range []string{"13.0", "14.4.1", "26.5", "", "x"} {
		_, text, _ := compile(t, p, nil, target.Options{Facts: &host.Facts{OS: ir.Darwin, OSVersion: version}})
		if diff := cmp.Diff(unknown, text); diff != "" {
			t.Errorf("%q (-want +got):\n%s", version, diff)
		}
	}
}
