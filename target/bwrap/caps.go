package bwrap

import (
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// Table is what bubblewrap can express, in the order of [target.Features].
func Table() target.Table {
	const k, l, x = target.Kernel, target.Launcher, target.Proxy
	return target.Table{
		cell(target.RootRead, target.Exact, k, "", "a read-only bind mount"),
		cell(target.RootWrite, target.Exact, k, "", "a bind mount"),
		cell(target.RootNone, target.Exact, k, "", "an empty directory or file without permissions stands in its place, or nothing does"),
		cell(target.RootFile, target.Narrower, k, diag.CodeFileRoot, "a single file can be written, but not removed or replaced by a rename"),
		cell(target.RootMissing, target.Narrower, k, diag.CodeMissingOpen, "what does not exist at the start cannot be bound; on_missing = \"create\" makes it"),
		cell(target.RootPrivate, target.Exact, k, "", "a fresh file system in memory"),
		cell(target.CloseLiteral, target.Exact, k, "", "a mount covers what exists; it holds as long as no program outside replaces the file or directory itself"),
		cell(target.CloseMissing, target.Exact, l, diag.CodeOthers, "the launcher refuses to let the command make it; without a supervisor a placeholder keeps the name, or the path is not covered until it exists"),
		cell(target.CloseGlob, target.Exact, l, diag.CodeOthers, "mounts cover the matches that exist, and the launcher refuses to let the command make others; without a supervisor names that come later are not covered, but for a whole directory (d/*)"),
		cell(target.CloseGlobMove, target.Exact, k, "", "directories that the leading parts of a pattern match are mounts of their own, so they cannot be renamed"),
		cell(target.CloseGlobPlant, target.Exact, l, "", "the launcher looks at what a directory holds before it renames it; without a supervisor a prepared one can be renamed to where a pattern of several names matches in it"),
		cell(target.CloseLink, target.Exact, l, diag.CodeOthers, "what a symbolic link leads to is closed, and the launcher refuses to let the link be replaced; without a supervisor nothing holds the link itself"),
		cell(target.CloseAlias, target.Exact, k, diag.CodeAlias, "second mounts, and hard links beneath the roots, are closed too; links that were not found are reported"),
		cell(target.CloseCase, target.Exact, k, "", "paths differ by case here, so nothing needs to fold"),
		cell(target.CloseNonDir, target.Exact, k, "", "the host says what is a directory"),
		cell(target.Pinning, target.Exact, k, "", "a mount point cannot be renamed or removed"),
		cell(target.RenameAcross, target.Narrower, k, diag.CodeMountEdge, "rename and hard link between two mounts fail; mv copies instead"),
		cell(target.NetworkNone, target.Exact, k, "", "a network namespace with nothing in it"),
		cell(target.NetworkProxy, target.Exact, x, diag.CodeProxy, "a network namespace in which only the launcher's proxy can be reached"),
		cell(target.NetworkFull, target.Exact, k, "", "the host's network"),
		cell(target.NetworkHosts, target.Exact, x, diag.CodeProxy, "names of hosts are known to the launcher's proxy only"),
		cell(target.LoopbackNone, target.Exact, k, "", "nothing of the host's loopback; a private one exists and is harmless"),
		cell(target.LoopbackSelf, target.Exact, k, "", "a loopback of its own"),
		cell(target.LoopbackHost, target.Exact, k, "", "with full network only"),
		cell(target.UnixSockets, target.Snapshot, k, diag.CodeSocket, "none can be made unless the policy lists one; then all others that exist are covered"),
		cell(target.EnvRules, target.Exact, l, diag.CodeEnv, "the launcher builds the environment before bubblewrap starts"),
		cell(target.ProcPtrace, target.Exact, k, "", "the seccomp program, and a process namespace of its own"),
		cell(target.ProcNamespaces, target.Exact, k, "", "the seccomp program, and --disable-userns where bubblewrap has it"),
		cell(target.ProcDevices, target.Exact, k, "", "a private /dev with the usual nodes, and those that are listed"),
		cell(target.ProcTerminal, target.Exact, k, "", "a session of its own; input cannot be pushed into the terminal in either case"),
		cell(target.ProcSupervise, target.Exact, l, "", "the launcher decides the calls that make, rename or remove names, where the kernel lets it (Linux 5.19)"),
		cell(target.LimitWall, target.Exact, l, diag.CodeLimit, "the launcher ends the command"),
		cell(target.LimitCPU, target.Exact, l, diag.CodeLimit, "each process may use that much processor time"),
		cell(target.LimitMemory, target.Wider, l, diag.CodeLimit, "each process may map that much; there is no limit on the sum"),
		cell(target.LimitProcesses, target.Narrower, l, diag.CodeLimit, "the limit is on all processes of the user, those outside of the sandbox included"),
		cell(target.LimitOpenFiles, target.Exact, l, diag.CodeLimit, "each process may open that many"),
		cell(target.LimitFileSize, target.Exact, l, diag.CodeLimit, "no file may be written beyond that size"),
		cell(target.LimitOutput, target.Exact, l, diag.CodeLimit, "the launcher keeps that much of each stream"),
		cell(target.MachServices, target.Dropped, k, diag.CodeTargetExtra, "there are no Mach services here"),
	}
}

func cell(f target.Feature, v target.Verdict, by target.Enforcer, code diag.Code, sentence string) target.Capability {
	return target.Capability{Feature: f, Verdict: v, Enforcer: by, Code: code, Sentence: sentence}
}
