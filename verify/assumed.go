package verify

import (
	"github.com/sandboxc/sbc/verify/regex"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// assume notes what the answers to the questions rely on that nobody has
// settled (sbpl.Assumptions has the texts).
func (v *profileProof) assume(op string, f sbpl.Filter) {
	switch f := f.(type) {
	case sbpl.All:
		v.assumeAll(op, f)
	case sbpl.Any:
		v.assumeAll(op, f)
	case sbpl.Not:
		v.assume(op, f.Filter)
	case sbpl.Regex:
		uses := f.Regex.Uses()
		v.assumed["class-bytes"] = v.assumed["class-bytes"] || uses&(regex.NegatedClass|regex.Dot|regex.HighByte) != 0
		v.assumed["dollar"] = v.assumed["dollar"] || uses&regex.Dollar != 0
		v.assumed["regex-syntax"] = v.assumed["regex-syntax"] || uses&(regex.GroupRepeat|regex.Counted|regex.ClassEscape|regex.LetterEscape|regex.Stacked) != 0
		v.assumePath(op)
	case sbpl.Subpath:
		v.assumed["subpath-file"] = true
		v.assumePath(op)
	case sbpl.Literal, sbpl.Prefix:
		v.assumePath(op)
	case sbpl.VnodeType:
		v.assumed["vnode-create"] = true
	case sbpl.UnixSocket, sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
}

func (v *profileProof) assumeAll(op string, fs []sbpl.Filter) {
	for _, f := range fs {
		v.assume(op, f)
	}
}

// assumePath is about operations whose path is not known to be that of the file.
func (v *profileProof) assumePath(op string) {
	switch op {
	case "file-link", "file-clone":
		v.assumed["link-clone"] = true
	case "network-bind", "network-inbound":
		v.assumed["bind-path"] = true
	}
}
