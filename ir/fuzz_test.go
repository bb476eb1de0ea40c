package ir_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandboxc/sbc/ir"
)

// What Decode takes is valid, and comes back from each of its forms.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(small)) // larger seeds take the fuzzer too long to shrink
	f.Add([]byte(`{"sbc_ir":1,"version":1,"name":"\u0000ff","workspace":"/w","home":"","temp":"","files":[],
		"limits":{"wall_ns":{"value":1,"set":true,"layer":"user","origin":{"address":"limits.wall"}}},
		"network":{"allow":[{"host":"*.x","port":443,"layer":"user","origin":{"address":"a"}}]}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, ds := ir.Decode(src, "x.json")
		if (p == nil) != (len(ds) > 0) {
			t.Fatalf("policy %v with problems %v", p, ds)
		}
		if p == nil {
			return
		}
		if ds := ir.Validate(p); ds != nil {
			t.Fatal(ds)
		}
		again, ds := ir.Decode(ir.Encode(p), "x.json")
		if ds != nil {
			t.Fatal(ds)
		}
		if diff := cmp.Diff(p, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
		if ir.Hash(p) != ir.Hash(again) {
			t.Fatal("the hash changed")
		}
	})
}
