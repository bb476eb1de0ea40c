package seccomp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// TestOrdinaryPrograms: tools that people run go on under the closed filter.
func TestOrdinaryPrograms(t *testing.T) {
	t.Parallel()
	for _, u := range users() {
		for _, tc := range []struct{ name, script, want string }{
			{"pipeline", "seq 1 100 | grep 7 | sort -n | wc -l", "19"},
			{"git", "git init -q r && cd r && echo x > f && git add f && git -c user.name=a -c user.email=a@b commit -qm m && git log --format=%s", "m"},
			{"python processes", `/usr/bin/python3 -c 'import multiprocessing as m
with m.get_context("fork").Pool(2) as p: print(p.map(abs, [-1, 2]))'`, "[1, 2]"},
			{"python asyncio", `/usr/bin/python3 -c 'import asyncio
async def f():
    p = await asyncio.create_subprocess_exec("echo", "hi", stdout=asyncio.subprocess.PIPE)
    print((await p.communicate())[0])
asyncio.run(f())'`, "b'hi\\n'"},
			{"python loopback", `/usr/bin/python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(s.getsockname()); a, _ = s.accept(); a.send(b"x"); print(c.recv(1))'`, "b'x'"},
		} {
			t.Run(u.name+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				out, code := job{user: u, filter: native(t, seccomp.Options{}), args: []string{"/bin/sh", "-c", tc.script}}.run(t)
				if diff := cmp.Diff(tc.want, out); diff != "" || code != 0 {
					t.Errorf("status %d (-want +got):\n%s", code, diff)
				}
			})
		}
	}
}
