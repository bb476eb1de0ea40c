package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/enforce/cover"
)

// heapGrowth is how far the heap grows before it is collected, in per cent of
// what is alive. A proof allocates much and keeps little: with the usual 100 it
// takes a sixth longer, and with this the whole program stays below 50 MB.
const heapGrowth = 200

func main() {
	cover.Main() // this may be what sbc run starts beside bubblewrap
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	os.Exit(sbc(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// sbc is the whole program: it returns the exit status.
func sbc(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(stdin, stdout, stderr).run(args)
}

func (a *app) run(args []string) (status int) {
	defer func() {
		// INVARIANT: nothing was written to stdout yet, so that what a broken run
		// leaves behind is never taken for a product.
		if r := recover(); r != nil {
			fmt.Fprintf(a.stderr, "sbc: internal error: %v; please report\n", r)
			status = exitInternal
		}
	}()
	root := newRoot(a)
	err := a.execute(root, args)
	status = a.finish(err)
	if werr := a.handOut(); werr != nil {
		status = max(status, a.finish(misuse("", "cannot write the output to stdout: %v", werr)))
	}
	return status
}

// handOut writes the product to stdout.
func (a *app) handOut() error {
	if a.out.Len() == 0 {
		return nil
	}
	_, err := a.target.Write(a.out.Bytes())
	return err
}

func (a *app) execute(root *cobra.Command, args []string) error {
	completing := len(args) > 0 && strings.HasPrefix(args[0], "__complete")
	// An unknown verb comes first: its flags are unknown for that reason alone.
	if cmd, rest, err := root.Find(args); err == nil && cmd.HasSubCommands() && !completing {
		if len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && rest[0] != "help" {
			return unknownVerb(cmd, rest)
		}
	}
	root.SetArgs(goStyle(args))
	refuseEmpty(root)
	cmd, err := root.ExecuteC()
	if err != nil && cmd.Name() == runVerb {
		return notRun(err)
	}
	return err
}
