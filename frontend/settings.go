package frontend

import (
	"fmt"
	"time"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// setting keeps the nearest value that was said. Narrow layers come after the
// others and may only make it smaller, as narrower says; what would widen it is
// set aside.
func setting[T any](b *builder, s *ir.Setting[T], u unit, blk *document.Block, prefix, name string, value T, narrower func(now, to T) bool) {
	if !blk.Has(name) {
		return
	}
	address := prefix + name
	if u.narrow {
		if !narrower(s.Value, value) {
			b.setAside(u, blk.NameRange(name), address, address)
			return
		}
	} else if s.Set {
		return
	}
	*s = ir.Setting[T]{Value: value, Set: true, Layer: u.layer, Origin: u.origin(address, blk.NameRange(name))}
}

// process merges the process blocks, nearest first.
func (b *builder) process(p *ir.Process) {
	closes := func(_, to bool) bool { return !to }
	for _, u := range b.units {
		blk := u.doc.Child("process")
		setting(b, &p.Ptrace, u, blk, "process.", "ptrace", blk.Bool("ptrace"), closes)
		setting(b, &p.Namespaces, u, blk, "process.", "namespaces", blk.Bool("namespaces"), closes)
		setting(b, &p.Terminal, u, blk, "process.", "terminal", blk.Bool("terminal"), closes)
		setting(b, &p.Supervise, u, blk, "process.", "supervise", superviseMode(blk), stricter)
		for _, t := range blk.Texts("devices") {
			b.device(p, u, t)
		}
	}
}

// superviseMode is the mode that a process block names; another word is
// refused when the document is decoded.
func superviseMode(blk *document.Block) ir.SuperviseMode {
	for _, m := range []ir.SuperviseMode{ir.SuperviseOpen, ir.SuperviseOff} {
		if blk.Text("supervise").Value == m.String() {
			return m
		}
	}
	return ir.SuperviseCreate
}

func stricter(now, to ir.SuperviseMode) bool { return to.Strictness() >= now.Strictness() }

func (b *builder) device(p *ir.Process, u unit, t document.Text) {
	address := "process.devices[" + t.Source + "]"
	if u.narrow {
		b.setAside(u, t.Range, address, "the device")
		return
	}
	pl, ok := b.paths.read(t, true)
	if !ok {
		return
	}
	if pl.isGlob() {
		b.globRoot(pl, "read", address)
		return
	}
	if res, ok := b.resolve(pl.literal, t.Range, address); ok && len(res.Links) > 0 {
		b.others = append(b.others, linked{rule: ir.FileRule{Match: ir.Subtree(res.Path), Origin: u.origin(address, t.Range)}, links: res.Links, rng: t.Range})
	}
	p.Devices = append(p.Devices, ir.DeviceRule{Path: pl.literal, Layer: u.layer, Origin: u.origin(address, t.Range)})
}

// Bounds on counts: more is taken for a mistake.
const (
	maxProcesses = 4 << 20 // PID_MAX_LIMIT, proc_sys_kernel(5)
	maxOpenFiles = 1 << 30 // a rlimit above it exceeds every fs.nr_open
)

// limits merges the limits blocks, nearest first.
func (b *builder) limits(l *ir.Limits) {
	for _, u := range b.units {
		blk := u.doc.Child("limits")
		b.duration(&l.Wall, u, blk, "wall")
		b.duration(&l.CPU, u, blk, "cpu")
		b.number(&l.Memory, u, blk, "memory", 0)
		b.number(&l.Processes, u, blk, "processes", maxProcesses)
		b.number(&l.OpenFiles, u, blk, "open_files", maxOpenFiles)
		b.number(&l.FileSize, u, blk, "file_size", 0)
		b.number(&l.Output, u, blk, "output", 0)
	}
}

func (b *builder) duration(s *ir.Setting[time.Duration], u unit, blk *document.Block, name string) {
	set := s.Set
	setting(b, s, u, blk, "limits.", name, time.Duration(blk.Number(name).Value), func(now, to time.Duration) bool { return !set || to <= now })
}

func (b *builder) badCount(n document.Number, name string) {
	b.fail(diag.CodeQuantity, n.Range, "limits."+name, fmt.Sprintf("limits.%s = %d makes no sense", name, n.Value), "Write a positive number, or leave the limit out.")
}

func (b *builder) number(s *ir.Setting[int64], u unit, blk *document.Block, name string, most int64) {
	n := blk.Number(name)
	if blk.Has(name) && (n.Value < 1 || (most > 0 && n.Value > most)) {
		b.badCount(n, name)
		return
	}
	set := s.Set
	setting(b, s, u, blk, "limits.", name, n.Value, func(now, to int64) bool { return !set || to <= now })
}
