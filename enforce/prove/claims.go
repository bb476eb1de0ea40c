package prove

import (
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/verify"
)

// Claims are what a report says of the file rules that come out in another way
// than written.
func Claims(r target.Report) []verify.Claim {
	var out []verify.Claim
	for _, e := range r.Entries {
		if e.Index < 0 {
			continue
		}
		c := verify.Claim{Rule: e.Index, Code: e.Code}
		switch e.Verdict {
		case target.Exact:
			continue
		case target.Narrower:
			c.Direction = verify.Denies
		case target.Snapshot:
			c.Direction, c.Later = verify.Permits, true
		case target.Wider:
			c.Direction = verify.Permits
		case target.Dropped:
			c.Direction = verify.Permits
			if e.Opens {
				c.Direction = verify.Denies
			}
		}
		out = append(out, c)
	}
	return out
}
