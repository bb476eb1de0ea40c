package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Example: `  sbc version
  sbc --version`,
		Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.out, versionText())
			return nil
		},
	}
}

// versionText is one line: the version, the commit where it is known, and what
// the program was built with and for.
func versionText() string {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = " " + s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return fmt.Sprintf("sbc %s%s %s %s/%s", version(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is the module's version, or "(devel)" for a build from a checkout.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
