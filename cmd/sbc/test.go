package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/snapshot"
)

// testFlags are the flags of sbc test.
type testFlags struct {
	policyFlags
	target      string
	run         string
	strict      bool
	noArtefact  bool
	states      int
	format      string
	diagnostics string
}

func newTestCmd(a *app) *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test POLICY...",
		Short: "run the test blocks of policies, for every path that they match",
		Long: `Runs the test blocks of each policy on each target. A path of a test is that path alone, a glob
is every path that it matches: nothing is tried out, it is proved. First the policy itself must
say what the test wants, to directories and to other files. On macOS a deny must hold for every
spelling that is the same file. A counterexample is a shortest path, with the rule that decides.

Then the output for the target is read back and asked the same. A deny that the output does not
keep fails, even if the report says so and somebody has accepted it: a test says what must be,
and a loss is named only because it is so. A deny that on Linux covers what exists at the start,
and not what is made later (snapshot), passes with a note; --strict lets it fail. An allow that
the output refuses passes with a note if the report says so (narrower), since nothing is opened.
On Linux an allow is asked of what the glob matches on the host. --no-artefact leaves all this
out. Renames ask two paths; a test asks one.

The status is 1 if a test fails, 3 if a bound was met before an answer, 2 if --run names no test
of any policy, and 0 otherwise, also if there are no tests, which is said.`,
		Example: `  sbc test policy.hcl
  sbc test policy.hcl --run secrets --target linux --strict`,
		Args: takes(1, -1, "a POLICY"),
		RunE: func(_ *cobra.Command, args []string) error { return a.test(args, &f) },
	}
	f.register(cmd)
	targetFlag(cmd, &f.target, allTargets)
	fs := cmd.Flags()
	fs.StringVar(&f.run, "run", "", "run only the tests that `REGEX` is found in, as POLICY/NAME; -run is the same")
	fs.BoolVar(&f.strict, "strict", false, "a deny that covers only what exists at the start fails")
	fs.BoolVar(&f.noArtefact, "no-artefact", false, "ask only the policy, not what it compiles to")
	statesFlag(cmd, &f.states)
	fs.StringVar(&f.format, "format", "text", "text or json")
	complete(cmd, "format", "text", "json")
	diagnosticsFlag(cmd, &f.diagnostics)
	return cmd
}

// statesFlag registers --max-states.
func statesFlag(cmd *cobra.Command, value *int) {
	cmd.Flags().IntVar(value, "max-states", automataStates, "give up an answer that takes more than `N` states, instead of memory")
}

func checkStates(n int) error {
	if n < 1 {
		return misuse("give a positive value, or leave the flag out", "--max-states bounds the answer to nothing")
	}
	return nil
}

// goStyle turns -run, as go test has it, into --run.
func goStyle(args []string) []string {
	if len(args) == 0 || args[0] != "test" && args[0] != "verify" {
		return args
	}
	out := append([]string{}, args...)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		if arg == "-run" || strings.HasPrefix(arg, "-run=") {
			out[i] = "-" + arg
		}
	}
	return out
}

func (a *app) test(refs []string, f *testFlags) error {
	format, err := formatOf("diagnostics", f.diagnostics)
	if err != nil {
		return err
	}
	if err := oneOf("format", f.format, "text", "json"); err != nil {
		return err
	}
	pattern, err := regexp.Compile(f.run)
	if err != nil {
		return misuse("write a regular expression of Go", "%q is no value for --run: %v", f.run, err)
	}
	if err := checkStates(f.states); err != nil {
		return err
	}
	targets, err := targetsOf(f.target)
	if err != nil {
		return err
	}
	s, err := a.newSession(&f.policyFlags, targets)
	if err != nil {
		return err
	}
	// All policies are loaded first: a bad one leaves no half of an answer.
	var all []*loaded
	bad := false
	for _, ref := range refs {
		l, err := s.load(ref)
		if err != nil {
			return err
		}
		bad = bad || l.policy == nil
		all = append(all, l)
		if err := a.tell(l.diags, format, l.source); err != nil {
			return err
		}
	}
	if bad {
		return quiet(exitUsage)
	}
	ans := testAnswer{Version: testVersion, Policies: []testedPolicy{}}
	for _, l := range all {
		p, err := l.runTests(targets, pattern, f)
		if err != nil {
			return err
		}
		ans.add(p)
	}
	return a.printTests(ans, f)
}

// runTests runs the tests of one policy that the pattern is found in.
func (l *loaded) runTests(targets []string, pattern *regexp.Regexp, f *testFlags) (testedPolicy, error) {
	out := testedPolicy{Policy: l.name(), Name: l.testName(), Hash: ir.Hash(l.policy), Targets: targets, Tests: []testedTest{}, has: len(l.policy.Tests)}
	var tests []ir.Test
	for _, t := range l.policy.Tests {
		if pattern.MatchString(out.Name + "/" + t.Name) {
			tests = append(tests, t)
		}
	}
	if len(tests) == 0 {
		return out, nil
	}
	testers, err := l.testers(targets, f)
	if err != nil {
		return out, err
	}
	for _, t := range tests {
		x := testedTest{Name: t.Name, Place: rangeOf(t.Origin), Status: statusOK, Checks: []testedCheck{}}
		for _, tester := range testers {
			checks, err := tester.Run(t)
			if err != nil {
				return out, &fault{status: exitInternal, text: err.Error()}
			}
			for _, c := range checks {
				x.add(l.policy, c, f.strict)
			}
		}
		x.sort()
		out.Tests = append(out.Tests, x)
	}
	return out, nil
}

// testName is what the tests of a policy are called by.
func (l *loaded) testName() string {
	if l.policy.Name != "" {
		return l.policy.Name
	}
	return l.ref
}

// testers are ready to run tests, one for each target.
func (l *loaded) testers(targets []string, f *testFlags) ([]*verify.Tester, error) {
	o := verify.TestOptions{
		View: l.machine.view, Scan: snapshot.Options{Files: l.budget.Files, Depth: l.budget.Depth}, MaxStates: f.states,
		PathOn: func(target, path string) string { return frontend.PathOn(target, l.machine.facts.OS, path) },
	}
	var lowered []lowered
	if !f.noArtefact {
		lowered = l.lower(targets, judgeFlags{}, false)
	}
	var out []*verify.Tester
	for i, name := range targets {
		t := verify.TestTarget{Name: name}
		if !f.noArtefact {
			x := lowered[i]
			if x.artifact == nil {
				return nil, l.notCompiled(x)
			}
			art, err := prove.Artefact(x.artifact)
			if err != nil {
				return nil, &fault{status: exitInternal, text: fmt.Sprintf("internal error: %v; please report", err)}
			}
			t.Artefact, t.Claims = art, prove.Claims(x.report)
		}
		tester, err := verify.NewTester(l.policy, t, o)
		if err != nil {
			return nil, &fault{status: exitInternal, text: fmt.Sprintf("internal error: the output for %s cannot be read back: %v; please report", name, err)}
		}
		out = append(out, tester)
	}
	return out, nil
}

// notCompiled is the end of a verb for which a policy had to be compiled. Without
// an output nothing can be said of it: the answer is no.
func (l *loaded) notCompiled(x lowered) error {
	if err := l.app.tell(x.judgement.Diagnostics, "text", l.source); err != nil {
		return err
	}
	return &fault{
		status: exitNo, text: fmt.Sprintf("%s cannot be compiled for %s", l.name(), x.judgement.Target),
		hint: "--no-artefact asks the policy alone; --target leaves a system out",
	}
}
