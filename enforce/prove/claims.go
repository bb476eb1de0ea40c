package prove

import (
	"cmp"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
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
			if e.Watch == target.WatchNothing {
				continue
			}
			c.Direction, c.Later, c.Closed = verify.Permits, true, watch(e.Watch)
			c.Code = cmp.Or(c.Code, diag.CodeOthers) // a claim has a code
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

// watch is what a report says the launcher must watch, as package verify has it.
func watch(w target.Watch) verify.Watch {
	switch w {
	case target.WatchNothing:
	case target.WatchNames:
		return verify.WatchNames
	case target.WatchRemovals:
		return verify.WatchRemovals
	}
	return verify.WatchNothing
}

// Watched is what the launcher decides under a plan.
func Watched(p *bwrap.Plan) verify.Watch {
	switch {
	case p.Supervise == nil:
		return verify.WatchNothing
	case p.Supervise.Removals:
		return verify.WatchRemovals
	}
	return verify.WatchNames
}
