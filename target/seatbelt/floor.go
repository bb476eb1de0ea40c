package seatbelt

import (
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// Need says which policies a line of the floor is for.
type Need uint8

// The needs.
const (
	Always   Need = iota + 1 // every command
	Network                  // commands that reach a host: modes proxy and full
	Resolver                 // commands that find and reach hosts by themselves: mode full
)

// String returns "always", "network" or "resolver".
func (n Need) String() string {
	switch n {
	case Always:
		return "always"
	case Network:
		return "network"
	case Resolver:
		return "resolver"
	}
	return "invalid need"
}

// Oldest is the oldest major version of macOS that profiles are made for. All
// that is not restricted to newer versions is known to it.
const Oldest = 13

// FloorRule is a line of the floor that is not about reading and writing files.
// The floor's files are ordinary rules of the policy.
type FloorRule struct {
	Rule   sbpl.Rule
	Reason string
	Need   Need
	// Since and Until are the major versions of macOS that know and need the
	// line. Since 10 means that it is known from 10.15 or before; Until 0 means
	// that it is still needed.
	Since, Until int
}

// Floor returns what programs need besides files, in the order in which it is
// written. It was put together for sh, git, python, node, go with TLS, curl and
// swift.
func Floor() []FloorRule {
	return []FloorRule{
		line(Always, "open by default, even under (deny default); what may be linked to follows writing", deny("file-link")),
		line(Always, "open by default; what may be cloned follows reading", deny("file-clone")),
		line(Always, "open by default; tells about every process of the user", deny("process-info*")),
		line(Always, "open by default; boot settings are nobody's business", deny("nvram*")),
		line(Always, "shells, make and every test runner start processes", allow("process-fork")),
		line(Always, "job control among the command's own processes", allow("signal", symbol("target", "same-sandbox"))),
		line(Always, "runtimes look at their own process and children", allow("process-info*", symbol("target", "same-sandbox"))),
		line(Always, "number of processors, page size, system version; read by libc and every runtime", allow("sysctl-read")),
		line(Always, "the arguments and environment of other processes hold secrets", deny("sysctl-read", text("sysctl-name-prefix", "kern.procargs"))),
		line(Always, "a program that opens a terminal of its own: script, expect, editors", allow("pseudo-tty")),
		line(Always, "terminal settings, window size, isatty(3)", allow("file-ioctl",
			sbpl.Literal("/dev/tty"), sbpl.Literal("/dev/ptmx"), sbpl.Regex{Pattern: `^/dev/ttys[0-9]+$`})),
		line(Always, "the loader announces static probes while a program starts", allow("file-ioctl", sbpl.Literal("/dev/dtracehelper"))),
		line(Always, "the links at the root and to the time zone are followed by name; this shows no content", allow("file-read-metadata",
			sbpl.Literal("/etc"), sbpl.Literal("/tmp"), sbpl.Literal("/var"), sbpl.Literal("/private/etc/localtime"))),
		line(Always, "semaphores of python's multiprocessing and of other runtimes", allow("ipc-posix-sem*")),
		line(Always, "notify(3) and preferences are handed out in shared memory", allow("ipc-posix-shm-read-data",
			text("ipc-posix-name", "apple.shm.notification_center"), text("ipc-posix-name-prefix", "apple.cfprefs."))),
		line(Always, "shared memory of python's multiprocessing and of OpenMP, by their own names", allow("ipc-posix-shm*",
			text("ipc-posix-name-prefix", "/psm_"), text("ipc-posix-name-prefix", "/__KMP_REGISTERED_LIB_"))),
		line(Always, "logging: os_log and syslog", services("com.apple.logd", "com.apple.system.logger")),
		line(Always, "notify(3), on which libc relies for changes of the time zone", services("com.apple.system.notification_center")),
		line(Always, "getpwuid(3) and getgrgid(3)", services("com.apple.system.opendirectoryd.libinfo", "com.apple.system.opendirectoryd.membership")),
		line(Always, "confstr(3) for the temporary directory of the user", services("com.apple.bsd.dirhelper")),
		line(Always, "CoreFoundation asks for preferences when it starts; reading those of others stays closed", services("com.apple.cfprefsd.agent", "com.apple.cfprefsd.daemon")),
		line(Always, "node, python and swift read name server and host settings when they start", services(
			"com.apple.SystemConfiguration.configd", "com.apple.SystemConfiguration.DNSConfiguration")),
		line(Network, "certificates are verified there: without it TLS fails in go, swift and curl", services("com.apple.trustd", "com.apple.trustd.agent")),
		line(Resolver, "host names are resolved by mDNSResponder over its socket", allow("network-outbound", sbpl.Literal("/private/var/run/mDNSResponder"))),
		line(Resolver, "the same, by its newer interface", services("com.apple.dnssd.service")),
		line(Resolver, "getaddrinfo(3) sorts addresses with the kernel's help; routes tell when the network changes", allow("system-socket",
			sbpl.All{symbol("socket-domain", "AF_SYSTEM"), sbpl.Number{Name: "socket-protocol", Value: 2}}, symbol("socket-domain", "AF_ROUTE"))),
	}
}

func line(n Need, reason string, r sbpl.Rule) FloorRule {
	return FloorRule{Rule: r, Reason: reason, Need: n, Since: 10}
}

func allow(op sbpl.Op, fs ...sbpl.Filter) sbpl.Rule {
	return sbpl.Rule{Action: sbpl.Allow, Ops: []sbpl.Op{op}, Clauses: clauses(fs)}
}

func deny(op sbpl.Op, fs ...sbpl.Filter) sbpl.Rule {
	return sbpl.Rule{Action: sbpl.Deny, Ops: []sbpl.Op{op}, Clauses: clauses(fs)}
}

func services(names ...string) sbpl.Rule {
	var fs []sbpl.Filter
	for _, n := range names {
		fs = append(fs, globalName(n))
	}
	return allow("mach-lookup", fs...)
}

func clauses(fs []sbpl.Filter) []sbpl.Clause {
	var out []sbpl.Clause
	for _, f := range fs {
		out = append(out, sbpl.Clause{Filter: f})
	}
	return out
}

func symbol(name, value string) sbpl.Filter { return sbpl.Symbol{Name: name, Value: value} }
func text(name, value string) sbpl.Filter   { return sbpl.Text{Name: name, Value: value} }

// floor returns the lines that this policy needs on this version of macOS:
// those for outgoing connections, which belong behind the rule that closes all
// sockets in the file system, or all others.
func (l *lowering) floor(outgoing bool) []sbpl.Rule {
	var out []sbpl.Rule
	for _, f := range Floor() {
		if (f.Rule.Ops[0] == outbound) != outgoing || !f.needed(l.policy.Network.Mode.Value) || !f.knownTo(l.version) {
			continue
		}
		r := f.Rule
		r.Note = f.Reason
		if n := len(r.Clauses); n > 0 {
			r.Clauses[n-1].Note = f.Reason
		}
		out = append(out, r)
	}
	return out
}

func (f FloorRule) needed(mode ir.NetworkMode) bool {
	switch f.Need {
	case Always:
		return true
	case Network:
		return mode != ir.NetNone
	case Resolver:
		return mode == ir.NetFull
	}
	return false
}

// knownTo reports whether the line belongs into a profile for the version. For
// a version that is not known only what all versions know does.
func (f FloorRule) knownTo(version int) bool {
	if version == 0 {
		return f.Since <= Oldest && f.Until == 0
	}
	return f.Since <= version && (f.Until == 0 || version <= f.Until)
}

// macOS returns the major version of the host that the artefact is for, or 0.
func macOS(f *host.Facts) int {
	if f == nil || f.OS != ir.Darwin {
		return 0
	}
	major, _, _ := strings.Cut(f.OSVersion, ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return n
}
