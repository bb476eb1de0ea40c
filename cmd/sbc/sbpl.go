package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/verify/sbpl"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// sbplFlags are the flags of sbc sbpl.
type sbplFlags struct {
	op      string
	subject sbpl.Subject
	define  []string
	imports []string
	format  string
}

func newSbplCmd(a *app) *cobra.Command {
	var f sbplFlags
	cmd := &cobra.Command{
		Use:   "sbpl FILE --op OPERATION",
		Short: "say what any macOS sandbox profile decides, and which line of it",
		Long: `Reads a profile in SBPL, also one that sbc did not write, and answers one question about it:
whether an operation on a path, an address or a name is allowed, which rule decides, where that
rule stands, and what the answer takes for granted that nobody has settled by experiment. FILE
may be "-".

A path is what the kernel compares: /private/tmp/x, and not the link /tmp/x. Symbolic links are
not followed. The status is 0 if the profile allows it, 1 if it denies it, and 2 if the profile
cannot be read.`,
		Example: `  sbc sbpl profile.sb --op file-read-data --path /Users/me/.ssh/id_ed25519
  sbc sbpl profile.sb --op network-outbound --remote 1.1.1.1:443 -D HOME=/Users/me`,
		Args: takes(1, 1, "a profile, FILE or -"),
		RunE: func(_ *cobra.Command, args []string) error { return a.sbpl(args[0], &f) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.op, "op", "", "the `OPERATION`, such as file-read-data, file-write-create, network-outbound or mach-lookup")
	fs.StringVar(&f.subject.Path, "path", "", "the path of the file or socket")
	fs.StringVar(&f.subject.Vnode, "vnode", "", "the `KIND` of the file, such as DIRECTORY")
	fs.StringVar(&f.subject.Remote, "remote", "", "the other side of a connection, as `HOST:PORT`")
	fs.StringVar(&f.subject.Local, "local", "", "the own side of a connection, as `HOST:PORT`")
	fs.StringVar(&f.subject.Proto, "proto", "tcp", "tcp or udp")
	fs.StringVar(&f.subject.Name, "name", "", "the name of a Mach service, a sysctl or shared memory")
	fs.StringVar(&f.subject.NameKind, "name-kind", "global-name", "what the name of a Mach service is: global-name, local-name or xpc-service-name")
	fs.StringVar(&f.subject.Target, "process", "", "the other `PROCESS`: self, same-sandbox, children, others ...")
	fs.StringArrayVarP(&f.define, "define", "D", nil, "give a parameter of the profile a value, as `KEY=VALUE`; may be repeated")
	fs.StringArrayVar(&f.imports, "import", nil, "look in `DIR` for imported profiles, before the directories of the system; may be repeated")
	fs.StringVar(&f.format, "format", "text", "text or json")
	complete(cmd, "op", sbpl.Operations()...)
	complete(cmd, "vnode", sbpl.VnodeTypes()...)
	complete(cmd, "name-kind", sbpl.NameKinds()...)
	complete(cmd, "process", sbpl.Targets()...)
	complete(cmd, "proto", "tcp", "udp")
	complete(cmd, "format", "text", "json")
	return cmd
}

func (a *app) sbpl(file string, f *sbplFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	options, err := a.sbplOptions(f)
	if err != nil {
		return err
	}
	src, name, err := a.readProfile(file)
	if err != nil {
		return err
	}
	p, err := sbpl.Read(name, src, options)
	if err != nil {
		return unreadable(err)
	}
	d, err := p.Decide(f.op, f.subject)
	if err != nil {
		return err
	}
	if link := linked(f.subject.Path); link != "" {
		fmt.Fprintf(a.stderr, "note: %s is a link on macOS: the kernel knows this path as /private%s\n", link, oneLine(f.subject.Path))
	}
	if f.format == "json" {
		err = a.sbplJSON(name, p, f, d)
	} else {
		a.sbplText(name, p, f, d)
	}
	if err != nil || d.Allow {
		return err
	}
	return quiet(exitNo)
}

// check says what is wrong with the question.
func (f *sbplFlags) check() error {
	s := &f.subject
	if f.op == "" {
		return misuse("name the operation with --op, for example --op file-read-data", "sbc sbpl needs an operation")
	}
	op, ok := sbpl.Operation(f.op)
	if !ok {
		hint := ""
		if near := diag.Nearest(f.op, sbpl.Operations()); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return misuse(hint, "unknown operation %q", f.op)
	}
	if err := oneOf("format", f.format, "text", "json"); err != nil {
		return err
	}
	if err := oneOf("proto", s.Proto, "tcp", "udp"); err != nil {
		return err
	}
	if err := oneOf("name-kind", s.NameKind, sbpl.NameKinds()...); err != nil {
		return err
	}
	if s.Vnode != "" {
		if err := oneOf("vnode", s.Vnode, sbpl.VnodeTypes()...); err != nil {
			return err
		}
	}
	if s.Target != "" {
		if err := oneOf("process", s.Target, sbpl.Targets()...); err != nil {
			return err
		}
	}
	onFiles := strings.HasPrefix(op, "file") || strings.HasPrefix(op, "process-exec")
	switch {
	case onFiles && s.Path == "":
		return misuse("name it with --path", "%s is asked about a path", f.op)
	case s.Path != "" && (!path.IsAbs(s.Path) || path.Clean(s.Path) != s.Path || strings.ContainsRune(s.Path, 0)):
		return misuse("write it from /, without //, . and .. and without a slash at its end", "%q is no path that the kernel compares", s.Path)
	case s.Path != "" && (s.Remote != "" || s.Local != ""):
		return misuse("ask two questions", "a connection has a path or addresses, and not both")
	}
	for flag, v := range map[string]string{"remote": s.Remote, "local": s.Local} {
		if v != "" && !strings.Contains(v, ":") {
			return misuse("write HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080", "%q is no address for --%s", v, flag)
		}
	}
	return nil
}

// sbplOptions returns the parameters and where imports are looked for.
func (a *app) sbplOptions(f *sbplFlags) (sbpl.Options, error) {
	o := sbpl.Options{Params: map[string]string{}, Files: os.DirFS("/")}
	for _, d := range f.define {
		key, value, ok := strings.Cut(d, "=")
		if !ok || key == "" {
			return o, misuse("write -D KEY=VALUE", "%q is no parameter", d)
		}
		o.Params[key] = value
	}
	for _, dir := range f.imports {
		if !filepath.IsAbs(dir) {
			wd, err := a.getwd()
			if err != nil {
				return o, err
			}
			dir = filepath.Join(wd, dir)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return o, misuse("name a directory with profiles", "--import %s is no directory", dir)
		}
		o.Search = append(o.Search, filepath.ToSlash(dir))
	}
	o.Search = append(o.Search, sbpl.SystemSearch()...)
	return o, nil
}

// readProfile returns the text of a profile and what messages call it.
func (a *app) readProfile(file string) (src []byte, name string, err error) {
	if file == "-" {
		src, err = io.ReadAll(io.LimitReader(a.stdin, syntax.MaxSize+1))
		return src, stdinName, err
	}
	src, err = readFile(file)
	if err != nil {
		return nil, "", &fault{status: exitUsage, text: fmt.Sprintf("cannot read the profile: %v", err)}
	}
	return src, file, nil
}

// unreadable is the fault of a profile that macOS would not load either.
func unreadable(err error) error {
	f := &fault{status: exitUsage, text: err.Error()}
	var at *syntax.Error
	if errors.As(err, &at) && strings.Contains(at.Msg, "wants a string, not #f") {
		f.hint = "a parameter without a value is #f: give it one with -D KEY=VALUE"
	}
	return f
}

// linked returns the link at the root that a path passes on macOS.
func linked(p string) string {
	for _, link := range []string{"/etc", "/tmp", "/var"} {
		if strings.HasPrefix(p, link+"/") {
			return link
		}
	}
	return ""
}
