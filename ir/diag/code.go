package diag

// Code is the stable name of a kind of problem: SBC0xxx syntax and types,
// SBC1xxx lint and layers, SBC2xxx target losses, SBC3xxx verification,
// SBC4xxx host and backend probes. Codes are append-only.
type Code string

// The codes. Each has a page in pages/CODE.md, printed by `sbc explain CODE`.
const (
	// Syntax, types and files.

	CodeSyntax        Code = "SBC0001" // the text is not HCL or JSON
	CodeUnknownName   Code = "SBC0002" // unknown block, attribute, key or enum value
	CodeWrongType     Code = "SBC0003" // a value of the wrong type, or null
	CodeDuplicate     Code = "SBC0004" // duplicate key, attribute or block address
	CodeMissing       Code = "SBC0005" // a required attribute or label is missing
	CodeVersion       Code = "SBC0006" // the version is missing or not known
	CodeUnknownVar    Code = "SBC0007" // unknown or unset variable, local or function
	CodeFile          Code = "SBC0008" // a policy file is missing, a directory, unreadable, empty, too large or not UTF-8
	CodeNesting       Code = "SBC0009" // nested or chained too deep
	CodeExtends       Code = "SBC0010" // extends: unknown profile or a cycle
	CodePath          Code = "SBC0011" // a path that is empty, has a NUL, leaves the root, or is a bare name in a closing
	CodeGlob          Code = "SBC0012" // a glob that is malformed, opens, or starts with "!"
	CodeQuantity      Code = "SBC0013" // a size, duration or count that is negative, absurd or ambiguous
	CodeHostPattern   Code = "SBC0014" // a host pattern or port that means nothing
	CodeGrantDenied   Code = "SBC0015" // a grant that a deny covers
	CodeRepointable   Code = "SBC0016" // an opening through a link that a sandboxed command could re-point
	CodeIRForm        Code = "SBC0017" // the JSON form of the IR is malformed
	CodeUnknownGuard  Code = "SBC0018" // an unknown guard, or an exclusion without a reason
	CodeNotNormalized Code = "SBC0019" // text that Unicode normalisation would change
	CodeWorkspace     Code = "SBC0020" // the workspace is /, home, missing or not a directory
	CodeEnvName       Code = "SBC0021" // an environment variable's name or value that no process can have

	// Lint and layers.

	CodeDeadRule      Code = "SBC1001" // a rule-list entry that an earlier one covers
	CodeBothAccess    Code = "SBC1002" // one path with two accesses within a layer
	CodeSetAside      Code = "SBC1003" // something that a narrow layer may not do was set aside
	CodeUnusedAccept  Code = "SBC1004" // an accept that matches nothing
	CodeUntrusted     Code = "SBC1005" // a discovered policy that is not trusted
	CodeUnusedExcept  Code = "SBC1006" // an exception that no pattern covers
	CodeEnvCode       Code = "SBC1007" // an environment variable that makes children run code, or looks secret, is passed
	CodeBroadRoot     Code = "SBC1008" // a write root that holds the home directory or everything
	CodeLinkedClosing Code = "SBC1009" // a closing whose path passes a link that may be replaced
	CodeGitDir        Code = "SBC1010" // a .git file leads to a directory that does not lead back
	CodeHome          Code = "SBC1011" // the guards protect another home directory than the user's, or none

	// Losses on targets.

	CodeSnapshot      Code = "SBC2101" // names that appear later are not covered
	CodeMovable       Code = "SBC2102" // a directory can be moved out from under a glob
	CodePlantable     Code = "SBC2103" // a prepared directory can be renamed into place
	CodeNoHost        Code = "SBC2104" // a glob without a host view
	CodeScanBudget    Code = "SBC2105" // the scan met its budget
	CodeAlias         Code = "SBC2106" // a hard link or second mount reaches a closed thing
	CodeClosedLink    Code = "SBC2107" // a closed symbolic link cannot be held
	CodeMissingOpen   Code = "SBC2108" // an opening whose path does not exist
	CodeMissingClosed Code = "SBC2109" // a closed path that does not exist
	CodeLimit         Code = "SBC2110" // a limit that the target does not enforce
	CodeFileRoot      Code = "SBC2111" // a root that is a single file cannot be replaced by rename
	CodeMountEdge     Code = "SBC2112" // rename and link across mounts fail
	CodeCase          Code = "SBC2113" // a closing that is too long to match in either case
	CodeListen        Code = "SBC2114" // loopback-only listening cannot be said
	CodeProxy         Code = "SBC2115" // host rules are kept by the proxy of the launcher only
	CodeEnv           Code = "SBC2116" // the environment is built by the launcher only
	CodeTmp           Code = "SBC2117" // a private tmp cannot be had
	CodeProcess       Code = "SBC2118" // a process rule that the target does not enforce
	CodeTargetExtra   Code = "SBC2119" // an extra of another target does nothing here
	CodeUnscanned     Code = "SBC2120" // directories that could not be read were not scanned
	CodeArgumentCap   Code = "SBC2121" // more mounts than bubblewrap takes arguments
	CodeSlowMounts    Code = "SBC2122" // many mounts on a bubblewrap whose start is quadratic
	CodeProfileSize   Code = "SBC2123" // the profile is larger than an argument may be
	CodeSocket        Code = "SBC2124" // a socket rule that the target cannot keep
	CodeSweep         Code = "SBC2125" // a missing guard name is only swept after the run
	CodeSetAsideRoot  Code = "SBC2126" // a root that contains a link or special file that cannot be mounted
	CodeLoopback      Code = "SBC2127" // a loopback mode that the target cannot keep
	CodeUnlinkClosed  Code = "SBC2128" // a closed name in storage of the sandbox's own
	CodeCharacter     Code = "SBC2129" // a ? or class that the target cannot match character by character
	CodeExceptDir     Code = "SBC2130" // no directory can be made where a closing has an exception
	CodeOverFold      Code = "SBC2131" // names that an exception leaves open cannot be made or changed

	CodeOthers Code = "SBC2132" // what other programs make during the run is not covered

	// Verification.

	CodeWider        Code = "SBC3201" // a change permits what was refused
	CodeNarrower     Code = "SBC3202" // a change refuses what was permitted
	CodeIncomparable Code = "SBC3203" // a change that is neither wider nor narrower
	CodeUndecided    Code = "SBC3204" // a comparison met its bound

	// Host and backend probes.

	CodeBinaryMissing   Code = "SBC4001" // the sandbox program is not installed
	CodeVersionTooOld   Code = "SBC4002" // the sandbox program is too old
	CodeFeatureMissing  Code = "SBC4003" // the sandbox program lacks a flag
	CodeKnownCVE        Code = "SBC4004" // the sandbox program has a known vulnerability
	CodeUsernsDisabled  Code = "SBC4005" // user namespaces cannot be made
	CodeProcRestricted  Code = "SBC4006" // /proc cannot be mounted
	CodeSeccompMissing  Code = "SBC4007" // seccomp filters cannot be loaded
	CodeLandlock        Code = "SBC4008" // Landlock is absent or old
	CodeCgroup          Code = "SBC4009" // no cgroup v2 delegation
	CodeStartFailed     Code = "SBC4010" // the sandbox does not start for another reason
	CodeHostUnsupported Code = "SBC4011" // no target for this operating system
	CodeReplaceable     Code = "SBC4012" // the command may replace the sandbox program
	CodeSupervise       Code = "SBC4013" // calls cannot be decided while a command runs
)
