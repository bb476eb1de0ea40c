package sbpl

import (
	"maps"
	"slices"
	"strings"
)

// family is an operation and those that fall back to it.
type family struct{ parent, children string }

// families is the tree of operations, as the system's library of macOS 10.15
// has it.
var families = []family{
	{"default", "appleevent-send authorization-right-obtain boot-arg-set device* distributed-notification-post " +
		"file* fs-rename fs-snapshot* generic-issue-extension hid-control iokit* ipc* load-unsigned-code lsopen mach* " +
		"network* opendirectory-user-modify process* pseudo-tty qtn-user signal sysctl* system* user-preference*"},
	{"device*", "device-camera device-microphone"},
	{"file*", "file-chroot file-ioctl file-issue-extension file-mknod file-mount file-read* file-revoke file-search file-unmount file-write*"},
	{"file-mount", "file-mount-update"},
	{"file-read*", "file-read-data file-read-metadata file-read-xattr"},
	{"file-write*", "file-write-acl file-write-create file-write-data file-write-finderinfo file-write-flags file-write-mode " +
		"file-write-owner file-write-times file-write-unlink file-write-xattr"},
	{"fs-snapshot*", "fs-snapshot-create fs-snapshot-delete fs-snapshot-revert"},
	{"iokit*", "iokit-issue-extension iokit-open iokit-set-properties"},
	{"ipc*", "ipc-posix* ipc-sysv*"},
	{"ipc-posix*", "ipc-posix-issue-extension ipc-posix-sem* ipc-posix-shm*"},
	{"ipc-posix-sem*", "ipc-posix-sem-create ipc-posix-sem-open ipc-posix-sem-post ipc-posix-sem-unlink ipc-posix-sem-wait"},
	{"ipc-posix-shm*", "ipc-posix-shm-read-data ipc-posix-shm-write*"},
	{"ipc-posix-shm-write*", "ipc-posix-shm-write-create ipc-posix-shm-write-data ipc-posix-shm-write-unlink"},
	{"ipc-sysv*", "ipc-sysv-msg ipc-sysv-sem ipc-sysv-shm"},
	{"mach*", "mach-host* mach-issue-extension mach-lookup mach-priv* mach-register mach-task-name"},
	{"mach-host*", "mach-host-exception-port-set mach-host-special-port-set"},
	{"mach-priv*", "mach-priv-host-port mach-priv-task-port"},
	{"network*", "network-inbound network-outbound"},
	{"network-inbound", "network-bind"},
	{"nvram*", "nvram-delete nvram-get nvram-set"},
	{"process*", "process-codesigning-status* process-exec* process-fork"},
	{"process-codesigning-status*", "process-codesigning-status-set process-codesigning-status-get"},
	{"process-exec*", "process-exec-interpreter"},
	{"process-info*", "process-info-dirtycontrol process-info-listpids process-info-rusage process-info-pidinfo " +
		"process-info-pidfdinfo process-info-pidfileportinfo process-info-setcontrol"},
	{"sysctl*", "sysctl-read sysctl-write"},
	{"system*", "system-acct system-audit system-automount system-debug system-fsctl system-info system-kext* system-mac-label " +
		"system-nfssvc system-package-check system-reboot system-sched system-set-time system-socket system-suspend-resume system-swap"},
	{"system-kext*", "system-kext-load system-kext-unload system-kext-query"},
	{"user-preference*", "user-preference-read user-preference-write"},
	{"user-preference-read", "managed-preference-read"},
}

// The operations that fall back to nothing.
const (
	open = "darwin-notification-post dynamic-code-generation file-clone file-link file-map-executable file-test-existence " +
		"iokit-get-properties mach-cross-domain-lookup nvram* process-info* process-info-codesignature socket-ioctl " +
		"syscall-unix system-privilege"
	closed = "default file-write-setugid job-creation storage-class-map"
)

// newer are operations of later systems, seen in profiles. What they fall back
// to is not published: this is a guess from their names.
var newer = []family{
	{"default", "isp-command-send system-lcid user-event-monitor"},
	{"fs-snapshot*", "fs-snapshot-mount"},
	{"iokit-open", "iokit-open-service iokit-open-user-client"},
	{"iokit*", "iokit-async-external-method iokit-external-method iokit-external-trap"},
	{"mach*", "mach-bootstrap mach-derive-port mach-kernel-endpoint mach-message-send mach-task-exception-port-set " +
		"mach-task-inspect mach-task-read mach-task-special-port* xpc-message-send"},
	{"mach-task-special-port*", "mach-task-special-port-get mach-task-special-port-set"},
	{"network*", "necp-client-open"},
	{"process-exec*", "process-exec-update-label"},
	{"process-info*", "process-info-ledger process-info-set-ledger"},
	{"process*", "process-iopolicy* process-legacy-codesigning-status*"},
	{"process-iopolicy*", "process-iopolicy-get process-iopolicy-set"},
	{"process-legacy-codesigning-status*", "process-legacy-codesigning-status-get process-legacy-codesigning-status-set"},
	{"system*", "system-fcntl system-kas-info system-mac-syscall system-memorystatus-control system-necp-client-action"},
}

// newerOpen are operations of later systems that are said to be allowed unless
// a rule speaks about them.
const newerOpen = "fs-quota* socket-option* socket-option-get socket-option-set syscall-mach syscall-mig"

// aliases are other names of operations.
var aliases = map[string]string{
	"file-fsctl": "system-fsctl", "file-unlink": "file-write-unlink", "file-issue-extension*": "file-issue-extension",
	"file-issue-extension-read": "file-issue-extension", "file-issue-extension-write": "file-issue-extension",
	"file-write-mount": "file-mount", "file-write-unmount": "file-unmount", "file-write-umount": "file-unmount",
	"iokit-open*": "iokit-open", "ipc-posix-sem": "ipc-posix-sem*", "ipc-posix-shm": "ipc-posix-shm*",
	"ipc-posix-shm-read*": "ipc-posix-shm-read-data", "managed-preference*": "managed-preference-read",
	"process-exec": "process-exec*", "system-misc": "system*", "time-set": "system-set-time",
}

// sysctlWrite is an alias in rules: there it means all of sysctl*. As an
// operation that is asked it is itself.
const sysctlWrite = "sysctl-write"

// noOps are names of operations that no longer exist. A rule on one is ignored.
var noOps = map[string]bool{"ipc-posix-shm-read-metadata": true, "mach-per-user-lookup": true, "qtn-download": true, "system-chud": true}

// operation is an entry of the tree.
type operation struct {
	parent string // empty if it falls back to nothing
	allow  bool   // what it decides then
	newer  bool
}

var operations = tree()

func tree() map[string]operation {
	out := map[string]operation{}
	for i, fs := range [][]family{families, newer} {
		for _, f := range fs {
			for op := range strings.FieldsSeq(f.children) {
				out[op] = operation{parent: f.parent, newer: i == 1}
			}
		}
	}
	for _, ops := range []string{open, newerOpen} {
		for op := range strings.FieldsSeq(ops) {
			out[op] = operation{allow: true, newer: ops == newerOpen}
		}
	}
	for op := range strings.FieldsSeq(closed) {
		out[op] = operation{}
	}
	return out
}

// Operation returns the name under which rules on an operation are found, for
// any of its names.
func Operation(name string) (string, bool) {
	if full, ok := aliases[name]; ok {
		name = full
	}
	_, ok := operations[name]
	return name, ok
}

// Parent returns the operation that one falls back to. It is empty for those
// that fall back to nothing, and for what is no operation.
func Parent(op string) string { return operations[op].parent }

// Operations returns the names of all operations, sorted, without aliases.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }
