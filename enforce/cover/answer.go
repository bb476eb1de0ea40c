package cover

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/enforce/recheck"
)

// RefusedError reports that the system does not let a helper do its work. The
// command has not run, and bubblewrap can do all of the plan itself.
type RefusedError struct {
	// Text says what was refused, and why.
	Text string
}

func (e *RefusedError) Error() string { return "cover what is closed: " + e.Text }

// pathError is something that is not what it was.
type pathError struct{ path, text string }

func (e *pathError) Error() string { return fmt.Sprintf("%q %s", e.path, e.text) }

// The words that answers begin with. A NUL is between the parts.
const (
	started = "started" // and the process id of the helper
	covered = "covered"
	changed = "changed" // and a path, and what is wrong with it
	refused = "refused" // and why
)

// failure is the answer for an error.
func failure(err error) string {
	if path := (*pathError)(nil); errors.As(err, &path) {
		return strings.Join([]string{changed, path.path, path.text}, "\x00")
	}
	return refused + "\x00" + err.Error()
}

// read returns what stands behind the word that an answer must begin with. Any
// other answer is an error, a [*recheck.ChangedError] or a [*RefusedError].
func read(answer, word string) (string, error) {
	switch parts := strings.SplitN(answer, "\x00", 3); {
	case parts[0] == word:
		return strings.Join(parts[1:], "\x00"), nil
	case parts[0] == changed && len(parts) == 3:
		return "", &recheck.ChangedError{Changes: []recheck.Change{{Path: parts[1], Text: parts[2]}}}
	case parts[0] == refused:
		return "", &RefusedError{strings.Join(parts[1:], "\x00")}
	}
	return "", &RefusedError{"it ended and did not say why"}
}
