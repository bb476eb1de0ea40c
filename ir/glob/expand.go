package glob

import "slices"

// count returns how many alternatives seq stands for, at most
// MaxAlternatives+1.
func count(seq []node) int {
	n := 1
	for _, x := range seq {
		if x.alts == nil {
			continue
		}
		sum := 0
		for _, a := range x.alts {
			sum = min(sum+count(a), MaxAlternatives+1)
		}
		n = min(n*sum, MaxAlternatives+1)
	}
	return n
}

// expand returns the alternatives that seq stands for, in the order of the
// source.
func expand(seq []node) [][]token {
	out := [][]token{nil}
	for _, n := range seq {
		if n.alts == nil {
			for i := range out {
				out[i] = append(out[i], n.token)
			}
			continue
		}
		var tails [][]token
		for _, a := range n.alts {
			tails = append(tails, expand(a)...)
		}
		var next [][]token
		for _, head := range out {
			for _, tail := range tails {
				next = append(next, slices.Concat(head, tail))
			}
		}
		out = next
	}
	return out
}

// build checks one alternative and makes its segments.
func (p *parser) build(toks []token) (Alternative, error) {
	const clean = "patterns have no empty, . or .. segments and no / at the end"
	if len(toks) == 0 || toks[0].kind != tokSlash {
		off := 0
		if len(toks) > 0 {
			off = toks[0].off
		}
		return nil, p.errorf(off, "patterns start with /", "the pattern is not absolute")
	}
	if len(toks) == 1 {
		return nil, nil
	}
	var out Alternative
	for len(toks) > 0 {
		slash := toks[0]
		toks = toks[1:]
		n := slices.IndexFunc(toks, func(t token) bool { return t.kind == tokSlash })
		if n == 0 {
			return nil, p.errorf(toks[0].off, clean, "an empty segment")
		}
		if len(toks) == 0 {
			return nil, p.errorf(slash.off, clean, "/ at the end")
		}
		if n < 0 {
			n = len(toks)
		}
		seg, err := p.segment(toks[:n])
		if err != nil {
			return nil, err
		}
		if text, ok := seg.Literal(); ok && (text == "." || text == "..") {
			return nil, p.errorf(toks[0].off, clean, "a segment that is %s", text)
		}
		toks = toks[n:]
		if seg.Doublestar && len(out) > 0 && out[len(out)-1].Doublestar {
			continue // two are no more than one
		}
		out = append(out, seg)
	}
	return out, nil
}

// segment makes the segment of tokens that are not slashes.
func (p *parser) segment(toks []token) (Segment, error) {
	const whole = "** must be a whole segment"
	var s Segment
	text := "" // of literal tokens in a row, for a combining mark may follow
	flush := func() {
		s.Atoms = appendChars(s.Atoms, text)
		text = ""
	}
	for i, t := range toks {
		switch t.kind {
		case tokLiteral:
			text += t.text
			continue
		case tokAnyChar:
			flush()
			s.Atoms = append(s.Atoms, AnyChar{})
		case tokClass:
			flush()
			s.Atoms = append(s.Atoms, t.class)
		case tokAnyRun:
			flush()
			if i > 0 && toks[i-1].kind == tokAnyRun {
				return s, p.errorf(t.off, "write ** outside of the braces, or one *", whole+", and two * meet here")
			}
			s.Atoms = append(s.Atoms, AnyRun{})
		case tokDoublestar:
			if len(toks) > 1 {
				return s, p.errorf(t.off, "write * within a segment, or /**/ between slashes", whole)
			}
			return Segment{Doublestar: true}, nil
		case tokSlash: // the caller splits at these
		}
	}
	flush()
	return s, nil
}
