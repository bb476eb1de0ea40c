#!/usr/bin/env bash
# The main job on one policy: explain it, compile it for both systems, and do
# real work inside the sandbox of this one. Every refusal is tried outside of
# the sandbox too, where it must succeed.
set -euo pipefail
policy=${1:?usage: scripts/run.sh POLICY}
cd "$(dirname "$0")/.."
sbc=$PWD/bin/sbc
out=$PWD/bin/run
work=$out/checkout
outside=${HOME:?}/sbc-run-outside

# A fresh checkout is the workspace, so that the policy opens nothing of yours.
rm -rf "$out" && mkdir -p "$work" && git -C "$work" init -q
echo "a file" >"$work/file.txt"
echo "TOKEN=secret" >"$work/.env"
printf '#!/bin/sh\n' >"$work/.git/hooks/pre-commit" && chmod +x "$work/.git/hooks/pre-commit"

step() { printf '\n== %s\n' "$*"; }

step "sbc explain $policy"
"$sbc" explain "$policy" --workspace "$work"

step "sbc compile $policy --target darwin"
"$sbc" compile "$policy" --workspace "$work" --target darwin -o "$out/agent.sb"
head -n 12 "$out/agent.sb"

step "sbc compile $policy --target linux --format sh"
"$sbc" compile "$policy" --workspace "$work" --target linux --format sh -o "$out/agent.sh"
head -n 12 "$out/agent.sh"

case $(uname -s) in
Linux) inside() { (cd "$work" && bash "$out/agent.sh" "$@"); } ;;
Darwin) inside() { (cd "$work" && /usr/bin/sandbox-exec -f "$out/agent.sb" -- "$@"); } ;;
*)
	echo "run: no sandbox is known for this system" >&2
	exit 1
	;;
esac

# Runs a command outside of the sandbox, where it must work, and then inside,
# where it must not.
refused() {
	step "inside the sandbox, refused: $*"
	(cd "$work" && "$@" >/dev/null)
	rm -f "$outside"
	if inside "$@"; then
		rm -f "$outside"
		echo "run: the sandbox let it through" >&2
		exit 1
	fi
}

step "inside the sandbox: git commits in the workspace"
inside git add file.txt
inside git -c user.name=sbc -c user.email=sbc@localhost commit -q -m "made inside the sandbox"
git -C "$work" log --oneline

refused cat .env
refused touch "$outside"
refused sh -c 'echo "echo planted" >>.git/hooks/pre-commit'

step "sbc why read .env"
"$sbc" why read "$work/.env" --workspace "$work" -p "$policy"
step "all is well"
