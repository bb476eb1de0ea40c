package readme_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// labels say in a policy's words what the rows of the matrix are.
var labels = map[target.Feature]string{
	target.RootRead:       "`read` of a directory",
	target.RootWrite:      "`write` of a directory",
	target.RootNone:       "`none`: closed below something open",
	target.RootFile:       "`write` of a single file",
	target.RootMissing:    "opening what does not exist yet",
	target.RootPrivate:    "`tmp = \"private\"`",
	target.CloseLiteral:   "closing a path that exists",
	target.CloseMissing:   "closing a path that does not exist yet",
	target.CloseGlob:      "closing a glob",
	target.CloseGlobMove:  "… against moving a directory away",
	target.CloseGlobPlant: "… against moving a prepared directory in",
	target.CloseLink:      "closing a symbolic link",
	target.CloseAlias:     "hard links and second mounts of closed things",
	target.CloseCase:      "other spellings of a closed name (case, Unicode)",
	target.CloseNonDir:    "closing a name where it is no directory",
	target.Pinning:        "directories above closed things stay in place",
	target.RenameAcross:   "rename and link between roots",
	target.NetworkNone:    "network `none`",
	target.NetworkProxy:   "network `proxy`",
	target.NetworkFull:    "network `full`",
	target.NetworkHosts:   "single hosts, allowed or denied",
	target.LoopbackNone:   "loopback `none`",
	target.LoopbackSelf:   "loopback `sandbox`",
	target.LoopbackHost:   "loopback `host`",
	target.UnixSockets:    "unix sockets by path",
	target.EnvRules:       "environment variables",
	target.ProcPtrace:     "no tracing of other processes",
	target.ProcNamespaces: "no nested namespaces",
	target.ProcDevices:    "device nodes",
	target.ProcTerminal:   "no input pushed into the terminal",
	target.ProcSupervise:  "names that come into being are decided (`supervise`)",
	target.LimitWall:      "limit on time",
	target.LimitCPU:       "limit on processor time",
	target.LimitMemory:    "limit on memory",
	target.LimitProcesses: "limit on processes",
	target.LimitOpenFiles: "limit on open files",
	target.LimitFileSize:  "limit on the size of files",
	target.LimitOutput:    "limit on output",
	target.MachServices:   "`mach_services`",
}

// TestMatrix: the matrix in README.md is that of the targets' tables.
func TestMatrix(t *testing.T) {
	t.Parallel()
	generated(t, "verdict matrix", matrix(t))
}

// matrix renders the tables. A cell that is not plainly exact has a note.
func matrix(t *testing.T) string {
	t.Helper()
	var b, notes strings.Builder
	b.WriteString("\n| a policy says | darwin | linux |\n|---|---|---|\n")
	numbers := map[string]int{} // of the notes, which cells share
	for _, f := range target.Features() {
		label, ok := labels[f]
		if !ok {
			t.Fatalf("no label for the feature %s", f)
		}
		fmt.Fprintf(&b, "| %s |", label)
		for _, table := range []target.Table{seatbelt.Table(), bwrap.Table()} {
			c, ok := table.Cell(f)
			if !ok || c.Sentence == "" {
				t.Fatalf("a table has no cell, or one without a sentence, for %s", f)
			}
			fmt.Fprintf(&b, " %s", verdict(c))
			if !plain(c) {
				note := c.Sentence + page(c.Code)
				if numbers[note] == 0 {
					numbers[note] = len(numbers) + 1
					fmt.Fprintf(&notes, "%d. %s\n", numbers[note], note)
				}
				fmt.Fprintf(&b, " <sup>%d</sup>", numbers[note])
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	if extra := len(labels) - len(target.Features()); extra != 0 {
		t.Errorf("%d labels belong to no feature", extra)
	}
	return b.String() + "\n<details>\n<summary>The notes</summary>\n\n" + notes.String() + "\n</details>\n\n"
}

// plain reports whether nothing needs to be said: the kernel keeps the rule.
func plain(c target.Capability) bool {
	return c.Verdict == target.Exact && c.Code == "" && c.Enforcer == target.Kernel
}

func verdict(c target.Capability) string {
	text := c.Verdict.String()
	if c.Verdict != target.Exact {
		text = "**" + text + "**"
	}
	if c.Enforcer != target.Kernel {
		text += ", by the " + string(c.Enforcer)
	}
	return text
}

func page(c diag.Code) string {
	if c == "" {
		return ""
	}
	return fmt.Sprintf(" ([%s](ir/diag/pages/%s.md))", c, c)
}
