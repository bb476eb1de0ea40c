package sbpl

// MaxClauses is how many bytes of clauses one rule may have. The system cannot
// store a rule whose compiled filters take more than 65,535 bytes ("pattern
// serialization length exceeds maximum"); others that split do so at 16 KiB of
// text, which has proved itself.
const MaxClauses = 16 << 10

// Split returns rules that together mean the same as r, each with at most
// [MaxClauses] bytes of clauses, or one clause. The alternatives of a rule are
// independent, so that rules with a part of them in a row decide as it does.
func Split(r Rule) []Rule {
	var out []Rule
	start, size := 0, 0
	cut := func(end int) {
		part := r
		part.Clauses = r.Clauses[start:end:end]
		out = append(out, part)
		start, size = end, 0
	}
	for i, c := range r.Clauses {
		n := len(Format(c.Filter)) + 3 // indent and newline
		if size > 0 && size+n > MaxClauses {
			cut(i)
		}
		size += n
	}
	cut(len(r.Clauses))
	return out
}
