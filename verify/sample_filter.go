package verify

import (
	"path"
	"strings"

	"github.com/sandboxc/sbc/verify/regex"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// filterSamples are some paths that a filter may match. Where it joins several
// conditions, as in beneath these roots, by these names, their samples are put
// behind each other.
func filterSamples(f sbpl.Filter) []string {
	switch f := f.(type) {
	case sbpl.Literal:
		return []string{f.Path}
	case sbpl.Subpath:
		return []string{f.Path}
	case sbpl.Prefix:
		return []string{f.Text}
	case sbpl.Regex:
		return []string{shortest(f.Regex.Root())}
	case sbpl.Any:
		var out []string
		for _, x := range f {
			out = append(out, filterSamples(x)...)
		}
		return out
	case sbpl.All:
		out := []string{""}
		for _, x := range f {
			next := filterSamples(x)
			if len(next) == 0 {
				continue // it does not ask about the path, or leaves something out
			}
			if len(out) > 1 && len(next) > 1 {
				out = out[:1]
			}
			var joined []string
			for _, a := range out {
				for _, b := range next {
					joined = append(joined, path.Clean("/"+a+"/"+b))
				}
			}
			out = joined
		}
		return out
	case sbpl.Not, sbpl.VnodeType, sbpl.UnixSocket, sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return nil
}

// shortest returns a short string that an expression matches, most of the time.
func shortest(n regex.Node) string {
	switch n := n.(type) {
	case regex.Set:
		for _, c := range []byte("xabcdefghijklmnopqrstuvwyz0123456789._-/") {
			if n.Has(c) {
				return string(c)
			}
		}
		for c := range 256 {
			if n.Has(byte(c)) {
				return string([]byte{byte(c)})
			}
		}
	case regex.Concat:
		var b strings.Builder
		for _, x := range n {
			b.WriteString(shortest(x))
		}
		return b.String()
	case regex.Alt:
		best := shortest(n[0])
		for _, x := range n[1:] {
			if s := shortest(x); len(s) < len(best) {
				best = s
			}
		}
		return best
	case regex.Repeat:
		return strings.Repeat(shortest(n.Node), n.Min)
	case regex.Empty, regex.Never, regex.Begin, regex.End:
	}
	return ""
}
