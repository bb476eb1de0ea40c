package classify

// npmBlock is what npm says about one error over several lines:
//
//	npm ERR! code EACCES
//	npm ERR! syscall mkdir
//	npm ERR! path /x
type npmBlock struct{ code, syscall, path, dest, line string }

var npmLineForm = pattern(`^npm (?:ERR!|error) (code|syscall|path|dest) (.+)$`)

// npmLine reads a line of a block. A new code begins a new block.
func (p *parser) npmLine(line string) {
	m := npmLineForm().FindStringSubmatch(line)
	if m == nil {
		return
	}
	b := &p.npm
	switch m[1] {
	case "code":
		p.endNpm()
		b.code, b.line = m[2], line
	case "syscall":
		b.syscall = m[2]
	case "path":
		b.path, b.line = m[2], line
	case "dest":
		b.dest = m[2]
	}
}

// endNpm makes a message of a block that names a path.
func (p *parser) endNpm() {
	b := p.npm
	p.npm = npmBlock{}
	switch b.code {
	case "EACCES", "EPERM", "EROFS", "EXDEV", "EBUSY", "ENOENT":
	default:
		return
	}
	if b.path == "" {
		return
	}
	m := message{line: b.line, errno: b.code}
	if b.dest != "" {
		m.targets = pair([]string{b.path}, []string{b.dest}, b.syscall, b.code)
	} else {
		m.targets = []target{{alternatives: []string{b.path}, op: verb(b.syscall), dir: dirVerb(b.syscall)}}
	}
	p.out = append(p.out, m)
}
