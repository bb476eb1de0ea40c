package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/kernel"
	"github.com/sandboxc/sbc/verify/conformance"
)

// kernelAnswer is what sbc verify --kernel says.
type kernelAnswer struct {
	Version int             `json:"sbc_verify_kernel"`
	User    int             `json:"user"`
	Through string          `json:"through"`
	Seed    uint64          `json:"seed"`
	Cases   int             `json:"cases"`
	Passed  []string        `json:"passed"`
	Failed  []kernelFailure `json:"failed"`
	Skipped []kernelNote    `json:"skipped"`
	Unshown []kernelNote    `json:"unshown"` // passed, but the control shows nothing
	Seconds float64         `json:"seconds"`
	made    int             // how many were made from the seed
}

type kernelNote struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// kernelFailure has everything that is needed to repeat a case.
type kernelFailure struct {
	Case     conformance.Case `json:"case"`
	Problems []string         `json:"problems"`
	Runs     []kernelRun      `json:"runs"`
}

type kernelRun struct {
	Name    string              `json:"name"`
	Policy  string              `json:"policy,omitempty"` // its text; empty without a sandbox
	Dir     string              `json:"dir"`
	Line    string              `json:"line"`
	Outcome conformance.Outcome `json:"outcome"`
}

// add adds the result of a case.
func (k *kernelAnswer) add(r kernel.Result) {
	k.Cases++
	switch {
	case r.Skipped != "":
		k.Skipped = append(k.Skipped, kernelNote{r.Case.ID, r.Skipped})
		return
	case len(r.Problems) == 0:
		k.Passed = append(k.Passed, r.Case.ID)
		if r.Unshown != "" {
			k.Unshown = append(k.Unshown, kernelNote{r.Case.ID, r.Unshown})
		}
		return
	}
	f := kernelFailure{Case: r.Case, Problems: r.Problems}
	for _, rec := range r.Records {
		f.Runs = append(f.Runs, kernelRun(rec))
	}
	k.Failed = append(k.Failed, f)
}

// sort puts what came in the order in which cases ended into that of names.
func (k *kernelAnswer) sort() {
	slices.Sort(k.Passed)
	slices.SortFunc(k.Failed, func(a, b kernelFailure) int { return cmp.Compare(a.Case.ID, b.Case.ID) })
	for _, notes := range [][]kernelNote{k.Skipped, k.Unshown} {
		slices.SortFunc(notes, func(a, b kernelNote) int { return cmp.Compare(a.ID, b.ID) })
	}
}

// printKernel prints the answer; the status is 1 if a case failed.
func (a *app) printKernel(k *kernelAnswer, format string) error {
	if format == "json" {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(k); err != nil {
			return err
		}
	} else {
		for _, f := range k.Failed {
			a.printKernelFailure(k, f)
		}
		for _, n := range k.Skipped {
			fmt.Fprintf(a.out, "skipped %s: %s\n", n.ID, n.Text)
		}
		for _, n := range k.Unshown {
			fmt.Fprintf(a.out, "held, but not shown, %s: %s\n", n.ID, n.Text)
		}
		fmt.Fprintf(a.out, "%d cases as user %d: %d passed, %d failed, %d skipped\n", k.Cases, k.User, len(k.Passed), len(k.Failed), len(k.Skipped))
	}
	if len(k.Failed) > 0 {
		return quiet(exitNo)
	}
	return nil
}

// printKernelFailure prints a failure with what is needed to repeat it.
func (a *app) printKernelFailure(k *kernelAnswer, f kernelFailure) {
	fmt.Fprintf(a.out, "FAIL %s", f.Case.ID)
	if f.Case.About != "" {
		fmt.Fprintf(a.out, ": %s", f.Case.About)
	}
	fmt.Fprintln(a.out)
	for _, p := range f.Problems {
		fmt.Fprintf(a.out, "  %s\n", oneLine(p))
	}
	fmt.Fprintln(a.out, "  set-up:")
	for _, s := range append(conformance.Base(), f.Case.Setup...) {
		words := make([]string, len(s))
		for i, word := range s {
			words[i] = fmt.Sprintf("%q", word)
		}
		fmt.Fprintf(a.out, "    %s\n", strings.Join(words, " "))
	}
	for _, r := range f.Runs {
		fmt.Fprintf(a.out, "  %s, in %s:\n%s", r.Name, oneLine(r.Dir), indent("    ", r.Line))
		if r.Policy != "" {
			fmt.Fprintf(a.out, "   under the policy\n%s", indent("    ", r.Policy))
		} else {
			fmt.Fprint(a.out, "   without a sandbox\n")
		}
		fmt.Fprintf(a.out, "   ended with status %d, and said\n%s%s", r.Outcome.Exit, indent("    1> ", string(r.Outcome.Stdout)), indent("    2> ", string(r.Outcome.Stderr)))
	}
	fmt.Fprintf(a.out, "  again: sbc verify --kernel --through %s --seed %d --cases %d -run '^%s$'\n", k.Through, k.Seed, k.made, f.Case.ID)
}

// indent puts a prefix before each line, and makes it fit for a terminal.
func indent(prefix, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(prefix + oneLine(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}
