package run

// SandboxExecArgs is how a command is started on macOS.
var SandboxExecArgs = sandboxExecArgs

// Still is the plan without what has vanished and need not be there.
var Still = still
