package run

import "github.com/sandboxc/sbc/ir"

// SandboxExecArgs is how a command is started on macOS.
var SandboxExecArgs = sandboxExecArgs

// Still is the plan without what has vanished and need not be there.
var Still = still

// Unheld is what is looked for after a run that somebody supervised.
func Unheld(s *Supervise, p *ir.Policy) *ir.Policy { return s.unheld(p) }
