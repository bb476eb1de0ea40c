#!/usr/bin/env bash
# Rewrites every golden file and fails if a byte changed. The tests have
# compared them already; this finds what -update writes and no test reads.
set -euo pipefail
cd "$(dirname "$0")/.."

sums() {
	find . \( -path ./.git -o -path ./bin \) -prune -o -type f -exec cksum {} + | sort -k 3
}

before=$(sums)
make --no-print-directory golden
after=$(sums)
if [ "$before" != "$after" ]; then
	diff <(echo "$before") <(echo "$after") || true
	echo "golden files changed: read 'git diff', then commit them" >&2
	exit 1
fi
