package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

// fakeView maps paths to "dir", "file", "-> TARGET" or "denied"; the last holds
// for everything beneath too.
type fakeView struct {
	host.Empty
	nodes map[string]string
}

func (v fakeView) Lstat(p string) (host.Node, error) {
	for a := p; ; a = path.Dir(a) {
		if v.nodes[a] == "denied" {
			return host.Node{}, &fs.PathError{Op: "lstat", Path: p, Err: fs.ErrPermission}
		}
		if a == "/" {
			break
		}
	}
	switch what := v.nodes[p]; {
	case what == "dir" || p == "/":
		return host.Node{Type: host.Dir}, nil
	case what == "file":
		return host.Node{Type: host.File}, nil
	case strings.HasPrefix(what, "-> "):
		return host.Node{Type: host.Link}, nil
	}
	return v.Empty.Lstat(p)
}

func (v fakeView) Readlink(p string) (string, error) {
	return strings.TrimPrefix(v.nodes[p], "-> "), nil
}

func TestResolve(t *testing.T) {
	t.Parallel()
	view := fakeView{nodes: map[string]string{
		"/dir": "dir", "/dir/sub": "dir", "/dir/sub/file": "file", "/file": "file", "/real": "dir",
		"/abs": "-> /dir/sub", "/rel": "-> dir", "/dir/up": "-> ../file", "/dir/sub/far": "-> ../../../../file",
		"/chain": "-> rel/sub", "/root": "-> /", "/dot": "-> .", "/slash": "-> //dir///sub/", "/dotdot": "-> dir/./sub/../..",
		"/dangling": "-> gone", "/dangling2": "-> /gone/deep/x", "/back": "-> gone/../real", "/back2": "-> gone/../abs/file",
		"/back3": "-> gone/../secret/x", "/twice": "-> gone/../gone2/../dir/nope", "/self": "-> self", "/a": "-> b", "/b": "-> /a", "/empty": "-> ",
		"/secret": "denied", "/tosecret": "-> secret/x", "/fileup": "-> file/../dir", "/filesub": "-> file/x", "/filedot": "-> file/.",
	}}
	dir, file, link := host.Node{Type: host.Dir}, host.Node{Type: host.File}, host.Node{Type: host.Link}
	l := func(pairs ...string) (links []host.FollowedLink) {
		for pair := range slices.Chunk(pairs, 2) {
			links = append(links, host.FollowedLink{Path: pair[0], Target: pair[1]})
		}
		return links
	}
	var selves []host.FollowedLink
	for range 40 {
		selves = append(selves, l("/self", "self")...)
	}
	for _, tt := range []struct {
		name, path string
		parent     bool
		want       host.Resolution
		err        string
	}{
		{name: "root", path: "/", want: host.Resolution{Path: "/", Node: dir}},
		{name: "plain", path: "/dir/sub/file", want: host.Resolution{Path: "/dir/sub/file", Node: file}},
		{name: "unclean", path: "//dir/./sub//../sub/", want: host.Resolution{Path: "/dir/sub", Node: dir}},
		{name: "above the root", path: "/../../dir", want: host.Resolution{Path: "/dir", Node: dir}},
		{name: "ends in ..", path: "/dir/sub/..", want: host.Resolution{Path: "/dir", Node: dir}},
		{name: "absolute link", path: "/abs", want: host.Resolution{Path: "/dir/sub", Links: l("/abs", "/dir/sub"), Node: dir}},
		{name: "absolute link not followed", path: "/abs", parent: true, want: host.Resolution{Path: "/abs", Node: link}},
		{name: "link in the middle", path: "/abs/file", want: host.Resolution{Path: "/dir/sub/file", Links: l("/abs", "/dir/sub"), Node: file}},
		{name: "link in the middle, parent", path: "/abs/file", parent: true, want: host.Resolution{Path: "/dir/sub/file", Links: l("/abs", "/dir/sub"), Node: file}},
		{name: "relative link", path: "/rel/sub", want: host.Resolution{Path: "/dir/sub", Links: l("/rel", "dir"), Node: dir}},
		{name: "relative link up", path: "/dir/up", want: host.Resolution{Path: "/file", Links: l("/dir/up", "../file"), Node: file}},
		{name: "relative link above the root", path: "/dir/sub/far", want: host.Resolution{Path: "/file", Links: l("/dir/sub/far", "../../../../file"), Node: file}},
		{name: "links in targets", path: "/chain/file", want: host.Resolution{Path: "/dir/sub/file", Links: l("/chain", "rel/sub", "/rel", "dir"), Node: file}},
		{name: "first of a chain not followed", path: "/chain", parent: true, want: host.Resolution{Path: "/chain", Node: link}},
		{name: "final link behind a link not followed", path: "/rel/up", parent: true, want: host.Resolution{Path: "/dir/up", Links: l("/rel", "dir"), Node: link}},
		{name: "link to the root", path: "/root", want: host.Resolution{Path: "/", Links: l("/root", "/"), Node: dir}},
		{name: "beneath a link to the root", path: "/root/file", want: host.Resolution{Path: "/file", Links: l("/root", "/"), Node: file}},
		{name: "link to .", path: "/dot/dot/file", want: host.Resolution{Path: "/file", Links: l("/dot", ".", "/dot", "."), Node: file}},
		{name: "target with slashes", path: "/slash", want: host.Resolution{Path: "/dir/sub", Links: l("/slash", "//dir///sub/"), Node: dir}},
		{name: "target with dots", path: "/dotdot", want: host.Resolution{Path: "/", Links: l("/dotdot", "dir/./sub/../.."), Node: dir}},
		{name: ".. behind a link", path: "/abs/..", want: host.Resolution{Path: "/dir", Links: l("/abs", "/dir/sub"), Node: dir}},

		{name: "missing", path: "/gone", want: host.Resolution{Path: "/gone", Missing: "/gone"}},
		{name: "missing, parent", path: "/gone", parent: true, want: host.Resolution{Path: "/gone", Missing: "/gone"}},
		{name: "missing ancestors", path: "/rel/gone/x/y", want: host.Resolution{Path: "/dir/gone/x/y", Links: l("/rel", "dir"), Missing: "/dir/gone"}},
		{name: "dangling", path: "/dangling", want: host.Resolution{Path: "/gone", Links: l("/dangling", "gone"), Missing: "/gone"}},
		{name: "dangling not followed", path: "/dangling", parent: true, want: host.Resolution{Path: "/dangling", Node: link}},
		{name: "beneath a dangling link", path: "/dangling2/y", want: host.Resolution{Path: "/gone/deep/x/y", Links: l("/dangling2", "/gone/deep/x"), Missing: "/gone"}},
		{name: "up from what is missing", path: "/back", want: host.Resolution{Path: "/real", Links: l("/back", "gone/../real"), Missing: "/gone"}},
		{
			name: "up from what is missing, then a link", path: "/back2",
			want: host.Resolution{Path: "/dir/sub/file", Links: l("/back2", "gone/../abs/file", "/abs", "/dir/sub"), Missing: "/gone"},
		},
		{name: "missing three times", path: "/twice", want: host.Resolution{Path: "/dir/nope", Links: l("/twice", "gone/../gone2/../dir/nope"), Missing: "/gone"}},
		{
			name: "up from what is missing, then denied", path: "/back3",
			want: host.Resolution{Path: "/secret/x", Links: l("/back3", "gone/../secret/x"), Missing: "/gone"},
		},
		{name: "beneath a file", path: "/file/x/y", want: host.Resolution{Path: "/file/x/y", Missing: "/file/x"}},
		{name: "link beneath a file", path: "/filesub", want: host.Resolution{Path: "/file/x", Links: l("/filesub", "file/x"), Missing: "/file/x"}},

		{name: "self loop", path: "/self/x", want: host.Resolution{Path: "/self/x", Links: selves}, err: `cannot resolve "/self/x": too many levels of symbolic links`},
		{name: "self not followed", path: "/self", parent: true, want: host.Resolution{Path: "/self", Node: link}},
		{name: "empty link", path: "/empty", want: host.Resolution{Path: "/empty"}, err: `cannot resolve "/empty": the symbolic link "/empty" is empty`},
		{name: "up from a file", path: "/fileup", want: host.Resolution{Path: "/dir", Links: l("/fileup", "file/../dir"), Missing: "/file"}},
		{name: "file as a directory", path: "/filedot", want: host.Resolution{Path: "/file", Links: l("/filedot", "file/."), Missing: "/file"}},
		{name: "denied", path: "/secret/x/y", want: host.Resolution{Path: "/secret/x/y"}, err: `cannot resolve "/secret/x/y": lstat /secret: permission denied`},
		{
			name: "denied behind a link", path: "/tosecret/y", want: host.Resolution{Path: "/secret/x/y", Links: l("/tosecret", "secret/x")},
			err: `cannot resolve "/tosecret/y": lstat /secret: permission denied`,
		},
		{name: "relative", path: "dir", want: host.Resolution{Path: "/dir"}, err: `cannot resolve "dir": the path is not absolute`},
		{name: "empty", path: "", want: host.Resolution{Path: "/"}, err: `cannot resolve "": the path is not absolute`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			resolve := host.Resolve
			if tt.parent {
				resolve = host.ResolveParent
			}
			got, err := resolve(view, tt.path)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.err, errText(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestResolveDeniedMatchesPermission(t *testing.T) {
	t.Parallel()
	_, err := host.Resolve(fakeView{nodes: map[string]string{"/secret": "denied"}}, "/secret/x")
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want an error that fs.ErrPermission matches", err)
	}
}

func TestResolveLinkLimit(t *testing.T) {
	t.Parallel()
	nodes := map[string]string{"/0": "file"}
	for i := range 41 {
		nodes[fmt.Sprintf("/%d", i+1)] = fmt.Sprintf("-> %d", i)
	}
	if r, err := host.Resolve(fakeView{nodes: nodes}, "/40"); err != nil || r.Path != "/0" || len(r.Links) != 40 {
		t.Errorf("40 links: got %v, %v", r, err)
	}
	if _, err := host.Resolve(fakeView{nodes: nodes}, "/41"); err == nil {
		t.Error("41 links: got no error")
	}
}

func TestResolveEmpty(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, missing string }{{"/", "/"}, {"/x", "/x"}, {"/x/y", "/x"}} {
		got, err := host.Resolve(host.Empty{}, tt.path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(host.Resolution{Path: tt.path, Missing: tt.missing}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
}
