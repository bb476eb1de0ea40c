package seccomp

// Parts that only tests reach from outside.
var Compile = compile

// Names returns the name of every row of the number table, in its order.
func Names() []string {
	var out []string
	for _, row := range numbers {
		out = append(out, row.name)
	}
	return out
}

// Spans returns the ends of the runs of numbers that exist.
func Spans(a Arch) [][2]uint32 {
	var out [][2]uint32
	for _, s := range a.spans() {
		out = append(out, [2]uint32{s.first, s.last})
	}
	return out
}

// TwoTargets returns a program that returns EPERM if the number of the call is
// 1 and ENOSYS if not. So many instructions, which must not be the same number,
// stand between the comparison and each of the two returns, and one that the
// program must jump over stands before the comparison.
func TwoTargets(toYes, toNo int) Program {
	var a assembler
	var yes, no label
	n := max(toYes, toNo) + 1
	for i := 1; i <= n; i++ {
		switch i {
		case n - toYes:
			yes = a.emit(Instruction{Code: opRet, K: uint32(EPERM)})
		case n - toNo:
			no = a.emit(Instruction{Code: opRet, K: uint32(ENOSYS)})
		default:
			a.emit(Instruction{Code: opRet, K: uint32(Allow)})
		}
	}
	start := a.branch(opJEQ, 1, yes, no)
	a.emit(Instruction{Code: opRet, K: uint32(Allow)})
	start = a.and(0xf, start)
	a.emit(Instruction{Code: opRet, K: uint32(Allow)})
	a.load(offNr, start)
	return a.program()
}
