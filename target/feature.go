package target

import "github.com/sandboxc/sbc/ir/diag"

// Feature is something that a policy may say and a target may or may not
// express. The README's matrix has one row a feature.
type Feature string

// The features.
const (
	RootRead       Feature = "root.read"
	RootWrite      Feature = "root.write"
	RootNone       Feature = "root.none"
	RootFile       Feature = "root.file"        // a write root that is a single file
	RootMissing    Feature = "root.missing"     // an opening that does not exist
	RootPrivate    Feature = "root.private"     // tmp = "private"
	CloseLiteral   Feature = "close.literal"    // a closing of a path that exists
	CloseMissing   Feature = "close.missing"    // a closing of a path that does not exist
	CloseGlob      Feature = "close.glob"       // a closing glob
	CloseGlobMove  Feature = "close.glob.move"  // directories moved out from under a glob
	CloseGlobPlant Feature = "close.glob.plant" // prepared directories renamed into place
	CloseLink      Feature = "close.link"       // a closing of a symbolic link
	CloseAlias     Feature = "close.alias"      // hard links and second mounts of closed things
	CloseCase      Feature = "close.case"       // either case, both normal forms
	CloseNonDir    Feature = "close.nondirectory"
	Pinning        Feature = "pin"
	RenameAcross   Feature = "rename.across" // rename and link between roots
	NetworkNone    Feature = "network.none"
	NetworkProxy   Feature = "network.proxy"
	NetworkFull    Feature = "network.full"
	NetworkHosts   Feature = "network.hosts"
	LoopbackNone   Feature = "loopback.none"
	LoopbackSelf   Feature = "loopback.sandbox"
	LoopbackHost   Feature = "loopback.host"
	UnixSockets    Feature = "unix_sockets"
	EnvRules       Feature = "env"
	ProcPtrace     Feature = "process.ptrace"
	ProcNamespaces Feature = "process.namespaces"
	ProcDevices    Feature = "process.devices"
	ProcTerminal   Feature = "process.terminal"
	ProcSupervise  Feature = "process.supervise"
	LimitWall      Feature = "limits.wall"
	LimitCPU       Feature = "limits.cpu"
	LimitMemory    Feature = "limits.memory"
	LimitProcesses Feature = "limits.processes"
	LimitOpenFiles Feature = "limits.open_files"
	LimitFileSize  Feature = "limits.file_size"
	LimitOutput    Feature = "limits.output"
	MachServices   Feature = "mach_services"
)

// Features lists every feature, in the order of the matrix.
func Features() []Feature {
	return []Feature{
		RootRead, RootWrite, RootNone, RootFile, RootMissing, RootPrivate,
		CloseLiteral, CloseMissing, CloseGlob, CloseGlobMove, CloseGlobPlant, CloseLink, CloseAlias, CloseCase, CloseNonDir,
		Pinning, RenameAcross,
		NetworkNone, NetworkProxy, NetworkFull, NetworkHosts, LoopbackNone, LoopbackSelf, LoopbackHost, UnixSockets,
		EnvRules, ProcPtrace, ProcNamespaces, ProcDevices, ProcTerminal, ProcSupervise,
		LimitWall, LimitCPU, LimitMemory, LimitProcesses, LimitOpenFiles, LimitFileSize, LimitOutput,
		MachServices,
	}
}

// Capability is one cell of the matrix: what a target makes of a feature at
// its best, with one sentence that says why or how. It names no path.
type Capability struct {
	Feature  Feature
	Verdict  Verdict
	Enforcer Enforcer
	Code     diag.Code // the loss, or empty
	Sentence string
}

// Table is a target's column of the matrix, in the order of [Features]; a test
// holds it to be complete.
type Table []Capability

// Cell returns the target's capability for a feature.
func (t Table) Cell(f Feature) (Capability, bool) {
	for _, c := range t {
		if c.Feature == f {
			return c, true
		}
	}
	return Capability{}, false
}
