package main

import (
	"fmt"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// checkHome warns if the home directory that the guards protect is hardly the
// one that holds the user's secrets. Records and snapshots pin theirs.
func (s *session) checkHome() {
	if s.machine.name != hostLive && s.machine.name != hostNone {
		return
	}
	home, account := s.machine.facts.Home, s.resolvedDir(s.app.accountHome())
	warn := func(summary, detail string) { s.fail(diag.CodeHome, diag.Security, summary, detail) }
	switch {
	case account != "" && account != "/" && account != home:
		warn(fmt.Sprintf("the guards protect the home directory %q, and not %q", home, account),
			"$HOME is the first, which ~ in policies means; the user database has the second. Set HOME to the one that holds secrets, or close the other one in the policy.")
	case home == "/":
		warn(`the guards protect the home directory "/", and no other`, "$HOME is the root directory, which ~ in policies means. Set HOME to the directory that holds secrets.")
	case s.resolvedDir(home) == "":
		warn(fmt.Sprintf("the guards protect the home directory %q, which does not exist, and no other", home),
			"$HOME is what ~ in policies means. Set HOME to the directory that holds secrets.")
	}
}

// resolvedDir is where a directory of this machine is, or nothing if there is
// none.
func (s *session) resolvedDir(dir string) string {
	if dir == "" {
		return ""
	}
	r, err := host.Resolve(host.Live{}, dir) // a record need not know it
	if err != nil || r.Missing != "" || r.Node.Type != host.Dir {
		return ""
	}
	return r.Path
}
