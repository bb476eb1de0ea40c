package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program: it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
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
	return root.Execute()
}
