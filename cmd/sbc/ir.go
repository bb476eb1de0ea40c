package main

import (
	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// The forms in which sbc ir prints a policy.
const (
	irJSON = "json"
	irText = "text"
	irHash = "hash"
)

func newIRCmd(a *app) *cobra.Command {
	var (
		pf          policyFlags
		format      string
		schema      bool
		diagnostics string
	)
	cmd := &cobra.Command{
		Use:   "ir POLICY",
		Short: "print what a policy means, after all layers, variables and links",
		Long: `Prints the intermediate representation of a policy: the decision list with every path
absolute and resolved, and all settings. The json form is versioned, can be given to the
other commands in place of a policy, and is read back strictly; the text form is for reading;
the hash names what the policy means, whatever its comments say.`,
		Example: `  sbc ir policy.hcl > policy.ir.json
  sbc ir policy.hcl --format text`,
		Args: func(cmd *cobra.Command, args []string) error {
			if schema {
				return takes(0, 0, "")(cmd, args)
			}
			return takes(1, 1, "a POLICY")(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if schema {
				_, err := a.out.Write(ir.Schema())
				return err
			}
			f, err := formatOf("diagnostics", diagnostics)
			if err != nil {
				return err
			}
			if err := oneOf("format", format, irJSON, irText, irHash); err != nil {
				return err
			}
			return a.ir(args[0], &pf, format, f)
		},
	}
	pf.register(cmd)
	diagnosticsFlag(cmd, &diagnostics)
	cmd.Flags().StringVar(&format, "format", irJSON, "json, text or hash")
	complete(cmd, "format", irJSON, irText, irHash)
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of the json form instead")
	return cmd
}

func (a *app) ir(ref string, pf *policyFlags, format string, diagnostics diag.Format) error {
	s, err := a.newSession(pf, nil)
	if err != nil {
		return err
	}
	l, err := s.load(ref)
	if err != nil {
		return err
	}
	if l.policy == nil {
		return a.badPolicy(l, diagnostics)
	}
	switch format {
	case irJSON:
		a.out.Write(ir.Encode(l.policy))
	case irText:
		a.out.WriteString(l.policy.Text())
	case irHash:
		a.out.WriteString(ir.Hash(l.policy) + "\n")
	}
	return a.tell(l.diags, diagnostics, l.source)
}
