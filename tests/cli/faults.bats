#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Workers that crash, hang, leave processes behind, flood and lie: an error of that step that says why and quotes the
# worker's last words, and nothing else. What each broken rule of the wire format is called is tested in
# unit/agent_worker.c.

load helper

# with_neighbours: the steps on stdin between two that pass; every one of them must be an error, these two a pass
with_neighbours() {
	{
		echo steps:
		echo '  - {id: before, mock.pass: {count: 2}}'
		cat
		echo '  - {id: behind, mock.pass: {count: 2}}'
	} | scenario
	local count
	count=$(grep -c '^  - ' s.yaml)
	run --separate-stderr -2 timeout 280 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(jq -r '[.scenarios[].steps[].cases[].verdict] | join(" ")' out.json)" = \
		"pass$(printf ' error%.0s' $(seq $((count - 2)))) pass" ]
	nothing_left
}

# said STEP: its sentence and what is quoted of its standard error, as the console shows them
said() {
	printf '%s\n' "$output" | sed -n "/^error   $1 /,/^[a-z0-9]/{/^ /p}" | sed 's/^        //'
}

@test "a worker that is killed by a signal" {
	with_neighbours <<-'E'
		  - {id: ill, mock.crash: {signal: 4, count: 1}}
		  - {id: abort, mock.crash: {signal: 6, count: 1}}
		  - {id: kill, mock.crash: {signal: 9, count: 1}}
		  - {id: segv, mock.crash: {signal: 11, count: 1}}
		  - {id: term, mock.crash: {signal: 15, count: 1}}
	E
	[ "$(said ill)" = $'the worker was killed by signal 4 (Illegal instruction) (s.yaml:4:27)\n  | about to die by signal 4' ]
	[ "$(said abort)" = $'the worker was killed by signal 6 (Aborted) (s.yaml:5:29)\n  | about to die by signal 6' ]
	[ "$(said kill)" = $'the worker was killed by signal 9 (Killed) (s.yaml:6:28)\n  | about to die by signal 9' ]
	[ "$(said segv)" = $'the worker was killed by signal 11 (Segmentation fault) (s.yaml:7:28)\n  | about to die by signal 11' ]
	[ "$(said term)" = $'the worker was killed by signal 15 (Terminated) (s.yaml:8:28)\n  | about to die by signal 15' ]
	# The rows that it had set before are no observation.
	jq -e '[.scenarios[].steps[].cases[] | select(.verdict == "error") | .attempts[].rows] | add | length == 0' out.json
}

@test "a worker that exits before it has answered, whatever its status" {
	with_neighbours <<-'E'
		  - {id: zero, mock.exit: {status: 0, count: 1}}
		  - {id: three, mock.exit: {status: 3, count: 1}}
	E
	[ "$(said zero)" = $'the worker exited with status 0 before it had answered (s.yaml:4:27)\n  | about to exit' ]
	[ "$(said three)" = $'the worker exited with status 3 before it had answered (s.yaml:5:28)\n  | about to exit' ]
}

@test "a worker that ignores SIGTERM, and children in sessions of their own" {
	with_neighbours <<-'E'
		  - {id: hang, timeout: 300 ms, mock.hang: {count: 1}}
		  - {id: family, timeout: 300 ms, mock.hang: {children: true, count: 1}}
	E
	[ "$(said hang)" = $'the worker did not answer within 300 ms (s.yaml:4:44)\n  | about to hang' ]
	[ "$(said family)" = $'the worker did not answer within 300 ms (s.yaml:5:46)\n  | about to hang' ]
}

@test "processes that a worker leaves behind are named and ended" {
	with_neighbours <<-'E'
		  - {id: own, mock.leak: {children: 3, count: 1}}
		  - {id: daemons, mock.leak: {children: 3, stay: false, count: 1}}
	E
	local name='rdmaspec-worker \([0-9]+\)'
	for step in own daemons; do
		[[ $(said $step) =~ ^"the plugin left processes behind: "$name,\ $name,\ $name\ \(s\.yaml:[45]:[0-9]+\)$'\n  | left 3 processes behind'$ ]]
	done
}

@test "floods end early, and flood neither the console nor the reports" {
	with_neighbours <<-'E'
		  - {id: out, mock.flood: {stream: stdout, count: 1}}
		  - {id: err, mock.flood: {stream: stderr, count: 1}}
		  - {id: notes, mock.flood: {stream: notes, count: 1}}
		  - {id: rows, mock.flood: {stream: rows, count: 1}}
	E
	[[ $(said out) == "the worker flooded its standard output: more than 1 MiB (s.yaml:4:27)"* ]]
	[[ $(said err) == "the worker flooded its standard error: more than 16 MiB (s.yaml:5:27)"* ]]
	[[ $(said notes) == "the worker sent more than 2000 notes (s.yaml:6:29)"*$'\n… and 1995 more notes' ]]
	[[ $(said rows) == "the worker sent more than 512 MiB (s.yaml:7:28)"* ]]
	# Each step: a sentence, 5 notes, 8 lines; 400 columns of each.
	[ ${#output} -lt 20000 ]
	[ "$(printf '%s\n' "$output" | awk '{ if (length > most) most = length } END { print most }')" -lt 420 ]
	[ "$(stat -c %s out.json)" -lt 4000000 ]
}

@test "what is no message, half of one, or not of the table that was promised" {
	with_neighbours <<-'E'
		  - {id: half, mock.garbage: {kind: half, count: 1}}
		  - {id: halfdead, mock.garbage: {kind: half_and_crash, count: 1}}
		  - {id: json, mock.garbage: {kind: json, count: 1}}
		  - {id: binary, mock.garbage: {kind: binary, count: 1}}
		  - {id: plain, mock.garbage: {kind: plain, count: 1}}
		  - {id: huge, mock.garbage: {kind: huge, count: 1}}
		  - {id: endless, mock.garbage: {kind: endless, count: 1}}
		  - {id: type, mock.garbage: {kind: type, count: 1}}
		  - {id: closed, mock.garbage: {kind: closed, count: 1}}
	E
	[[ $(said half) == "the worker's last message was cut short; it exited with status 0 (s.yaml:4:30)"* ]]
	[[ $(said halfdead) == "the worker was killed by signal 6 (Aborted) (s.yaml:5:34)"* ]]
	[[ $(said json) == "the worker sent a message that was refused: it is no valid JSON"* ]]
	for step in binary plain; do
		[[ $(said $step) == "the worker sent something that is no message of the wire format "* ]]
	done
	for step in huge endless; do
		[[ $(said $step) == "the worker sent a message of more than 1048576 bytes "* ]]
	done
	[[ $(said type) == "the worker sent a table that does not match its facts: in row 2 of mock.garbage, port is not a whole number "* ]]
	[[ $(said closed) == "the worker exited with status 0 before it had answered "* ]]
	for step in half json endless type closed; do
		[[ $(said $step) == *$'\nnote: about to lie\n  | about to lie' ]]
	done
}

@test "a bug of a plugin is called one" {
	with_neighbours <<-'E'
		  - {id: enum, mock.bug: {kind: enum, count: 1}}
		  - {id: row, mock.bug: {kind: row, count: 1}}
	E
	[ "$(said enum)" = "a bug of the plugin: rs_set_enum() of 2 for fact speed of mock.bug, which has no such choice (s.yaml:4:26)" ]
	[ "$(said row)" = "a bug of the plugin: rs_set_integer() ahead of rs_row_begin() (s.yaml:5:25)" ]
}

@test "several faults at once, on several hosts, with one job each" {
	{
		echo 'hosts: [{name: "node-[1-3]"}]'
		echo steps:
		for i in 1 2 3; do
			echo "  - {id: crash$i, fresh: true, mock.crash: {count: 1}}"
			echo "  - {id: hang$i, fresh: true, timeout: 200 ms, mock.hang: {children: true, count: 1}}"
			echo "  - {id: pass$i, fresh: true, mock.pass: {count: 2}}"
		done
	} | scenario
	run -2 timeout 60 "$rdmaspec" run -j 1 -o json=out.json s.yaml
	[ "$(jq -c '[.counts.passed, .counts.errors]' out.json)" = "[9,18]" ]
	[ "$(jq -r '[.scenarios[].steps[].cases[] | .verdict] | join(" ")' out.json)" = \
		"$(for i in 1 2 3; do printf 'error error error error error error pass pass pass '; done | sed 's/ $//')" ]
}

@test "a step of which unique cannot be judged either says so once" {
	scenario <<-'E'
		steps:
		  - {id: dies, mock.crash: {unique: [nothing], count: 1}}
	E
	run -2 "$rdmaspec" run s.yaml
	[ "$(printf '%s\n' "${lines[@]:1}")" = $'        the worker was killed by signal 11 (Segmentation fault) (s.yaml:3:28)\n          | about to die by signal 11\n'"${lines[3]}" ]
	[[ ${lines[3]} == "2 could not be judged in "* ]]
}
