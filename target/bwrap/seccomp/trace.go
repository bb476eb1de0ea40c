package seccomp

import (
	"fmt"
	"slices"
)

// word is a part of seccomp_data that a load reads.
type word int

// The words; the argument n is wordArgs+n.
const (
	wordNone word = iota
	wordArch
	wordNr
	wordOther // a word that the programs of this package do not read
	wordArgs
)

// wordAt returns the word at an offset of seccomp_data.
func wordAt(offset uint32) word {
	switch {
	case offset == offArch:
		return wordArch
	case offset == offNr:
		return wordNr
	case offset >= offArgs && offset < offArgs+6*8 && offset%8 == 0:
		return wordArgs + word((offset-offArgs)/8)
	default:
		return wordOther
	}
}

// String returns the word's name.
func (w word) String() string {
	switch w {
	case wordNone:
		return "nothing"
	case wordArch:
		return "arch"
	case wordNr:
		return "nr"
	case wordOther:
		return "other"
	case wordArgs:
		return "arg0"
	default:
		return fmt.Sprintf("arg%d", int(w-wordArgs))
	}
}

// knowledge is what is certain when an instruction is reached, whatever the way
// to it: which word is loaded, on which architecture, in which call.
type knowledge struct {
	seen bool
	word word
	arch Arch
	call string
}

// trace follows the program from its start and returns what is known at each
// instruction. One pass is enough, because jumps go forward.
func (p Program) trace() []knowledge {
	at := make([]knowledge, len(p))
	flow := func(i, skip int, k knowledge) {
		if to := i + 1 + skip; skip >= 0 && to < len(p) {
			at[to] = at[to].meet(k)
		}
	}
	if len(p) > 0 {
		at[0].seen = true
	}
	for i, in := range p {
		k := at[i]
		switch in.Code {
		case opLoad:
			k.word = wordAt(in.K)
			flow(i, 0, k)
		case opJump:
			flow(i, int(in.K), k)
		case opJEQ:
			flow(i, int(in.JF), k)
			flow(i, int(in.JT), k.equal(in.K))
		case opJGT, opJGE:
			flow(i, int(in.JF), k)
			flow(i, int(in.JT), k)
		case opRet:
		default:
			flow(i, 0, k)
		}
	}
	return at
}

// meet returns what is known on two ways that come together.
func (k knowledge) meet(other knowledge) knowledge {
	if !k.seen {
		return other
	}
	if k.word != other.word {
		k.word = wordNone
	}
	if k.arch != other.arch {
		k.arch = 0
	}
	if k.call != other.call {
		k.call = ""
	}
	return k
}

// equal returns what is known once the loaded word equals n.
func (k knowledge) equal(n uint32) knowledge {
	switch k.word {
	case wordArch:
		for _, a := range Arches() {
			if a.Audit().N == n {
				k.arch = a
			}
		}
	case wordNr:
		k.call = callName(k.arch, n)
	case wordNone, wordOther, wordArgs:
	}
	return k
}

// name returns the name of a constant that the loaded word is compared or
// masked with, or its digits.
func (k knowledge) name(n uint32) string {
	switch {
	case k.word == wordArch:
		for _, a := range Arches() {
			if v := a.Audit(); v.N == n {
				return v.Name
			}
		}
	case k.word == wordNr:
		if s := callName(k.arch, n); s != "" {
			return fmt.Sprintf("%s(%d)", s, n)
		}
	case k.word >= wordArgs:
		if s := valueName(k.call, int(k.word-wordArgs), n); s != "" {
			return s
		}
	}
	if n >= 0x1000 {
		return fmt.Sprintf("%#x", n)
	}
	return fmt.Sprint(n)
}

// valueName returns the name that the rules give to a value of an argument.
func valueName(call string, arg int, n uint32) string {
	for _, r := range slices.Concat(Table(), tracedCalls()) {
		if !slices.Contains(r.Calls, call) {
			continue
		}
		for _, t := range r.When {
			if t.Arg != arg {
				continue
			}
			for _, v := range append([]Value{t.Mask}, t.Values...) {
				if v.N == n && v.Name != "" {
					return v.Name
				}
			}
		}
	}
	return ""
}
