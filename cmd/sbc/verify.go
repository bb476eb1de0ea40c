package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify"
)

// verifyFlags are the flags of sbc verify.
type verifyFlags struct {
	policyFlags
	judgeFlags
	kernel      kernelFlags
	target      string
	format      string
	diagnostics string
}

func newVerifyCmd(a *app) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify POLICY [ARTEFACT] | verify --kernel",
		Short: "prove that an output means what a policy says",
		Long: `Reads an output back and holds it against the policy: for every path, not for samples. Without
an ARTEFACT that is what the policy compiles to now; with one it is a file, such as one that
was committed or edited by hand: a profile for darwin; for linux the arguments of bubblewrap as
compile prints them, as text or args0; or a bundle, for either.

A difference that the report of the policy declares, such as a rule that comes out narrower, is
no error. Any other is shown with a shortest path, the rule that decides, and the line that
decides otherwise; then the status is 1. The other files of a bundle must be, byte by byte, what
the policy compiles to. For darwin the answer holds under assumptions about
Seatbelt that nobody has settled; those that this output relies on are named. For linux it
holds for the host that the policy is compiled for, where globs stand for what they match.

With --kernel there is no policy to prove: several hundred small cases that come with sbc, each
with a policy of its own, are run on this machine's kernel, as the calling user: what must work,
what must be refused, attempts to get out, real programs. What is refused is tried a second time
without the rule, to show that it is the rule that refuses it. A failure is printed with
everything that is needed to repeat it; then the status is 1.`,
		Example: `  sbc verify policy.hcl --target linux committed.argv
  sbc verify --kernel --cases 1000 --seed 7`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.kernel.on {
				return takes(0, 0, "no POLICY with --kernel")(cmd, args)
			}
			return takes(1, 2, "a POLICY and perhaps an ARTEFACT")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.kernel.misplaced(cmd); err != nil {
				return err
			}
			if f.kernel.on {
				return a.verifyKernel(&f.kernel, f.format)
			}
			return a.verify(args, &f)
		},
	}
	f.policyFlags.register(cmd)
	f.judgeFlags.register(cmd)
	targetFlag(cmd, &f.target, "")
	cmd.Flags().StringVar(&f.format, "format", "text", "text or json")
	complete(cmd, "format", "text", "json")
	diagnosticsFlag(cmd, &f.diagnostics)
	f.kernel.register(cmd)
	return cmd
}

func (a *app) verify(args []string, f *verifyFlags) error {
	format, err := formatOf("diagnostics", f.diagnostics)
	if err != nil {
		return err
	}
	if err := oneOf("format", f.format, "text", "json"); err != nil {
		return err
	}
	targets, err := targetsOf(f.target)
	if err != nil {
		return err
	}
	if len(args) == 2 && len(targets) > 1 {
		return misuse("name one target", "an artefact is for one target")
	}
	s, err := a.newSession(&f.policyFlags, targets)
	if err != nil {
		return err
	}
	l, err := s.load(args[0])
	if err != nil {
		return err
	}
	if l.policy == nil {
		return a.badPolicy(l, format)
	}
	judge := f.judgeFlags
	var file *artefactText
	if len(args) == 2 {
		art, err := l.readArtefact(args[1], targets[0])
		if err != nil {
			return misuse("write the file of a profile, of arguments as compile prints them, a bundle, or - for stdin", "cannot read the artefact: %v", err)
		}
		file, judge.apart = &art, art.apart()
	}
	all := l.lower(targets, judge, false)
	ds := verdictDiagnostics(l, all)
	if len(args) == 1 && ds.HasErrors() {
		if err := a.tell(ds, format, l.source); err != nil {
			return err
		}
		return quiet(exitNo)
	}
	out := verifyAnswer{Version: verifyVersion, Policy: l.name(), Hash: ir.Hash(l.policy)}
	for _, x := range all {
		t, err := l.verifyTarget(x, file)
		if err != nil {
			return err
		}
		out.Targets = append(out.Targets, t)
	}
	return a.printVerify(out, f.format)
}

// verifyVersion is the version of the JSON form.
const verifyVersion = 1

type verifyAnswer struct {
	Version int            `json:"sbc_verify"`
	Policy  string         `json:"policy"`
	Hash    string         `json:"hash"`
	Targets []verifyTarget `json:"targets"`
}

type verifyTarget struct {
	Target      string             `json:"target"`
	Artefact    string             `json:"artefact,omitempty"` // the file; empty for what the policy compiles to
	Equal       bool               `json:"equal"`
	Differences []verifyDifference `json:"differences"`
	Holes       []verifyHole       `json:"holes"`
	Assumed     []string           `json:"assumed"`
	States      int                `json:"states"`
	lines       []string
}

type verifyDifference struct {
	Op        string `json:"op"`
	Operation string `json:"operation,omitempty"` // the target's own name
	Direction string `json:"direction"`           // what the artefact does: permits or denies
	Path      string `json:"path"`
	Dir       bool   `json:"dir,omitempty"`
	Rule      string `json:"rule,omitempty"` // by which the policy decides
	Line      int    `json:"line,omitempty"` // of the profile, or index of the argument
	Emitted   string `json:"emitted,omitempty"`
}

type verifyHole struct {
	Name string `json:"name"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// verifyTarget proves one target: what was emitted, or a file.
func (l *loaded) verifyTarget(x lowered, file *artefactText) (verifyTarget, error) {
	name := x.judgement.Target
	if x.artifact == nil {
		return verifyTarget{}, &fault{status: exitNo, text: fmt.Sprintf("the policy cannot be compiled for %s", name), hint: "run sbc compile for the reasons"}
	}
	t := verifyTarget{Target: name, Differences: []verifyDifference{}, Holes: []verifyHole{}, Assumed: []string{}}
	var proof *verify.Proof
	var err error
	if file == nil {
		if proof, err = prove.Lowered(l.policy, x.artifact, x.report, l.proveOptions()); err != nil {
			return t, notProved(name, err)
		}
	} else {
		t.Artefact = file.arg
		proof, err = prove.Text(l.policy, file.name, file.text, x.artifact, x.report, l.proveOptions())
		if refused := (*verify.RefusedError)(nil); errors.As(err, &refused) {
			proof, err = &verify.Proof{Holes: []verify.Hole{{Name: "language", Line: -1, Text: refused.Problem}}}, nil
		}
		if err != nil {
			if f := notProved(name, err); isBudget(err) {
				return t, f
			}
			return t, &fault{status: exitUsage, text: fmt.Sprintf("cannot read the artefact for %s: %v", name, err)}
		}
		if err := file.compare(proof, x); err != nil {
			return t, err
		}
	}
	t.Equal, t.States = proof.Holds(), proof.States
	t.Assumed = append(t.Assumed, proof.Assumed...)
	t.lines = l.findings(proof, name)
	for _, d := range proof.Undeclared() {
		v := verifyDifference{Op: d.Op.String(), Operation: d.As, Direction: d.Direction.String(), Path: d.Path, Dir: d.Dir, Line: max(d.Line, 0), Emitted: d.Emitted}
		if d.Rule >= 0 {
			v.Rule = l.policy.Files[d.Rule].Origin.Address
		}
		t.Differences = append(t.Differences, v)
	}
	for _, h := range proof.Holes {
		t.Holes = append(t.Holes, verifyHole{Name: h.Name, Line: max(h.Line, 0), Text: h.Text})
	}
	return t, nil
}

// artefactText is an artefact as it was read.
type artefactText struct {
	arg    string // as it was named
	name   string // of the file
	text   []byte
	bundle string // the directory with the files of the target, or empty
	inside string // the name of the file in it
}

// readArtefact reads an artefact; of a bundle, what is for the target.
func (l *loaded) readArtefact(name, target string) (artefactText, error) {
	if name == "-" {
		text, err := io.ReadAll(io.LimitReader(l.app.stdin, maxFile+1))
		if err == nil && len(text) > maxFile {
			err = fmt.Errorf("more than %d bytes", maxFile)
		}
		return artefactText{arg: name, name: stdinName, text: text}, err
	}
	out := artefactText{arg: name, name: name}
	if file := l.cache.abs(name); isDir(file) {
		out.inside = map[string]string{ir.Darwin: "profile.sb", ir.Linux: "argv.args0"}[target]
		if isDir(filepath.Join(file, target)) {
			file, out.name = filepath.Join(file, target), filepath.Join(name, target)
		}
		out.bundle, out.name = file, filepath.Join(out.name, out.inside)
	}
	var err error
	out.text, err = readFile(l.cache.abs(out.name))
	return out, err
}

// apart reports whether it has a form that is used without sbc run.
func (t artefactText) apart() bool { return t.bundle != "" || bytes.IndexByte(t.text, 0) >= 0 }

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// compare holds the other files of a bundle against what the policy compiles to,
// byte by byte: a script or a program for the kernel is not read back.
func (t artefactText) compare(proof *verify.Proof, x lowered) error {
	if t.bundle == "" {
		return nil
	}
	files, err := x.artifact.Bundle()
	if err != nil {
		return &fault{status: exitInternal, text: fmt.Sprintf("internal error: cannot make the bundle for %s: %v; please report", x.judgement.Target, err)}
	}
	for _, f := range files {
		if f.Name == t.inside {
			continue
		}
		have, err := readFile(filepath.Join(t.bundle, f.Name))
		if err != nil || !bytes.Equal(have, f.Data) {
			proof.Holes = append(proof.Holes, verify.Hole{
				Name: "bundle", Line: -1, Text: fmt.Sprintf("the file %s is not what the policy compiles to", filepath.Join(t.bundle, f.Name)),
			})
		}
	}
	return nil
}

func (a *app) printVerify(out verifyAnswer, format string) error {
	equal := true
	for _, t := range out.Targets {
		equal = equal && t.Equal
	}
	if format == "json" {
		text, err := json.MarshalIndent(out, "", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s\n", text)
	} else {
		for _, t := range out.Targets {
			a.printVerifyTarget(t)
		}
	}
	if !equal {
		return quiet(exitNo)
	}
	return nil
}

func (a *app) printVerifyTarget(t verifyTarget) {
	what := "the output"
	if t.Artefact != "" {
		what = t.Artefact
	}
	if t.Equal {
		fmt.Fprintf(a.out, "%s: %s decides as the policy for every path, but for what its report declares\n", t.Target, what)
	} else {
		fmt.Fprintf(a.out, "%s: %s is not what the policy says\n", t.Target, what)
	}
	const most = 20
	for i, line := range t.lines {
		if i == most {
			fmt.Fprintf(a.out, "  and %d more; --format json has them all\n", len(t.lines)-most)
			break
		}
		fmt.Fprintf(a.out, "  %s\n", oneLine(line))
	}
	if len(t.Assumed) > 0 {
		fmt.Fprintf(a.out, "  assumed: %s\n", strings.Join(t.Assumed, ", "))
	}
}
