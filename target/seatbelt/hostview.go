package seatbelt

import (
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// otherView shows the files of a machine that is no Mac where a Mac has them:
// its /tmp, /var and /etc lie beneath /private. So a policy that is compiled on
// Linux is told the same about its paths as on a Mac with the same files.
type otherView struct{ host.View }

// viewFor returns the view to ask about paths as macOS knows them.
func viewFor(h host.View, f *host.Facts) host.View {
	if f == nil || f.OS == ir.Darwin {
		return h
	}
	return otherView{h}
}

// Lstat implements [host.View].
func (v otherView) Lstat(path string) (host.Node, error) {
	if path == "/private" {
		path = "/"
	}
	for _, root := range []string{"/tmp", "/var", "/etc"} {
		if ir.Beneath(path, "/private"+root) {
			path = strings.TrimPrefix(path, "/private")
		}
	}
	return v.View.Lstat(path)
}
