package host

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SeccompActions lists what a seccomp filter may answer (seccomp(2), Linux 4.14).
const SeccompActions = "/proc/sys/kernel/seccomp/actions_avail"

// The oldest kernel on which a launcher decides about calls: since 5.19 a call
// that a launcher has taken waits for its answer whatever signal comes
// (SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV).
const superviseMajor, superviseMinor = 5, 19

// CanSupervise reports why a launcher cannot decide about system calls of what
// it starts (seccomp_unotify(2)), or nil: what is missing, by the release of the
// kernel and by what it says that filters may answer.
func CanSupervise(release string, readFile func(string) ([]byte, error)) error {
	major, minor, ok := kernelVersion(release)
	if !ok {
		return fmt.Errorf("the release of the kernel, %q, is not understood", release)
	}
	if major < superviseMajor || major == superviseMajor && minor < superviseMinor {
		return fmt.Errorf("the kernel is %s, and %d.%d is needed", release, superviseMajor, superviseMinor)
	}
	actions, err := readFile(SeccompActions)
	if err != nil {
		return fmt.Errorf("what seccomp filters may answer cannot be read: %w", err)
	}
	if !slices.Contains(strings.Fields(string(actions)), "user_notif") {
		return errors.New("the kernel's seccomp filters cannot ask another process (user_notif)")
	}
	return nil
}

// kernelVersion reads the first two numbers of a release, such as
// "6.1.0-18-amd64".
func kernelVersion(release string) (major, minor int, ok bool) {
	first, rest, dotted := strings.Cut(release, ".")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		rest = rest[:end]
	}
	major, err1 := strconv.Atoi(first)
	minor, err2 := strconv.Atoi(rest)
	return major, minor, dotted && err1 == nil && err2 == nil && major >= 0
}
