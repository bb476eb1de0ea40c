package conformance

import (
	"encoding/json"
	"strings"
)

// Case is one question to the real kernel: a tree of files, a policy, a line or
// more of bash that run under it, and what must come of that. In paths, policies and
// lines, "W/" stands for a fresh directory, which holds p/pub.txt ("PUB"),
// out/o.txt ("OUT") and home/, the home directory of the command. The workspace
// is W/p.
type Case struct {
	ID    string   `json:"id"`
	About string   `json:"about,omitempty"` // one sentence
	Needs []string `json:"needs,omitempty"` // programs, besides bash and the usual small ones
	Arch  string   `json:"arch,omitempty"`  // only on this machine (GOARCH)
	Setup []Step   `json:"setup,omitempty"`
	Run
	// Meanwhile is done on the host, and Beside is run one after the other, while
	// the command waits: it prints READY and reads a line from its standard input.
	Meanwhile []Step `json:"meanwhile,omitempty"`
	Beside    []Run  `json:"beside,omitempty"`
	// Swap are two paths that the host exchanges all the time, from before the
	// start to the end (renameat2(2), RENAME_EXCHANGE).
	Swap []Text `json:"swap,omitempty"`
	// Inherit are files and directories, relative to W, that are open for reading
	// in whatever runs the command, as the descriptors 3, 4 and so on.
	Inherit []Text `json:"inherit,omitempty"`
	// Copies is how often the command runs at the same time; 0 means once.
	Copies  int      `json:"copies,omitempty"`
	Control *Control `json:"control,omitempty"`
}

// Run is one command under a policy, and what must come of it.
type Run struct {
	Policy Policy `json:"policy"`
	Cwd    Text   `json:"cwd,omitempty"` // W/p if it is empty
	Probe  Lines  `json:"probe"`         // bash
	Stdin  string `json:"stdin,omitempty"`
	Expect Expect `json:"expect"`
}

// Control shows that it is the policy that denies: the same line without the
// rule, in a fresh directory with the same set-up.
type Control struct {
	Policy *Policy `json:"policy,omitempty"` // nil means no sandbox at all
	Probe  Lines   `json:"probe,omitempty"`  // the same if it is empty
	Expect Expect  `json:"expect"`
	// Optional is set where a kernel may refuse by itself, by a setting or since
	// it lacks the feature. Then the case holds, but shows nothing.
	Optional bool `json:"optional,omitempty"`
}

// Step is a change of the host: its kind, and the arguments of that.
//
//	dir PATH          file PATH CONTENT    mode PATH OCTAL     fifo PATH
//	link PATH TARGET  hard NEW EXISTING    rename FROM TO      remove PATH
//	git PATH          a repository with what lies there committed, without hooks
//	sock PATH         a listening stream socket; @PATH is an abstract one
//	dgram PATH        the same of datagrams
//	tcp PATH          listens on 127.0.0.1; PATH gets the number of the port
//	sh LINE           a line of bash, in W
//
// Paths are relative to W.
type Step []Text

// Policy is a policy in no language: what may be written and read, and what not.
type Policy struct {
	Write     []Text              `json:"write,omitempty"`     // roots for reading and writing
	DenyWrite []Text              `json:"denyWrite,omitempty"` // closed for writing, whatever is open
	DenyRead  []Text              `json:"denyRead,omitempty"`  // a path is closed but for roots that lie deeper; a glob, and what starts with "deny:", is closed absolutely
	AllowRead []Text              `json:"allowRead,omitempty"` // roots for reading; / is one too, unless DenyRead has it
	Net       string              `json:"net,omitempty"`
	DenyEnv   []string            `json:"denyEnv,omitempty"`
	Sockets   []Text              `json:"sockets,omitempty"` // unix sockets that may be connected to
	Limits    map[string]any      `json:"limits,omitempty"`
	Mandatory bool                `json:"mandatory,omitempty"` // with the guards
	Tmp       string              `json:"tmp,omitempty"`       // shared, the default, or private
	Skip      bool                `json:"skip,omitempty"`      // what is missing gets no placeholder
	Extra     map[string][]string `json:"extra,omitempty"`     // an attribute that does not exist
	Raw       string              `json:"raw,omitempty"`       // the text, as it is
	Missing   bool                `json:"missing,omitempty"`   // there is no such file
}

// Expect is what must come of a run. What is empty is not looked at.
type Expect struct {
	Exit    Status           `json:"exit,omitempty"`
	Out     []string         `json:"out,omitempty"`  // stdout holds each of these
	Lack    []string         `json:"lack,omitempty"` // and none of these
	Empty   bool             `json:"empty,omitempty"`
	MaxInt  int              `json:"max_int,omitempty"` // stdout is a number up to this
	Answers Answers          `json:"answers,omitempty"`
	Host    map[string]*Text `json:"host,omitempty"` // contents on the host afterwards, relative to W; nil means absent
	Same    []Text           `json:"same,omitempty"` // trees on the host, relative to W, that are as they were
	// Still are files on the host, relative to W, that nobody writes to once the
	// command has ended, and Moving are files that somebody does write to.
	Still  []Text `json:"still,omitempty"`
	Moving []Text `json:"moving,omitempty"`
	// OrStderr also lets the case pass if sbc itself reports one of these.
	OrStderr []string `json:"or_stderr,omitempty"`
}

// Answers maps the name of a question to yes, no or either. The line asks it and
// prints "yes NAME" or "no NAME".
type Answers map[string]string

// The answers to a question.
const (
	Yes    = "yes"
	No     = "no"
	Either = "either" // what the policy says is not what every kernel can do
)

// Lines are lines of text; in JSON a string, or a list of one string a line.
type Lines string

// UnmarshalJSON implements json.Unmarshaler.
func (l *Lines) UnmarshalJSON(data []byte) error {
	var one string
	if err := json.Unmarshal(data, &one); err == nil {
		*l = Lines(one)
		return nil
	}
	var many []string
	if err := json.Unmarshal(data, &many); err != nil {
		return err
	}
	*l = Lines(strings.Join(many, "\n"))
	return nil
}

// Status is an exit status: a number, "!0" for any but 0, or nothing.
type Status string

// MarshalJSON implements json.Marshaler.
func (s Status) MarshalJSON() ([]byte, error) {
	if s == Failure {
		return json.Marshal(string(s))
	}
	return []byte(s), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Status) UnmarshalJSON(data []byte) error {
	var n json.Number
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		n = json.Number(text)
	} else if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	*s = Status(n)
	return nil
}

// Failure is any status but 0.
const Failure Status = "!0"

// Denies reports whether the case expects something to be refused.
func (c *Case) Denies() bool {
	if c.denies() {
		return true
	}
	for _, r := range c.Beside {
		if r.denies() {
			return true
		}
	}
	return false
}

func (r *Run) denies() bool {
	for _, answer := range r.Expect.Answers {
		if answer == No {
			return true
		}
	}
	return r.Expect.Exit == Failure || len(r.Expect.Lack) > 0 || len(r.Expect.Still) > 0
}

// Base is what every case finds in W, before its own set-up.
func Base() []Step {
	return []Step{
		{"dir", "home"}, {"dir", "p"}, {"file", "p/pub.txt", "PUB\n"}, {"dir", "out"}, {"file", "out/o.txt", "OUT\n"},
	}
}
