package bwrap_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// bigTree makes a tree of 50,000 files once: 2,500 directories of 20 files, as
// deep as checkouts are.
var bigTree = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "tree")
	for d := range 2500 {
		sub := filepath.Join(dir, fmt.Sprintf("p%d/src/m%d/d%d", d%10, d%50, d))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return "", err
		}
		for f := range 20 {
			name := fmt.Sprintf("file%d.go", f)
			if f == 0 && d%250 == 0 {
				name = ".env"
			}
			if err := os.WriteFile(filepath.Join(sub, name), nil, 0o644); err != nil {
				return "", err
			}
		}
	}
	return dir, nil
})

func tree(b *testing.B) string {
	b.Helper()
	dir, err := bigTree()
	if err != nil {
		b.Fatal(err)
	}
	return dir
}

// globs are twenty patterns as policies have them.
var globs = []string{
	"**/.env", "**/.env.*", "**/.npmrc", "**/.netrc", "**/*.pem", "**/*.key", "**/id_rsa*", "**/.git/hooks/*", "**/.git/config", "**/.vscode",
	"**/.idea", "**/.bashrc", "**/.zshrc", "**/.claude", "**/.cursor", "**/secrets/**", "**/credentials*", "**/.aws/*", "**/.kube/config", "**/*.p12",
}

// BenchmarkSnapshot lowers a policy of twenty globs over 50,000 files. The time
// to hold it against is that of BenchmarkFind.
func BenchmarkSnapshot(b *testing.B) {
	dir := tree(b)
	text := ""
	for _, g := range globs {
		text += "protect " + dir + "/" + g + "\n"
	}
	p := policy(text + "write " + dir + "\nread /")
	for b.Loop() {
		if art, _ := (bwrap.Backend{}).Compile(p, host.Live{}, target.Options{}); art == nil {
			b.Fatal("refused")
		}
	}
}

// BenchmarkFind runs find over the same tree.
func BenchmarkFind(b *testing.B) {
	dir := tree(b)
	for b.Loop() {
		if err := exec.Command("find", dir, "-name", ".env").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLower lowers policies of literal rules; the time per rule must not
// grow with their number.
func BenchmarkLower(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		v := view("d /dev\nd /proc")
		files := rules("")
		for i := range n {
			dir := fmt.Sprintf("/data/d%d/r%d", i%100, i)
			v.add(dir, host.Node{Type: host.Dir})
			r := rule(strings.Fields([]string{"read ", "write ", "none ", "deny "}[i%4] + dir))
			files = append(files, r)
		}
		p := policy("write /w")
		p.Files = append(files, p.Files...)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				_, rep := bwrap.Backend{}.Compile(p, v, target.Options{})
				if len(rep.Entries) < n {
					b.Fatal("too few entries")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/rule")
		})
	}
}
