package mutation_test

import (
	"path"
	"slices"
	"strings"
)

// unit is an option of bubblewrap with its values, and with --perms before it.
type unit []string

// option returns the name of the option, --perms aside.
func (u unit) option() string { return u[u.at()] }

func (u unit) at() int {
	if u[0] == "--perms" {
		return 2
	}
	return 0
}

// dest returns where the unit leads on the file system, or "".
func (u unit) dest() string {
	switch u.option() {
	case "--bind", "--ro-bind", "--dev-bind", "--tmpfs", "--dir", "--dev", "--proc", "--remount-ro", "--ro-bind-data", "--bind-data", "--symlink", "--chmod":
		return u[len(u)-1]
	}
	return ""
}

// units splits a command line.
func units(args []string) []unit {
	var out []unit
	for i := 0; i < len(args); {
		end := i + 1
		for end < len(args) && (!strings.HasPrefix(args[end], "--") || args[i] == "--perms" && end == i+2) {
			end++
		}
		out = append(out, args[i:end])
		i = end
	}
	return out
}

// mountsMutator collects mutants of one command line.
type mountsMutator struct {
	units []unit
	out   []mutant
}

func (m *mountsMutator) add(kind, what string, us []unit) {
	m.out = append(m.out, mutant{kind: kind, what: what, args: slices.Concat(toStrings(us)...)})
}

func toStrings(us []unit) [][]string {
	out := make([][]string, len(us))
	for i, u := range us {
		out[i] = u
	}
	return out
}

// replace puts other units in the place of one.
func (m *mountsMutator) replace(i int, with ...unit) []unit {
	return slices.Concat(m.units[:i], with, m.units[i+1:])
}

// mountsMutants are all mutants of a command line.
func mountsMutants(args []string) []mutant {
	m := &mountsMutator{units: units(args)}
	for i, u := range m.units {
		name := strings.Join(u, " ")
		m.add(dropKind(m.units, i), name, m.replace(i))
		m.add("duplicate an option", name, m.replace(i, u, u))
		if i+1 < len(m.units) {
			m.add("swap adjacent options", name, slices.Concat(m.units[:i], []unit{m.units[i+1], u}, m.units[i+2:]))
		}
		m.options(i, u, name)
		m.paths(i, u, name)
	}
	for _, extra := range [][]string{
		{"--share-net"},
		{"--cap-add", "ALL"},
		{"--cap-add", "CAP_SYS_ADMIN"},
		{"--bind", "/", "/mnt/x"},
		{"--ro-bind", "/home", "/home"},
		{"--dev-bind", "/dev", "/dev"},
		{"--bind", "/proc", "/proc"},
		{"--tmpfs", "/usr"},
		{"--userns-block-fd", "9"},
		{"--setenv", "API_TOKEN", "x"},
		{"--chmod", "0755", "/"},
		{"--not-a-security-boundary"},
		{"--symlink", "/etc", "/etc2"},
		{"--bind-fd", "7", "/etc"},
		{"--overlay-src", "/etc", "--tmp-overlay", "/etc"},
	} {
		m.add("append an option", strings.Join(extra, " "), append(slices.Clone(m.units), extra))
	}
	return m.out
}

// dropKind says what is lost with an option.
func dropKind(us []unit, i int) string {
	u := us[i]
	switch o := u.option(); {
	case o == "--remount-ro" && u.dest() == "/":
		return "drop the last --remount-ro /"
	case o == "--remount-ro":
		return "lose a --remount-ro"
	case o == "--tmpfs" && u.at() > 0, o == "--ro-bind-data", o == "--ro-bind" && u[1] != u.dest():
		return "lose a mask"
	case o == "--bind" && slices.ContainsFunc(us[:i], func(v unit) bool {
		return v.option() == "--bind" && v.dest() != u.dest() && strings.HasPrefix(u.dest(), strings.TrimSuffix(v.dest(), "/")+"/")
	}):
		return "lose a pin"
	case u.dest() == "" || o == "--proc" || o == "--dev":
		return "lose " + o
	}
	return "drop a mount"
}

// options changes what an option is.
func (m *mountsMutator) options(i int, u unit, name string) {
	with := func(kind, option string) {
		v := slices.Clone(u)
		v[u.at()] = option
		m.add(kind, name, m.replace(i, v))
	}
	switch u.option() {
	case "--bind":
		with("--bind -> --ro-bind", "--ro-bind")
		with("--bind -> --dev-bind", "--dev-bind")
	case "--ro-bind":
		with("--ro-bind -> --bind", "--bind")
		with("--ro-bind -> --dev-bind", "--dev-bind")
		with("--ro-bind -> --ro-bind-try", "--ro-bind-try")
	case "--ro-bind-data":
		with("--ro-bind-data -> --bind-data", "--bind-data")
	case "--unshare-cgroup-try":
		with("--unshare-cgroup-try -> --unshare-cgroup", "--unshare-cgroup")
	case "--unshare-user":
		with("--unshare-user -> -try", "--unshare-user-try")
	case "--cap-drop":
		m.add("--cap-drop of one", name, m.replace(i, unit{"--cap-drop", "CAP_SYS_ADMIN"}))
	case "--proc":
		m.add("--proc -> the host's", name, m.replace(i, unit{"--ro-bind", "/proc", u.dest()}))
	case "--dev":
		m.add("--dev -> the host's", name, m.replace(i, unit{"--dev-bind", "/dev", u.dest()}))
	}
	if u.at() > 0 {
		for _, mode := range []string{"0000", "0111", "0555", "0755", "0777"} {
			if mode != u[1] {
				v := slices.Clone(u)
				v[1] = mode
				m.add("change a mode to "+mode, name, m.replace(i, v))
			}
		}
		m.add("lose a mode", name, m.replace(i, u[2:]))
	}
}

// paths changes where a unit leads, and when it is mounted.
func (m *mountsMutator) paths(i int, u unit, name string) {
	dest := u.dest()
	if dest == "" {
		return
	}
	set := func(kind string, at int, to string) {
		if to != u[at] {
			v := slices.Clone(u)
			v[at] = to
			m.add(kind, name+" -> "+to, m.replace(i, v))
		}
	}
	last := len(u) - 1
	set("destination: parent", last, path.Dir(dest))
	set("destination: child", last, path.Join(dest, "x"))
	set("destination: sibling", last, strings.TrimSuffix(dest, "/")+"x")
	if strings.HasSuffix(u.option(), "bind") {
		source := u[last-1]
		set("source: parent", last-1, path.Dir(source))
		set("source: child", last-1, path.Join(source, "x"))
		set("source: another", last-1, "/usr")
		v := slices.Clone(u)
		v[last-1], v[last] = path.Dir(source), path.Dir(dest)
		m.add("both: parent", name, m.replace(i, v))
	}
	for k, v := range m.units[:i] {
		if d := v.dest(); d != "" && d != dest && strings.HasPrefix(dest, strings.TrimSuffix(d, "/")+"/") {
			m.add("move before its parent", name, slices.Concat(m.units[:k], []unit{u}, m.units[k:i], m.units[i+1:]))
		}
	}
	m.add("move to the end", name, slices.Concat(m.units[:i], m.units[i+1:], []unit{u}))
}
