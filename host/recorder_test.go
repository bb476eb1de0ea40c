package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

var factsValue = host.Facts{
	OS: "linux", Arch: "amd64", UID: 1000, Home: "/home/u", Temp: "/tmp", Cache: "/home/u/.cache", Config: "/home/u/.config",
}

// machine is a made-up machine to record.
const machine = `{"sbc_host": 1, "facts": ` + factsJSON + `, "tree": {
	"/bin": {"link": "usr/bin"},
	"/usr/bin/sh": {"perm": "755", "dev": 3, "ino": 5},
	"/usr/bin/vi": {"dev": 3, "ino": 6},
	"/broken": {"link": "gone"},
	"/l": {"link": "w"},
	"/up": {"link": "x/../w"},
	"/x/y": {},
	"/hidden": {"type": "link", "readlink": "permission"},
	"/w/a": {"nlink": 2, "dev": 3, "ino": 7},
	"/w/none": {"nlink": 0, "dev": 3, "ino": 8, "perm": "000"},
	"/w/\u0000ff": {"dev": 3, "ino": 9},
	"/w/closed": {"type": "dir", "readdir": "permission", "dev": 3, "ino": 10},
	"/w/stale": {"type": "dir", "readdir": "stale handle", "dev": 3, "ino": 11},
	"/w/named": {"type": "file", "lstat": "permission"},
	"/w/.ghost": {"unlisted": true, "dev": 3, "ino": 12},
	"/w/.ghosts/x": {"dev": 3, "ino": 13},
	"/w/.ghosts": {"type": "dir", "unlisted": true},
	"/secret": {"lstat": "input/output error"}
}}`

func TestRecorder(t *testing.T) {
	t.Parallel()
	type question struct{ what, path string }
	for _, tt := range []struct {
		name string
		ask  []question
		want string // the tree and what follows it
	}{
		{"nothing", nil, "\n}"},
		{"missing", []question{{"lstat", "/gone"}, {"readdir", "/w/a/x"}, {"readlink", "/gone/x"}}, "\n}"},
		{"a file", []question{{"lstat", "/w/a"}}, `,
  "tree": {"/w/a": {"nlink": 2, "dev": 3, "ino": 7}}
}`},
		{"beneath a link", []question{{"lstat", "/bin/sh"}}, `,
  "tree": {"/bin": {"link": "usr/bin"}, "/usr/bin/sh": {"perm": "755", "dev": 3, "ino": 5}}
}`},
		{"beneath a link that goes up", []question{{"lstat", "/up/a"}}, `,
  "tree": {
    "/up": {"link": "x/../w"},
    "/w": {"type": "dir"},
    "/w/a": {"nlink": 2, "dev": 3, "ino": 7},
    "/x": {"type": "dir"}
  }
}`},
		{"missing beneath a link", []question{{"lstat", "/bin/gone"}}, `,
  "tree": {"/bin": {"link": "usr/bin"}}
}`},
		{"denied beneath a link", []question{{"lstat", "/l/named"}}, `,
  "tree": {"/l": {"link": "w"}, "/w": {"type": "dir"}, "/w/named": {"lstat": "permission"}}
}`},
		{"a listing", []question{{"readdir", "/usr/bin"}}, `,
  "tree": {"/usr/bin": {"type": "dir"}, "/usr/bin/sh": {}, "/usr/bin/vi": {}}
}`},
		{"a listing and more", []question{{"readdir", "/usr/bin"}, {"lstat", "/usr/bin/vi"}}, `,
  "tree": {"/usr/bin": {"type": "dir"}, "/usr/bin/sh": {}, "/usr/bin/vi": {"dev": 3, "ino": 6}}
}`},
		{"links", []question{{"readlink", "/broken"}, {"readlink", "/hidden"}, {"readlink", "/w/a"}}, `,
  "tree": {
    "/broken": {"link": "gone"},
    "/hidden": {"type": "link", "dev": 1, "ino": 281474976710659, "readlink": "permission"},
    "/w/a": {"nlink": 2, "dev": 3, "ino": 7}
  }
}`},
		{"errors", []question{{"lstat", "/w/named"}, {"lstat", "/secret"}, {"lstat", "/secret/x"}, {"readdir", "/w/closed"}, {"readdir", "/w/stale"}}, `,
  "tree": {
    "/": {"type": "dir"},
    "/secret": {"lstat": "input/output error"},
    "/secret/x": {"lstat": "input/output error"},
    "/w": {"type": "dir"},
    "/w/closed": {"type": "dir", "dev": 3, "ino": 10, "readdir": "permission"},
    "/w/named": {"lstat": "permission"},
    "/w/stale": {"type": "dir", "dev": 3, "ino": 11, "readdir": "stale handle"}
  }
}`},
		{"not listed", []question{{"lstat", "/w/.ghosts/x"}, {"readdir", "/w"}, {"lstat", "/w/.ghost"}, {"lstat", "/w/none"}}, `,
  "tree": {
    "/w": {"type": "dir"},
    "/w/\u0000ff": {},
    "/w/.ghost": {"dev": 3, "ino": 12, "unlisted": true},
    "/w/.ghosts": {"type": "dir", "unlisted": true},
    "/w/.ghosts/x": {"dev": 3, "ino": 13},
    "/w/a": {},
    "/w/closed": {"type": "dir"},
    "/w/named": {},
    "/w/none": {"perm": "000", "nlink": 0, "dev": 3, "ino": 8},
    "/w/stale": {"type": "dir"}
  }
}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			from := parseRecord(t, machine)
			rec := host.NewRecorder(from)
			for _, q := range tt.ask {
				askOne(rec, q.what, q.path)
			}
			got, err := rec.Record(factsValue)
			if err != nil {
				t.Fatal(err)
			}
			want := "{\n  \"sbc_host\": 1,\n  \"facts\": {\n" +
				`    "os": "linux",
    "arch": "amd64",
    "uid": 1000,
    "home": "/home/u",
    "temp": "/tmp",
    "cache": "/home/u/.cache",
    "config": "/home/u/.config"
  }` + tt.want + "\n"
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			replay := parseRecord(t, string(got))
			for _, q := range tt.ask {
				if diff := cmp.Diff(askOne(from, q.what, q.path), askOne(replay, q.what, q.path)); diff != "" {
					t.Errorf("%s %s (-machine +replay):\n%s", q.what, q.path, diff)
				}
			}
		})
	}
}

// askOne asks one question and returns the whole answer; of an error, what the
// record keeps of it.
func askOne(v host.View, what, p string) string {
	var answer any
	var err error
	switch what {
	case "lstat":
		answer, err = v.Lstat(p)
	case "readlink":
		answer, err = v.Readlink(p)
	case "readdir":
		answer, err = v.ReadDir(p)
	case "mounts":
		answer, err = v.Mounts()
	default:
		panic(what)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	switch {
	case err == nil:
		return fmt.Sprintf("%+v", answer)
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case what == "readlink":
		return "not to be read as a link" // the reason is the machine's own
	}
	return err.Error()
}

func TestRecorderFactsAndMounts(t *testing.T) {
	t.Parallel()
	from := parseRecord(t, `{"sbc_host": 1, "facts": `+factsJSON+`, "mounts": [{"dev": "8:1", "root": "/", "point": "/a b", "fstype": "ext4"}]}`)
	rec := host.NewRecorder(from)
	if _, err := rec.Mounts(); err != nil {
		t.Fatal(err)
	}
	facts := factsValue
	facts.Kernel, facts.OSVersion, facts.Sockets = "6.1.0", "14.1", []string{"/run/a\xff"}
	facts.Bwrap = &host.Bwrap{Path: "/usr/bin/bwrap", Version: "0.8.0", Flags: []string{"--bind"}}
	text, err := rec.Record(facts)
	if err != nil {
		t.Fatal(err)
	}
	replay := parseRecord(t, string(text))
	if diff := cmp.Diff(facts, replay.Facts()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(askOne(from, "mounts", ""), askOne(replay, "mounts", "")); diff != "" {
		t.Errorf("mounts (-want +got):\n%s", diff)
	}
}

// brokenView is a machine whose mount table cannot be read and whose answers to
// Lstat change.
type brokenView struct {
	host.Empty
	mu    *sync.Mutex
	types *[]host.Type
}

func (brokenView) Mounts() ([]host.Mount, error) { return nil, errors.New("no proc") }

func (v brokenView) Lstat(p string) (host.Node, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p == "/" {
		return host.Node{Type: host.Dir}, nil
	}
	n := host.Node{Type: (*v.types)[0]}
	*v.types = (*v.types)[1:]
	return n, nil
}

func TestRecorderMountsError(t *testing.T) {
	t.Parallel()
	rec := host.NewRecorder(brokenView{})
	_, _ = rec.Mounts()
	text, err := rec.Record(factsValue)
	if err != nil {
		t.Fatal(err)
	}
	if got := askOne(parseRecord(t, string(text)), "mounts", ""); got != "no proc" {
		t.Errorf("got %q", got)
	}
}

func TestRecorderContradiction(t *testing.T) {
	t.Parallel()
	rec := host.NewRecorder(brokenView{mu: &sync.Mutex{}, types: &[]host.Type{host.Dir, host.File, host.File}})
	_, _ = rec.Lstat("/a/b") // /a is a directory, /a/b a file
	_, _ = rec.Lstat("/a")   // and now /a is a file
	_, err := rec.Record(factsValue)
	want := `the file system changed while it was recorded: "/a/b" lies beneath "/a", which is not a directory`
	if diff := cmp.Diff(want, errText(err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRecorderConcurrent asks from many goroutines; the race detector looks on.
func TestRecorderConcurrent(t *testing.T) {
	t.Parallel()
	rec := host.NewRecorder(parseRecord(t, machine))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, p := range []string{"/", "/bin", "/bin/sh", "/w", "/w/a", "/w/closed", "/secret/x"} {
				for _, what := range []string{"lstat", "readlink", "readdir", "mounts"} {
					askOne(rec, what, p)
				}
			}
		})
	}
	wg.Wait()
	first, err := rec.Record(factsValue)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := rec.Record(factsValue)
	if diff := cmp.Diff(string(first), string(again)); diff != "" {
		t.Errorf("two records differ:\n%s", diff)
	}
}
