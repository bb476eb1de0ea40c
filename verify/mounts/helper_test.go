package mounts_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/verify/mounts"
)

// tree is what the host of most tests holds: "/d/" a directory, "/f" a file,
// "/l->x" a link, "/d/=000" either with a mode, "/d/@" a directory that something
// is mounted on.
const tree = "/w/ /w/a/ /w/a/b/ /w/a/b/f /w/d/ /w/d/f /w/f /w/m/@ /w/m/n/@ /w/m/n/f /w/s.sock /w/null->/dev/null " +
	"/dev/ /dev/null /proc/ /proc/sys/ /usr/ /usr/bin/ /usr/bin/sh /tmp/ /empty/=000 /mask=000 /half/=444 /l->w/a /x"

// machine makes a view of tree.
func machine(t testing.TB) host.View {
	t.Helper()
	objects := map[string]map[string]string{"/": {"type": "dir"}}
	table := []map[string]string{{"dev": "1:1", "root": "/", "point": "/", "fstype": "x"}}
	for w := range strings.FieldsSeq(tree) {
		name, mode, moded := strings.Cut(w, "=")
		name, mounted := strings.CutSuffix(name, "@")
		name, text, link := strings.Cut(name, "->")
		clean := strings.TrimSuffix(name, "/")
		entry := map[string]string{"type": "file"}
		switch {
		case link:
			entry = map[string]string{"link": text}
		case clean != name:
			entry["type"] = "dir"
		case strings.HasPrefix(name, "/dev/"):
			entry["type"] = "char"
		case strings.HasSuffix(name, ".sock"):
			entry["type"] = "socket"
		}
		if moded {
			entry["perm"] = mode
		}
		if mounted {
			table = append(table, map[string]string{"dev": "2:" + string(rune('0'+len(table))), "root": "/", "point": clean, "fstype": "x"})
		}
		if clean != "" {
			objects[clean] = entry
		}
	}
	src, err := json.Marshal(map[string]any{
		"sbc_host": 1, "tree": objects, "mounts": table,
		"facts": map[string]any{"os": "linux", "arch": "amd64", "uid": 1000, "home": "/h", "temp": "/tmp", "cache": "/h/c", "config": "/h/f"},
	})
	if err != nil {
		t.Fatal(err)
	}
	rec, ds := host.ParseRecord(src, "test")
	if ds.HasErrors() {
		t.Fatalf("%v", ds)
	}
	return rec
}

func read(t testing.TB, args string) *mounts.Sandbox {
	t.Helper()
	s, err := mounts.Read(strings.Fields(args), mounts.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func build(t testing.TB, args string, o mounts.Options) *mounts.Table {
	t.Helper()
	table, err := mounts.Build(read(t, args), o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// letters writes an answer as rwcu, p for private, v for void, with the path on
// the host and the option.
func letters(a mounts.Answer) string {
	out := ""
	for _, x := range []struct {
		on bool
		c  string
	}{{a.Read, "r"}, {a.Write, "w"}, {a.Create, "c"}, {a.Unlink, "u"}, {a.Private, "p"}, {a.Void, "v"}} {
		if x.on {
			out += x.c
		} else {
			out += "-"
		}
	}
	return out
}

func itoa(n int) string { return strconv.Itoa(n) }

// without returns the arguments less the operation that an error is about, with
// the --perms before it.
func without(s *mounts.Sandbox, err error) []string {
	var e *mounts.Error
	if !errors.As(err, &e) {
		panic(err)
	}
	from, to := e.Index, len(s.Args)
	for _, op := range s.Ops {
		if at := op.At(); at > from && at < to {
			to = at
		}
	}
	if to < len(s.Args) && to-2 > from && s.Args[to-2] == "--perms" {
		to -= 2
	}
	if from >= 2 && s.Args[from-2] == "--perms" {
		from -= 2
	}
	return slices.Concat(s.Args[:from], s.Args[to:])
}
