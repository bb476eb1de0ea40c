package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/irtest"
)

// places returns each problem as "CODE text summary", where text is what the
// range covers.
func places(src string, ds diag.List) []string {
	var out []string
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%s %s %s", d.Code, src[d.Subject.Start.Byte:d.Subject.End.Byte], d.Summary))
	}
	return out
}

const small = `{
  "sbc_ir": 1, "version": 1, "name": "", "workspace": "/w", "home": "/h", "temp": "/t",
  "files": [
    {"match": {"kind": "glob", "path": "/w/*", "except": ["/w/a"]}, "read": "deny", "write": "deny",
     "group": "deny", "layer": "user", "origin": {"address": "x"}}
  ]
}`

func TestDecodeSmall(t *testing.T) {
	t.Parallel()
	got, ds := ir.Decode([]byte(small), "x.json")
	if ds != nil {
		t.Fatal(ds)
	}
	want := &ir.Policy{
		Version: 1, Workspace: "/w", Home: "/h", Temp: "/t",
		Files: []ir.FileRule{{
			Match: pattern("/w/*", "/w/a"), Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerUser,
			Origin: ir.Origin{Address: "x"},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}
}

func TestDecodeFull(t *testing.T) {
	t.Parallel()
	got, ds := ir.Decode(ir.Encode(irtest.Full()), "x.json")
	if ds != nil {
		t.Fatal(ds)
	}
	if diff := cmp.Diff(irtest.Full(), got); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		old, new string // replaced in the text above
		want     []string
	}{
		{"trailing data", "  ]\n}", "  ]\n} {}", []string{"SBC0017 {} text after the end of the value"}},
		{"syntax", `"name": ""`, `"name": ''`, []string{`SBC0017 ' "'" where a value is expected`}},
		{"another form", `"sbc_ir": 1`, `"sbc_ir": 2`, []string{"SBC0017 2 the IR has form 2, and this sbc reads form 1"}},
		{"a form as text", `"sbc_ir": 1`, `"sbc_ir": "1"`, []string{`SBC0017 "1" the IR has form "1", and this sbc reads form 1`}},
		{"no form", `"sbc_ir": 1, `, "", []string{`SBC0017 { missing key "sbc_ir"`}},
		{"another version", `"version": 1`, `"version": 2`, []string{`SBC0017 2 the value of "version" is not 1`}},
		{"unknown key", `"name": ""`, `"name": "", "names": []`, []string{`SBC0017 "names" unknown key "names"`}},
		{"wrong case", `"layer"`, `"Layer"`, []string{`SBC0017 "Layer" unknown key "Layer"`, `SBC0017 { missing key "layer"`}},
		{"duplicate", `"name": ""`, `"name": "", "name": ""`, []string{`SBC0004 "name" duplicate key "name"`}},
		{"duplicate within", `"kind": "glob"`, `"kind": "glob", "kind": "glob"`, []string{`SBC0004 "kind" duplicate key "kind"`}},
		{"null", `"name": ""`, `"name": null`, []string{"SBC0017 null null where a string is expected"}},
		{"null for what may be left out", `"name": ""`, `"name": "", "network": null`, []string{"SBC0017 null null where an object is expected"}},
		{"wrong type", `"name": ""`, `"name": 1`, []string{"SBC0017 1 a number where a string is expected"}},
		{"unknown effect", `"read": "deny"`, `"read": "dney"`, []string{`SBC0017 "dney" unknown effect "dney"`}},
		{"effect in capitals", `"read": "deny"`, `"read": "Deny"`, []string{`SBC0017 "Deny" unknown effect "Deny"`}},
		{"word for what is invalid", `"layer": "user"`, `"layer": "invalid layer"`, []string{`SBC0017 "invalid layer" unknown layer "invalid layer"`}},
		{"malformed glob", `"/w/*"`, `"/w/["`, []string{`SBC0017 { glob "/w/[", byte 3: [ without a ] (write \[ for the character itself)`}},
		{"malformed exception", `"/w/a"`, `"w/a"`, []string{`SBC0017 "w/a" glob "w/a", byte 0: the pattern is not absolute (patterns start with /)`}},
		{"exceptions of a subtree", `"kind": "glob"`, `"kind": "subtree"`, []string{"SBC0017 { only a glob has exceptions"}},
		{"unknown match", `"kind": "glob"`, `"kind": "regex"`, []string{`SBC0017 "regex" unknown kind of match "regex"`}},
		{"broken invariant", `"group": "deny"`, `"group": "ask"`, []string{`SBC0017 "ask" a rule of this group only asks`}},
		{"broken invariant of what is left out", `"read": "deny", "write": "deny"`, `"read": "ask", "write": "pass"`, []string{
			`SBC0017 "pass" reading is closed and writing is not`, `SBC0017 "deny" a rule of this group only denies`,
		}},
		{"several", `"name": "", "workspace": "/w"`, `"name": 1, "workspace": 2`, []string{
			"SBC0017 1 a number where a string is expected", "SBC0017 2 a number where a string is expected",
		}},
		{"nested too deep", `"name": ""`, `"name": ` + strings.Repeat("[", 10_000), []string{"SBC0009 [ nested deeper than 100 levels"}},
		{"not UTF-8", `"name": ""`, "\"name\": \"\xff\"", []string{"SBC0017 \xff the byte 0xff is not UTF-8"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := strings.Replace(small, tt.old, tt.new, 1)
			if src == small {
				t.Fatalf("nothing was replaced")
			}
			p, ds := ir.Decode([]byte(src), "x.json")
			if p != nil {
				t.Error("there is a policy")
			}
			if diff := cmp.Diff(tt.want, places(src, ds)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsEncoded(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		small: true, `{"version": 1, "sbc_ir": 7}`: true, `{ "sbc_ir": 1, `: true,
		"": false, "{}": false, `{"version": 1}`: false, `["sbc_ir"]`: false, `{"a": {"sbc_ir": 1}}`: false,
		`version = 1`: false, `{"a": "sbc_ir", `: false,
	} {
		if got := ir.IsEncoded([]byte(src)); got != want {
			t.Errorf("IsEncoded(%s) = %t, want %t", src, got, want)
		}
	}
}

// Every word of a closed set is the String of one value, and there is no value
// beyond them.
func TestWords(t *testing.T) {
	t.Parallel()
	check := func(name string, word func(uint8) string, want ...string) {
		var got []string
		for i := range 256 {
			if w := word(uint8(i)); !strings.HasPrefix(w, "invalid ") {
				got = append(got, w)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, w := range want {
			if !strings.Contains(string(ir.Schema()), `"`+w+`"`) {
				t.Errorf("%s: the schema lacks %q", name, w)
			}
		}
	}
	check("effect", func(i uint8) string { return ir.Effect(i).String() }, "pass", "allow", "ask", "deny")
	check("op", func(i uint8) string { return ir.Op(i).String() }, "read", "write", "unlink")
	check("layer", func(i uint8) string { return ir.Layer(i).String() }, "guard", "session", "workspace", "user", "profile", "floor")
	check("group", func(i uint8) string { return ir.Group(i).String() },
		"deny", "grant", "ask", "glob", "narrow ask", "required", "root", "floor")
	check("on_missing", func(i uint8) string { return ir.OnMissing(i).String() }, "default", "reserve", "create", "skip", "refuse")
	check("sweep", func(i uint8) string { return ir.Sweep(i).String() }, "report", "quarantine")
	check("tmp mode", func(i uint8) string { return ir.TmpMode(i).String() }, "shared", "private")
	check("network mode", func(i uint8) string { return ir.NetworkMode(i).String() }, "none", "proxy", "full")
	check("loopback mode", func(i uint8) string { return ir.LoopbackMode(i).String() }, "none", "sandbox", "host")
	check("inherit", func(i uint8) string { return ir.EnvInherit(i).String() }, "core", "none", "all")
	check("supervise mode", func(i uint8) string { return ir.SuperviseMode(i).String() }, "create", "open", "off")
}

func TestEffectiveLoopback(t *testing.T) {
	t.Parallel()
	tests := []struct {
		network ir.Network
		want    ir.LoopbackMode
	}{
		{ir.Network{}, ir.LoopbackNone},
		{ir.Network{Mode: ir.Setting[ir.NetworkMode]{Value: ir.NetProxy, Set: true}}, ir.LoopbackNone},
		{ir.Network{Mode: ir.Setting[ir.NetworkMode]{Value: ir.NetFull, Set: true}}, ir.LoopbackHost},
		{ir.Network{
			Mode:     ir.Setting[ir.NetworkMode]{Value: ir.NetFull, Set: true},
			Loopback: ir.Setting[ir.LoopbackMode]{Value: ir.LoopbackNone, Set: true},
		}, ir.LoopbackNone},
	}
	for _, tt := range tests {
		if got := tt.network.EffectiveLoopback(); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.network, got, tt.want)
		}
	}
}
