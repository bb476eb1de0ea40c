package e2e_test

import (
	"fmt"
	"net"
	"os"
	"testing"
)

// tools are real programs that every profile lets run, in a directory that it
// lets them write.
var tools = []struct{ name, line, want string }{
	{"a pipeline", `printf 'b\na\n' | sort | tr '\n' ' ' | sed 's/ $//' > out.txt; cat out.txt`, "a b"},
	{"git", `git init -q r && cd r && git config --get core.bare && git -c user.name=n -c user.email=e@x add -A . && echo x > f && git add f && git -c user.name=n -c user.email=e@x commit -qm m && git status --porcelain && git log --format=%s`, "m"},
	{"python", `/usr/bin/python3 -c '
import asyncio, multiprocessing, concurrent.futures, sqlite3, ssl, tempfile
async def f():
    loop = asyncio.get_running_loop()
    p = await asyncio.create_subprocess_exec("echo", "hi", stdout=asyncio.subprocess.PIPE)
    out = (await p.communicate())[0].decode().strip()
    return out + str(await loop.run_in_executor(None, lambda: 7))
with multiprocessing.Pool(2) as pool:
    squares = pool.map(abs, [-3])
with tempfile.NamedTemporaryFile() as t:
    t.write(b"x")
print(asyncio.run(f()), squares[0])'`, "hi7 3"},
	{"go", `mkdir g && cd g && printf 'module h\n\ngo 1.20\n' > go.mod && printf 'package main\n\nfunc main() { println("hello") }\n' > main.go && GOCACHE=$PWD/.cache GOFLAGS=-buildvcs=false GOTOOLCHAIN=local go build -o h . && ./h 2>&1`, "hello"},
	{"the environment", `test -z "$SECRET_TOKEN" && test -n "$HOME" && tr '\0' '\n' < /proc/1/environ | grep -c SECRET_TOKEN || echo clean`, "clean"},
	{"a temporary file", `f=$(mktemp) && echo x > "$f" && cat "$f"`, "x"},
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		name   string
		writes bool // the workspace
		home   bool // reads the home directory
		net    bool
	}{
		{name: "strict", writes: true},
		{name: "readonly", home: true},
		{name: "workspace-write-no-network", writes: true, home: true},
		{name: "workspace-write", writes: true, home: true, net: true},
		{name: "workspace-proxy", writes: true, home: true},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, w *world) {
				w.file(".ssh/id_ed25519", "KEY\n")
				w.file("outside.txt", "OUTSIDE\n")
				w.file("work/src/.env", "PASSWORD=x\n")
				w.file("work/src/main.go", "package main\n")
				w.exec("git", "init", "-q", ".")
				w.file("work/.git/hooks/pre-commit", "#!/bin/sh\n")
				script := w.must(p.name)

				dir := "."
				if !p.writes {
					var err error
					if dir, err = os.MkdirTemp("/tmp", "sbc-e2e-"); err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { os.RemoveAll(dir) })
					if err := os.Chmod(dir, 0o755); err != nil {
						t.Fatal(err)
					}
					w.own(dir)
				}
				for i, tool := range tools {
					if tool.name == "go" && p.name != "strict" {
						continue // a compiler is expensive; strict leaves it the least, and TestCases has it under the default
					}
					w.permits(script, fmt.Sprintf("mkdir -p %[1]s/t%[2]d && cd %[1]s/t%[2]d && %[3]s", dir, i, tool.line), tool.want)
				}
				w.permits(script, "cat src/main.go", "package main")
				if p.home {
					w.permits(script, "cat ../outside.txt", "OUTSIDE")
				} else {
					w.refuses(script, "", "cat ../outside.txt")
					w.refuses(script, "", "ls "+w.home)
				}
				w.refuses(script, "", "cat ~/.ssh/id_ed25519")
				w.refuses(script, "", "ls ~/.ssh")
				if p.writes {
					w.refuses(script, "", "cat src/.env")
				} else {
					w.permits(script, "cat src/.env", "PASSWORD") // "**/" in a guard means beneath a write root
				}
				w.refuses(script, "", "echo x > ../outside.txt")
				w.refuses(script, "", "echo x > ../new.txt")
				w.refuses(script, "", "echo x > .git/hooks/pre-commit")
				w.refuses(script, "", "echo x > .git/hooks/post-commit && rm .git/hooks/post-commit") // did not exist before
				w.refuses(script, "", "mkdir .git/hooks/commit-msg && rmdir .git/hooks/commit-msg")
				w.refuses(script, "", "rm .git/hooks/pre-commit && echo x > .git/hooks/pre-commit")
				w.refuses(script, "", "mv .git g && mv g .git")
				w.refuses(script, "", "mv ../work ../elsewhere && mv ../elsewhere ../work")
				if w.user.uid == 0 {
					w.refuses(script, "", "echo x > /sbc-e2e && rm /sbc-e2e")
					w.refuses(script, "", "mkdir /srv/sbc-e2e-x && rmdir /srv/sbc-e2e-x")
				}
				w.network(script, p.net)
				w.permits(script, "grep CapEff /proc/self/status", "0000000000000000")
				w.refuses(script, "", "unshare -U true")
				if !p.writes {
					w.refuses(script, "", "echo x > src/new.go")
				}
			})
		})
	}
}

// network requires that a listener on the host's loopback is reached, or not.
func (w *world) network(script string, open bool) {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	line := fmt.Sprintf("exec 3<>/dev/tcp/127.0.0.1/%d", l.Addr().(*net.TCPAddr).Port)
	if open {
		w.permits(script, line+" && echo connected", "connected")
		return
	}
	w.refuses(script, "", line)
}

// TestUsers holds a run as root to test as an ordinary user too.
func TestUsers(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 && len(shared.users) != 2 {
		t.Fatalf("users %v", shared.users)
	}
}
