package seatbelt

import (
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// Table is what Seatbelt can express, in the order of [target.Features].
func Table() target.Table {
	k, l, x := target.Kernel, target.Launcher, target.Proxy
	return target.Table{
		cell(target.RootRead, target.Exact, k, "", "a rule on the path and all beneath"),
		cell(target.RootWrite, target.Exact, k, "", "a rule on the path and all beneath"),
		cell(target.RootNone, target.Exact, k, "", "nothing opens it, or a rule closes it"),
		cell(target.RootFile, target.Exact, k, "", "the file can be written; as everywhere, a root itself cannot be removed or replaced by a rename"),
		cell(target.RootMissing, target.Exact, k, "", "rules are about names; the path may come later"),
		cell(target.RootPrivate, target.Narrower, l, diag.CodeTmp, "storage cannot be private to a run; the shared directories stay closed, and the launcher points TMPDIR to one of the run's own"),
		cell(target.CloseLiteral, target.Exact, k, "", "a later rule closes it; directories above are pinned"),
		cell(target.CloseMissing, target.Exact, k, "", "rules are about names; a path that does not exist yet is closed too"),
		cell(target.CloseGlob, target.Exact, k, "", "a regular expression, asked at every access; names that come later are covered"),
		cell(target.CloseGlobMove, target.Wider, k, diag.CodeMovable, "a pattern that is tied to a place does not follow a directory that is moved, unless it holds in all that is writable"),
		cell(target.CloseGlobPlant, target.Wider, k, diag.CodePlantable, "a prepared directory can be renamed to where a pattern of several names matches in it"),
		cell(target.CloseLink, target.Exact, k, "", "the link itself is closed as well as what it leads to"),
		cell(target.CloseAlias, target.Wider, k, diag.CodeAlias, "new hard links to closed files are refused; a file that had another name before is closed by the names that rules match"),
		cell(target.CloseCase, target.Exact, k, "", "closings match ASCII letters of either case and both normal forms; paths of extreme length as written only"),
		cell(target.CloseNonDir, target.Exact, k, "", "a condition on the type of the file"),
		cell(target.Pinning, target.Exact, k, "", "removing and renaming are operations of their own; where something is closed beneath, making the directory is refused too"),
		cell(target.RenameAcross, target.Exact, k, "", "there are no mounts between roots"),
		cell(target.NetworkNone, target.Exact, k, "", "no address and no socket in the file system"),
		cell(target.NetworkProxy, target.Exact, x, diag.CodeProxy, "the profile permits no connection; the launcher adds the port of its proxy when it starts"),
		cell(target.NetworkFull, target.Exact, k, "", "every address, in and out; sockets in the file system stay closed"),
		cell(target.NetworkHosts, target.Exact, x, diag.CodeProxy, "no host can be named in a profile; the launcher's proxy knows them"),
		cell(target.LoopbackNone, target.Exact, k, "", "nothing, unless the network is full: then services answer at other addresses of the machine"),
		cell(target.LoopbackSelf, target.Wider, k, diag.CodeLoopback, "there is one loopback only, the host's"),
		cell(target.LoopbackHost, target.Wider, k, diag.CodeListen, "connecting is exact; listening on loopback alone cannot be said"),
		cell(target.UnixSockets, target.Exact, k, "", "connections by path: all closed but those that are listed"),
		cell(target.EnvRules, target.Exact, l, diag.CodeEnv, "the launcher builds the environment before the command starts"),
		cell(target.ProcPtrace, target.Exact, k, "", "always closed, as the policy has it unless it says otherwise"),
		cell(target.ProcNamespaces, target.Exact, k, "", "there are none"),
		cell(target.ProcDevices, target.Exact, k, "", "devices are ordinary paths; a write root opens them"),
		cell(target.ProcTerminal, target.Exact, l, diag.CodeProcess, "the launcher starts the command in a session of its own"),
		cell(target.ProcSupervise, target.Exact, k, "", "nothing is needed: the kernel decides by name, at every access"),
		cell(target.LimitWall, target.Exact, l, diag.CodeLimit, "the launcher ends the command"),
		cell(target.LimitCPU, target.Exact, l, diag.CodeLimit, "each process may use that much processor time"),
		cell(target.LimitMemory, target.Dropped, k, diag.CodeLimit, "macOS has no limit on the memory of a process that it keeps"),
		cell(target.LimitProcesses, target.Narrower, l, diag.CodeLimit, "the limit is on all processes of the user, those outside of the sandbox included"),
		cell(target.LimitOpenFiles, target.Exact, l, diag.CodeLimit, "each process may open that many"),
		cell(target.LimitFileSize, target.Exact, l, diag.CodeLimit, "no file may be written beyond that size"),
		cell(target.LimitOutput, target.Exact, l, diag.CodeLimit, "the launcher keeps that much of each stream"),
		cell(target.MachServices, target.Exact, k, "", "a rule on the name of the service"),
	}
}

func cell(f target.Feature, v target.Verdict, e target.Enforcer, c diag.Code, sentence string) target.Capability {
	return target.Capability{Feature: f, Verdict: v, Enforcer: e, Code: c, Sentence: sentence}
}
