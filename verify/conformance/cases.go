package conformance

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed data/*.json
var data embed.FS

// files are the files of cases, in their order.
var files = []string{"cases.json", "escapes.json", "programs.json"}

// Cases are the written cases: what a command may and may not do, whatever the
// sandbox is made of; attempts to escape; and real programs that must work.
func Cases() ([]Case, error) {
	var out []Case
	for _, name := range files {
		text, err := data.ReadFile("data/" + name)
		if err != nil {
			return nil, err
		}
		cases, err := Read(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, cases...)
	}
	return out, nil
}

// Read reads a list of cases in JSON.
func Read(text []byte) ([]Case, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var out []Case
	if err := d.Decode(&out); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range out {
		if err := out[i].check(); err != nil {
			return nil, fmt.Errorf("case %s: %w", out[i].ID, err)
		}
		if seen[out[i].ID] {
			return nil, fmt.Errorf("case %s: two cases have this name", out[i].ID)
		}
		seen[out[i].ID] = true
	}
	return out, nil
}

// arguments is how many arguments each kind of step has.
var arguments = map[string]int{
	"dir": 1, "file": 2, "mode": 2, "fifo": 1, "link": 2, "hard": 2, "rename": 2, "remove": 1,
	"git": 1, "sock": 1, "dgram": 1, "tcp": 1, "sh": 1,
}

// check finds what is wrong with the form of a case.
func (c *Case) check() error {
	for _, s := range append(append([]Step{}, c.Setup...), c.Meanwhile...) {
		if len(s) == 0 || arguments[string(s[0])] != len(s)-1 || len(s) == 1 {
			return fmt.Errorf("the step %q does not exist", s)
		}
	}
	switch {
	case c.ID == "":
		return fmt.Errorf("it has no name")
	case c.Probe == "":
		return fmt.Errorf("it has no probe")
	case len(c.Swap) != 0 && len(c.Swap) != 2:
		return fmt.Errorf("two paths are exchanged, not %d", len(c.Swap))
	case c.Copies > 1 && len(c.Meanwhile)+len(c.Beside) > 0:
		return fmt.Errorf("one command can wait, not %d", c.Copies)
	case c.Denies() && c.Control == nil:
		return fmt.Errorf("it denies something, and has no control that shows that it is the policy that does")
	}
	return nil
}
