package conformance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/verify/conformance"
)

// TestGenerate: the same seed gives the same cases, another one others, and what
// comes out is a case by all rules, through JSON too.
func TestGenerate(t *testing.T) {
	t.Parallel()
	const n = 300
	cases := conformance.Generate(7, n)
	if diff := cmp.Diff(cases[:50], conformance.Generate(7, 50)); diff != "" {
		t.Errorf("the first 50 of more are not 50:\n%s", diff)
	}
	if cmp.Equal(cases[:12], conformance.Generate(8, 12)) {
		t.Error("another seed gives the same cases")
	}
	if cmp.Equal(cases[0].Expect, cases[12].Expect) || cmp.Equal(cases[2].Expect, cases[14].Expect) {
		t.Error("two cases of one kind are the same")
	}
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	back, err := conformance.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		if diff := cmp.Diff(cases[i], back[i]); diff != "" {
			t.Fatalf("%s through JSON (-want +got):\n%s", cases[i].ID, diff)
		}
	}
	answers, kinds, bytes := map[string]int{}, map[string]int{}, 0
	for _, c := range cases {
		kinds[c.ID[strings.LastIndexByte(c.ID, '-')+1:]]++
		for _, a := range c.Expect.Answers {
			answers[a]++
		}
		for _, s := range c.Setup {
			if strings.ToValidUTF8(string(s[1]), "") != string(s[1]) {
				bytes++
			}
		}
		if c.About == "" || len(c.Expect.Answers) == 0 && len(c.Expect.Lack) == 0 {
			t.Errorf("%s asks nothing, or does not say what", c.ID)
		}
	}
	for kind, got := range kinds {
		if got != n/len(kinds) {
			t.Errorf("%d cases of %s", got, kind)
		}
	}
	if len(kinds) != 12 || answers["yes"] < n || answers["no"] < n || bytes == 0 {
		t.Errorf("%d kinds, answers %v, %d names that are not UTF-8", len(kinds), answers, bytes)
	}
}

// TestTree: the meaning of roots and denials that the answers come from, on a
// case that a person can follow.
func TestTree(t *testing.T) {
	t.Parallel()
	for _, c := range conformance.Generate(3, 120) {
		if !strings.HasSuffix(c.ID, "denies") {
			continue
		}
		denied := append(append([]conformance.Text{}, c.Policy.DenyRead...), c.Policy.DenyWrite...)
		for name, answer := range c.Expect.Answers {
			_, question, _ := strings.Cut(name, " ")
			what, path, _ := strings.Cut(question, " ")
			for _, d := range denied {
				d, _ := strings.CutPrefix(string(d), conformance.DenyPrefix)
				d, ours := strings.CutPrefix(d, "W/")
				if inside := path == d || strings.HasPrefix(path, d+"/"); ours && inside && (what == "write" || what == "make" || what == "remove") && answer != conformance.No {
					t.Errorf("%s: %q is answered with %s though %s is denied", c.ID, name, answer, d)
				}
			}
		}
	}
}
