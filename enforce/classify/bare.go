package classify

import (
	"strings"
)

var (
	// fieldEnd parts what colons part. Chinese programs use a wide one.
	fieldEnd = pattern(`:[ \t]+|：[ \t]*|:$`)
	// notPath are fields that say where in a script or that something failed.
	notPath = pattern(`(?i)^(?:[0-9]+|(?:line|zeile|ligne|línea|linha|riga|строка|行|regel|wiersz|rad) [0-9]+|error|fatal|warning|note|[a-z.]*(?:error|exception)|caused by|exit status [0-9]+|-e|\.)$`)
	// object are English phrases before a name that needs no quotes.
	object = pattern(`(?i)^(?:\*\*\* )?(?:fatal error |error |warning )?(?:(?:can't|can ?not|could not|couldn't|failed to|unable to|failure to) )?(?:be )?` +
		`(?:open(?:ing)?|read(?:ing)?|write|writing|create|creating|creat|mkdir|make directory|create directory|open directory|create file|access|stat|lstat|remove|unlink|rmdir|rename|chmod|chown|chdir to|cd to|exec(?:ute)?|fork/exec|run|execve|symlink|link|truncate|readlink|touch|load|lock|open file|open output file|open temporary file|lock config file|source)` +
		`(?: (?:to|the|file|output file|temporary file|config file|user config file|directory))* `)
	// verbAlone are fields that say what failed, and not with which path.
	verbAlone = pattern(`(?i)^(?:can't|can ?not|could not|couldn't|failed|unable|failure|open|write|read|error|cannot open|mkdir|exec|creat)\b`)
)

// bareBefore is a path without quotes before the error: in the last field between
// colons that can hold one.
func bareBefore(f finding) []target {
	text := strings.TrimRight(f.before, " \t")
	text = errnoMark().ReplaceAllString(text, "")
	text = strings.TrimRight(text, " \t([-")
	fields := fieldEnd().Split(text, -1)
	for i := len(fields) - 1; i >= 0; i-- {
		field := strings.TrimSpace(fields[i])
		if field == "" || notPath().MatchString(field) {
			continue
		}
		alone := i == 0 && f.first && len(fields) <= 2
		if t, ok := fieldTarget(field, alone); ok {
			t.op, t.dir = verb(f.before), dirVerb(f.before)
			// A field of another program's message before says nothing more.
			return []target{t}
		}
		if !verbAlone().MatchString(field) {
			return nil
		}
	}
	return nil
}

// fieldTarget reads a path in a field. The field is alone if nothing but it stands
// before the error: then it may be the name of the program.
func fieldTarget(field string, alone bool) (target, bool) {
	if at := pathStart(field); at >= 0 {
		rest := strings.TrimRight(field[at:], " .,;)]")
		t := target{alternatives: []string{rest}}
		for cut := strings.LastIndexByte(rest, ' '); cut > 0 && len(t.alternatives) < 8; cut = strings.LastIndexByte(rest, ' ') {
			rest = rest[:cut]
			t.alternatives = append(t.alternatives, rest)
		}
		return t, true
	}
	if m := object().FindString(field); m != "" && len(field) > len(m) {
		name := strings.TrimSuffix(field[len(m):], ".")
		return target{alternatives: []string{name}, weak: strings.Contains(name, " ")}, name != "for writing" && name != "for reading"
	}
	if alone || verbAlone().MatchString(field) {
		return target{}, false
	}
	return target{alternatives: []string{field}, weak: strings.ContainsAny(field, " \t") || len(field) > 255}, true
}

// pathStart returns where in a field a path begins: a word that has a slash.
func pathStart(field string) int {
	for at := 0; at < len(field); {
		word := field[at:]
		if n := strings.IndexByte(word, ' '); n >= 0 {
			word = word[:n]
		}
		if strings.Contains(word, "/") && !strings.Contains(word, "://") && !strings.HasPrefix(word, "fork/exec") {
			if n := strings.IndexAny(word, "/.~"); n > 0 && strings.ContainsAny(word[:n], "([=<") {
				return at + strings.LastIndexAny(word[:n], "([=<") + 1
			}
			return at
		}
		at += len(word) + 1
	}
	return -1
}
