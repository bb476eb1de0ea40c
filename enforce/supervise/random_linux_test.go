package supervise_test

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target/bwrap"
)

// soakVariable is how many calls the random programs make, for more than usual.
const soakVariable = "SBC_SOAK_CALLS"

// TestSameAsTheKernel holds: a program gets the same results with and without a
// supervisor that closes nothing, and leaves the same files.
func TestSameAsTheKernel(t *testing.T) {
	t.Parallel()
	const threads, processes = 2, 2
	total := 104_000
	if n, err := strconv.Atoi(os.Getenv(soakVariable)); err == nil {
		total = n
	}
	asUsers(t, func(t *testing.T, uid int) {
		rounds := 13
		each := total / 2 / rounds / threads / processes
		for round := range rounds {
			seed := fmt.Sprint(1000*uid + round)
			if os.Getenv(soakVariable) != "" {
				seed = fmt.Sprint(rand.Uint32()) //nolint:gosec // G404: any seed is good
			}
			logs, trees := [2]string{}, [2]string{}
			opens := round%3 == 2
			for i, supervised := range []bool{false, true} {
				dir := workDir(t, uid)
				j := stage(t, dir, uid)
				j.Command = []string{self(), "random", seed, strconv.Itoa(each), strconv.Itoa(threads), strconv.Itoa(processes)}
				j.Supervised, j.Removals, j.Opens = supervised, round%2 == 1, opens
				text, res := run(t, uid, j)
				if res.Code != 0 {
					t.Fatalf("seed %s, supervised %t: status %d\n%s", seed, supervised, res.Code, text)
				}
				logs[i] = strings.ReplaceAll(text, dir, "W")
				trees[i] = strings.ReplaceAll(tree(t, dir), dir, "W")
				_ = os.RemoveAll(dir)
			}
			if n := strings.Count(logs[1], "\n"); n < each*threads*processes {
				t.Fatalf("%d lines of %d calls:\n%.1000s", n, each*threads*processes, logs[1])
			}
			if logs[0] != logs[1] {
				t.Fatalf("seed %s, opens %t: the results differ (-plain +supervised):\n%s", seed, opens, firstDifference(logs[0], logs[1]))
			}
			if diff := cmp.Diff(strings.Split(trees[0], "\n"), strings.Split(trees[1], "\n")); diff != "" {
				t.Fatalf("seed %s: the trees differ (-plain +supervised):\n%s", seed, diff)
			}
		}
	})
}

// firstDifference shows where two logs part.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			from := max(0, i-12)
			return strings.Join(x[from:i], "\n") + "\n- " + x[i] + "\n+ " + y[i]
		}
	}
	return "one is longer"
}

// deep keeps ".." from leading to what another thread has.
const deep = "1/2/3/4/5/6"

// stage prepares a directory with mounts in it.
func stage(t *testing.T, dir string, uid int) job {
	t.Helper()
	for p := range 2 {
		for th := range 2 {
			at := filepath.Join(dir, fmt.Sprintf("p%d", p), fmt.Sprintf("t%d", th), deep)
			for _, d := range []string{"ro", "pin", "closed", "d", "e"} {
				must(t, os.MkdirAll(filepath.Join(at, d), 0o755))
			}
			must(t, os.WriteFile(filepath.Join(at, "mask"), []byte("m"), 0o644))
			must(t, os.WriteFile(filepath.Join(at, "ro", "f"), []byte("r"), 0o644))
			must(t, os.WriteFile(filepath.Join(at, "a"), []byte("a"), 0o644))
		}
	}
	var mounts []bwrap.Mount
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Base(path) {
		case "ro":
			mounts = append(mounts, bwrap.Mount{Kind: bwrap.ReadOnlyBind, Path: path})
		case "pin":
			mounts = append(mounts, bwrap.Mount{Kind: bwrap.PinBind, Path: path})
		case "closed":
			mounts = append(mounts, bwrap.Mount{Kind: bwrap.ClosedDir, Path: path})
		case "mask":
			mounts = append(mounts, bwrap.Mount{Kind: bwrap.ClosedFile, Path: path})
		}
		return os.Lchown(path, uid, uid) //nolint:gosec // G122: nobody else is there yet
	}))
	return job{Dir: dir, Permit: true, Writable: []string{dir}, Mounts: mounts}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tree describes everything beneath a directory, but for times and inodes.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	var walk func(string)
	walk = func(path string) {
		var s unix.Stat_t
		must(t, unix.Lstat(path, &s))
		line := fmt.Sprintf("%s %o %d:%d links %d", path, s.Mode, s.Uid, s.Gid, s.Nlink)
		switch s.Mode & unix.S_IFMT {
		case unix.S_IFLNK:
			to, err := os.Readlink(path)
			must(t, err)
			line += " to " + to
		case unix.S_IFREG:
			line += fmt.Sprintf(" size %d", s.Size)
		case unix.S_IFDIR:
			list, err := os.ReadDir(path)
			must(t, err)
			for _, e := range list {
				walk(filepath.Join(path, e.Name()))
			}
		}
		out = append(out, line)
	}
	walk(dir)
	sort.Strings(out)
	return strings.Join(out, "\n")
}

// random is the program inside: processes with threads that call the kernel at
// random, each in its own directory, and say what they got.
func random(args []string) int {
	seed, each, threads, processes := args[0], number(args[1]), number(args[2]), number(args[3])
	dir, err := os.Getwd()
	if err != nil {
		return 2
	}
	if len(args) > 4 {
		return randomThreads(seed, each, threads, filepath.Join(dir, args[4]))
	}
	type done struct {
		out []byte
		err error
	}
	results := make([]chan done, processes)
	for p := range processes {
		results[p] = make(chan done, 1)
		cmd := again("random", seed, args[1], args[2], args[3], fmt.Sprintf("p%d", p))
		go func() {
			out, err := cmd.CombinedOutput()
			results[p] <- done{out, err}
		}()
	}
	status := 0
	for p := range processes {
		d := <-results[p]
		fmt.Printf("process %d: %v\n%s", p, d.err, d.out)
		if d.err != nil {
			status = 1
		}
	}
	return status
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func randomThreads(seed string, each, threads int, dir string) int {
	logs := make([]strings.Builder, threads)
	var wg sync.WaitGroup
	h := fnv.New64a()
	_, _ = h.Write([]byte(seed + filepath.Base(dir)))
	if err := unix.Chdir("/"); err != nil { // threads have directories of their own
		fmt.Println(err)
		return 2
	}
	for i := range threads {
		r := &roller{
			Rand: rand.New(rand.NewPCG(h.Sum64(), uint64(i))), //nolint:gosec // G404: it is to be the same again
			log:  &logs[i], dir: filepath.Join(dir, fmt.Sprintf("t%d", i), deep),
		}
		wg.Go(func() {
			runtime.LockOSThread()
			r.roll(each)
		})
	}
	wg.Wait()
	for i := range logs {
		fmt.Printf("thread %d\n%s", i, logs[i].String())
	}
	return 0
}
