package sbpl_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
	model "github.com/sandboxc/sbc/verify/sbpl"
)

func clause(f sbpl.Filter, note string) sbpl.Clause { return sbpl.Clause{Filter: f, Note: note} }

func sample() sbpl.Profile {
	return sbpl.Profile{Sections: []sbpl.Section{
		{Title: "nothing is printed of this"},
		{Title: "a title\nwith (evil)", Rules: []sbpl.Rule{
			{Action: sbpl.Allow, Ops: []sbpl.Op{"process-fork"}, Note: "children"},
			{
				Action: sbpl.Allow, Ops: []sbpl.Op{"file-read*", "process-exec*"},
				Clauses: []sbpl.Clause{clause(sbpl.Subpath("/usr"), "one"), clause(sbpl.Literal("/"), "two\nthree")},
			},
			{
				Action: sbpl.Deny, Ops: []sbpl.Op{"file-write*"},
				Clauses: []sbpl.Clause{clause(sbpl.All{
					sbpl.AnyOf(sbpl.Regex{Pattern: `^/w/\.git$`}, sbpl.Subpath("/x")),
					sbpl.Not{Filter: sbpl.AnyOf(sbpl.Symbol{Name: "vnode-type", Value: "DIRECTORY"})},
				}, "")},
			},
			{
				Action: sbpl.Allow, Ops: []sbpl.Op{"network-outbound"},
				Clauses: []sbpl.Clause{clause(sbpl.Address{Remote: true, Localhost: true, Port: 80}, ""), clause(sbpl.Address{}, "")},
			},
			{Action: sbpl.Allow, Ops: []sbpl.Op{"system-socket"}, Clauses: []sbpl.Clause{clause(sbpl.Number{Name: "socket-protocol", Value: 2}, "")}},
		}},
	}}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	plain := `(version 1)
(deny default)

; a title\nwith (evil)
(allow process-fork)
(allow file-read* process-exec*
  (subpath "/usr")
  (literal "/"))
(deny file-write* (require-all (require-any (regex #"^/w/\.git$") (subpath "/x")) (require-not (vnode-type DIRECTORY))))
(allow network-outbound
  (remote ip "localhost:80")
  (local ip "*:*"))
(allow system-socket (socket-protocol 2))
`
	if diff := cmp.Diff(plain, sample().Print(sbpl.Plain)); diff != "" {
		t.Errorf("plain (-want +got):\n%s", diff)
	}
	annotated := strings.NewReplacer(
		"(allow process-fork)", "(allow process-fork) ; children",
		`(subpath "/usr")`, `(subpath "/usr") ; one`,
		`(literal "/"))`, `(literal "/")) ; two\nthree`,
	).Replace(plain)
	if diff := cmp.Diff(annotated, sample().Print(sbpl.Annotated)); diff != "" {
		t.Errorf("annotated (-want +got):\n%s", diff)
	}
	if got, want := sample().Rules(), 7; got != want {
		t.Errorf("Rules() = %d, want %d", got, want)
	}
}

func TestRuleString(t *testing.T) {
	t.Parallel()
	got := sample().Sections[1].Rules[1].String()
	if want := `(allow file-read* process-exec* (subpath "/usr") (literal "/"))`; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	r := sbpl.Rule{Action: sbpl.Allow, Ops: []sbpl.Op{"file-read*"}}
	for range 1000 {
		r.Clauses = append(r.Clauses, clause(sbpl.Subpath("/"+strings.Repeat("x", 100)), ""))
	}
	total := 0
	for _, part := range sbpl.Split(r) {
		total += len(part.Clauses)
		text := sbpl.Profile{Sections: []sbpl.Section{{Title: "t", Rules: []sbpl.Rule{part}}}}.Print(sbpl.Plain)
		p, err := model.Read("p.sb", []byte(text), model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rules {
			if r.Filter != nil && len(r.Filter.String()) > sbpl.MaxClauses {
				t.Errorf("%d bytes of clauses in one rule", len(r.Filter.String()))
			}
		}
	}
	if total != 1000 {
		t.Errorf("%d clauses after Split, want 1000", total)
	}
	if got := len(sbpl.Split(sbpl.Rule{Action: sbpl.Deny, Ops: []sbpl.Op{"file-link"}})); got != 1 {
		t.Errorf("a rule without clauses became %d rules", got)
	}
}

func TestMarshalJSON(t *testing.T) {
	t.Parallel()
	p := sbpl.Profile{Sections: []sbpl.Section{{Title: "t", Rules: []sbpl.Rule{{
		Action: sbpl.Deny, Ops: []sbpl.Op{"file-read*"},
		Clauses: []sbpl.Clause{clause(sbpl.Subpath("/<a>\xff"), "n"), clause(sbpl.Not{Filter: sbpl.Address{Remote: true}}, "")},
	}}}}}
	got, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "version": 1,
 "default": "deny",
 "sections": [
  {
   "title": "t",
   "rules": [
    {
     "action": "deny",
     "operations": [
      "file-read*"
     ],
     "filters": [
      {
       "name": "subpath",
       "hex": "2f3c613eff",
       "note": "n"
      },
      {
       "name": "require-not",
       "filters": [
        {
         "name": "remote ip",
         "value": "*:*"
        }
       ]
      }
     ]
    }
   ]
  }
 ]
}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
