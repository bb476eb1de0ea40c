package classify

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
)

// targets returns the paths that an error in a line is about: those that follow
// it, as Python, node and Ruby write it; otherwise the last one in quotes before
// it, or two of them; otherwise what stands bare between colons.
func targets(f finding) []target {
	for _, form := range []func(finding) []target{pythonForm, nodeForm, rubyForm, namedAfter, quotedBefore, callForm, bareBefore} {
		if ts := form(f); len(ts) > 0 {
			return ts
		}
	}
	return nil
}

var (
	python2   = pattern(`^: b?['"]`)
	nodeAfter = pattern(`^, ([a-z_]+) '(.*)'\)?\}?$`)
	rubyAfter = pattern(`^ @ ([a-z_]+) - (.+?)(?: \(Errno::[A-Z]+\))?$`)
	atPath    = pattern(`^ \(os error [0-9]+\) at path "((?:[^"\\]|\\.)*)"`)
	errnoMark = pattern(`(?:\[Errno -?[0-9]+\]|error=[0-9]+,|\(os error [0-9]+\))\s*$`)
	callArg   = pattern(`\b[a-z_]+\((/[^(),'"]*|\.{1,2}/[^(),'"]*)\)`)
)

// pythonForm is: Permission denied: '/x', perhaps with -> '/y'.
func pythonForm(f finding) []target {
	if !python2().MatchString(f.after) {
		return nil
	}
	qs := quotes(f.after)
	if len(qs) == 0 || qs[0].start > 3 {
		return nil
	}
	first := target{alternatives: qs[0].texts, op: verb(f.before)}
	if len(qs) > 1 && strings.TrimSpace(f.after[qs[0].end:qs[1].start]) == "->" {
		return pair(qs[0].texts, qs[1].texts, "", f.errno)
	}
	return []target{first}
}

// nodeForm is: permission denied, open '/x', with quotes that are not escaped.
func nodeForm(f finding) []target {
	m := nodeAfter().FindStringSubmatch(strings.TrimRight(f.after, " {"))
	if m == nil {
		return nil
	}
	if from, to, ok := strings.Cut(m[2], "' -> '"); ok {
		return pair([]string{from}, []string{to}, m[1], f.errno)
	}
	return []target{{alternatives: []string{m[2]}, op: verb(m[1]), dir: dirVerb(m[1])}}
}

// rubyForm is: Permission denied @ rb_sysopen - /x (Errno::EACCES).
func rubyForm(f finding) []target {
	m := rubyAfter().FindStringSubmatch(f.after)
	if m == nil {
		return nil
	}
	if from, to, ok := strings.Cut(strings.Trim(m[2], "()"), ", "); ok && strings.HasPrefix(m[2], "(") {
		return pair([]string{from}, []string{to}, m[1], f.errno)
	}
	return []target{{alternatives: []string{m[2]}, op: verb(m[1]), dir: dirVerb(m[1])}}
}

// namedAfter is a bare path after the error, as zsh and Java's exceptions have
// it, and Rust's "at path".
func namedAfter(f finding) []target {
	if m := atPath().FindStringSubmatch(f.after); m != nil {
		return []target{{alternatives: readings(m[1])}}
	}
	rest, ok := strings.CutPrefix(f.after, ": ")
	if !ok || !strings.HasSuffix(f.text, "exception") && !strings.HasPrefix(f.before, "zsh:") {
		return nil
	}
	return []target{{alternatives: []string{strings.TrimSpace(rest)}}}
}

// quotedBefore is what stands in quotes before the error.
func quotedBefore(f finding) []target {
	qs := quotes(f.before)
	if len(qs) == 0 {
		return nil
	}
	last := qs[len(qs)-1]
	// A path that comes after the quotes is what the message is about.
	if bare := bareBefore(finding{errno: f.errno, before: f.before[last.end:], first: false}); len(bare) > 0 && strings.Contains(bare[0].alternatives[0], "/") {
		return bare
	}
	words := f.before
	if len(qs) > 1 {
		before := qs[len(qs)-2]
		between := f.before[before.end:last.start]
		if len(between) <= 24 && !strings.ContainsAny(between, ":;,") && strings.TrimSpace(between) != "" {
			return pair(before.texts, last.texts, f.before, f.errno)
		}
		words = f.before[before.end:]
	}
	return []target{{alternatives: last.texts, op: verb(words), dir: dirVerb(words)}}
}

// callForm is PHP's fopen(/x): Failed to open stream: Permission denied.
func callForm(f finding) []target {
	m := callArg().FindAllStringSubmatch(f.before, -1)
	if len(m) == 0 {
		return nil
	}
	return []target{{alternatives: []string{m[len(m)-1][1]}, op: verb(f.before)}}
}

// pair is the two paths of a message in the order of its words. What was done
// with the first one depends on the verb.
func pair(first, second []string, words, errno string) []target {
	from, to := target{alternatives: first, op: ir.Unlink}, target{alternatives: second, op: ir.Write}
	lower := asciiLower(words)
	switch {
	case strings.Contains(lower, "copy"), strings.Contains(lower, "cp:"), strings.Contains(lower, "symlink"):
		from.op = ir.Read
	case strings.Contains(lower, "symbolic link"): // the link, and what it says
		from.op, to.op = ir.Write, ir.Read
	case strings.Contains(lower, "link"):
		from.op = ir.Write
	case words == "" && errno == "EROFS": // Python does not say what was tried
		from.weak = true
	}
	return []target{from, to}
}

// spawnedForm is node's: spawn /x EACCES.
var spawnedForm = pattern(`(?:^|\s)spawn (.+) (EACCES|EPERM|ENOENT)$`)

func spawned(line string) (target, string, bool) {
	m := spawnedForm().FindStringSubmatch(strings.TrimRight(line, " {"))
	if m == nil {
		return target{}, "", false
	}
	return target{alternatives: []string{m[1]}, op: ir.Read}, m[2], true
}

// verb returns what the words of a message say was tried, 0 if they do not.
func verb(words string) ir.Op {
	lower := asciiLower(words)
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.Contains(lower, w) })
	}
	switch {
	case has("remov", "delet", "unlink", "rmdir", "renam", "cannot move", "unable to move"):
		return ir.Unlink
	case has("creat", "mkdir", "mkfifo", "mknod", "writ", "touch", "lock", "truncat", "chmod", "chown", "changing", "symlink",
		"link ", "save", "saving", "append", "output", "temporary file", "setting", "utime", "copyfile", "mkdtemp", "instal", "bind"):
		return ir.Write
	}
	return 0
}

// dirVerb reports whether the words speak of a directory.
func dirVerb(words string) bool {
	lower := asciiLower(words)
	return strings.Contains(lower, "directory") || strings.Contains(lower, "mkdir") || strings.Contains(lower, "rmdir") ||
		strings.Contains(lower, "scandir") || strings.Contains(lower, "chdir") || strings.Contains(lower, "work tree dir") || strings.HasSuffix(lower, ": cd: ")
}
