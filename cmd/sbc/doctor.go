package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/host/doctor"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// doctorFlags are the flags of sbc doctor.
type doctorFlags struct {
	policyFlags
	judgeFlags
	policy string
	record string
	format string
}

func newDoctorCmd(a *app) *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "find out whether this machine can run sandboxes, or a policy",
		Long: `Makes the checks that a sandbox depends on, each with a code and a remedy if it fails; on Linux
it really starts bubblewrap. With -p (or SBC_POLICY) it also compiles the policy for this
machine and lists what is lost. The status is 1 if a check fails or a loss is not accepted.

--record writes a record of this machine: what sbc asked it when it compiled the policy for
every target. Other commands take it as --host FILE, and snapshots as host = "FILE". A record
holds names, types and links of files, but no contents.`,
		Example: `  sbc doctor -p policy.hcl
  sbc doctor -p policy.hcl --record host.json`,
		Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error { return a.doctor(&f) },
	}
	policyFlag(cmd, &f.policy)
	f.policyFlags.register(cmd)
	f.judgeFlags.register(cmd)
	cmd.Flags().Lookup("host").Hidden = true // it is about this machine
	cmd.Flags().StringVar(&f.record, "record", "", "write a record of this machine to `FILE` instead; - is stdout")
	cmd.Flags().StringVar(&f.format, "format", "text", "text or json")
	complete(cmd, "format", "text", "json")
	return cmd
}

// doctorForm is the JSON form of what sbc doctor says.
type doctorForm struct {
	Version int            `json:"sbc_doctor"`
	Usable  bool           `json:"usable"`
	Checks  []doctor.Check `json:"checks"`
	Policy  *doctorPolicy  `json:"policy,omitempty"`
}

type doctorPolicy struct {
	Policy      string          `json:"policy"`
	Target      string          `json:"target"`
	Runs        bool            `json:"runs"`
	Diagnostics json.RawMessage `json:"diagnostics"` // the form of diag.JSON
}

func (a *app) doctor(f *doctorFlags) error {
	if err := oneOf("format", f.format, "text", "json"); err != nil {
		return err
	}
	if f.host != hostLive {
		return misuse("leave --host out", "sbc doctor is about this machine")
	}
	if f.record != "" {
		return a.recordHost(f)
	}
	sources := host.LiveSources(a.env)
	ctx := context.Background()
	facts, err := host.Probe(ctx, sources)
	if err != nil {
		return misuse("", "%v", err)
	}
	form := doctorForm{Version: 1, Checks: doctor.Run(ctx, facts, doctor.LiveMachine(sources))}
	form.Usable = doctor.Usable(form.Checks)
	var l *loaded
	var ds diag.List
	if f.policy != "" || a.env("SBC_POLICY") != "" {
		if l, ds, err = a.diagnose(f); err != nil {
			return err
		}
		var text bytes.Buffer
		if err := diag.JSON(&text, ds); err != nil {
			return err
		}
		form.Policy = &doctorPolicy{Policy: l.ref, Target: runtime.GOOS, Runs: form.Usable && !ds.HasErrors(), Diagnostics: text.Bytes()}
	}
	if f.format == "json" {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(form); err != nil {
			return err
		}
	} else if err := a.doctorText(form, l, ds); err != nil {
		return err
	}
	if !form.Usable || form.Policy != nil && !form.Policy.Runs {
		return quiet(exitNo)
	}
	return nil
}

// diagnose compiles the policy for this machine.
func (a *app) diagnose(f *doctorFlags) (*loaded, diag.List, error) {
	targets, err := targetsOf("")
	if err != nil {
		return nil, nil, err
	}
	s, err := a.newSession(&f.policyFlags, targets)
	if err != nil {
		return nil, nil, err
	}
	l, err := s.loadOptional(f.policy)
	if err != nil {
		return nil, nil, err
	}
	if l.policy == nil {
		return nil, nil, a.badPolicy(l, diag.FormatText)
	}
	return l, verdictDiagnostics(l, l.lower(targets, f.judgeFlags, false)), nil
}

// doctorText prints the checks for people.
func (a *app) doctorText(form doctorForm, l *loaded, ds diag.List) error {
	k := a.lookOf(a.target)
	width := 0
	for _, c := range form.Checks {
		width = max(width, len(c.Name))
	}
	for _, c := range form.Checks {
		color := map[doctor.Status]string{doctor.OK: green, doctor.Warn: yellow, doctor.Fail: red, doctor.Unknown: dim}[c.Status]
		head := fmt.Sprintf("%s %-*s", k.paint(color, fmt.Sprintf("%-7s", c.Status)), width, c.Name)
		if c.Status == doctor.OK {
			fmt.Fprintf(a.out, "%s  %s\n", head, oneLine(c.Detail))
			continue
		}
		fmt.Fprintln(a.out, strings.TrimRight(head+"  "+string(c.Code), " "))
		for _, text := range []string{c.Detail, c.Remedy} {
			if text != "" {
				a.out.WriteString(wrapped("        ", oneLine(text), k.width))
			}
		}
	}
	verdict := "this machine can run sandboxes"
	if !form.Usable {
		verdict = "this machine cannot run sandboxes"
	}
	fmt.Fprintf(a.out, "\n%s\n", k.paint(bold, verdict))
	if form.Policy == nil {
		return nil
	}
	verdict = "this machine can run the policy " + l.name()
	if !form.Policy.Runs {
		verdict = "this machine cannot run the policy " + l.name()
	}
	fmt.Fprintf(a.out, "%s\n", k.paint(bold, oneLine(verdict)))
	if len(ds) > 0 {
		fmt.Fprintln(a.out)
	}
	return printText(a.out, ds, l.source, k)
}

// recordHost writes a record of what compiling the policy for every target asks
// of this machine.
func (a *app) recordHost(f *doctorFlags) error {
	rec := host.NewRecorder(host.Live{})
	a.live = rec
	targets := []string{ir.Darwin, ir.Linux}
	s, err := a.newSession(&f.policyFlags, targets)
	if err != nil {
		return err
	}
	l, err := s.loadOptional(f.policy)
	if err != nil {
		return err
	}
	if l.policy == nil {
		return a.badPolicy(l, diag.FormatText)
	}
	l.lower(targets, f.judgeFlags, false)
	text, err := rec.Record(s.machine.facts)
	if err != nil {
		return &fault{status: exitNo, text: err.Error(), hint: "try again"}
	}
	return a.writeOutput(f.record, text, 0o644, s.cache)
}
