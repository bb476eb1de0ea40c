#!/usr/bin/env bash
# Runs go test with temporary files in a directory of its own. Packages are
# tested at the same time, and a sandbox whose policy opens /tmp would find there
# what the test of another package makes and removes.
set -euo pipefail

parent=$HOME
[ "$(id -u)" != 0 ] || parent=/srv # where ordinary users come too
TMPDIR=$(mktemp -d "$parent/sbc-test-XXXXXX")
export TMPDIR
trap 'rm -rf -- "$TMPDIR"' EXIT
chmod 1777 -- "$TMPDIR"
go test "$@"
