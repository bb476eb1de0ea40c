package seatbelt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
	model "github.com/sandboxc/sbc/verify/sbpl"
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
		if _, err := parse([]byte("(version 1)(deny default)" + text)); err != nil {
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
		query           query
		none, prox, ful bool
	}{
		{"fork", query{Op: "process-fork"}, true, true, true},
		{"signal within", query{"signal", model.Subject{Target: "same-sandbox"}}, true, true, true},
		{"signal without", query{"signal", model.Subject{Target: "others"}}, false, false, false},
		{"look at itself", query{"process-info-pidinfo", model.Subject{Target: "self"}}, true, true, true},
		{"look at others", query{"process-info-pidinfo", model.Subject{Target: "others"}}, false, false, false},
		{"processor count", query{"sysctl-read", model.Subject{Name: "hw.ncpu"}}, true, true, true},
		{"arguments of others", query{"sysctl-read", model.Subject{Name: "kern.procargs2"}}, false, false, false},
		{"terminal settings", query{"file-ioctl", model.Subject{Path: "/dev/ttys003"}}, true, true, true},
		{"settings of a disk", query{"file-ioctl", model.Subject{Path: "/dev/disk0"}}, false, false, false},
		{"the link /tmp", query{"file-read-metadata", model.Subject{Path: "/tmp"}}, true, true, true},
		{"what is in /var", query{"file-read-metadata", model.Subject{Path: "/var/x"}}, false, false, false},
		{"boot settings", query{Op: "nvram*"}, false, false, false},
		{"hard link", query{"file-link", model.Subject{Path: "/etc/passwd"}}, false, false, false},
		{"clone", query{"file-clone", model.Subject{Path: "/etc/passwd"}}, false, false, false},
		{"multiprocessing", query{"ipc-posix-sem*", model.Subject{Name: "/mp-x"}}, true, true, true},
		{"shared memory of others", query{"ipc-posix-shm-write-data", model.Subject{Name: "apple.cfprefs.501v1"}}, false, false, false},
		{"user names", query{"mach-lookup", model.Subject{Name: "com.apple.system.opendirectoryd.libinfo"}}, true, true, true},
		{"the keychain", query{"mach-lookup", model.Subject{Name: "com.apple.SecurityServer"}}, false, false, false},
		{"certificates", query{"mach-lookup", model.Subject{Name: "com.apple.trustd.agent"}}, false, true, true},
		{"name service", query{"network-outbound", model.Subject{Path: "/private/var/run/mDNSResponder"}}, false, false, true},
		{"name service over Mach", query{"mach-lookup", model.Subject{Name: "com.apple.dnssd.service"}}, false, false, true},
		{"routing socket", query{"system-socket", model.Subject{Domain: "AF_ROUTE"}}, false, false, true},
		{"kernel control", query{"system-socket", model.Subject{Domain: "AF_SYSTEM", Protocol: "2"}}, false, false, true},
		{"kernel event socket", query{"system-socket", model.Subject{Domain: "AF_SYSTEM", Protocol: "1"}}, false, false, false},
	}
	profiles := map[ir.NetworkMode]readBack{}
	for _, mode := range []ir.NetworkMode{ir.NetNone, ir.NetProxy, ir.NetFull} {
		p := &ir.Policy{Version: 1}
		p.Network.Mode.Value = mode
		profiles[mode] = lower(t, p, nil).profile
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := [3]bool{
				profiles[ir.NetNone].allows(tt.query), profiles[ir.NetProxy].allows(tt.query), profiles[ir.NetFull].allows(tt.query),
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
