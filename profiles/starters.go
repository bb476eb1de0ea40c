package profiles

// Starters lists the starting policies of sbc init, by what they are for.
func Starters() []string { return []string{"agent", "node", "python", "go"} }

// StarterSource returns the text of a starting policy.
func StarterSource(name string) ([]byte, bool) { return read("starters/" + name + ".hcl") }
