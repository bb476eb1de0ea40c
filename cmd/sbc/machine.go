package main

import (
	"context"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// The values of --host beside the name of a record.
const (
	hostLive = "live"
	hostNone = "none"
)

// machine is what a policy is resolved and lowered against.
type machine struct {
	name  string    // live, none, or the file of a record
	view  host.View // each question is asked once
	facts host.Facts
}

// machineOf returns the machine that --host names; bwrap says whether its
// bubblewrap matters. The problems are those of a record.
func (a *app) machineOf(name string, cache *fileCache, bwrap bool) (machine, diag.List, error) {
	switch name {
	case hostLive:
		facts, err := a.liveFacts(bwrap)
		return machine{name: name, view: host.NewMemo(a.live), facts: facts}, nil, err
	case hostNone:
		facts, err := a.liveFacts(false)
		facts.Kernel, facts.OSVersion, facts.Sockets = "", "", nil
		return machine{name: name, view: host.Empty{}, facts: facts}, nil, err
	case "":
		return machine{}, nil, misuse("write --host live, --host none or --host FILE", "--host is empty")
	}
	text, err := cache.ReadFile(cache.abs(name))
	if err != nil {
		return machine{}, nil, misuse("write live, none, or a record that sbc doctor --record FILE has made", "cannot read the host record: %v", err)
	}
	view, ds := host.ParseRecord(text, name)
	if ds.HasErrors() {
		return machine{}, ds, nil
	}
	return machine{name: name, view: view, facts: view.Facts()}, ds, nil
}

// known reports whether the machine's file system is known.
func (m machine) known() bool { return m.name != hostNone }

// liveFacts probes this machine. Asking bubblewrap costs two processes.
func (a *app) liveFacts(bwrap bool) (host.Facts, error) {
	env := a.env
	if !bwrap {
		env = func(name string) string {
			if name == "PATH" {
				return ""
			}
			return a.env(name)
		}
	}
	sources := host.LiveSources(env)
	sources.Runner = askedOnce{sources.Runner, askedBefore(a.env)}
	facts, err := host.Probe(context.Background(), sources)
	if err != nil {
		return facts, misuse("", "%v", err)
	}
	return facts, nil
}
