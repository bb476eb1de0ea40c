package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
)

// compileFlags are the flags of sbc compile.
type compileFlags struct {
	policyFlags
	judgeFlags
	target      string
	format      string
	output      string
	bundle      string
	annotate    bool
	noVerify    bool
	diagnostics string
}

func newCompileCmd(a *app) *cobra.Command {
	var f compileFlags
	cmd := &cobra.Command{
		Use:   "compile POLICY",
		Short: "compile a policy to what a system enforces",
		Long: `Compiles a policy: to a Seatbelt profile for macOS, to the arguments of bubblewrap for Linux.
A POLICY is a file, the name of a built-in profile, or - for stdin; a file in the JSON form
that sbc ir prints is compiled as it is.

A rule that comes out weaker than written is an error: then nothing is written, the report is
on stderr, and the status is 1. Warnings and notes are on stderr too (--diagnostics has their
format).

The output is read back and held against the policy before it is written: for every path it
must decide as the policy does, but for what the report says. Should it not, that is an
internal error: nothing is written, and the status is 3. --no-verify leaves the proof out.

Formats: text is the profile, or one argument a line; json is the same as a typed value; args0
is for bwrap --args; sh is a script that runs a command inside. The last two and a bundle are used
without sbc run: on Linux nothing then decides about names that appear later. With --target all the text of
each target follows a line that names it, for reading; use --bundle to get files. A bundle is
a new directory with one folder a target and report.json; an empty directory or an earlier
bundle is replaced, anything else is left alone.

-o replaces a file in one step. A link is replaced too, never followed; a device, a FIFO and
names such as /dev/stdout are written to. A file that the policy was read from is refused.`,
		Example: `  sbc compile policy.hcl --target darwin -o policy.sb
  sbc compile policy.hcl --target linux --format sh -o sandboxed && bash sandboxed make test`,
		Args: takes(1, 1, "a POLICY"),
		RunE: func(_ *cobra.Command, args []string) error { return a.compile(args[0], &f) },
	}
	f.policyFlags.register(cmd)
	f.judgeFlags.register(cmd)
	targetFlag(cmd, &f.target, "")
	fs := cmd.Flags()
	fs.StringVar(&f.format, "format", string(target.Text), "text, json, args0 or sh")
	complete(cmd, "format", artifactFormats()...)
	fs.StringVarP(&f.output, "output", "o", "-", "write to `FILE`; - is stdout")
	fs.StringVar(&f.bundle, "bundle", "", "write everything that is needed to use the output to the directory `DIR`")
	fs.BoolVar(&f.annotate, "annotate", false, "add a comment with the rule's address and place, where the output has comments")
	fs.BoolVar(&f.noVerify, "no-verify", false, "do not prove that the output means the policy")
	diagnosticsFlag(cmd, &f.diagnostics)
	return cmd
}

func artifactFormats() []string {
	return []string{string(target.Text), string(target.JSON), string(target.Args0), string(target.Shell)}
}

// apart reports whether a format is made to be used without sbc run.
func apart(f target.Format) bool { return f == target.Args0 || f == target.Shell }

// check finds flags that do not go together.
func (f *compileFlags) check(targets []string) error {
	if err := oneOf("format", f.format, artifactFormats()...); err != nil {
		return err
	}
	switch {
	case f.output == "":
		return misuse("write -o FILE, or -o - for stdout", "the output file has no name")
	case f.bundle != "" && f.output != "-":
		return misuse("leave one of them out", "--bundle and -o contradict each other")
	case f.bundle != "" && f.format != string(target.Text):
		return misuse("a bundle holds every format that the target needs", "--bundle and --format contradict each other")
	case f.bundle == "" && len(targets) > 1 && f.output != "-":
		return misuse("name one target, or write --bundle DIR", "one file cannot hold the output for two targets")
	case f.bundle == "" && len(targets) > 1 && f.format != string(target.Text):
		return misuse("name one target, or write --bundle DIR", "--format %s cannot hold the output for two targets", f.format)
	}
	return nil
}

func (a *app) compile(ref string, f *compileFlags) error {
	format, err := formatOf("diagnostics", f.diagnostics)
	if err != nil {
		return err
	}
	targets, err := targetsOf(f.target)
	if err != nil {
		return err
	}
	if err := f.check(targets); err != nil {
		return err
	}
	s, err := a.newSession(&f.policyFlags, targets)
	if err != nil {
		return err
	}
	l, err := s.load(ref)
	if err != nil {
		return err
	}
	if l.policy == nil {
		return a.badPolicy(l, format)
	}
	judge := f.judgeFlags
	judge.apart = f.bundle != "" || apart(target.Format(f.format))
	all := l.lower(targets, judge, f.annotate)
	ds := verdictDiagnostics(l, all)
	if err := a.tell(ds, format, l.source); err != nil {
		return err
	}
	if ds.HasErrors() {
		return quiet(exitNo)
	}
	if !f.noVerify {
		if err := a.proveAll(l, all); err != nil {
			return err
		}
	}
	if f.bundle != "" {
		return writeBundle(f.bundle, l, all)
	}
	text, err := render(all, target.Format(f.format))
	if err != nil {
		return err
	}
	perm := os.FileMode(0o644)
	if f.format == string(target.Shell) {
		perm = 0o755
	}
	return a.writeOutput(f.output, text, perm, s.cache)
}

// render prints the artefacts: one as it is, several each behind a line that
// names its target.
func render(all []lowered, format target.Format) ([]byte, error) {
	var out []byte
	for _, x := range all {
		name := x.judgement.Target
		if known := x.artifact.Formats(); !slices.Contains(known, format) {
			var words []string
			for _, k := range known {
				words = append(words, string(k))
			}
			return nil, misuse("the formats are "+strings.Join(words, ", "), "there is no format %s for %s", format, name)
		}
		text, err := x.artifact.Render(format)
		if err != nil {
			return nil, &fault{status: exitInternal, text: fmt.Sprintf("internal error: cannot render for %s: %v; please report", name, err)}
		}
		if len(all) > 1 {
			out = append(out, sectionLine(name)...)
		}
		out = append(out, text...)
	}
	return out, nil
}

// sectionLine starts the output for a target where several follow each other. It
// is a comment in the profile language of macOS; arguments have no comments.
func sectionLine(name string) string {
	switch name {
	case ir.Darwin:
		return "; target darwin: a profile for sandbox-exec -f\n"
	case ir.Linux:
		return "; target linux: the arguments of bwrap, one a line\n"
	}
	return "; target " + name + "\n"
}
