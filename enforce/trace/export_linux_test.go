package trace

// Calls returns the names of the calls that the tracer understands.
func Calls() []string {
	var out []string
	for _, c := range calls() {
		out = append(out, c.name)
	}
	return out
}
