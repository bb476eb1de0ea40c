package verify

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sandboxc/sbc/verify/sbpl"
)

// subjectsFor returns questions that stand for all that are not about a file:
// every question is answered by these filters as one of them is.
func subjectsFor(filters []sbpl.Filter) ([]sbpl.Subject, error) {
	names := []string{fresh}
	var ports []string
	values := map[string][]string{"socket-domain": {fresh}, "socket-type": {fresh}, "socket-protocol": {fresh}}
	for _, f := range filters {
		switch f := f.(type) {
		case sbpl.Name:
			// A name is equal to a text, or to no text; then the longest prefix that
			// it has says which prefixes it has.
			switch f.Match {
			case sbpl.NameExact:
				names = append(names, f.Text)
			case sbpl.NamePrefix:
				names = append(names, f.Text, f.Text+fresh)
			case sbpl.NameRegex:
				return nil, fmt.Errorf("the names of %s cannot be told apart", f)
			}
		case sbpl.Address:
			if f.Port != sbpl.AnyPort {
				ports = append(ports, strconv.Itoa(f.Port))
			}
		case sbpl.Socket:
			values[f.Attr] = append(values[f.Attr], f.Value)
		case sbpl.Opaque, sbpl.UnixSocket:
			return nil, fmt.Errorf("nothing is known of %s", f)
		case sbpl.All, sbpl.Any, sbpl.Not, sbpl.Literal, sbpl.Subpath, sbpl.Prefix, sbpl.Regex, sbpl.VnodeType, sbpl.Target:
		}
	}
	out := []sbpl.Subject{{}}
	for _, n := range sorted(names) {
		for _, kind := range sbpl.NameKinds() {
			out = append(out, sbpl.Subject{Name: n, NameKind: kind})
		}
	}
	for _, t := range sbpl.Targets() {
		out = append(out, sbpl.Subject{Target: t})
	}
	for _, d := range sorted(values["socket-domain"]) {
		for _, t := range sorted(values["socket-type"]) {
			for _, p := range sorted(values["socket-protocol"]) {
				out = append(out, sbpl.Subject{Domain: d, Type: t, Protocol: p})
			}
		}
	}
	for _, port := range sorted(append(ports, otherPort(ports))) {
		for _, host := range []string{"93.184.215.14", "[2606:2800:21f::1]", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"} {
			for _, proto := range []string{"tcp", "udp"} {
				out = append(out, sbpl.Subject{Remote: host + ":" + port, Proto: proto}, sbpl.Subject{Local: host + ":" + port, Proto: proto})
			}
		}
	}
	return out, nil
}

// otherPort returns a port that is not in the list.
func otherPort(ports []string) string {
	for n := 9; ; n++ {
		if p := strconv.Itoa(n); !slices.Contains(ports, p) {
			return p
		}
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
