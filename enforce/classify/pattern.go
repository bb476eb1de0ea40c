package classify

import (
	"regexp"
	"sync"
)

// pattern returns a regular expression that is compiled when it is first used:
// most runs never need one, and all of them take as long as a start may.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
