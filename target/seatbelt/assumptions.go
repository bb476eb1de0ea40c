package seatbelt

import (
	"strings"

	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// Risk says what happens if an assumption is wrong.
type Risk string

// The risks.
const (
	Opens   Risk = "opens"   // something that the policy closes could be reached
	Closes  Risk = "closes"  // something that the policy opens could be refused
	Refuses Risk = "refuses" // the system does not load the profile, so nothing runs
)

// Assumption is something that profiles rely on and that nobody has settled
// without a Mac at hand. What has been measured, or what several independent
// programs depend on every day, is not among them.
type Assumption struct {
	Name    string // stable, for reports
	Text    string // what is assumed
	IfWrong string // what that would mean
	Risk    Risk
	uses    func(sbpl.Filter) bool // whether a filter relies on it; nil means every profile does
}

// Assumptions returns all of them, in the order of the documentation.
func Assumptions() []Assumption {
	return []Assumption{
		{
			Name: "class-bytes", Risk: Opens, uses: regexWith("[^"),
			Text:    "a negated class such as [^/] matches a newline and every byte from 0x80",
			IfWrong: "a closing glob would miss names that hold such bytes",
		},
		{
			Name: "bytes", Risk: Opens, uses: regexWith("\x80"),
			Text:    "regular expressions are matched byte by byte, and a character beyond ASCII in one stands for its bytes in UTF-8",
			IfWrong: "a closing with such a character would match nothing, or too much",
		},
		{
			Name: "group-repeat", Risk: Opens, uses: regexWith(")*"),
			Text:    "a group can be repeated, as in (/[^/]+)*, any number of times",
			IfWrong: "a closing glob with ** would only match at some depths",
		},
		{
			Name: "dollar", Risk: Opens, uses: regexWith("$"),
			Text:    "$ matches at the end of the path only, within a group too, and not before a newline at its end",
			IfWrong: "a closing glob could match less at its end, or a name that continues after a newline",
		},
		{
			Name: "regex-length", Risk: Refuses, uses: regexWith(""),
			Text:    "a regular expression of up to 1,000 bytes is taken",
			IfWrong: "the profile would be refused when it is loaded",
		},
		{
			Name: "deny-require-not", Risk: Refuses, uses: isNot,
			Text:    "require-not may stand in a deny rule",
			IfWrong: "the profile would be refused, or the exceptions of a closing would not hold; one report says that sandbox-exec ends there",
		},
		{
			Name: "hex-escape", Risk: Opens, uses: escaped,
			Text:    `\xHH in a string is that byte`,
			IfWrong: "a rule on a path with control characters, or with bytes that are not UTF-8, would match nothing",
		},
		{
			Name: "vnode-create", Risk: Opens, uses: isVnode,
			Text:    "vnode-type is, on a creation or the destination of a rename, the type of what comes to stand there, and on a removal the type of what stands there",
			IfWrong: "a rule for what is no directory would miss new files, and a directory could be moved into an exception",
		},
		{
			Name: "rename-checks", Risk: Opens,
			Text:    "a rename asks file-write-unlink of the source and file-write-create of the destination, and for a directory of nothing within it",
			IfWrong: "pins would not stop a directory from being moved",
		},
		{
			Name: "link-clone", Risk: Opens,
			Text:    "file-link and file-clone are asked of the source's path, are open by default, and an unfiltered deny changes that",
			IfWrong: "a hard link or a clone could give a closed file a second, open name",
		},
		{
			Name: "bind-path", Risk: Closes,
			Text:    "bind(2) and listen(2) on a socket in the file system ask network-bind and network-inbound with its path",
			IfWrong: "a command could make no socket in its write roots, or could make one in a closed place",
		},
		{
			Name: "subpath-file", Risk: Closes,
			Text:    "subpath matches the path itself if that is a file",
			IfWrong: "a root that is a single file would stay closed",
		},
		{
			Name: "disk-case", Risk: Closes,
			Text:    "for what exists the kernel compares the spelling on the disk, whatever spelling was asked for",
			IfWrong: "an opening would hold for one spelling only; closings match every spelling of ASCII letters in any case",
		},
		{
			Name: "firmlinks", Risk: Opens,
			Text:    "the kernel knows /System/Volumes/Data/Users as /Users, and the other firmlinks likewise",
			IfWrong: "where all of /System may be read, a closing could be passed by the longer name",
		},
		{
			Name: "deny-all-sockets", Risk: Opens,
			Text:    "a filter on paths matches every connection to a socket in the file system, and one on addresses matches none",
			IfWrong: "with full network a command could connect to an agent or daemon that the policy does not list",
		},
	}
}

// Assumptions returns those that this profile relies on.
func (p *Profile) Assumptions() []Assumption {
	var out []Assumption
	for _, a := range Assumptions() {
		if a.uses == nil || p.any(a.uses) {
			out = append(out, a)
		}
	}
	return out
}

func (p *Profile) any(uses func(sbpl.Filter) bool) bool {
	for _, s := range p.tree.Sections {
		for _, r := range s.Rules {
			for _, c := range r.Clauses {
				if within(c.Filter, uses) {
					return true
				}
			}
		}
	}
	return false
}

// within reports whether the filter or a part of it has a property.
func within(f sbpl.Filter, has func(sbpl.Filter) bool) bool {
	if has(f) {
		return true
	}
	switch f := f.(type) {
	case sbpl.All:
		for _, x := range f {
			if within(x, has) {
				return true
			}
		}
	case sbpl.Any:
		for _, x := range f {
			if within(x, has) {
				return true
			}
		}
	case sbpl.Not:
		return within(f.Filter, has)
	case sbpl.Text, sbpl.Regex, sbpl.Symbol, sbpl.Number, sbpl.Address:
	}
	return false
}

// regexWith finds regular expressions with a piece of text; "\x80" stands for
// any byte that is not ASCII.
func regexWith(piece string) func(sbpl.Filter) bool {
	return func(f sbpl.Filter) bool {
		re, ok := f.(sbpl.Regex)
		if piece == "\x80" {
			return ok && strings.ContainsFunc(re.Pattern, func(r rune) bool { return r >= 0x80 })
		}
		return ok && strings.Contains(re.Pattern, piece)
	}
}

func isNot(f sbpl.Filter) bool {
	_, ok := f.(sbpl.Not)
	return ok
}

func isVnode(f sbpl.Filter) bool {
	s, ok := f.(sbpl.Symbol)
	return ok && s.Name == "vnode-type"
}

func escaped(f sbpl.Filter) bool {
	switch f := f.(type) {
	case sbpl.Text:
		return strings.Contains(sbpl.Quote(f.Value), `\x`)
	case sbpl.Regex:
		return strings.Contains(sbpl.QuoteRegex(f.Pattern), `\x`)
	case sbpl.Symbol, sbpl.Number, sbpl.Address, sbpl.All, sbpl.Any, sbpl.Not:
	}
	return false
}
