package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// env merges the env blocks: inherit nearest first, lists as a union, set
// nearest first for each name.
func (b *builder) env(e *ir.Env) {
	for _, u := range b.units {
		blk := u.doc.Child("env")
		if blk == nil {
			continue
		}
		setting(b, &e.Inherit, u, blk, "env.", "inherit", envInherit(blk.Text("inherit").Value), narrowerEnv)
		for _, t := range blk.Texts("pass") {
			if u.narrow {
				b.setAside(u, t.Range, "env.pass["+t.Source+"]", "the variable")
				continue
			}
			b.envRule(&e.Pass, u, t, "pass")
		}
		for _, t := range blk.Texts("deny") {
			b.envRule(&e.Deny, u, t, "deny")
		}
		for _, p := range blk.Pairs("set") {
			b.envSet(e, u, p)
		}
	}
	slices.SortFunc(e.Set, func(x, y ir.EnvVar) int { return strings.Compare(x.Name, y.Name) })
}

func envInherit(word string) ir.EnvInherit {
	for _, m := range []ir.EnvInherit{ir.EnvNone, ir.EnvAll} {
		if m.String() == word {
			return m
		}
	}
	return ir.EnvCore
}

func narrowerEnv(now, to ir.EnvInherit) bool {
	size := map[ir.EnvInherit]int{ir.EnvNone: 0, ir.EnvCore: 1, ir.EnvAll: 2}
	return size[to] <= size[now]
}

func (b *builder) envRule(list *[]ir.EnvRule, u unit, t document.Text, kind string) {
	pattern := document.GlobText(t.Value)
	if !validEnvName(strings.Map(func(r rune) rune {
		if r == '*' || r == '?' {
			return 'X'
		}
		return r
	}, pattern)) {
		b.fail(diag.CodeEnvName, t.Range, "env."+kind, fmt.Sprintf("%q is no variable name or pattern", document.Plain(t.Value)), `Names have no "=" and no control characters; "*" and "?" are wildcards.`)
		return
	}
	address := fmt.Sprintf("env.%s[%s]", kind, pattern)
	if kind == "pass" && !strings.ContainsAny(pattern, "*?") && ir.EnvRunsCode(pattern) {
		b.warn(diag.CodeEnvCode, t.Range, address, fmt.Sprintf("%s can make a child run code", pattern), "Pass it only if its value is trusted.")
	}
	*list = append(*list, ir.EnvRule{Pattern: pattern, Layer: u.layer, Origin: u.origin(address, t.Range)})
}

func (b *builder) envSet(e *ir.Env, u unit, p document.Pair) {
	name := document.Plain(p.Name)
	address := fmt.Sprintf("env.set[%s]", name)
	if u.narrow {
		b.setAside(u, p.Range, address, "the variable")
		return
	}
	value := document.Plain(p.Value)
	if !validEnvName(name) || strings.ContainsRune(value, 0) {
		b.fail(diag.CodeEnvName, p.Range, address, fmt.Sprintf("%q cannot be set", name), `Names have no "=" and no control characters, values no NUL.`)
		return
	}
	if slices.ContainsFunc(e.Set, func(v ir.EnvVar) bool { return v.Name == name }) {
		return // a nearer policy has set it
	}
	e.Set = append(e.Set, ir.EnvVar{Name: name, Value: value, Layer: u.layer, Origin: u.origin(address, p.Range)})
}

func validEnvName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return strings.ContainsRune(`=[]{}\\`, r) || r < ' ' || r == 0x7f })
}
