package mounts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// reads is how the words behind an option become operations.
type reads = func(r *reader, at Place, w []string) ([]Op, error)

func ops(list ...Op) ([]Op, error) { return list, nil }

func refuse(reason string) reads {
	return func(*reader, Place, []string) ([]Op, error) { return nil, errors.New(reason) }
}

func one(make func(at Place, w string) Op) reads {
	return func(_ *reader, at Place, w []string) ([]Op, error) { return ops(make(at, w[0])) }
}

func fd(make func(at Place, n int) Op) reads {
	return func(_ *reader, at Place, w []string) ([]Op, error) {
		n, err := descriptor(w[0])
		return []Op{make(at, n)}, err
	}
}

func bind(b Bind) reads {
	return func(_ *reader, at Place, w []string) ([]Op, error) {
		b := b
		b.Place, b.Source, b.Dest, b.FD = at, w[0], w[1], -1
		return ops(b)
	}
}

func bindFD(b Bind) reads {
	return func(_ *reader, at Place, w []string) ([]Op, error) {
		n, err := descriptor(w[0])
		b := b
		b.Place, b.Dest, b.FD = at, w[1], n
		return []Op{b}, err
	}
}

func data(readOnly bool) reads {
	return func(r *reader, at Place, w []string) ([]Op, error) {
		n, err := descriptor(w[0])
		return []Op{BindData{at, n, w[1], r.takePerms(0o600), readOnly}}, err
	}
}

func overlay(kind OverlayKind, lower int) reads {
	return func(r *reader, at Place, w []string) ([]Op, error) {
		o := Overlay{Place: at, Kind: kind, Lower: r.lower, Dest: w[len(w)-1]}
		if kind == OverlayWritable {
			o.Upper, o.Work = w[0], w[1]
		}
		r.lower = nil
		if len(o.Lower) < lower {
			return nil, fmt.Errorf("needs %d --overlay-src before it", lower)
		}
		return ops(o)
	}
}

func unshare(n Namespace, try bool) reads {
	return func(_ *reader, at Place, _ []string) ([]Op, error) { return ops(Unshare{at, n, try}) }
}

func capability(add bool) reads {
	return func(_ *reader, at Place, w []string) ([]Op, error) {
		name := strings.ToUpper(w[0])
		if name != "ALL" && !strings.HasPrefix(name, "CAP_") {
			return nil, fmt.Errorf("%q is no capability", w[0])
		}
		return ops(Cap{at, name, add})
	}
}

func id(group bool) reads {
	return func(_ *reader, at Place, w []string) ([]Op, error) {
		n, err := descriptor(w[0])
		if err != nil {
			return nil, fmt.Errorf("%q is no number of a user or group", w[0])
		}
		return ops(ID{at, group, uint32(n)})
	}
}

func flip(n SwitchName) reads {
	return func(_ *reader, at Place, _ []string) ([]Op, error) { return ops(Switch{at, n}) }
}

func setting(n SettingName) reads {
	return func(_ *reader, at Place, w []string) ([]Op, error) { return ops(Setting{at, n, w[0]}) }
}

func talk(n DescriptorName) reads {
	return fd(func(at Place, fd int) Op { return Descriptor{at, n, fd} })
}

// takePerms returns what --perms before the option said, or the default.
func (r *reader) takePerms(otherwise uint32) uint32 {
	if r.perms == nil {
		return otherwise
	}
	mode := uint32(r.perms.value)
	r.perms = nil
	return mode
}

// takeSize returns what --size before the option said, or 0.
func (r *reader) takeSize() uint64 {
	if r.size == nil {
		return 0
	}
	n := r.size.value
	r.size = nil
	return n
}

// descriptor reads a number in decimal digits. bubblewrap takes blanks and a
// sign before them, which nobody means.
func descriptor(w string) (int, error) {
	n, err := strconv.ParseUint(w, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is no descriptor", w)
	}
	return int(n), nil
}

func octal(w string) (uint32, error) {
	n, err := strconv.ParseUint(w, 8, 12)
	if err != nil {
		return 0, fmt.Errorf("%q is no mode in octal digits", w)
	}
	return uint32(n), nil
}

// variable reports a name that setenv(3) refuses.
func variable(name string) error {
	if name == "" || strings.Contains(name, "=") {
		return fmt.Errorf("%q is no name of a variable", name)
	}
	return nil
}
