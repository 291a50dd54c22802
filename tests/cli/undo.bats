#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# What a run changes on a host is taken back when it ends, however it ends: the newest change first, once each. What
# cannot be taken back is told, and the run is not green. mock.change makes a file, and undo() leaves a line in "undone".

load helper

# run_changes STATUS: the scenario on stdin
run_changes() {
	scenario
	run "-$1" timeout 120 "$rdmaspec" run --allow mock.change --allow host.command -o json=out.json -o junit=out.xml s.yaml
	nothing_left
}

# undone NAME...: these were taken back, in this order
undone() {
	[ "$(cat undone)" = "$(printf '%s\n' "$@")" ]
}

# wait_for FILE: at most a minute
wait_for() {
	local tries
	for tries in {1..300}; do
		[ ! -e "$1" ] || return 0
		read -rt 0.2 <> <(:) || :
	done
	return 1
}

# wait_gone FILE: at most a minute
wait_gone() {
	local tries
	for tries in {1..300}; do
		[ -e "$1" ] || return 0
		read -rt 0.2 <> <(:) || :
	done
	return 1
}

@test "what was changed is there until the end, and then taken back, the newest first" {
	run_changes 0 <<-E
		steps:
		  - {id: one, mock.change: {path: $PWD/one, count: 1}}
		  - {id: two, needs: [one], mock.change: {path: $PWD/two, count: 1}}
		  - {id: there, needs: [two], host.command: {argv: [ls, $PWD/one, $PWD/two], where: {metric: exit_status}, expect: {value: 0}}}
	E
	[ ! -e one ]
	[ ! -e two ]
	undone two one
}

@test "each host takes back what was changed there" {
	run_changes 0 <<-E
		hosts: [{name: "node-[1-2]"}]
		steps:
		  - {id: change, mock.change: {path: $PWD/\$(host), count: 1}}
	E
	[ ! -e node-1 ]
	[ ! -e node-2 ]
	[ "$(sort undone)" = $'node-1\nnode-2' ]
}

@test "after a crash, an error, a time-out and garbage on the wire, too" {
	run_changes 2 <<-E
		steps:
		  - {id: crash, mock.change: {path: $PWD/crash, after: crash, count: 1}}
		  - {id: error, mock.change: {path: $PWD/error, after: error, count: 1}}
		  - {id: garbage, mock.change: {path: $PWD/garbage, after: garbage, count: 1}}
		  - {id: hang, timeout: 1 s, mock.change: {path: $PWD/hang, after: hang, count: 1}}
	E
	for name in crash error garbage hang; do
		[ ! -e $name ]
	done
	[ "$(sort undone)" = $'crash\nerror\ngarbage\nhang' ]
	[ "$(verdicts)" = "error error error error" ]
	# What became of the change is no matter here: nothing is left of it.
	[[ $output != *"taken back"* ]]
}

@test "a change that is made after the worker's time was up" {
	run_changes 2 <<-E
		steps:
		  - {id: late, timeout: 1 s, mock.change: {path: $PWD/late, after: too late, count: 1}}
	E
	[ ! -e late ]
	undone late
}

@test "an undo that fails, hangs or crashes is told, its step is an error, and the others are done all the same" {
	run_changes 2 <<-E
		steps:
		  - {id: good, mock.change: {path: $PWD/good, count: 1}}
		  - {id: fails, needs: [good], mock.change: {path: $PWD/fails, undo: fails, count: 1}}
		  - {id: crashes, needs: [fails], mock.change: {path: $PWD/crashes, undo: crashes, count: 1}}
		  - {id: again, needs: [crashes], mock.change: {path: $PWD/again, undo: changes, count: 1}}
		  - {id: hangs, needs: [again], mock.change: {path: $PWD/hangs, undo: hangs, count: 1}}
	E
	undone hangs again crashes fails good
	[ ! -e good ]
	[ "$(verdicts)" = "pass error error error error" ]
	[[ $output == *"what mock.change changed on localhost could not be taken back: $PWD/fails does not want to go"* ]]
	[[ $output == *"could not be taken back: the worker was killed by signal 9 (Killed)"* ]]
	[[ $output == *"could not be taken back: the worker did not answer within 10 s"* ]]
	[[ $output == *"could not be taken back: "*"rs_changing() while a change is taken back"* ]]
	[ "$(xmllint --xpath 'count(//testcase[error])' out.xml)" = 4 ]
	xmllint --xpath 'string(//testcase[@name="fails"]/error/@message)' out.xml | grep -F "does not want to go"
	jq -e '[.scenarios[].steps[].cases[] | select(.name == "fails")][0].verdict == "error"' out.json
	jq -e '[.notes[] | select(contains("could not be taken back"))] | length == 4' out.json
}

@test "what failed stays a failure, and a warning does not hide what could not be taken back" {
	run_changes 1 <<-E
		steps:
		  - {id: failed, mock.change: {path: $PWD/failed, undo: fails, count: 7}}
	E
	[ "$(verdicts)" = fail ]
	[[ $output == *"does not want to go"* ]]
	rm undone
	run_changes 2 <<-E
		steps:
		  - {id: gates, mock.pass: {count: 2}}
		  - {id: warns, severity: warning, mock.change: {path: $PWD/warns, undo: fails, count: 1}}
	E
	[[ $output == *"does not want to go"* ]]
}

@test "Ctrl-C and SIGTERM: taken back before the run ends" {
	for number in INT TERM; do
		rm -f undone made
		scenario <<-E
			steps:
			  - {id: made, mock.change: {path: $PWD/made, count: 1}}
			  - {id: slow, needs: [made], mock.change: {path: $PWD/slow, after: hang, count: 1}}
		E
		# A shell's background job ignores SIGINT, and so would the run.
		python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
			"$rdmaspec" run --allow mock.change s.yaml >out 3>&- &
		pid=$!
		wait_for slow
		kill "-$number" $pid
		status=0
		wait $pid || status=$?
		[ "$status" = $((128 + $(kill -l $number))) ]
		[ ! -e made ]
		[ ! -e slow ]
		undone slow made
	done
}

@test "the run is killed: its agent takes back what was changed, and ends" {
	scenario <<-E
		steps:
		  - {id: made, mock.change: {path: $PWD/made, count: 1}}
		  - {id: slow, needs: [made], mock.change: {path: $PWD/slow, after: hang, count: 1}}
	E
	"$rdmaspec" run --allow mock.change s.yaml >out 2>&1 3>&- &
	pid=$!
	wait_for slow
	kill -KILL $pid
	wait $pid || :
	wait_gone made
	wait_gone slow
	undone slow made
}

@test "the agent is killed: the run says that nobody took it back" {
	scenario <<-E
		steps:
		  - {id: made, mock.change: {path: $PWD/made, count: 1}}
		  - {id: slow, needs: [made], mock.change: {path: $PWD/slow, after: hang, count: 1}}
	E
	"$rdmaspec" run --allow mock.change s.yaml >out 2>&1 3>&- &
	pid=$!
	wait_for slow
	for child in $(cat /proc/$pid/task/$pid/children); do
		[ "$(cat /proc/$child/comm)" != rdmaspec-agent ] || kill -KILL "$child"
	done
	status=0
	wait $pid || status=$?
	[ "$status" = 2 ]
	grep -F "what mock.change changed on localhost could not be taken back: the agent was killed by signal 9 (Killed)" out
	[ -e made ]
}

@test "observe takes back what it changed, and says so where it cannot" {
	run -0 "$rdmaspec" observe --allow mock.change mock.change path="$PWD/one"
	[ ! -e one ]
	run --separate-stderr -2 "$rdmaspec" observe --allow mock.change mock.change path="$PWD/two" undo=fails
	[[ $stderr == *"could not be taken back: $PWD/two does not want to go"* ]]
}
