package seatbelt

import (
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// rootLinks are the symbolic links at the root of every Mac, and the name by
// which the data volume shows what the kernel knows by a shorter one.
var rootLinks = []struct{ from, to string }{
	{"/tmp", "/private/tmp"},
	{"/var", "/private/var"},
	{"/etc", "/private/etc"},
	{"/System/Volumes/Data/Users", "/Users"},
	{"/System/Volumes/Data/private", "/private"},
	{"/System/Volumes/Data/Applications", "/Applications"},
	{"/System/Volumes/Data/Library", "/Library"},
	{"/System/Volumes/Data/opt", "/opt"},
	{"/System/Volumes/Data/usr/local", "/usr/local"},
	{"/System/Volumes/Data/Volumes", "/Volumes"},
}

// linked reports whether a match starts from a path that the kernel never
// compares, and by which name it knows that path. A frontend resolves these; a
// policy in the form of the IR may hold them.
func linked(m ir.Match) (from, to string, dead bool) {
	base := m.Base()
	to = kernelPath(base)
	return base, to, to != base
}

// kernelPath returns the name by which the kernel knows a path, as far as the
// links at the root tell. The links themselves keep their names.
func kernelPath(path string) string {
	for _, x := range rootLinks {
		link := strings.Count(x.from, "/") == 1
		if ir.Beneath(path, x.from) && (path != x.from || !link) {
			return x.to + strings.TrimPrefix(path, x.from)
		}
	}
	return path
}

// deadLoss is for a rule that matches no path of the kernel.
func deadLoss(r *ir.FileRule, from, to string) loss {
	x := loss{
		verdict: target.Wider, code: diag.CodeClosedLink, instead: quote(to),
		text: fmt.Sprintf("macOS knows %s as %s, so the rule closes nothing", quote(from), quote(to)),
	}
	if r.Opens() {
		x.verdict, x.code = target.Narrower, diag.CodeMissingOpen
		x.text = fmt.Sprintf("macOS knows %s as %s, so the rule opens nothing", quote(from), quote(to))
	}
	return x
}
