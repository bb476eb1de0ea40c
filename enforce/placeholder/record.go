package placeholder

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/sandboxc/sbc/ir/strictjson"
)

// A record is a file of lines, each a JSON value: a header, an entry for each
// path before its directory is made, and one more when it is held. It is only
// ever added to, so a process that is killed leaves at most one line without its
// end.

// header is the first line.
type header struct {
	Version int `json:"version" const:"1"`
	// PID is for people. Whether the owner lives is told by the lock alone.
	PID int `json:"pid"`
}

// entry is a path, and the directory there once that is held.
type entry struct {
	Path string `json:"path"`
	// Dev is the device of the directory, or before it is held of the one above.
	Dev  uint64 `json:"dev"`
	Ino  uint64 `json:"ino,omitzero"`
	Born int64  `json:"born,omitzero"`
}

func line(v any) []byte {
	return append(strictjson.Encode(v, strictjson.Options{Canonical: true}), '\n')
}

// parseRecord returns the last entry for each path, sorted by path. A last line
// without its end is what a killed process was about to write, and is left out.
func parseRecord(text []byte) ([]entry, error) {
	if len(text) == 0 {
		return nil, nil
	}
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		return nil, nil
	}
	lines := bytes.Split(text[:end], []byte{'\n'})
	var h header
	if ds := strictjson.Decode(lines[0], "line 1", &h); ds.HasErrors() {
		return nil, fmt.Errorf("line 1: %s", ds[0].Summary)
	}
	last := map[string]entry{}
	for i, l := range lines[1:] {
		var e entry
		if ds := strictjson.Decode(l, "line", &e); ds.HasErrors() {
			return nil, fmt.Errorf("line %d: %s", i+2, ds[0].Summary)
		}
		if err := validPath(e.Path); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		last[e.Path] = e
	}
	out := slices.Collect(maps.Values(last))
	slices.SortFunc(out, func(a, b entry) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	return out, nil
}
