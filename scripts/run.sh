#!/usr/bin/env bash
# The main job on one policy: explain it, compile it for both systems, and on
# Linux do real work inside the sandbox that came out.
set -euo pipefail
policy=${1:?usage: scripts/run.sh POLICY}
cd "$(dirname "$0")/.."
sbc=$PWD/bin/sbc
out=$PWD/bin/run
outside=${HOME:?}/sbc-run-outside

# A fresh checkout is the workspace, so that the policy opens nothing of yours.
rm -rf "$out" && mkdir -p "$out/checkout" && git -C "$out/checkout" init -q

step() { printf '\n== %s\n' "$*"; }

step "sbc explain $policy"
"$sbc" explain "$policy" --workspace "$out/checkout"

step "sbc compile $policy --target darwin"
"$sbc" compile "$policy" --workspace "$out/checkout" --target darwin -o "$out/agent.sb"
head -n 12 "$out/agent.sb"

if [ "$(uname -s)" != Linux ]; then
	step "inside the sandbox"
	sandbox-exec -f "$out/agent.sb" git --version
	exit 0
fi

step "sbc compile $policy --target linux --format sh"
"$sbc" compile "$policy" --workspace "$out/checkout" --target linux --format sh -o "$out/agent.sh"
head -n 12 "$out/agent.sh"

step "inside the sandbox: git commits in the workspace"
sh "$out/agent.sh" git -C "$out/checkout" -c user.name=sbc -c user.email=sbc@localhost \
	commit -q --allow-empty -m "made inside the sandbox"
git -C "$out/checkout" log --oneline

step "inside the sandbox: a write to your home directory is refused"
if sh "$out/agent.sh" touch "$outside" || [ -e "$outside" ]; then
	rm -f "$outside"
	echo "run: the sandbox let a write out" >&2
	exit 1
fi
