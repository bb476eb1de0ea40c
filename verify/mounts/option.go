package mounts

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// option is one option of bubblewrap.
type option struct {
	words    int  // how many words follow it
	modifies bool // it says something about the option behind it
	read     func(r *reader, at Place, w []string) ([]Op, error)
}

// options are those of every version up to 0.13: bwrap(1), and the releases'
// notes for when each appeared. --args is read by the reader itself.
var options = map[string]option{
	"--args":    {words: 1},
	"--help":    {read: refuse("prints help, and runs nothing")},
	"--version": {read: refuse("prints the version, and runs nothing")},

	"--bind":         {words: 2, read: bind(Bind{})},
	"--bind-try":     {words: 2, read: bind(Bind{Try: true})},
	"--ro-bind":      {words: 2, read: bind(Bind{ReadOnly: true})},
	"--ro-bind-try":  {words: 2, read: bind(Bind{ReadOnly: true, Try: true})},
	"--dev-bind":     {words: 2, read: bind(Bind{Devices: true})},
	"--dev-bind-try": {words: 2, read: bind(Bind{Devices: true, Try: true})},
	"--bind-fd":      {words: 2, read: bindFD(Bind{})},
	"--ro-bind-fd":   {words: 2, read: bindFD(Bind{ReadOnly: true})},
	"--remount-ro":   {words: 1, read: one(func(at Place, w string) Op { return RemountRO{at, w} })},
	"--proc":         {words: 1, read: one(func(at Place, w string) Op { return Proc{at, w} })},
	"--dev":          {words: 1, read: one(func(at Place, w string) Op { return Dev{at, w} })},
	"--mqueue":       {words: 1, read: one(func(at Place, w string) Op { return Mqueue{at, w} })},
	"--tmpfs": {words: 1, read: func(r *reader, at Place, w []string) ([]Op, error) {
		return ops(Tmpfs{at, w[0], r.takePerms(0o755), r.takeSize()})
	}},
	"--dir": {words: 1, read: func(r *reader, at Place, w []string) ([]Op, error) {
		return ops(Dir{at, w[0], r.takePerms(0o755)})
	}},
	"--file": {words: 2, read: func(r *reader, at Place, w []string) ([]Op, error) {
		fd, err := descriptor(w[0])
		return []Op{File{at, fd, w[1], r.takePerms(0o666)}}, err
	}},
	"--bind-data":    {words: 2, read: data(false)},
	"--ro-bind-data": {words: 2, read: data(true)},
	"--symlink": {words: 2, read: func(_ *reader, at Place, w []string) ([]Op, error) {
		return ops(Symlink{at, w[0], w[1]})
	}},
	"--chmod": {words: 2, read: func(_ *reader, at Place, w []string) ([]Op, error) {
		mode, err := octal(w[0])
		return []Op{Chmod{at, mode, w[1]}}, err
	}},
	"--perms": {words: 1, modifies: true, read: func(r *reader, at Place, w []string) ([]Op, error) {
		mode, err := octal(w[0])
		if r.perms != nil {
			err = errors.New("is given twice for the same option")
		}
		r.perms = &modifier{at.Index, uint64(mode)}
		return nil, err
	}},
	"--size": {words: 1, modifies: true, read: func(r *reader, at Place, w []string) ([]Op, error) {
		n, err := strconv.ParseUint(w[0], 0, 64)
		switch {
		case err != nil || n == 0 || n > math.MaxInt64 || strings.ContainsAny(w[0], "_bBoO"):
			err = fmt.Errorf("%q is no number of bytes", w[0])
		case r.size != nil:
			err = errors.New("is given twice for the same option")
		}
		r.size = &modifier{at.Index, n}
		return nil, err
	}},

	"--overlay-src": {words: 1, modifies: true, read: func(r *reader, at Place, w []string) ([]Op, error) {
		if len(r.lower) == 0 {
			r.src = at.Index
		}
		r.lower = append(r.lower, w[0])
		// Unlike the other modifiers it excludes them.
		if r.perms != nil || r.size != nil {
			return nil, errors.New("takes neither --perms nor --size")
		}
		return nil, nil
	}},
	"--overlay":     {words: 3, read: overlay(OverlayWritable, 1)},
	"--tmp-overlay": {words: 1, read: overlay(OverlayTemporary, 1)},
	"--ro-overlay":  {words: 1, read: overlay(OverlayReadOnly, 2)},

	"--unshare-all": {read: func(_ *reader, at Place, _ []string) ([]Op, error) {
		return ops(Unshare{at, User, true}, Unshare{at, IPC, false}, Unshare{at, PID, false},
			Unshare{at, Network, false}, Unshare{at, UTS, false}, Unshare{at, Cgroup, true})
	}},
	"--unshare-user":       {read: unshare(User, false)},
	"--unshare-user-try":   {read: unshare(User, true)},
	"--unshare-ipc":        {read: unshare(IPC, false)},
	"--unshare-pid":        {read: unshare(PID, false)},
	"--unshare-net":        {read: unshare(Network, false)},
	"--unshare-uts":        {read: unshare(UTS, false)},
	"--unshare-cgroup":     {read: unshare(Cgroup, false)},
	"--unshare-cgroup-try": {read: unshare(Cgroup, true)},
	"--share-net":          {read: func(_ *reader, at Place, _ []string) ([]Op, error) { return ops(ShareNet{at}) }},
	"--userns":             {words: 1, read: fd(func(at Place, n int) Op { return Join{at, User, n, false} })},
	"--userns2":            {words: 1, read: fd(func(at Place, n int) Op { return Join{at, User, n, true} })},
	"--pidns":              {words: 1, read: fd(func(at Place, n int) Op { return Join{at, PID, n, false} })},

	"--cap-add":        {words: 1, read: capability(true)},
	"--cap-drop":       {words: 1, read: capability(false)},
	"--seccomp":        {words: 1, read: fd(func(at Place, n int) Op { return Seccomp{at, n, false} })},
	"--add-seccomp-fd": {words: 1, read: fd(func(at Place, n int) Op { return Seccomp{at, n, true} })},

	"--setenv": {words: 2, read: func(_ *reader, at Place, w []string) ([]Op, error) {
		return []Op{Setenv{at, w[0], w[1]}}, variable(w[0])
	}},
	"--unsetenv": {words: 1, read: func(_ *reader, at Place, w []string) ([]Op, error) {
		return []Op{Unsetenv{at, w[0]}}, variable(w[0])
	}},
	"--clearenv": {read: func(_ *reader, at Place, _ []string) ([]Op, error) { return ops(Clearenv{at}) }},
	"--uid":      {words: 1, read: id(false)},
	"--gid":      {words: 1, read: id(true)},

	"--new-session":             {read: flip(NewSession)},
	"--die-with-parent":         {read: flip(DieWithParent)},
	"--as-pid-1":                {read: flip(AsPID1)},
	"--disable-userns":          {read: flip(DisableUserns)},
	"--assert-userns-disabled":  {read: flip(AssertUsernsDisabled)},
	"--level-prefix":            {read: flip(LevelPrefix)},
	"--not-a-security-boundary": {read: flip(NotABoundary)},

	"--argv0":      {words: 1, read: setting(Argv0)},
	"--chdir":      {words: 1, read: setting(Chdir)},
	"--hostname":   {words: 1, read: setting(Hostname)},
	"--exec-label": {words: 1, read: setting(ExecLabel)},
	"--file-label": {words: 1, read: setting(FileLabel)},
	"--lock-file":  {words: 1, read: setting(LockFile)},

	"--sync-fd":         {words: 1, read: talk(SyncFD)},
	"--block-fd":        {words: 1, read: talk(BlockFD)},
	"--userns-block-fd": {words: 1, read: talk(UsernsBlockFD)},
	"--info-fd":         {words: 1, read: talk(InfoFD)},
	"--json-status-fd":  {words: 1, read: talk(JSONStatusFD)},
}
