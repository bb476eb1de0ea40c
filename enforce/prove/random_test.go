package prove_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/mounts"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// machine is a little host: nodes by path, with the texts of links.
type machine struct {
	nodes map[string]host.Node
	links map[string]string
}

func (m machine) Lstat(p string) (host.Node, error) {
	if n, ok := m.nodes[p]; ok {
		return n, nil
	}
	return host.Node{}, &fs.PathError{Op: "lstat", Path: p, Err: fs.ErrNotExist}
}

func (m machine) Readlink(p string) (string, error) {
	if text, ok := m.links[p]; ok {
		return text, nil
	}
	return "", &fs.PathError{Op: "readlink", Path: p, Err: fs.ErrInvalid}
}

func (m machine) ReadDir(p string) ([]host.Entry, error) {
	if n, ok := m.nodes[p]; !ok || n.Type != host.Dir {
		return nil, &fs.PathError{Op: "readdir", Path: p, Err: fs.ErrNotExist}
	}
	var out []host.Entry
	for q, n := range m.nodes {
		if q != "/" && ir.Parent(q) == p {
			out = append(out, host.Entry{Name: q[strings.LastIndexByte(q, '/')+1:], Type: n.Type})
		}
	}
	slices.SortFunc(out, func(a, b host.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func (machine) Mounts() ([]host.Mount, error) { return nil, nil }

// String lists the nodes.
func (m machine) String() string {
	var out []string
	for p, n := range m.nodes {
		out = append(out, fmt.Sprintf("%s %s %s", p, n.Type, m.links[p]))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// machines draws a host on which much of what a policy names exists.
func machines(p *ir.Policy) *rapid.Generator[machine] {
	return rapid.Custom(func(t *rapid.T) machine {
		m := machine{map[string]host.Node{}, map[string]string{}}
		ino := uint64(1)
		add := func(path string, n host.Node) {
			n.Dev, n.Ino, n.Nlink, n.Perm = 1, ino, 1, 0o755
			ino++
			m.nodes[path] = n
		}
		for _, dir := range []string{"/", "/dev", "/proc"} {
			add(dir, host.Node{Type: host.Dir})
		}
		for range rapid.IntRange(0, 12).Draw(t, "nodes") {
			path := rapid.OneOf(irtest.Paths(p), rapid.Custom(func(t *rapid.T) string { return matching(t, p) })).Draw(t, "node")
			fits := m.nodes[path].Type == 0 && !ir.Beneath(path, "/dev") && !ir.Beneath(path, "/proc")
			for _, dir := range ir.Ancestors(path) {
				fits = fits && (m.nodes[dir].Type == 0 || m.nodes[dir].Type == host.Dir)
			}
			if !fits {
				continue
			}
			for _, dir := range ir.Ancestors(path) {
				if m.nodes[dir].Type == 0 {
					add(dir, host.Node{Type: host.Dir})
				}
			}
			typ := rapid.SampledFrom([]host.Type{host.Dir, host.Dir, host.File, host.File, host.File, host.Link, host.FIFO}).Draw(t, "type")
			if slices.ContainsFunc(p.Files, func(r ir.FileRule) bool { return ir.Beneath(r.Match.Base(), path) }) {
				typ = host.Dir // a rule on a path through a link is one on what it leads to
			}
			add(path, host.Node{Type: typ})
			if typ == host.Link {
				m.links[path] = rapid.SampledFrom([]string{"a", "../b", "/w", "nowhere"}).Draw(t, "text")
			}
		}
		return m
	})
}

// matching draws a path that a pattern of the policy matches, most of the time.
func matching(t *rapid.T, p *ir.Policy) string {
	var all []glob.Alternative
	for _, r := range p.Files {
		if g, ok := r.Match.(ir.Glob); ok {
			for _, x := range append([]*glob.Pattern{g.Pattern}, g.Except...) {
				all = append(all, x.Alternatives()...)
			}
		}
	}
	if len(all) == 0 {
		return irtest.AnyPath().Draw(t, "path")
	}
	names := rapid.SampledFrom([]string{"a", "b", ".env", "x.y", "q"})
	var b strings.Builder
	for _, s := range rapid.SampledFrom(all).Draw(t, "alternative") {
		if s.Doublestar {
			for range rapid.IntRange(0, 1).Draw(t, "segments") {
				b.WriteString("/" + names.Draw(t, "name"))
			}
			continue
		}
		name := ""
		for _, a := range s.Atoms {
			switch a := a.(type) {
			case glob.Char:
				name += a.Text
			case glob.AnyChar, glob.AnyRun, glob.Class:
				name += names.Draw(t, "name")
			}
		}
		b.WriteString("/" + name)
	}
	if path := b.String(); ir.Clean(path) {
		return path
	}
	return irtest.AnyPath().Draw(t, "path")
}

func dump(p *ir.Policy, rep target.Report, text []byte) string {
	var b strings.Builder
	for i := range p.Files {
		r := &p.Files[i]
		fmt.Fprintf(&b, "%d %s %s %s %s missing=%s target=%q nondir=%t private=%t\n", i, r.Group, r.Read, r.Write, r.Match, r.OnMissing, r.Target, r.NonDir, r.Private)
	}
	for _, e := range rep.Entries {
		if e.Verdict != target.Exact {
			fmt.Fprintf(&b, "%d %s %s %s\n", e.Index, e.Verdict, e.Code, e.Loss)
		}
	}
	s := string(text)
	if i := strings.Index(s, "; read and execute"); i >= 0 {
		s = s[i:]
	}
	return b.String() + s
}

// TestRandomProfiles: whatever a policy says, its profile is proved, and the
// model of the profile decides sampled paths as the policy does where the report
// says nothing else. Globs and regular expressions match as others' do.
func TestRandomProfiles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		p.Files = slices.DeleteFunc(p.Files, func(r ir.FileRule) bool { // no directory is closed without what is in it
			_, alone := r.Match.(ir.Path)
			return alone && !r.NonDir && r.Write.Closes()
		})
		for i := range p.Files {
			p.Files[i].Private = p.Files[i].Private && !opensByPattern(p)
		}
		art, rep := seatbelt.Backend{}.Lower(p, host.Empty{}, target.Options{})
		proof, err := prove.Lowered(p, art, rep, prove.Options{})
		text, _ := art.Render(target.Text)
		if err != nil {
			t.Fatalf("%v\n%s", err, dump(p, rep, text))
		}
		// Renames are tried one by one in package seatbelt. The proof says of more
		// globs than need be that a directory can be moved out from under them.
		found := slices.DeleteFunc(wrong(proof), func(s string) bool { return strings.HasPrefix(s, "movable: ") })
		if len(found) > 0 {
			t.Fatalf("%q\n%s", found, dump(p, rep, text))
		}
		profile, err := sbpl.Read("it", text, sbpl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		claims := prove.Claims(rep)
		for range 6 {
			path := rapid.OneOf(irtest.Paths(p), rapid.Custom(func(t *rapid.T) string { return matching(t, p) })).Draw(t, "path")
			if strings.HasPrefix(path, "/tmp/") || strings.HasPrefix(path, "/var/") || strings.HasPrefix(path, "/etc/") {
				continue // no such path reaches the kernel
			}
			for op, as := range map[ir.Op]string{ir.Read: "file-read-data", ir.Write: "file-write-data"} {
				want := p.Decide(ir.Query{Target: ir.Darwin, Op: op, Path: path})
				got, err := profile.Decide(as, sbpl.Subject{Path: path, Vnode: "REGULAR-FILE"})
				if err != nil {
					t.Fatal(err)
				}
				if got.Allow != (want.Effect == ir.Allow) && !claimed(claims, p, got.Allow, path) {
					t.Fatalf("%s of %q: the policy says %s, the profile %t\n%s", op, path, want.Effect, got.Allow, dump(p, rep, text))
				}
			}
			matchesAsOthers(t, p, profile, path)
		}
	})
}

// wrong is what a proof finds, less what is only noted.
func wrong(p *verify.Proof) []string {
	serious := *p
	serious.Holes = slices.DeleteFunc(slices.Clone(p.Holes), func(h verify.Hole) bool { return h.Note })
	return said(&serious)
}

// unmounted leaves out of a proof that something is denied on which nothing can
// be mounted: it does not exist, or is a link. Reports do not always say so of
// exceptions, and of roots that are closed as files.
func unmounted(p *verify.Proof, m machine) *verify.Proof {
	out := *p
	out.Differences = slices.DeleteFunc(slices.Clone(p.Differences), func(d verify.Difference) bool {
		return d.Direction == verify.Denies && (d.Missing || m.nodes[d.Path].Type == host.Link)
	})
	return &out
}

// opensByPattern reports whether a glob lets something be written.
func opensByPattern(p *ir.Policy) bool {
	return slices.ContainsFunc(p.Files, func(r ir.FileRule) bool {
		_, tree := r.Match.(ir.Subtree)
		return r.Write == ir.Allow && !tree
	})
}

// claimed reports whether any claim excuses an answer to a path.
func claimed(claims []verify.Claim, p *ir.Policy, allow bool, path string) bool {
	return slices.ContainsFunc(claims, func(c verify.Claim) bool {
		r := &p.Files[c.Rule]
		return (c.Direction == verify.Permits) == allow && (r.Match.Matches(path, glob.Darwin) || c.Direction == verify.Denies)
	})
}

// matchesAsOthers holds the matching of globs to doublestar's, and that of the
// regular expressions of a profile to Go's.
func matchesAsOthers(t *rapid.T, p *ir.Policy, profile *sbpl.Profile, path string) {
	for _, r := range p.Files {
		g, ok := r.Match.(ir.Glob)
		if !ok {
			continue
		}
		for _, x := range append([]*glob.Pattern{g.Pattern}, g.Except...) {
			if want, ok := asDoublestar(x.String(), path); ok && want != x.Match(path, glob.Exact) {
				t.Fatalf("doublestar says that %s matches %q: %t", x, path, want)
			}
		}
	}
	for i := range profile.Rules {
		for _, re := range expressions(profile.Rules[i].Filter) {
			want, err := regexp.MatchString("(?s)"+wide(re.Regex.String()), wide(path))
			if err != nil {
				t.Fatal(err)
			}
			if want != re.Regex.Match(path) {
				t.Fatalf("Go says that %s matches %q: %t", re, path, want)
			}
		}
	}
}

// asDoublestar asks doublestar, except where the differences are known: classes,
// bytes that are no characters, several ** in a row and within braces. A ** at
// the end is no segment here as well.
func asDoublestar(pattern, path string) (match, ok bool) {
	if path == "/" || strings.ContainsAny(pattern, "[{") || strings.Contains(pattern, "**/**") || !utf8.ValidString(pattern+path) {
		return false, false
	}
	match, err := doublestar.Match(pattern, path)
	if zero, found := strings.CutSuffix(pattern, "/**"); found && zero != "" && !match {
		return asDoublestar(zero, path)
	}
	return match, err == nil
}

// wide makes a character of each byte, since the kernel compares bytes.
func wide(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// expressions are the regular expressions of a filter.
func expressions(f sbpl.Filter) []sbpl.Regex {
	var within []sbpl.Filter
	switch f := f.(type) {
	case sbpl.Regex:
		return []sbpl.Regex{f}
	case sbpl.All:
		within = f
	case sbpl.Any:
		within = f
	case sbpl.Not:
		within = []sbpl.Filter{f.Filter}
	case sbpl.Literal, sbpl.Subpath, sbpl.Prefix, sbpl.VnodeType, sbpl.Address, sbpl.UnixSocket, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
		return nil
	}
	var out []sbpl.Regex
	for _, x := range within {
		out = append(out, expressions(x)...)
	}
	return out
}

// withFloor adds what every policy has on Linux. Nothing else is the sandbox's
// own, and the floor there opens trees only.
func withFloor(p *ir.Policy) *ir.Policy {
	p.Files = slices.DeleteFunc(p.Files, func(r ir.FileRule) bool {
		_, tree := r.Match.(ir.Subtree)
		if !tree && (r.Group == ir.GroupRequired || r.Group == ir.GroupFloor) {
			return true
		}
		g, ok := r.Match.(ir.Glob) // one that closes nothing, and pins all the same
		return ok && slices.ContainsFunc(g.Pattern.Bases(), func(base string) bool {
			return slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return e.Covers(base, glob.Exact) })
		})
	})
	for i := range p.Files {
		r := &p.Files[i]
		r.Private = false
		if r.NonDir { // only guards say so, and get no placeholders
			r.OnMissing = ir.MissingSkip
		}
	}
	own := func(path string, write ir.Effect) ir.FileRule {
		return ir.FileRule{
			Match: ir.Subtree(path), Read: ir.Allow, Write: write, Group: ir.GroupRoot, Layer: ir.LayerFloor, Target: ir.Linux, Private: true,
			OnMissing: ir.MissingSkip, Origin: ir.Origin{Address: "floor[" + path + "]"},
		}
	}
	p.Files = append(p.Files, own("/proc/sys", ir.Deny), own("/dev", ir.Allow), own("/proc", ir.Allow))
	slices.SortStableFunc(p.Files, func(a, b ir.FileRule) int {
		if n := cmp.Compare(a.Group, b.Group); n != 0 || a.Group != ir.GroupRoot {
			return n
		}
		depth := func(r ir.FileRule) int { return strings.Count(strings.TrimSuffix(r.Match.Base(), "/"), "/") }
		return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(a.Layer, b.Layer))
	})
	return p
}

// TestRandomMounts: whatever a policy says and a host has, the mounts are proved,
// and their table answers for sampled paths as the policy does where the report
// says nothing else.
func TestRandomMounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := withFloor(irtest.Policies().Draw(t, "policy"))
		for _, path := range []string{"/dev", "/dev/\x01", "/proc", "/proc/\x01"} {
			if d := p.Decide(ir.Query{Target: ir.Linux, Op: ir.Write, Path: path, Dir: true}); d.Rule < 0 || !p.Files[d.Rule].Private {
				return // the sandbox's own storage stays writable, whatever closes everything
			}
		}
		m := machines(p).Draw(t, "host")
		p.Files = slices.DeleteFunc(p.Files, func(r ir.FileRule) bool { // nothing is opened as a directory and closed as a file
			path, ok := ir.Literal(r.Match)
			return ok && r.NonDir && m.nodes[path].Type == 0
		})
		p.Process.Supervise.Value = rapid.SampledFrom([]ir.SuperviseMode{ir.SuperviseOff, ir.SuperviseCreate, ir.SuperviseOpen}).Draw(t, "supervise")
		art, rep := bwrap.Backend{}.Lower(p, m, target.Options{Facts: &host.Facts{OS: "linux", Arch: "amd64", Supervise: true}, Supervised: true})
		if art == nil {
			return // refused
		}
		proof, err := prove.Lowered(p, art, rep, prove.Options{View: m})
		text, _ := art.Render(target.Text)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, m, dump(p, rep, text))
		}
		if found := wrong(unmounted(proof, m)); found != nil {
			t.Fatalf("%q\n%s\n%s", found, m, dump(p, rep, text))
		}
		a := art.(*bwrap.Artifact)
		sandbox, err := mounts.Read(a.Args(), mounts.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		table, err := mounts.Build(sandbox, mounts.Options{View: m, Prepared: prove.Prepared(&a.Plan)})
		if err != nil {
			t.Fatal(err)
		}
		tree := table.Tree()
		claims := prove.Claims(rep)
		for path, n := range m.nodes {
			if n.Type == host.Link || slices.ContainsFunc(ir.Ancestors(path), func(d string) bool { return m.nodes[d].Type == host.Link }) {
				continue
			}
			got := tree.Answer(path)
			if got.Private {
				continue // nothing of the host
			}
			for op, allow := range map[ir.Op]bool{ir.Read: got.Read, ir.Write: got.Write} {
				want := p.Decide(ir.Query{Target: ir.Linux, Op: op, Path: path, Dir: n.Type == host.Dir})
				if allow && want.Effect != ir.Allow && !slices.ContainsFunc(claims, func(c verify.Claim) bool {
					return c.Rule == want.Rule && c.Direction == verify.Permits && !c.Later
				}) {
					t.Fatalf("%s of %q: the policy says %s, the mounts %+v\n%s\n%s", op, path, want.Effect, got, m, dump(p, rep, text))
				}
			}
		}
	})
}
