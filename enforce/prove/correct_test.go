package prove_test

import (
	"strings"
	"testing"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func asks(r ir.FileRule) ir.FileRule {
	r.Group = ir.GroupAsk
	if r.Read == ir.Deny {
		r.Read = ir.Ask
	}
	r.Write = ir.Ask
	return r
}

func grant(path string) ir.FileRule {
	r := write(path)
	r.Group, r.Layer = ir.GroupGrant, ir.LayerSession
	return r
}

func onlyWriting(r ir.FileRule) ir.FileRule {
	r.Read = ir.Pass
	return r
}

// TestCorrectOutputs: outputs that are as they should be, and that a proof once
// refused.
func TestCorrectOutputs(t *testing.T) {
	t.Parallel()
	proc := kernel("/proc")
	proc.Write = ir.Allow
	for _, tc := range []struct {
		name    string
		backend target.Backend
		tree    string // replaces that of the record
		mounts  string
		policy  *ir.Policy
	}{
		{
			"what a closed link leads to is closed",
			bwrap.Backend{},
			`"/w/.env": {"link": "env.shared"}, "/w/env.shared": {}`, "",
			policy(closing("/w/**/.env"), write("/w")),
		},
		{
			"a link to a file that is only read",
			bwrap.Backend{},
			`"/etc/a.pem": {"link": "/usr/b"}, "/usr/b": {}`, "",
			policy(closing("/**/*.pem"), read("/etc"), read("/usr")),
		},
		{
			"something is mounted on the host",
			bwrap.Backend{},
			`"/w/node_modules/x": {}`,
			`{"dev": "0:1", "root": "/", "point": "/", "fstype": "ext4"}, {"dev": "0:9", "root": "/", "point": "/w/node_modules", "fstype": "tmpfs"}`,
			policy(write("/w")),
		},
		{
			"a glob that another one makes empty",
			bwrap.Backend{},
			`"/w/.git/hooks/x": {}`, "",
			policy(closing("/**/.git"), closing("/w/**/.git/hooks/*"), write("/w")),
		},
		{
			"every name, with an exception",
			bwrap.Backend{},
			`"/w/a/b/c": {}, "/w/x/q/y/f": {}`, "",
			policy(closing("/w/x/q/*", "/w/x/q/y/z"), write("/w")),
		},
		{
			"a glob that its exception makes empty",
			bwrap.Backend{},
			`"/w/a/b": {}`, "",
			policy(closing("/w/a*b", "/w/a*"), write("/w")),
		},
		{
			"the sandbox's own /proc stays open",
			bwrap.Backend{},
			`"/w/a": {}`, "",
			policy(asks(onlyWriting(closing("/**/*"))), proc, write("/w")),
		},
		{
			"a ? in a directory's name",
			seatbelt.Backend{},
			`"/w/a": {}`, "",
			policy(closing("/w/w?n/a.pem"), closing("/**/?/x"), closing("/w/[!a]x/a"), write("/w")),
		},
		{
			"a grant beneath an ask",
			seatbelt.Backend{},
			`"/w/a": {"type": "dir"}`, "",
			policy(closing("/w/**/*.key"), grant("/w/a/e"), asks(none("/w")), closing("/w/s"), write("/w")),
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			head, _, _ := strings.Cut(record, `"tree"`)
			text := head + `"mounts": [` + tc.mounts + `], "tree": {"/dev": {"type": "dir"}, "/proc": {"type": "dir"}, ` + tc.tree + "}}"
			rec, ds := host.ParseRecord([]byte(text), "host.json")
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			facts := rec.Facts()
			art, rep := tc.backend.Lower(tc.policy, rec, target.Options{Facts: &facts})
			if art == nil {
				t.Fatal(rep.Diagnostics)
			}
			proof, err := prove.Lowered(tc.policy, art, rep, prove.Options{View: rec})
			if err != nil {
				t.Fatal(err)
			}
			if !proof.Holds() {
				t.Errorf("%q", said(proof))
			}
		})
	}
}
