package cover

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// order is all that the stage and the helper are told.
type order struct {
	Bwrap     string
	Argv, Env []string
	MaskFile  string
	Paths     []Path
}

// Order is the content of the memory file that the stage and the helper read: the
// work, and the program that the stage becomes with its arguments and its environment. None of
// them may hold a NUL, as for execve(2).
func (w *Work) Order(bwrap string, argv, env []string) ([]byte, error) {
	return (&order{bwrap, argv, env, w.MaskFile, w.Paths}).encode()
}

// encode writes fields with a NUL after each, and lists with their length first.
func (o *order) encode() ([]byte, error) {
	fields := []string{o.Bwrap, o.MaskFile}
	for _, list := range [][]string{o.Argv, o.Env} {
		fields = append(append(fields, strconv.Itoa(len(list))), list...)
	}
	fields = append(fields, strconv.Itoa(len(o.Paths)))
	for _, p := range o.Paths {
		fields = append(fields, p.Name, number(p.Dev), number(p.Ino), strconv.FormatBool(p.Dir), number(uint64(p.Perm)))
	}
	var b strings.Builder
	for _, f := range fields {
		if strings.IndexByte(f, 0) >= 0 {
			return nil, fmt.Errorf("%q has a NUL byte", f)
		}
		b.WriteString(f)
		b.WriteByte(0)
	}
	return []byte(b.String()), nil
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// decode reads what encode wrote, all of it.
func decode(data []byte) (*order, error) {
	r := reader{left: string(data)}
	o := &order{Bwrap: r.field(), MaskFile: r.field(), Argv: r.list(), Env: r.list()}
	for n := r.number(); n > 0 && r.err == nil; n-- {
		o.Paths = append(o.Paths, Path{
			Name: r.field(), Dev: r.number(), Ino: r.number(), Dir: r.field() == "true", Perm: fs.FileMode(r.number()),
		})
	}
	if r.err == nil && r.left != "" {
		r.err = errors.New("something follows the end")
	}
	return o, r.err
}

// reader takes fields off; after an error they are empty.
type reader struct {
	left string
	err  error
}

func (r *reader) field() string {
	field, rest, ok := strings.Cut(r.left, "\x00")
	if !ok {
		r.err = errors.Join(r.err, errors.New("a field is missing"))
		return ""
	}
	r.left = rest
	return field
}

func (r *reader) number() uint64 {
	n, err := strconv.ParseUint(r.field(), 10, 64)
	r.err = errors.Join(r.err, err)
	return n
}

func (r *reader) list() []string {
	var out []string
	for n := r.number(); n > 0 && r.err == nil; n-- {
		out = append(out, r.field())
	}
	return out
}
