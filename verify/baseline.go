package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// A policy speaks about files, the network, and the Mach services that it lists.
// Whatever else a profile may open is the same for all policies, and written
// down here a second time, independently of the code that emits it: what
// programs need to run at all. A profile that opens more, or less, does not mean
// the policy.

// always is what every program may do besides files and the network.
const always = `(version 1)
(deny default)
(deny nvram*)
(deny process-info*)
(allow process-fork pseudo-tty sysctl-read ipc-posix-sem*)
(allow signal process-info* (target same-sandbox))
(deny sysctl-read (sysctl-name-prefix "kern.procargs"))
(allow file-ioctl (literal "/dev/tty") (literal "/dev/ptmx") (literal "/dev/dtracehelper") (regex #"^/dev/ttys[0-9]+$"))
(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center") (ipc-posix-name-prefix "apple.cfprefs."))
(allow ipc-posix-shm* (ipc-posix-name-prefix "/__KMP_REGISTERED_LIB_") (ipc-posix-name-prefix "/psm_"))
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.DNSConfiguration")
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.cfprefsd.agent")
  (global-name "com.apple.cfprefsd.daemon")
  (global-name "com.apple.logd")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))
`

// networked is what it takes besides to reach other hosts safely: the system
// verifies certificates.
const networked = `(allow mach-lookup (global-name "com.apple.trustd") (global-name "com.apple.trustd.agent"))
`

// resolving is what it takes besides to find them.
const resolving = `(allow mach-lookup (global-name "com.apple.dnssd.service"))
(allow system-socket (socket-domain AF_ROUTE) (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))
`

// baseline is what a profile for a policy may open besides files and the
// network.
func baseline(p *ir.Policy) (*sbpl.Profile, error) {
	var b strings.Builder
	b.WriteString(always)
	if p.Network.Mode.Value != ir.NetNone {
		b.WriteString(networked)
	}
	if p.Network.Mode.Value == ir.NetFull {
		b.WriteString(resolving)
	}
	for _, x := range p.Extras {
		if x.Target == ir.Darwin && x.Kind == ir.ExtraMach {
			fmt.Fprintf(&b, "(allow mach-lookup %s)\n", sbpl.Name{Attr: "global-name", Match: sbpl.NameExact, Text: x.Value})
		}
	}
	return sbpl.Read("baseline", []byte(b.String()), sbpl.Options{})
}

// rest are the operations that the baseline is about: all but those on files
// and the network that the policy decides, and those that fall back to them,
// about which sbc writes no rules.
func rest() []string {
	governed := map[string]bool{"file-read*": true, "file-write*": true, attributes: true}
	for _, op := range operations() {
		name, _ := sbpl.Operation(op.name)
		governed[name] = true
	}
	return slices.DeleteFunc(sbpl.Operations(), func(op string) bool { return governed[op] || governed[sbpl.Parent(op)] })
}

// others finds what the profile opens or closes besides files and the network,
// other than for every policy.
func (v *profileProof) others() error {
	base, err := baseline(v.policy)
	if err != nil {
		return fmt.Errorf("internal error: %w; please report", err)
	}
	found, err := disagreements(base, v.profile, rest())
	if err != nil {
		return err
	}
	said := map[string]bool{}
	for _, d := range found {
		key := fmt.Sprint(" ", d.Second)
		said[d.Op+key] = true
		if said[sbpl.Parent(d.Op)+key] {
			continue // it falls back to that one
		}
		got, err := v.profile.Decide(d.Op, d.Subject)
		if err != nil {
			return err
		}
		state := "closed"
		if d.Second {
			state = "open"
		}
		h := Hole{Name: "operation", Line: -1, Text: fmt.Sprintf("%s%s is %s", d.Op, subjectText(d.Subject), state)}
		if got.Rule != nil {
			h.Line = got.Rule.Pos.Line
		}
		v.proof.Holes = append(v.proof.Holes, h)
	}
	return nil
}

// subjectText says in a message what an operation is asked about.
func subjectText(s sbpl.Subject) string {
	switch {
	case s.Path != "":
		return fmt.Sprintf(" of %q", s.Path)
	case s.Name != "":
		return fmt.Sprintf(" of %q (%s)", s.Name, s.NameKind)
	case s.Target != "":
		return " on a process that is " + s.Target
	case s.Domain != "":
		return fmt.Sprintf(" in the domain %q, type %q, protocol %q", s.Domain, s.Type, s.Protocol)
	case s.Remote != "":
		return " to " + s.Remote
	case s.Local != "":
		return " at " + s.Local
	}
	return ""
}
