package bwrap_test

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// fakeView is a file system that a test writes down, a line a node:
//
//	d /w          a directory; parents are made
//	f /w/a        a file
//	f /w/b #7     a file with inode 7; lines with the same number are hard links
//	f /w/c #8+1   one more hard link than is written down
//	l /w/x -> y   a symbolic link
//	s /w/sock     a socket; p a FIFO
//	x /w/secret   a directory that may not be listed
//	m /mnt 8:1 /w ext4   a mount
type fakeView struct {
	nodes  map[string]host.Node
	links  map[string]string
	unread map[string]bool
	mounts []host.Mount
}

func view(lines string) *fakeView {
	v := &fakeView{nodes: map[string]host.Node{}, links: map[string]string{}, unread: map[string]bool{}}
	v.add("/", host.Node{Type: host.Dir})
	count := map[uint64]uint64{}
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		switch f[0] {
		case "d":
			v.add(f[1], host.Node{Type: host.Dir})
		case "x":
			v.add(f[1], host.Node{Type: host.Dir})
			v.unread[f[1]] = true
		case "s":
			v.add(f[1], host.Node{Type: host.Socket})
		case "p":
			v.add(f[1], host.Node{Type: host.FIFO})
		case "l":
			v.add(f[1], host.Node{Type: host.Link})
			v.links[f[1]] = f[3]
		case "m":
			v.mounts = append(v.mounts, host.Mount{Point: f[1], Dev: f[2], Root: f[3], FSType: f[4]})
		case "f":
			n := host.Node{Type: host.File, Nlink: 1}
			if len(f) > 2 {
				var more uint64
				if _, err := fmt.Sscanf(f[2], "#%d+%d", &n.Ino, &more); err != nil {
					_, _ = fmt.Sscanf(f[2], "#%d", &n.Ino)
				}
				count[n.Ino] += 1 + more
			}
			v.add(f[1], n)
		default:
			panic("bad line: " + line)
		}
	}
	for p, n := range v.nodes {
		if n.Type == host.File && count[n.Ino] > 0 {
			n.Nlink = count[n.Ino]
			v.nodes[p] = n
		}
	}
	return v
}

func (v *fakeView) add(p string, n host.Node) {
	if p != "/" {
		if _, ok := v.nodes[path.Dir(p)]; !ok {
			v.add(path.Dir(p), host.Node{Type: host.Dir})
		}
	}
	n.Dev = 1
	if n.Ino == 0 {
		n.Ino = uint64(1000 + len(v.nodes))
	}
	v.nodes[p] = n
}

func (v *fakeView) Lstat(p string) (host.Node, error) {
	n, ok := v.nodes[p]
	if !ok {
		return n, &fs.PathError{Op: "lstat", Path: p, Err: fs.ErrNotExist}
	}
	return n, nil
}

func (v *fakeView) Readlink(p string) (string, error) {
	if t, ok := v.links[p]; ok {
		return t, nil
	}
	return "", &fs.PathError{Op: "readlink", Path: p, Err: fs.ErrInvalid}
}

func (v *fakeView) ReadDir(p string) ([]host.Entry, error) {
	if v.unread[p] {
		return nil, &fs.PathError{Op: "readdir", Path: p, Err: fs.ErrPermission}
	}
	var out []host.Entry
	for q, n := range v.nodes {
		if q != "/" && path.Dir(q) == p {
			out = append(out, host.Entry{Name: path.Base(q), Type: n.Type})
		}
	}
	slices.SortFunc(out, func(a, b host.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func (v *fakeView) Mounts() ([]host.Mount, error) { return v.mounts, nil }

// rules writes a decision list down, strongest first, a line a rule:
//
//	write /w                a root; also read, none
//	deny /w/a               closes reading and writing; ask likewise
//	protect /w/a            closes writing
//	deny /w/**/.env except /w/**/.env.example
//	private /tmp
//
// Words after the path: except PATTERN..., missing=reserve|create|skip|refuse,
// guard=NAME, nondir, written=PATH, alone (the path without what lies beneath).
func rules(lines string) []ir.FileRule {
	var out []ir.FileRule
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		out = append(out, rule(f))
	}
	return out
}

func rule(f []string) ir.FileRule {
	r := ir.FileRule{Layer: ir.LayerWorkspace}
	r.Origin.Address = f[0] + "[" + f[1] + "]"
	root := func(read, write ir.Effect) { r.Group, r.Read, r.Write = ir.GroupRoot, read, write }
	closing := func(g ir.Group, read, write ir.Effect) { r.Group, r.Read, r.Write = g, read, write }
	switch f[0] {
	case "write":
		root(ir.Allow, ir.Allow)
	case "private":
		root(ir.Allow, ir.Allow)
		r.Private, r.OnMissing = true, ir.MissingSkip
	case "read":
		root(ir.Allow, ir.Deny)
	case "none":
		root(ir.Deny, ir.Deny)
	case "deny":
		closing(ir.GroupDeny, ir.Deny, ir.Deny)
	case "ask":
		closing(ir.GroupAsk, ir.Ask, ir.Ask)
	case "protect":
		closing(ir.GroupDeny, ir.Pass, ir.Deny)
	default:
		panic("bad rule: " + f[0])
	}
	var except []*glob.Pattern
	alone := false
	words := f[2:]
	for i := 0; i < len(words); i++ {
		key, value, _ := strings.Cut(words[i], "=")
		switch key {
		case "except":
			for ; i+1 < len(words) && strings.HasPrefix(words[i+1], "/"); i++ {
				except = append(except, glob.MustParse(words[i+1]))
			}
		case "missing":
			r.OnMissing = map[string]ir.OnMissing{
				"reserve": ir.MissingReserve, "create": ir.MissingCreate, "skip": ir.MissingSkip, "refuse": ir.MissingRefuse,
			}[value]
		case "guard":
			r.Guard, r.Layer = value, ir.LayerGuard
			r.Origin.Address = "guards." + value
		case "nondir":
			r.NonDir = true
		case "written":
			r.Written = value
		case "alone":
			alone = true
		default:
			panic("bad word: " + words[i])
		}
	}
	switch {
	case alone:
		r.Match = ir.Path(f[1])
	case glob.HasMeta(f[1]) || len(except) > 0:
		r.Match = ir.Glob{Pattern: glob.MustParse(f[1]), Except: except}
	default:
		r.Match = ir.Subtree(f[1])
	}
	return r
}

// system are the roots that every policy of the tests begins with.
const system = `
private /dev
private /proc
`

func policy(lines string) *ir.Policy {
	list := rules(lines)
	at := slices.IndexFunc(list, func(r ir.FileRule) bool {
		return r.Group == ir.GroupRoot && !ir.Beneath(r.Match.Base(), "/dev") && !ir.Beneath(r.Match.Base(), "/proc")
	})
	if at < 0 {
		at = len(list)
	}
	list = slices.Insert(list, at, rules(system)...)
	return &ir.Policy{Version: 1, Workspace: "/w", Home: "/home/u", Temp: "/tmp", Files: list}
}

// compile lowers a policy and fails the test if that is refused.
func compile(t testing.TB, p *ir.Policy, v host.View, o target.Options) (*bwrap.Artifact, target.Report) {
	t.Helper()
	art, rep := bwrap.Backend{}.Compile(p, v, o)
	if art == nil {
		t.Fatalf("refused: %v", summaries(rep.Diagnostics))
	}
	return art, rep
}

// mountLines returns the plan a line a mount, then the remounts, without /dev
// and /proc.
func mountLines(a *bwrap.Artifact) []string {
	var out []string
	for _, m := range a.Plan.Mounts {
		if m.Path == "/dev" || m.Path == "/proc" {
			continue
		}
		out = append(out, strings.Join(m.Args(a.Plan.MaskFile), " "))
	}
	if a.Plan.HideRoot {
		out = append(out, "--chmod 0111 /")
	}
	for _, s := range a.Plan.Seal {
		out = append(out, "--remount-ro "+s)
	}
	return out
}

// verdicts returns the entries on file rules, those of /dev and /proc aside,
// a line each: the rule, the verdict and the code.
func verdicts(r target.Report) []string {
	var out []string
	for _, e := range r.Entries {
		if e.Index < 0 || e.Rule == "private[/dev]" || e.Rule == "private[/proc]" {
			continue
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Rule, e.Verdict, e.Code)))
	}
	return out
}

func summaries(l diag.List) []string {
	out := []string{}
	for _, d := range l {
		out = append(out, fmt.Sprintf("%s[%s]: %s", d.Severity, d.Code, d.Summary))
	}
	return out
}
