package sbpl

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// jsonVersion is the version of the JSON form.
const jsonVersion = 1

type jsonProfile struct {
	Version  int           `json:"version"`
	Default  string        `json:"default"`
	Sections []jsonSection `json:"sections"`
}

type jsonSection struct {
	Title string     `json:"title"`
	Rules []jsonRule `json:"rules"`
}

type jsonRule struct {
	Action     string       `json:"action"`
	Operations []Op         `json:"operations"`
	Filters    []jsonFilter `json:"filters,omitempty"`
	Note       string       `json:"note,omitempty"`
}

type jsonFilter struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
	// Hex replaces Value where the bytes are not UTF-8.
	Hex     string       `json:"hex,omitempty"`
	Filters []jsonFilter `json:"filters,omitempty"`
	Note    string       `json:"note,omitempty"`
}

// MarshalJSON encodes the profile as a tree of objects: sections, rules with
// their operations, filters by their SBPL names.
func (p Profile) MarshalJSON() ([]byte, error) {
	out := jsonProfile{Version: jsonVersion, Default: Deny.String(), Sections: []jsonSection{}}
	for _, s := range p.Sections {
		if len(s.Rules) == 0 {
			continue
		}
		js := jsonSection{Title: s.Title}
		for _, r := range s.Rules {
			jr := jsonRule{Action: r.Action.String(), Operations: r.Ops, Note: r.Note}
			for _, c := range r.Clauses {
				f := toJSON(c.Filter)
				f.Note = c.Note
				jr.Filters = append(jr.Filters, f)
			}
			js.Rules = append(js.Rules, jr)
		}
		out.Sections = append(out.Sections, js)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

func toJSON(f Filter) jsonFilter {
	switch f := f.(type) {
	case Text:
		return jsonText(f.Name, f.Value)
	case Regex:
		return jsonText("regex", f.Pattern)
	case Symbol:
		return jsonFilter{Name: f.Name, Value: f.Value}
	case Number:
		return jsonFilter{Name: f.Name, Value: strconv.Itoa(f.Value)}
	case Address:
		return jsonFilter{Name: f.side(), Value: f.hostPort()}
	case All:
		return jsonFilter{Name: "require-all", Filters: allToJSON(f)}
	case Any:
		return jsonFilter{Name: "require-any", Filters: allToJSON(f)}
	case Not:
		return jsonFilter{Name: "require-not", Filters: allToJSON([]Filter{f.Filter})}
	}
	return jsonFilter{Name: "internal-error-unknown-filter"}
}

func allToJSON(fs []Filter) []jsonFilter {
	out := make([]jsonFilter, len(fs))
	for i, f := range fs {
		out[i] = toJSON(f)
	}
	return out
}

func jsonText(name, value string) jsonFilter {
	if !utf8.ValidString(value) {
		return jsonFilter{Name: name, Hex: hex.EncodeToString([]byte(value))}
	}
	return jsonFilter{Name: name, Value: value}
}
