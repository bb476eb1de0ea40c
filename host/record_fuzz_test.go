package host_test

import (
	"path"
	"testing"

	"github.com/sandboxc/sbc/host"
)

// FuzzParseRecord holds: a text gives either a view or problems, and a view can
// be walked, resolved and recorded again to a text that can be read.
func FuzzParseRecord(f *testing.F) {
	f.Add([]byte(machine))
	f.Add([]byte(`{"sbc_host": 1, "facts": ` + factsJSON + `, "tree": {"/a": {"link": "a/../b"}, "/b/c": {"link": "/a/x"}, "/b/d": {"lstat": "x"}}}`))
	f.Add([]byte(`{"sbc_host": 1, "facts": ` + factsJSON + `, "tree": {"/": {"type": "dir", "readdir": "x"}, "/l": {"link": "l/l"}}, "mounts_error": "x"}`))
	f.Add([]byte(`{"sbc_host": 1, "facts": ` + factsJSON + `, "tree": {"/": {"link": "/a"}, "/b": {"lstat": "x"}}}`)) // hung once
	f.Add([]byte(`{"sbc_host": 2}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		v, ds := host.ParseRecord(src, "host.json")
		if (v == nil) != ds.HasErrors() {
			t.Fatalf("got the view %v and the problems %v", v, ds)
		}
		if v == nil {
			return
		}
		rec := host.NewRecorder(v)
		visit(rec, "/")
		text, err := rec.Record(v.Facts())
		if err != nil {
			t.Fatal(err)
		}
		if _, ds := host.ParseRecord(text, "host.json"); ds.HasErrors() {
			t.Fatalf("%v\n%s", ds, text)
		}
	})
}

func visit(v host.View, p string) {
	_, _ = v.Lstat(p)
	_, _ = v.Readlink(p)
	_, _ = host.Resolve(v, p+"/x/..")
	entries, err := v.ReadDir(p)
	if err != nil {
		return
	}
	for _, e := range entries {
		visit(v, path.Join(p, e.Name))
	}
}
