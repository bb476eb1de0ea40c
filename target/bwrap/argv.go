package bwrap

import "strconv"

// Args returns bubblewrap's options for the plan, without the program's name
// and without the command. The order is fixed: isolation, seccomp, mounts,
// remounts.
//
// Isolation is always said in full. As root, bubblewrap makes no user namespace
// and keeps all capabilities unless it is told otherwise, and then every mask
// can be unmounted from inside.
func (p *Plan) Args() []string { return p.ArgsHeld(nil) }

// ArgsHeld is Args for a launcher that has sources open already: what is bound
// is the file that a descriptor leads to, whatever stands at its path by then.
// It needs bubblewrap's --bind-fd and --ro-bind-fd.
func (p *Plan) ArgsHeld(descriptors map[string]int) []string {
	args := p.isolation()
	for _, m := range p.Mounts {
		words := m.Args(p.MaskFile)
		if fd, held := descriptors[m.Path]; held && m.Holdable() {
			words[0], words[1] = words[0]+"-fd", strconv.Itoa(fd)
		}
		args = append(args, words...)
	}
	return append(args, p.sealing()...)
}

// Holdable reports whether the mount binds what is at its own path.
func (m Mount) Holdable() bool {
	return m.Kind == ReadOnlyBind || m.Kind == WritableBind || m.Kind == PinBind
}

// isolation is what stands before the mounts.
func (p *Plan) isolation() []string {
	args := []string{"--unshare-user"}
	if p.DisableUserns {
		args = append(args, "--disable-userns")
	}
	args = append(args, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
	if !p.ShareNet {
		args = append(args, "--unshare-net")
	}
	args = append(args, "--cap-drop", "ALL", "--die-with-parent")
	if p.NewSession {
		args = append(args, "--new-session")
	}
	return append(args, "--seccomp", strconv.Itoa(SeccompFD))
}

// sealing is what stands after the mounts.
func (p *Plan) sealing() []string {
	var args []string
	if p.HideRoot {
		args = append(args, "--chmod", "0111", "/")
	}
	for _, dir := range p.Seal {
		args = append(args, "--remount-ro", dir)
	}
	return args
}

// flags returns the options that the plan's arguments use, without their
// values, in order of first use.
func (p *Plan) flags() []string {
	bare := *p
	bare.Mounts = nil
	var out []string
	seen := map[string]bool{}
	add := func(args []string) {
		for _, a := range args {
			if len(a) > 2 && a[:2] == "--" && !seen[a] {
				seen[a] = true
				out = append(out, a)
			}
		}
	}
	add(bare.Args())
	for _, m := range p.Mounts {
		m.Path, m.Text = "/", "/" // a path is no option, whatever it starts with
		add(m.Args("/"))
	}
	return out
}
