fail() {
	printf 'sandbox: %s\n' "$*" >&2
	exit 125
}

# A path none of whose components is a symbolic link, as far as it exists.
declare -A known=()
no_links() {
	local rest=${1#/} at=
	while [ -n "$rest" ]; do
		at+=/${rest%%/*}
		if [ -z "${known[$at]:-}" ]; then
			[ ! -L "$at" ] || fail "$at is a symbolic link now; compile the policy again"
			known[$at]=1
		fi
		case $rest in */*) rest=${rest#*/} ;; *) rest= ;; esac
	done
}

# Arguments for which nothing must be there.
also() {
	args+=("$@")
}

# Arguments for what the plan was made for, which must still be there.
mount() {
	local kind=$1 path=$2 ok=
	shift 2
	no_links "$path"
	case $kind in
	dir) [ -d "$path" ] && ok=1 ;;
	file) [ -f "$path" ] && ok=1 ;;
	socket) [ -S "$path" ] && ok=1 ;;
	fifo) [ -p "$path" ] && ok=1 ;;
	char) [ -c "$path" ] && ok=1 ;;
	block) [ -b "$path" ] && ok=1 ;;
	esac
	[ -n "$ok" ] || fail "$path is no longer a $kind; compile the policy again"
	args+=("$@")
}

# Arguments for what a scan found; without it they are not needed.
match() {
	no_links "$2"
	[ ! -e "$2" ] || ! reachable "${2%/*}/" || mount "$@"
}

# Whether the sandbox can pass a directory. Root's has no capabilities, so what
# another user keeps to himself is closed to it, and cannot be mounted on either.
declare -A passed=()
reachable() {
	[ "$EUID" = 0 ] || return 0
	command -v setpriv >/dev/null || fail "setpriv is not installed"
	if [ -z "${passed[$1]:-}" ]; then
		passed[$1]=no
		! setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all -- test -x "$1" || passed[$1]=yes
	fi
	[ "${passed[$1]}" = yes ]
}

matches() {
	local name=$1 pattern
	shift
	for pattern; do
		# shellcheck disable=SC2053 # a pattern on purpose
		[[ $name == $pattern ]] && return 0
	done
	return 1
}

# Whether the caller's variable is inherited: deny, then a full name, then what
# runs code or looks secret, then patterns, then the inherited set.
inherited() {
	local name=$1 full
	matches "$name" "${env_deny[@]}" && return 1
	for full in "${env_names[@]}"; do
		[ "$name" = "$full" ] && return 0
	done
	if ! matches "$name" "${env_core[@]}"; then
		matches "$name" "${env_code[@]}" && return 1
	fi
	matches "${name^^}" "${env_secret[@]}" && return 1
	[[ ${name^^} =~ $env_secret_word ]] && return 1
	matches "$name" "${env_pass[@]}" && return 0
	case $env_inherit in
	all) return 0 ;;
	core) matches "$name" "${env_core[@]}" 'LC_*' && return 0 ;;
	esac
	return 1
}

beneath_writable() {
	local dir
	for dir in "${writable[@]}"; do
		[ "$1" = "$dir" ] || [ "$dir" = / ] && return 0
		case $1 in "$dir"/*) return 0 ;; esac
	done
	return 1
}

# The environment as options, so that it never stands in a command line nor in
# /proc/1/environ of the sandbox.
environment() {
	local name i tmp=
	for name in $(compgen -e); do
		[ "$name" != SHLVL ] && inherited "$name" || continue # SHLVL is this shell's own
		[ "$name" != TMPDIR ] || { tmp=${!name}; continue; }
		args+=(--setenv "$name" "${!name}")
	done
	if [ -n "$tmp" ] && ! beneath_writable "$tmp"; then
		tmp=${tmp_dirs[0]:-}
	fi
	[ -z "$tmp" ] || args+=(--setenv TMPDIR "$tmp")
	for ((i = 0; i < ${#env_set[@]}; i += 2)); do
		args+=(--setenv "${env_set[i]}" "${env_set[i + 1]}")
	done
}

# The one file that stands for many closed ones: empty, and nobody's to read.
make_mask_file() {
	no_links "$mask_file"
	if [ ! -e "$mask_file" ]; then
		mkdir -p -- "${mask_file%/*}"
		(umask 777 && set -C && : >"$mask_file") 2>/dev/null || :
	fi
	[ -f "$mask_file" ] && [ ! -s "$mask_file" ] || fail "$mask_file must be an empty file"
	chmod 000 -- "$mask_file"
}

# Each placeholder is locked while the sandbox runs, so that the last one to
# leave takes it away. A lock ends with its process, so none is ever left over.
make_placeholder() {
	local path=$1 fd tries
	no_links "${path%/*}"
	for ((tries = 0; tries < 100; tries++)); do
		mkdir -m 500 -- "$path" 2>/dev/null || :
		if [ -L "$path" ] || { [ -e "$path" ] && [ ! -d "$path" ]; }; then
			break
		fi
		# Another script may take it away at any moment.
		{ exec {fd}<"$path"; } 2>/dev/null || continue
		flock -s "$fd"
		if [ "$path" -ef "/proc/self/fd/$fd" ]; then
			locks+=("$fd")
			return
		fi
		exec {fd}<&-
	done
	fail "$path cannot be kept free by a placeholder"
}

remove_placeholders() {
	local i
	for ((i = ${#locks[@]} - 1; i >= 0; i--)); do
		flock -x -n "${locks[i]}" && [ "${placeholders[i]}" -ef "/proc/self/fd/${locks[i]}" ] || continue
		case $(stat -c %a -- "${placeholders[i]}" 2>/dev/null) in
		500 | 2500) rmdir -- "${placeholders[i]}" 2>/dev/null || : ;; # a set-gid parent hands that down
		esac
	done
}

# Becomes the sandbox. Only the standard streams and the descriptors that the
# options name are passed on, and no variable.
launch() {
	local i fd command=()
	for fd in /proc/self/fd/*; do
		fd=${fd##*/}
		((fd <= 2 || fd == 255)) || eval "exec $fd>&-" # bash reads this script from 255, closed on exec
	done
	exec 3< <(printf %s "$seccomp" | base64 -d)
	exec 4< <(printf '%s\0' "${args[@]}")
	for ((i = 0; i < masks; i++)); do
		eval "exec $((5 + i))</dev/null"
	done
	[ -z "$wall" ] || command=("${tether[@]}" "$timeout" --foreground -k 5 "$wall")
	for ((i = 0; i < ${#limits[@]}; i += 2)); do
		ulimit "${limits[i]}" "${limits[i + 1]}" 2>/dev/null || : # a smaller one is in force
	done
	exec -c "${command[@]}" "$bwrap" --args 4 -- "$@"
}

main() {
	local tool i path child status timeout= tether=()
	[ $# -gt 0 ] || fail "usage: ${0##*/} COMMAND [ARG...]"
	if [ ! -x "$bwrap" ]; then
		bwrap=$(command -v bwrap) || fail "bubblewrap (bwrap) is not installed"
	fi
	for tool in base64 ${wall:+timeout} ${placeholders[0]:+flock setpriv stat}; do
		command -v "$tool" >/dev/null || fail "$tool is not installed"
	done
	[ -z "$wall" ] || timeout=$(command -v timeout)
	for path in "${create[@]}"; do
		no_links "$path"
		mkdir -p -- "$path"
	done
	[ -z "$mask_file" ] || make_mask_file
	args=()
	plan
	environment
	[ ${#placeholders[@]} -gt 0 ] || launch "$@"

	locks=()
	trap remove_placeholders EXIT
	for path in "${placeholders[@]}"; do
		make_placeholder "$path"
	done
	# Ends with this script, as bubblewrap by itself does: the locks do too.
	tether=(setpriv --pdeathsig KILL --)
	# In the background, so that a signal to this script reaches the sandbox;
	# an interrupt from the terminal does anyway.
	(
		trap - INT EXIT
		launch "$@"
	) <&0 &
	child=$!
	trap 'kill -TERM "$child" 2>/dev/null || :' TERM HUP
	trap : INT
	while :; do
		status=0
		wait "$child" || status=$?
		kill -0 "$child" 2>/dev/null || break
	done
	exit "$status"
}

main "$@"
exit
