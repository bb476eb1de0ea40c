#!/usr/bin/env bash
# Runs each fuzz target of the module for FUZZTIME, one after the other: Go
# fuzzes one target of one package at a time.
set -euo pipefail
cd "$(dirname "$0")/.."

# "package target" a line. `go test -list` prints the names, then the package.
targets=$(go test -list '^Fuzz' ./... | awk '/^Fuzz/ { f[n++] = $1 } /^(ok|\?)/ { for (i = 0; i < n; i++) print $2, f[i]; n = 0 }')
while read -r package target; do
	[ -n "$target" ] || continue
	echo "fuzz: $package $target"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" "$package" </dev/null
done <<<"$targets"
