package target

// Verdict is how well a target keeps a rule.
type Verdict uint8

// The verdicts.
const (
	Exact    Verdict = iota + 1 // the artefact decides as the rule does
	Narrower                    // it denies more than the rule does
	Snapshot                    // exact for all that exists at the start; later names are not covered
	Wider                       // it permits something that the rule denies
	Dropped                     // it does nothing for this rule
)

// String returns the verdict's name.
func (v Verdict) String() string {
	switch v {
	case Exact:
		return "exact"
	case Narrower:
		return "narrower"
	case Snapshot:
		return "snapshot"
	case Wider:
		return "wider"
	case Dropped:
		return "dropped"
	}
	return "invalid verdict"
}

// Verdicts lists the verdicts, best first.
func Verdicts() []Verdict { return []Verdict{Exact, Narrower, Snapshot, Wider, Dropped} }

// Worse returns the worse of two verdicts.
func Worse(a, b Verdict) Verdict { return max(a, b) }

// Enforcer is who keeps a rule at run time.
type Enforcer string

// The enforcers.
const (
	Kernel   Enforcer = "kernel"
	Launcher Enforcer = "launcher" // sbc run: environment, limits, sweep, placeholders
	Proxy    Enforcer = "proxy"    // the launcher's network proxy
)
