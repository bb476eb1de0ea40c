package mounts

import (
	"bytes"
	"path"
	"strings"
)

// maxArgs is how many arguments bubblewrap takes, those of --args and the
// command's included; all versions have this bound.
const maxArgs = 9000

// ReadOptions is what a command line refers to.
type ReadOptions struct {
	// Data are the contents of descriptors. Those that --args names must be
	// there; others are not looked at.
	Data map[int][]byte
}

// Read reads a command line of bubblewrap: with the program's name as its first
// argument (anything whose last component is "bwrap") or without, and with the
// command behind the options or without. It knows every option up to version
// 0.13 with its arity; anything else is an error, as it is for bubblewrap.
//
// Some command lines that bubblewrap takes are refused as well, because they
// mean something else than they say: --perms or --size without anything to
// apply to, words in the content of --args that it would leave out in silence.
//
// The error is an *[Error].
func Read(args []string, o ReadOptions) (*Sandbox, error) {
	r := &reader{opts: o, out: &Sandbox{}, left: maxArgs}
	if len(args) > 0 && path.Base(args[0]) == "bwrap" {
		r.out.Args = append(r.out.Args, args[0])
		args = args[1:]
	}
	return r.all(args, false)
}

// ReadArgs0 reads what --args takes: options alone, a NUL behind each word. The
// last NUL may be missing.
func ReadArgs0(data []byte, o ReadOptions) (*Sandbox, error) {
	r := &reader{opts: o, out: &Sandbox{}, left: maxArgs}
	return r.all(split0(data), true)
}

func split0(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.Split(string(bytes.TrimSuffix(data, []byte{0})), "\x00")
}

// reader is the state of one reading.
type reader struct {
	opts  ReadOptions
	out   *Sandbox
	left  int       // how many more arguments there may be
	perms *modifier // --perms that nothing has taken yet
	size  *modifier // --size, likewise
	lower []string  // --overlay-src, likewise
	src   int       // the index of the first of those
}

type modifier struct {
	index int
	value uint64
}

func (r *reader) all(words []string, file bool) (*Sandbox, error) {
	if err := r.words(words, file); err != nil {
		return nil, err
	}
	if err := r.unused(); err != nil {
		return nil, err
	}
	if err := r.consistent(); err != nil {
		return nil, err
	}
	return r.out, nil
}

// words reads one list of arguments: the command line, or the content of --args.
func (r *reader) words(words []string, file bool) error {
	if r.left -= len(words); r.left < 0 {
		return &Error{len(r.out.Args), first(words), "more than 9000 arguments"}
	}
	for _, w := range words {
		if strings.Contains(w, "\x00") {
			return &Error{len(r.out.Args), first(words), "an argument holds a NUL"}
		}
	}
	for len(words) > 0 {
		at, word := len(r.out.Args), words[0]
		if word == "--" || !strings.HasPrefix(word, "-") {
			return r.command(words, file)
		}
		opt, known := options[word]
		switch {
		case !known:
			return &Error{at, word, "bubblewrap has no such option"}
		case len(words) <= opt.words:
			return &Error{at, word, "values are missing"}
		}
		r.out.Args = append(r.out.Args, words[:opt.words+1]...)
		if err := r.option(opt, at, words[:opt.words+1], file); err != nil {
			return err
		}
		words = words[opt.words+1:]
	}
	return nil
}

func (r *reader) option(opt option, at int, words []string, file bool) error {
	if words[0] == "--args" {
		if file {
			return &Error{at, words[0], "is not taken within the content of another --args"}
		}
		fd, err := descriptor(words[1])
		if err != nil {
			return &Error{at, words[0], err.Error()}
		}
		r.out.Files = append(r.out.Files, fd)
		data, known := r.opts.Data[fd]
		if !known {
			return &Error{at, words[0], "the content of the descriptor is not known"}
		}
		if err := r.words(split0(data), true); err != nil {
			return err
		}
	} else {
		ops, err := opt.read(r, Place{at}, words[1:])
		if err != nil {
			return &Error{at, words[0], err.Error()}
		}
		r.out.Ops = append(r.out.Ops, ops...)
	}
	if opt.modifies {
		return nil
	}
	return r.unused()
}

// unused finds a modifier that the option behind it did not take.
func (r *reader) unused() error {
	switch {
	case r.perms != nil:
		return &Error{r.perms.index, "--perms", "is followed by nothing that it applies to"}
	case r.size != nil:
		return &Error{r.size.index, "--size", "is followed by nothing that it applies to"}
	case len(r.lower) > 0:
		return &Error{r.src, "--overlay-src", "is followed by no overlay"}
	}
	return nil
}

// command takes the words from the first that is no option on.
func (r *reader) command(words []string, file bool) error {
	at := len(r.out.Args)
	r.out.Args = append(r.out.Args, words...)
	if words[0] == "--" {
		words = words[1:]
	}
	if file && len(words) > 0 {
		return &Error{at, first(words), "is no option, and bubblewrap leaves it and all behind it out in silence"}
	}
	if !file {
		r.out.Command = append([]string{}, words...)
	}
	return nil
}

// consistent finds options that bubblewrap refuses together.
func (r *reader) consistent() error {
	user, maybe := false, false
	for _, op := range all[Unshare](r.out) {
		if op.Namespace == User {
			user, maybe = user || !op.Try, maybe || op.Try
		}
	}
	for _, op := range all[Join](r.out) {
		if op.Namespace == User && !op.Second && (user || maybe) {
			return r.errorAt(op, "and a new user namespace exclude each other")
		}
	}
	for _, op := range all[Seccomp](r.out) {
		if op.Add != all[Seccomp](r.out)[0].Add {
			return r.errorAt(op, "--seccomp and --add-seccomp-fd exclude each other")
		}
	}
	for _, op := range all[Switch](r.out) {
		if op.Name == DisableUserns && !user {
			return r.errorAt(op, "needs --unshare-user")
		}
	}
	named := false
	for _, op := range all[Setting](r.out) {
		if op.Name == Argv0 && named {
			return r.errorAt(op, "is given twice")
		}
		named = named || op.Name == Argv0
	}
	return nil
}

func (r *reader) errorAt(op Op, reason string) error {
	return &Error{op.At(), r.out.Args[op.At()], reason}
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
