package target

import (
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// Backend lowers a policy to one system.
type Backend interface {
	// Name is the target's name: [ir.Darwin], [ir.Linux].
	Name() string
	// Lower compiles the policy against the host. It always returns a report;
	// the artefact is nil if the report's diagnostics hold an error.
	Lower(p *ir.Policy, h host.View, o Options) (Artifact, Report)
}

// Options steer a lowering. The zero value is the safe default.
type Options struct {
	// Facts of the host that the artefact is for; nil if not known.
	Facts *host.Facts
	// Annotate adds a comment with address and range to every rule, where the
	// output has comments.
	Annotate bool
	// Supervised says that sbc run will carry the artefact out, and so can decide
	// about names while the command runs, if the policy and the machine let it. An
	// artefact that is used without it must not be compiled so.
	Supervised bool
	// Budget bounds the scan of the file system; zero fields mean the default.
	Budget Budget
}

// Budget bounds a scan. A scan that meets it is not complete, and says so.
type Budget struct {
	Files int // entries looked at; 0 means 2,000,000
	Depth int // directories below a scan's start; 0 means 64
	Mask  int // masks; 0 means no bound but the argument cap
	// Expired reports that the time for the scan is over; nil means no bound.
	// It is asked now and then. The clock is the caller's, since a lowering has
	// none.
	Expired func() bool
}

// Over reports whether the time for a scan is over.
func (b Budget) Over() bool { return b.Expired != nil && b.Expired() }

// Format names a rendering of an artefact.
type Format string

// The formats.
const (
	Text  Format = "text"  // SBPL, or one argument a line
	JSON  Format = "json"  // the artefact's own typed value
	Args0 Format = "args0" // arguments, each followed by NUL, for bwrap --args
	Shell Format = "sh"    // a script that runs a command under the artefact
)

// Artifact is what a policy was compiled to.
type Artifact interface {
	// Formats lists the formats that Render knows, the default first.
	Formats() []Format
	// Render prints the artefact. It fails on a format that Formats does not
	// list. Same artefact, same bytes.
	Render(f Format) ([]byte, error)
	// Bundle is everything that is needed to use the artefact, as files.
	Bundle() ([]BundleFile, error)
}

// BundleFile is one file of a bundle.
type BundleFile struct {
	Name string // relative, slash-separated
	Data []byte
	Mode uint32 // permission bits
}
