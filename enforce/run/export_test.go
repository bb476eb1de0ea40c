package run

// SandboxExecArgs is how a command is started on macOS.
var SandboxExecArgs = sandboxExecArgs
