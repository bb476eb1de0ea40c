package sweep_test

import (
	"testing"

	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		rules  []string
		before []string
		during []string
		want   []string
	}{
		{name: "nothing", rules: []string{"deny W/**/.env"}, before: []string{"a/.env", "b"}},
		{
			name: "files at all depths", rules: []string{"deny W/**/.env"}, before: []string{"a/.env"},
			during: []string{".env", "a/b/.env", "x/y/.env", "x/env"},
			want:   []string{"appeared .env: deny W/**/.env", "appeared a/b/.env: deny W/**/.env", "appeared x/y/.env: deny W/**/.env"},
		},
		{name: "changed", rules: []string{"deny W/**/.env"}, before: []string{"a/.env"}, during: []string{"a/.env=other"}},
		{
			name: "all types", rules: []string{"deny W/**/x"},
			during: []string{"a/x", "b/x/", "b/x/y", "c/x|", "d/x->nowhere", "e/x->/", "f", "g/x=>f"},
			want: []string{
				"appeared a/x: deny W/**/x", "appeared b/x: deny W/**/x", "appeared c/x: deny W/**/x",
				"appeared d/x: deny W/**/x", "appeared e/x: deny W/**/x", "appeared g/x: deny W/**/x",
			},
		},
		{
			name: "exceptions", rules: []string{"write W/**/h/* but W/**/h/*.sample"},
			during: []string{"h/a", "h/b.sample", "x/h/c"},
			want: []string{
				"appeared h/a: write W/**/h/* but W/**/h/*.sample", "appeared x/h/c: write W/**/h/* but W/**/h/*.sample",
			},
		},
		{
			name: "no directories", rules: []string{"write file W/**/.git"}, during: []string{"a/.git/", "b/.git", "c/.git->../a/.git"},
			want: []string{"appeared b/.git: write file W/**/.git", "appeared c/.git: write file W/**/.git"},
		},
		{
			name: "by name", rules: []string{"deny W/a/b", "write W/c", "ask W/d"}, before: []string{"d"},
			during: []string{"a/b", "c/x", "d=other"}, want: []string{"appeared a/b: deny W/a/b", "appeared c: write W/c"},
		},
		{
			name: "a name through a link", rules: []string{"deny W/a/b/c", "deny W/x/y", "deny W/l/z"}, before: []string{"t/b/c", "t/z", "l->t"},
			during: []string{"a->t", "x->t"}, want: []string{"linked a: deny W/a/b/c"},
		},
		{name: "a name through an old link", rules: []string{"deny W/l/z"}, before: []string{"t/", "l->t"}, during: []string{"t/z"}},
		{
			name: "a stronger grant", rules: []string{"allow W/a", "deny W/**/.env"}, during: []string{"a/.env", "b/.env"},
			want: []string{"appeared b/.env: deny W/**/.env"},
		},
		{
			name: "storage of its own", rules: []string{"deny W/**/.env", "allow private W/p"}, during: []string{"p/.env", "q/.env"},
			want: []string{"appeared q/.env: deny W/**/.env"},
		},
		{
			name: "what is closed for writing is not searched", rules: []string{"write W/ro", "deny W/**/.env"}, before: []string{"ro/"},
			during: []string{"ro/.env", "q/.env"}, want: []string{"appeared q/.env: deny W/**/.env"},
		},
		{
			name: "a planted directory", rules: []string{"write W/**/.git/hooks/*"}, before: []string{"x/hooks/old", "y/.git/hooks/"},
			during: []string{"x/hooks/new", "x>>.git"}, want: []string{"appeared .git/hooks/new: write W/**/.git/hooks/*", "appeared .git/hooks/old: write W/**/.git/hooks/*"},
		},
		{
			name: "a moved match", rules: []string{"write runs W/**/.git/hooks/*"}, before: []string{"x/.git/hooks/old"},
			during: []string{"x>>y"}, want: []string{"moved y/.git/hooks/old: write runs W/**/.git/hooks/*"},
		},
		{
			name: "a match of another rule is not moved but new", rules: []string{"write W/**/.env", "write W/**/h"}, before: []string{".env"},
			during: []string{".env>>h"}, want: []string{"appeared h: write W/**/h"},
		},
		{
			name: "replaced in place", rules: []string{"write runs W/**/h"}, before: []string{"a/h", "a/new", "b/h"},
			during: []string{"a/new>>a/h", "b>>c", "b/h"},
			want:   []string{"replaced a/h: write runs W/**/h", "appeared b/h: write runs W/**/h !", "moved c/h: write runs W/**/h"},
		},
		{
			name: "the rule that moves aside wins", rules: []string{"deny W/**/.x", "write runs W/**/.x"}, during: []string{".x/a"},
			want: []string{"appeared .x: write runs W/**/.x !"},
		},
		{
			name: "beneath what is moved nothing is listed", rules: []string{"write runs W/**/.x", "write runs W/.x.y", "deny W/.x/y", "write W/z"},
			during: []string{".x/.env", ".x/.x/", ".x/y", ".x.y/f", "z/"},
			want:   []string{"appeared .x: write runs W/**/.x !", "appeared .x.y: write runs W/.x.y !", "appeared z: write W/z"},
		},
		{
			name: "beneath what is only named the rest is found", rules: []string{"write W/**/.x", "write runs W/**/h"},
			during: []string{".x/a/h", ".x/b"}, want: []string{"appeared .x: write W/**/.x", "appeared .x/a/h: write runs W/**/h !"},
		},
		{
			name: "and beneath names in it too", rules: []string{"deny W/.x/n", "write W/**/.x", "write runs W/**/h"}, during: []string{".x/n/h"},
			want: []string{"appeared .x: write W/**/.x", "appeared .x/n: deny W/.x/n", "appeared .x/n/h: write runs W/**/h !"},
		},
		{
			name: "empty placeholders of other runs and quarantines", rules: []string{"write runs W/**/.x", "write runs W/**/.sbc", "write runs W/n"},
			during: []string{".x/", ".x%0500", "a/.x/f", "n/", "n%0500", ".sbc/quarantine/1/x", "b/.sbc/quarantine/", "b/.sbc/policy.hcl"},
			want:   []string{"appeared a/.x: write runs W/**/.x !", "appeared b/.sbc: write runs W/**/.sbc !"},
		},
		{
			name: "directories that nobody may list", rules: []string{"write runs W/**/h/*"}, before: []string{"b/"},
			during: []string{"a/h/x", "a/h%0111", "b/h/x", "b/h%0", "b%0"},
			want:   []string{"appeared a/h/x: write runs W/**/h/* !", "appeared b/h/x: write runs W/**/h/* !"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tt.rules...)
			w.do(tt.before...)
			w.look()
			w.do(tt.during...)
			w.want(w.after(), tt.want...)
		})
	}
}

// TestModesStay holds that a directory that was made readable for the sweep is
// shut again.
func TestModesStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "write runs W/**/h/*")
	w.look()
	w.do("a/h/x", "a/h%0111", "a%0311")
	w.want(w.after(), "appeared a/h/x: write runs W/**/h/* !")
	mode(t, w.w+"/a", 0o311)
	w.do("a%0700")
	mode(t, w.w+"/a/h", 0o111)
}

// TestBounds holds that each bound ends the walk and is named, and that what may
// have been there before is not taken for new.
func TestBounds(t *testing.T) {
	t.Parallel()
	const names = 10_000
	w := newWorldIn(t, "/dev/shm", "write runs W/**/h") // in memory, for the many files
	w.do("d/")
	w.look()
	for i := range names {
		w.do("d/f" + string(rune('a'+i%26)) + "/" + itoa(i))
	}
	w.do("d/zz/y/h")
	r := w.after()
	w.want(r, "appeared d/zz/y/h: write runs W/**/h !")
	if want := names + 1 + 26 + 1 + 2; r.Entries != want {
		t.Errorf("%d names, want %d", r.Entries, want)
	}
	w.do("d/zz/y/h")
	for name, o := range map[string]sweep.AfterOptions{
		"the sweep looked at as many names as it may, so there may be more": {Budget: budget(20, 0, false)},
		"the sweep went as deep as it may, so there may be more":            {Budget: budget(0, 2, false)},
		"the time for the sweep was over, so there may be more":             {Budget: budget(0, 0, true)},
	} {
		if r := w.afterOptions(o); r.Bound != name || len(r.Matches) > 0 {
			t.Errorf("bound %q, want %q; found %v", r.Bound, name, w.short(r))
		}
	}

	w = newWorld(t, "write runs W/**/h")
	w.do("a/b/h", "a/c/h")
	w.before = sweep.Look(sweep.Options{
		Decider: ir.NewDecider(w.policy, ir.Linux), Writable: []string{w.w}, View: host.Live{}, Budget: budget(0, 1, false),
	})
	w.want(w.after(), "uncertain a/b/h: write runs W/**/h", "uncertain a/c/h: write runs W/**/h")
}

// TestIdle holds that nothing is looked at if nothing can be late.
func TestIdle(t *testing.T) {
	t.Parallel()
	for _, rules := range [][]string{nil, {"allow W/x"}, {"deny /elsewhere/**/x", "deny /elsewhere/y"}} {
		w := newWorld(t, rules...)
		w.before = sweep.Look(sweep.Options{Decider: ir.NewDecider(w.policy, ir.Linux), Writable: []string{w.w}})
		w.do("x", "y")
		if r := w.after(); r.Entries != 0 || len(r.Matches) > 0 {
			t.Errorf("rules %q: %d names, %v", rules, r.Entries, w.short(r))
		}
	}
}
