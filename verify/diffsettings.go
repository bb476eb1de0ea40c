package verify

import (
	"fmt"
	"slices"
	"time"

	"github.com/sandboxc/sbc/ir"
)

// SettingChange is one thing besides files that differs between two policies.
//
//	field                  the new policy is wider if
//	network.mode           it is a later one of none, proxy, full
//	network.hosts          under proxy in both, a host and port becomes reachable;
//	                       under another mode, host rules say nothing
//	network.loopback       it is a later one of none, sandbox, host, as it applies
//	network.unix_sockets   a socket is listed that was not
//	env                    a variable is inherited that was not
//	env.set                a variable gets a value that was neither set nor
//	                       inherited; narrower the other way round, and
//	                       incomparable if it gets another value
//	process.ptrace         it may, and might not: so for namespaces and terminal
//	process.supervise      it is a later one of open, create, off; on linux only
//	process.devices        a device is listed that was not, nor a directory of it
//	limits.NAME            the limit is larger, or there is none any more
//	target.NAME.KIND       something of one target is listed that was not
//	accept                 a loss is taken that was not
//
// and narrower the other way round.
type SettingChange struct {
	Field    string
	Relation Relation // never Equivalent
	// What it is about within the field: a host and port, a variable, a path;
	// empty for a field with one value.
	What string
	// Old and New are the values, as people write them.
	Old, New string
	// From and To are where the values were said; zero where nobody did.
	From, To ir.Origin
}

// diffSettings returns what differs, field by field.
func diffSettings(old, new *ir.Policy, target string, o DiffOptions) ([]SettingChange, error) {
	var out changes
	out.network(&old.Network, &new.Network)
	if err := out.env(&old.Env, &new.Env, o); err != nil {
		return nil, err
	}
	out.process(&old.Process, &new.Process, target)
	out.limits(&old.Limits, &new.Limits)
	out.extras(old, new, target)
	out.accepts(old, new, target)
	return out, nil
}

// changes collects what differs.
type changes []SettingChange

// closed and open are the values of what is only permitted or not.
const (
	valueNo  = "no"
	valueYes = "yes"
)

// scalar compares one setting by its rank.
func scalar[T comparable](cs *changes, field string, old, new ir.Setting[T], rank func(T) int) {
	a, b := rank(old.Value), rank(new.Value)
	if a != b {
		*cs = append(*cs, SettingChange{
			Field: field, Relation: relation(b > a, b < a), Old: fmt.Sprint(old.Value), New: fmt.Sprint(new.Value), From: old.Origin, To: new.Origin,
		})
	}
}

// listed compares lists of things that are permitted. Covers says that what is
// in the first is in the second as well.
func listed[T any](cs *changes, field string, old, new []T, show func(T) (string, ir.Origin), covers func(x, by T) bool) {
	missing := func(list, in []T) (out []T) {
		for _, x := range list {
			if !slices.ContainsFunc(in, func(y T) bool { return covers(x, y) }) {
				out = append(out, x)
			}
		}
		return out
	}
	for _, x := range missing(new, old) {
		what, origin := show(x)
		*cs = append(*cs, SettingChange{Field: field, Relation: Wider, What: what, Old: valueNo, New: valueYes, To: origin})
	}
	for _, x := range missing(old, new) {
		what, origin := show(x)
		*cs = append(*cs, SettingChange{Field: field, Relation: Narrower, What: what, Old: valueYes, New: valueNo, From: origin})
	}
}

func (cs *changes) process(old, new *ir.Process, target string) {
	may := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	scalar(cs, "process.ptrace", old.Ptrace, new.Ptrace, may)
	scalar(cs, "process.namespaces", old.Namespaces, new.Namespaces, may)
	scalar(cs, "process.terminal", old.Terminal, new.Terminal, may)
	if target == ir.Linux { // elsewhere it says nothing
		scalar(cs, "process.supervise", old.Supervise, new.Supervise, func(m ir.SuperviseMode) int { return -m.Strictness() })
	}
	listed(cs, "process.devices", old.Devices, new.Devices,
		func(d ir.DeviceRule) (string, ir.Origin) { return d.Path, d.Origin },
		func(x, by ir.DeviceRule) bool { return ir.Beneath(x.Path, by.Path) })
}

func (cs *changes) limits(old, new *ir.Limits) {
	limit(cs, "limits.wall", old.Wall, new.Wall, time.Duration.String)
	limit(cs, "limits.cpu", old.CPU, new.CPU, time.Duration.String)
	limit(cs, "limits.memory", old.Memory, new.Memory, bytesText)
	limit(cs, "limits.processes", old.Processes, new.Processes, numberText)
	limit(cs, "limits.open_files", old.OpenFiles, new.OpenFiles, numberText)
	limit(cs, "limits.file_size", old.FileSize, new.FileSize, bytesText)
	limit(cs, "limits.output", old.Output, new.Output, bytesText)
}

// limit compares a limit. None is more than any.
func limit[T ~int64](cs *changes, field string, old, new ir.Setting[T], show func(T) string) {
	text := func(s ir.Setting[T]) string {
		if !s.Set {
			return "no limit"
		}
		return show(s.Value)
	}
	wider := old.Set && (!new.Set || new.Value > old.Value)
	narrower := new.Set && (!old.Set || new.Value < old.Value)
	if wider || narrower {
		*cs = append(*cs, SettingChange{
			Field: field, Relation: relation(wider, narrower), Old: text(old), New: text(new), From: old.Origin, To: new.Origin,
		})
	}
}

func numberText(n int64) string { return fmt.Sprint(n) }

// bytesText is a size in the largest unit that it is a whole number of.
func bytesText(n int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := int64(1) << (30 - 10*i); n >= size && n%size == 0 {
			return fmt.Sprintf("%d%s", n/size, unit)
		}
	}
	return fmt.Sprintf("%dB", n)
}

// extras compares what only the target knows.
func (cs *changes) extras(old, new *ir.Policy, target string) {
	of := func(p *ir.Policy, kind string) (out []ir.Extra) {
		for _, x := range p.Extras {
			if (x.Target == target || x.Target == "") && x.Kind == kind {
				out = append(out, x)
			}
		}
		return out
	}
	listed(cs, "target."+target+"."+ir.ExtraMach, of(old, ir.ExtraMach), of(new, ir.ExtraMach),
		func(x ir.Extra) (string, ir.Origin) { return x.Value, x.Origin },
		func(x, by ir.Extra) bool { return x.Value == by.Value })
}

// accepts compares the losses that are taken on the target.
func (cs *changes) accepts(old, new *ir.Policy, target string) {
	of := func(p *ir.Policy) (out []ir.Accept) {
		for _, a := range p.Accepts {
			if a.Target == "" || a.Target == target {
				out = append(out, a)
			}
		}
		return out
	}
	listed(cs, "accept", of(old), of(new),
		func(a ir.Accept) (string, ir.Origin) { return fmt.Sprintf("%s:%s", a.Code, a.Rule), a.Origin },
		func(x, by ir.Accept) bool { return x.Code == by.Code && x.Rule == by.Rule })
}
