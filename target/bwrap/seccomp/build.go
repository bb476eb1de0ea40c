package seccomp

// Build returns the filter for an architecture and options: Rules as a program.
// An architecture that is not one of the constants gets a filter that kills
// whatever runs under it.
func Build(a Arch, o Options) Program {
	number := func(name string) uint32 {
		nr, _ := Number(a, name) // Rules has left out the calls that a does not have
		return nr
	}
	return compile(a, Rules(a, o), number)
}

// compile turns rules into a program: the entry rules in their order, then for
// each call that a rule names one comparison of the number, then, in a block of
// its own, what the rules say about that call.
func compile(a Arch, rules []Rule, number func(string) uint32) Program {
	if len(a.spans()) == 0 {
		return Program{{Code: opRet, K: uint32(KillProcess)}}
	}
	var (
		asm   assembler
		next  = asm.ret(Allow)
		calls = byCall(rules)
	)
	for i := len(calls) - 1; i >= 0; i-- {
		then := asm.callRules(calls[i].rules)
		next = asm.branch(opJEQ, number(calls[i].name), then, next)
	}
	entry := map[Scope]Action{}
	for _, r := range rules {
		entry[r.Scope] = r.Action
	}
	if act, ok := entry[ScopeUnknown]; ok {
		next = asm.known(a.spans(), act, next)
	}
	if act, ok := entry[ScopeX32]; ok {
		next = asm.branch(opJGE, x32Bit, asm.ret(act), next)
	}
	next = asm.load(offNr, next)
	if act, ok := entry[ScopeForeign]; ok {
		next = asm.branch(opJEQ, a.Audit().N, next, asm.ret(act))
	}
	asm.load(offArch, next)
	return asm.program()
}

// callRule is a call with the rules about it, in their order.
type callRule struct {
	name  string
	rules []Rule
}

// byCall orders the rules by the calls that they name, in the order in which
// these first appear.
func byCall(rules []Rule) []callRule {
	var out []callRule
	at := map[string]int{}
	for _, r := range rules {
		for _, name := range r.Calls {
			i, ok := at[name]
			if !ok {
				i = len(out)
				at[name] = i
				out = append(out, callRule{name: name})
			}
			out[i].rules = append(out[i].rules, r)
		}
	}
	return out
}

// callRules writes the rules about one call and returns where they begin.
func (a *assembler) callRules(rules []Rule) label {
	next := a.ret(Allow)
	for i := len(rules) - 1; i >= 0; i-- {
		r := rules[i]
		then := a.ret(r.Action)
		for j := len(r.When) - 1; j >= 0; j-- {
			then = a.test(r.When[j], then, next)
		}
		next = then
	}
	return next
}

// test writes a comparison of an argument and returns where it begins.
func (a *assembler) test(t Test, holds, fails label) label {
	hit, next := holds, fails
	if t.Op == NoneOf {
		hit, next = fails, holds
	}
	for i := len(t.Values) - 1; i >= 0; i-- {
		next = a.branch(opJEQ, t.Values[i].N, hit, next)
	}
	if t.Mask.N != 0 {
		next = a.and(t.Mask.N, next)
	}
	return a.load(offArgs+8*uint32(t.Arg), next)
}

// known writes the comparison of the number with the spans of numbers that
// exist and returns where it begins; a number in none of them goes to act.
func (a *assembler) known(spans []span, act Action, inside label) label {
	next := a.ret(act) // below the lowest span
	for _, s := range spans {
		if s.first == 0 {
			next = inside
		} else {
			next = a.branch(opJGE, s.first, inside, next)
		}
		next = a.branch(opJGT, s.last, a.ret(act), next)
	}
	return next
}
