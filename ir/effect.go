package ir

// Effect is what a rule says about one operation.
type Effect uint8

// The effects. Pass is the zero value: the rule does not speak.
const (
	Pass  Effect = iota
	Allow        // the operation is permitted
	Ask          // closed; a grant may open it for one run
	Deny         // closed
)

// Closes reports whether e is [Ask] or [Deny], which are the same to a kernel.
func (e Effect) Closes() bool { return e == Ask || e == Deny }

// String returns "pass", "allow", "ask" or "deny".
func (e Effect) String() string {
	switch e {
	case Pass:
		return "pass"
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "invalid effect"
}

// Op is an operation on a path.
type Op uint8

// The three operations.
const (
	// Read is reading content, listing a directory, and execution.
	Read Op = iota + 1
	// Write is creating, modifying, truncating, linking to, and changing
	// metadata.
	Write
	// Unlink is removing a name, renaming it, and replacing it by a rename. It
	// is Write, unless the path is pinned.
	Unlink
)

// String returns "read", "write" or "unlink".
func (o Op) String() string {
	switch o {
	case Read:
		return "read"
	case Write:
		return "write"
	case Unlink:
		return "unlink"
	}
	return "invalid operation"
}

// Ops lists the operations.
func Ops() []Op { return []Op{Read, Write, Unlink} }

// Layer says who a rule comes from.
type Layer uint8

// The layers, highest first.
const (
	LayerGuard     Layer = iota + 1 // built-in guards, and the protection of policy files
	LayerSession                    // grants on the command line
	LayerWorkspace                  // the policy itself
	LayerUser                       // the user's own configuration
	LayerProfile                    // what the policy extends
	LayerFloor                      // what programs need to start at all on a target
)

// String returns the layer's name in policies and reports.
func (l Layer) String() string {
	switch l {
	case LayerGuard:
		return "guard"
	case LayerSession:
		return "session"
	case LayerWorkspace:
		return "workspace"
	case LayerUser:
		return "user"
	case LayerProfile:
		return "profile"
	case LayerFloor:
		return "floor"
	}
	return "invalid layer"
}

// Group is the place of a rule in the decision list. Rules stand in ascending
// order of their groups.
type Group uint8

// The groups, highest first.
const (
	GroupDeny      Group = iota + 1 // deny rules, denying guards, policy files
	GroupGrant                      // grants that answer an ask
	GroupAsk                        // ask rules and asking guards
	GroupGlob                       // closing globs from rule lists
	GroupNarrowAsk                  // ask rules of a narrow layer
	GroupRequired                   // floor entries that a program cannot start without
	GroupRoot                       // roots, deepest first
	GroupFloor                      // the rest of the target's floor
)

// String returns the group's name in listings.
func (g Group) String() string {
	switch g {
	case GroupDeny:
		return "deny"
	case GroupGrant:
		return "grant"
	case GroupAsk:
		return "ask"
	case GroupGlob:
		return "glob"
	case GroupNarrowAsk:
		return "narrow ask"
	case GroupRequired:
		return "required"
	case GroupRoot:
		return "root"
	case GroupFloor:
		return "floor"
	}
	return "invalid group"
}
