package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/grant"
	"github.com/sandboxc/sbc/ir"
)

// remedies are what would have let a command through, as far as something does.
type remedies struct {
	grants  []grant.Grant
	closed  []grant.Closed // violations that no grant opens
	suggest string         // lines of policy, if they were asked for
}

// remedies looks for the smallest grants for what a run showed, and for lines of
// policy if they were asked for. Each is tried before it is named.
func (x *execution) remedy() error {
	if x.result == nil || x.approved == nil || len(x.result.Violations) == 0 {
		return nil
	}
	policy, err := x.compiled.policy()
	if err != nil {
		return &fault{status: exitInternal, text: fmt.Sprintf("internal error: the policy that was kept cannot be read: %v; please report", err)}
	}
	o := grant.Options{
		Policy: policy, Target: x.compiled.target, Request: x.approved.Hash(), Apply: x.granted,
		Exists: func(path string) bool { return lstat(path) == nil },
	}
	x.remedies.grants, x.remedies.closed = grant.For(x.result.Violations, o)
	if x.flags.suggest {
		list, _ := grant.Suggest(x.result.Violations, o)
		x.remedies.suggest = grant.Lines(list, policy)
	}
	return nil
}

// granted is the policy with one more grant.
func (x *execution) granted(g grant.Grant) (*ir.Policy, error) {
	f := x.flags.policyFlags
	f.add(g)
	a := *x.app
	a.stderr = io.Discard // it is said when it is run
	targets, err := targetsOf("")
	if err != nil {
		return nil, err
	}
	s, err := a.newSession(&f, targets)
	if err != nil {
		return nil, err
	}
	s.own = x.own(stateHome(a.env, s.machine.facts.Home))
	l, err := s.loadOptional(x.flags.policy)
	if err != nil {
		return nil, err
	}
	if l.policy == nil {
		return nil, errors.New("the policy cannot be loaded with it")
	}
	return l.policy, nil
}

// add adds a grant to the flags.
func (f *policyFlags) add(g grant.Grant) {
	switch g.Access {
	case grant.Read:
		f.read = append(slices.Clip(f.read), g.Path)
	case grant.Write:
		f.write = append(slices.Clip(f.write), g.Path)
	}
}

// printRemedies prints what would have let the command through.
func (x *execution) printRemedies() {
	stderr := x.app.stderr
	for _, c := range x.remedies.closed {
		fmt.Fprintln(stderr, oneLine("sbc: no grant opens that: "+c.Reason))
	}
	if len(x.remedies.grants) > 0 && !x.flags.interactive {
		var words []string
		for _, g := range x.remedies.grants {
			flag := g.Flag()
			words = append(words, flag[0]+" "+quotedWords(flag[1:]))
		}
		fmt.Fprintln(stderr, oneLine("sbc: for one run, this permits it: sbc run "+strings.Join(words, " ")+" ..."))
	}
	if x.remedies.suggest != "" {
		fmt.Fprintf(stderr, "sbc: these lines of policy permit it:\n%s\n", strings.TrimSuffix(x.remedies.suggest, "\n"))
	}
}

// ask lists every path that would be opened, and asks on the terminal whether to
// run the same command again with that. Without a terminal nobody says yes.
func (x *execution) ask() bool {
	if !x.flags.interactive || len(x.remedies.grants) == 0 {
		return false
	}
	if err := x.printText(); err != nil {
		return false // it is said at the end
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		fmt.Fprintln(x.app.stderr, "sbc: there is no terminal to ask on, so nothing is granted")
		return false
	}
	defer func() { _ = tty.Close() }()
	return askOn(tty, x.remedies.grants, x.approved.Argv)
}

// askOn asks on a terminal.
func askOn(tty io.ReadWriter, grants []grant.Grant, argv []string) bool {
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe command was stopped by rules that a grant opens, for one run:\n")
	for _, g := range grants {
		verb := "read"
		if g.Access == grant.Write {
			verb = "read and write"
		}
		rule := g.Rule.Address
		if rule == "" {
			rule = "no rule opens it"
		}
		fmt.Fprintf(&b, "  %-14s %s  (%s)\n", verb, quotedWords([]string{g.Path}), oneLine(rule))
	}
	fmt.Fprintf(&b, "Run it again with all of these open, and with what lies beneath them?\n  %s\n[y/N] ", quotedWords(argv))
	if _, err := io.WriteString(tty, b.String()); err != nil {
		return false
	}
	line, err := bufio.NewReader(tty).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (answer == "y" || answer == "yes")
}
