package main

import "github.com/spf13/cobra"

// verbs returns the commands in the order of their help.
func verbs(a *app) []*cobra.Command {
	return []*cobra.Command{
		newInitCmd(a),
		newCheckCmd(a),
		newCompileCmd(a),
		newRunCmd(a),
		newExplainCmd(a),
		newWhyCmd(a),
		newVerifyCmd(a),
		newTestCmd(a),
		newDiffCmd(a),
		newSbplCmd(a),
		newGoldenCmd(a),
		newProfilesCmd(a),
		newDoctorCmd(a),
		newTrustCmd(a),
		newIRCmd(a),
		newCompletionCmd(a),
		newVersionCmd(a),
	}
}
