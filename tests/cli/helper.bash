# SPDX-License-Identifier: BSD-2-Clause
# What every command-line test begins with: the binary under test, a folder of its own, and a look for what was left.

rdmaspec=$RDMASPEC_BUILD/runner/rdmaspec
scenarios=$RDMASPEC_SOURCE/scenarios
data=$RDMASPEC_SOURCE/tests/data
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	# tests/valgrind puts itself before the program.
	if [ -n "${RDMASPEC_WRAP:-}" ]; then
		mkdir -p "$BATS_TEST_TMPDIR.bin"
		printf '#!/bin/sh\nexec %s %s "$@"\n' "$RDMASPEC_WRAP" "$RDMASPEC_BUILD/runner/rdmaspec" >"$BATS_TEST_TMPDIR.bin/rdmaspec"
		chmod +x "$BATS_TEST_TMPDIR.bin/rdmaspec"
		rdmaspec=$BATS_TEST_TMPDIR.bin/rdmaspec
	fi
	unset RDMASPEC_PLUGIN_DIR
	# What this test starts carries this mark in its environment, whoever its parent becomes.
	export RDMASPEC_TEST_MARK=$BATS_TEST_TMPDIR
}

# Processes that carry the mark, other than the test's own shell.
left_behind() {
	local environ pid
	# One grep for all: a shell that looks at each process takes a second where there are many.
	grep -lzxF "RDMASPEC_TEST_MARK=$BATS_TEST_TMPDIR" /proc/[0-9]*/environ 2>/dev/null | while read -r environ; do
		pid=${environ#/proc/}
		pid=${pid%/environ}
		case $(readlink "/proc/$pid/exe") in */rdmaspec | */ibsim | */opensm | */sleep | */python3*) echo "$pid $(tr '\0' ' ' <"/proc/$pid/cmdline")" ;; esac
	done
}

# wait_left_behind COUNT: until so many processes that carry the mark are there; at most a minute
wait_left_behind() {
	local tries
	for tries in {1..300}; do
		[ "$(left_behind | wc -l)" -lt "$1" ] || return 0
		read -rt 0.2 <> <(:) || :
	done
	left_behind >&2
	return 1
}

nothing_left() {
	local tries
	for tries in 1 2 3 4 5 6 7 8 9 10; do
		[ -z "$(left_behind)" ] && return 0
		read -rt 0.2 <> <(:) || :
	done
	left_behind >&2
	return 1
}

teardown() {
	nothing_left
}

# verdicts: of all cases in out.json, in the order of the scenario; verdicts_by_name: "NAME VERDICT", a line each
verdicts() {
	jq -r '[.scenarios[].steps[].cases[].verdict] | join(" ")' out.json
}

verdicts_by_name() {
	jq -r '[.scenarios[].steps[].cases[] | "\(.name) \(.verdict)"] | join("\n")' out.json
}

# sentences HOST: what is said of that host's cases, each once
sentences() {
	jq -r --arg host "$1" '[.scenarios[].steps[].cases[] | select(.label == $host) |
		(.attempts[-1].findings[0].sentence // .reason)] | unique | join("|")' out.json
}

# scenario TEXT: a scenario file of that body
scenario() {
	{ echo 'rdmaspec: 1'; cat; } >"${1:-s.yaml}"
}

# at LINE TEXT [FILE]: "FILE:LINE:COLUMN" of where that text begins in that line, for what a message must name
at() {
	local file=${3:-s.yaml} line
	line=$(sed -n "$1p" "$file")
	[[ $line == *"$2"* ]] || { echo "line $1 of $file has no $2" >&2; return 1; }
	line=${line%%"$2"*}
	echo "$file:$1:$((${#line} + 1))"
}
