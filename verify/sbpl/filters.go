package sbpl

import (
	"maps"
	"slices"
	"strings"
)

// argument says what a filter takes.
type argument uint8

const (
	argText    argument = iota + 1 // strings, compared as a whole
	argPattern                     // the same; there are also NAME-prefix and NAME-regex
	argSymbol                      // constants or numbers
	argBool                        // #t or #f, or nothing
	argNothing                     // nothing
)

// opaqueFilters are the filters about something that a profile's text cannot
// tell, by what they take.
var opaqueFilters = map[string]argument{
	"ancestor-signing-identifier": argPattern, "appleevent-destination": argPattern, "boot-arg": argPattern,
	"control-name": argPattern, "csr": argSymbol, "datavault-disk-filter": argBool, "device-conforms-to": argText,
	"device-major": argSymbol, "device-minor": argSymbol, "extension": argText, "extension-class": argPattern,
	"extension-path-ancestor": argBool, "fcntl-command": argSymbol, "file-attribute": argSymbol, "file-mode": argSymbol,
	"filesystem-name": argPattern, "fsctl-command": argSymbol, "host-special-port": argSymbol, "info-type": argPattern,
	"ioctl-command": argSymbol, "iokit-connection": argPattern, "iokit-method-number": argSymbol, "iokit-property": argPattern,
	"iokit-registry-entry-attribute": argSymbol, "iokit-registry-entry-class": argPattern,
	"iokit-trap-number": argSymbol, "iokit-usb-interface-class": argSymbol, "iokit-usb-interface-subclass": argSymbol,
	"kernel-mig-routine": argSymbol, "kext-bundle-id": argPattern, "lockdown-mode": argNothing, "mac-policy-name": argPattern,
	"mac-syscall-number": argSymbol, "machtrap-number": argSymbol, "message-number": argSymbol,
	"mount-relative-path": argPattern, "mount-relative-subpath": argText,
	"notification-name": argPattern, "notification-payload": argBool, "nvram-variable": argPattern, "persona-type": argSymbol,
	"preference-domain": argPattern, "privilege-id": argSymbol, "process-attribute": argSymbol, "process-path": argPattern,
	"process-subpath": argText, "profile-flag": argText, "reboot-flags": argSymbol,
	"require-ancestor-with-entitlement": argText, "require-target-with-entitlement": argText,
	"responsible-process-path": argPattern, "right-name": argPattern, "rootless-boot-device-filter": argBool, "rootless-disk-filter": argBool,
	"semaphore-owner": argSymbol, "signal-number": argSymbol, "signing-identifier": argPattern,
	"socket-option-level": argSymbol, "socket-option-name": argSymbol, "state-flag": argText, "storage-class": argText,
	"storage-class-extension": argBool, "syscall-mask": argSymbol, "syscall-number": argSymbol, "system-attribute": argSymbol,
	"target-signing-identifier": argPattern, "uid": argSymbol, "user-intent-extension": argBool, "xattr": argPattern,
	"xpc-message-name": argPattern,

	"%entitlement-load": argText, "%entitlement-boolean": argBool, "%entitlement-string": argPattern, "%entitlement-is-present": argText,

	"debug-mode": argNothing, "process-is-plugin": argNothing, "process-is-installer": argNothing,
	"datavault-file-filter": argNothing, "rootless-file-filter": argNothing, "container": argNothing,
	"executable-bundle": argNothing, "application-group": argNothing, "system-container": argNothing, "system-group": argNothing,
}

// filterAliases are other names of filters.
var filterAliases = map[string]string{
	"path": "literal", "path-literal": "literal", "path-prefix": "prefix", "path-regex": "regex", "path-subpath": "subpath", "record": "literal",
	"from": "local", "to": "remote", "granted-extensions": "extension", "mach-extension": "extension",
	"iokit-user-client-class": "iokit-registry-entry-class", "iokit-user-client-class-prefix": "iokit-registry-entry-class-prefix",
	"iokit-user-client-class-regex": "iokit-registry-entry-class-regex",
	"mount-relative-literal":        "mount-relative-path", "mount-relative-regex": "mount-relative-path-regex", "mount-relative-prefix": "mount-relative-path-prefix",
	"entitlement-value": "%entitlement-string", "entitlement-value-regex": "%entitlement-string-regex",
}

// names are the attributes that a Name speaks about.
var nameFilters = map[string]bool{
	"global-name": true, "local-name": true, "xpc-service-name": true, "sysctl-name": true, "ipc-posix-name": true,
}

// vnodeTypes are the kinds of files.
var vnodeTypes = words("REGULAR-FILE DIRECTORY SYMLINK CHARACTER-DEVICE BLOCK-DEVICE FIFO SOCKET TTY")

// VnodeTypes returns the kinds of files, sorted.
func VnodeTypes() []string { return slices.Sorted(maps.Keys(vnodeTypes)) }

// NameKinds returns the kinds of names of Mach services.
func NameKinds() []string { return []string{"global-name", "local-name", "xpc-service-name"} }

// Targets returns the relations to another process, sorted.
func Targets() []string { return slices.Sorted(maps.Keys(targets)) }

// targets are the relations to another process.
var targets = words("self pgrp others children same-sandbox initproc")

// protocols are the kinds of addresses.
var protocols = words("ip ip4 ip6 tcp tcp4 tcp6 udp udp4 udp6")

// domains and socketTypes are constants of <sys/socket.h>.
var (
	domains = words("AF_UNSPEC AF_UNIX AF_LOCAL AF_INET AF_INET6 AF_ROUTE AF_LINK AF_SYSTEM AF_NDRV AF_PPP AF_UTUN AF_VSOCK " +
		"AF_APPLETALK AF_NETBIOS AF_IPX AF_ISDN AF_MULTIPATH pseudo_AF_KEY")
	socketTypes = words("SOCK_STREAM SOCK_DGRAM SOCK_RAW SOCK_RDM SOCK_SEQPACKET")
)

// constants are other names with a value.
var constants = words("is-plugin is-installer is-restricted is-initproc is-platform-binary is-sandboxed is-nvram-privileged " +
	"is-sandcastle-constrained is-datavault-controller is-apple-signed-executable is-ptraced is-exempt-from-lockdown " +
	"sip-protected datavault time-machine-backup time-machine-device local-filesystem root-filesystem snapshot removable-media " +
	"disk-image sip-protected-filesystem removable-device disk-image-device sip-protected-device protected-ancestor " +
	"network-approval-exempt smb-home-mount-dir fileprovider-owned " +
	"sandbox-debug-mode internal-os internal-build apple-internal developer-mode datavaults-enabled vfs-authorized-access " +
	"initproc-owner same-owner EPERM EACCES ENOENT")

// numbered are the beginnings of the names of numbers: of system calls, ioctl
// and fsctl commands, privileges, signals and so on. Which of them a system
// knows differs between versions, so all are taken.
var numbered = []string{
	"SYS_", "MSC_", "SIOC", "TIOC", "FIO", "DKIOC", "FSIOC_", "APFSIOC_", "APFS_", "HFSIOC_", "NFS_IOC_", "FSEVENTS_", "CTLIOC", "DTDB",
	"afpfs", "smbfs", "BIOC", "DTRACE", "PRIV_", "CSR_", "HOST_", "PERSONA_", "SIG", "IPPROTO_", "SO_", "SOL_", "TCP_", "IP_", "IPV6_",
	"F_", "kUSB", "NECP_",
}

// modifiers are the names behind (with ...).
var modifiers = words("assign-storage-class authority default-sandbox deprecated errno grant message no-approval-prompt no-callout " +
	"no-log no-profile no-report no-sandbox no-times partial-symbolication report rootless rootless-modifier send-signal telemetry telemetry-backtrace " +
	"termination user-approval")

// modifierAliases are other names of modifiers.
var modifierAliases = map[string]string{"no-profile": "no-sandbox", "no-log": "no-report", "rootless-modifier": "rootless"}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

// isConstant reports whether a name is a constant that a filter may take.
func isConstant(name string) bool {
	for _, set := range []map[string]bool{vnodeTypes, targets, protocols, domains, socketTypes, constants} {
		if set[name] {
			return true
		}
	}
	for _, p := range numbered {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "" && strings.IndexFunc(rest, notInNumber) < 0 {
			return true
		}
	}
	return false
}

func notInNumber(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}
