#!/usr/bin/env bash
# Makes sure that what the tests run is there: a C compiler for the race
# detector, bubblewrap, and the real tools that are started inside sandboxes.
# No test is skipped when a tool is missing, so this says so first.
set -euo pipefail

has() { command -v "$1" >/dev/null 2>&1; }
has_python() { python3 -c 'import asyncio, multiprocessing, venv' >/dev/null 2>&1; }
has_cc() { printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | gcc -x c -o /dev/null - >/dev/null 2>&1; }
has_ca() { [ -e /etc/ssl/certs/ca-certificates.crt ] || [ -e /etc/pki/tls/certs/ca-bundle.crt ] || [ -e /etc/ssl/cert.pem ]; }

# Prints the Debian names of what is missing.
missing() {
	has git || printf 'git '
	has_python || printf 'python3 '
	[ "$(uname -s)" = Linux ] || return 0
	has bwrap || printf 'bubblewrap '
	has curl || printf 'curl '
	has perl || printf 'perl '
	has make || printf 'make '
	has node || printf 'nodejs '
	has unshare || printf 'util-linux '
	has_cc || printf 'gcc libc6-dev '
	has_ca || printf 'ca-certificates '
}

if ! has go; then
	echo "deps: Go 1.26 or newer is needed: https://go.dev/dl/" >&2
	exit 1
fi

packages=$(missing)
[ -n "$packages" ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! has apt-get; then
	echo "deps: please install (Debian names): $packages" >&2
	exit 1
fi

export DEBIAN_FRONTEND=noninteractive
apt-get -qq update >/dev/null
# shellcheck disable=SC2086 # one word per package
apt-get -qq install -y --no-install-recommends $packages >/dev/null

packages=$(missing)
if [ -n "$packages" ]; then
	echo "deps: installed, but still not usable: $packages" >&2
	exit 1
fi
