package ir_test

import (
	"fmt"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

func ExamplePolicy_Decide() {
	p := &ir.Policy{Files: []ir.FileRule{
		{Match: ir.Glob{Pattern: glob.MustParse("/**/.env")}, Read: ir.Deny, Write: ir.Deny},
		{Match: ir.Subtree("/home/u/.npmrc"), Read: ir.Ask, Write: ir.Ask},
		{Match: ir.Subtree("/home/u/app"), Read: ir.Allow, Write: ir.Allow},
		{Match: ir.Subtree("/home/u"), Read: ir.Allow, Write: ir.Deny},
	}}
	for _, q := range []ir.Query{
		{Op: ir.Write, Path: "/home/u/app/main.go"},
		{Op: ir.Read, Path: "/home/u/app/.env"},
		{Op: ir.Read, Path: "/home/u/app/.ENV"},
		{Op: ir.Read, Path: "/home/u/.npmrc"},
		{Op: ir.Write, Path: "/home/u/notes"},
		{Op: ir.Unlink, Path: "/home/u/app", Dir: true},
		{Op: ir.Read, Path: "/etc/passwd"},
	} {
		q.Target = ir.Darwin
		d := p.Decide(q)
		fmt.Printf("%-6s %-20s %-5s rule %d", q.Op, q.Path, d.Effect, d.Rule)
		if d.Pinned {
			fmt.Print(", but pinned")
		}
		fmt.Println()
	}
	// Output:
	// write  /home/u/app/main.go  allow rule 2
	// read   /home/u/app/.env     deny  rule 0
	// read   /home/u/app/.ENV     deny  rule 0
	// read   /home/u/.npmrc       ask   rule 1
	// write  /home/u/notes        deny  rule 3
	// unlink /home/u/app          deny  rule 2, but pinned
	// read   /etc/passwd          deny  rule -1
}

func ExampleDecode() {
	src := `{
  "sbc_ir": 1, "version": 1, "name": "x", "workspace": "/w", "home": "/h", "temp": "/tmp",
  "files": [{"match": {"kind": "subtree", "path": "/w"}, "Read": "allow", "write": "pass",
    "group": "root", "layer": "workspace", "origin": {"address": "filesystem.read[/w]"}}]
}`
	_, ds := ir.Decode([]byte(src), "x.ir.json")
	for _, d := range ds {
		fmt.Printf("%s:%d:%d: %s\n", d.Subject.File, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary)
	}
	// Output:
	// x.ir.json:3:58: unknown key "Read"
	// x.ir.json:3:13: missing key "read"
}
