package environ_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/environ"
	"github.com/sandboxc/sbc/ir"
)

func beneath(dirs ...string) func(string) bool {
	return func(p string) bool {
		return slices.ContainsFunc(dirs, func(d string) bool { return ir.Beneath(p, d) })
	}
}

func TestMake(t *testing.T) {
	t.Parallel()
	caller := []string{
		"PATH=/bin", "HOME=/home/u", "HOME=/second", "AWS_SECRET_ACCESS_KEY=s", "LD_PRELOAD=/x.so", "EDITOR=vi", "EMPTY=", "no equals sign", "=C:=x",
		"BASH_FUNC_f%%=() { :; }", "TMPDIR=/t/mine", "GOPROXY=off",
	}
	core := ir.Env{}
	core.Inherit.Value = ir.EnvCore
	all := ir.Env{Deny: []ir.EnvRule{{Pattern: "GO*"}}, Pass: []ir.EnvRule{{Pattern: "EDITOR"}}, Set: []ir.EnvVar{{Name: "CI", Value: "1"}, {Name: "HOME", Value: "/h=x"}}}
	all.Inherit.Value = ir.EnvAll
	none := ir.Env{}
	none.Inherit.Value = ir.EnvNone
	setTmp := ir.Env{Set: []ir.EnvVar{{Name: "TMPDIR", Value: "/nowhere"}}}
	setTmp.Inherit.Value = ir.EnvNone
	nowhere := func(string) string { return "" }
	own := func(p string) string {
		for _, d := range []string{"/tmp", "/var/tmp"} {
			if ir.Beneath(p, d) {
				return d
			}
		}
		return ""
	}
	isDir := func(p string) bool { return p == "/t/mine" || p == "/tmp" || p == "/var/tmp" || p == "/tmp/mine" }
	shared := environ.Temp{Writable: beneath("/tmp", "/t"), Storage: nowhere, IsDir: isDir}
	for _, tt := range []struct {
		name   string
		env    ir.Env
		caller []string
		temp   environ.Temp
		want   []string
	}{
		{"core", core, caller, shared, []string{"HOME=/home/u", "PATH=/bin", "TMPDIR=/t/mine"}},
		{"all, less deny, with pass and set", all, caller, shared, []string{"CI=1", "EDITOR=vi", "EMPTY=", "HOME=/h=x", "PATH=/bin", "TMPDIR=/t/mine"}},
		{"none", none, caller, shared, []string{}},
		{"a TMPDIR that is not writable", core, []string{"TMPDIR=/t/mine"}, environ.Temp{Writable: beneath("/tmp"), Storage: nowhere, IsDir: isDir}, []string{"TMPDIR=/tmp"}},
		{"a TMPDIR that does not exist", core, []string{"TMPDIR=/t/gone"}, shared, []string{"TMPDIR=/tmp"}},
		{"a TMPDIR with a slash at the end", core, []string{"TMPDIR=/t/mine/"}, shared, []string{"TMPDIR=/t/mine/"}},
		{"a relative TMPDIR", core, []string{"TMPDIR=mine"}, shared, []string{"TMPDIR=/tmp"}},
		{"an empty TMPDIR", core, []string{"TMPDIR="}, shared, []string{"TMPDIR=/tmp"}},
		{"only /var/tmp is writable", core, nil, environ.Temp{Writable: beneath("/var/tmp"), Storage: nowhere, IsDir: isDir}, []string{"TMPDIR=/var/tmp"}},
		{"nothing is writable", core, []string{"TMPDIR=/t/mine"}, environ.Temp{Writable: beneath(), Storage: nowhere, IsDir: isDir}, []string{}},
		{"everything is writable", core, []string{"TMPDIR=/t/mine"}, environ.Temp{Writable: beneath("/"), Storage: nowhere, IsDir: isDir}, []string{"TMPDIR=/t/mine"}},
		{
			"private storage starts empty", core,
			[]string{"TMPDIR=/tmp/mine"},
			environ.Temp{Writable: beneath("/tmp", "/var/tmp"), Storage: own, IsDir: isDir},
			[]string{"TMPDIR=/tmp"},
		},
		{"what the policy sets is as it says", setTmp, caller, shared, []string{"TMPDIR=/nowhere"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, environ.Make(&tt.env, tt.caller, tt.temp)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLookupAndNames(t *testing.T) {
	t.Parallel()
	env := []string{"A=1=2", "AB=3", "C="}
	if diff := cmp.Diff([]string{"A", "AB", "C"}, environ.Names(env)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{"A": "1=2", "AB": "3", "C": ""} {
		if v, ok := environ.Lookup(env, name); v != want || !ok {
			t.Errorf("Lookup(%s) = %q, %t", name, v, ok)
		}
	}
	if v, ok := environ.Lookup(env, "B"); v != "" || ok {
		t.Errorf("Lookup(B) = %q, %t", v, ok)
	}
}
