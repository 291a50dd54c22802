#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Patterns of pairs, planned and run: over the mock plugin, whose server really listens on loopback.

load helper

# hosts N: a scenario of that many, and the steps on stdin
hosts() {
	{
		echo "hosts: [{name: \"node-[1-$1]\"}]"
		echo steps:
		cat
	} | scenario
}

rows() {
	jq -c '.scenarios[].steps[].cases[].attempts[-1].rows[]?.facts' out.json
}

@test "a plan of all pairs shows its rounds" {
	hosts 4 <<-'E'
		  - {between: {hosts: "node-[1-4]", pattern: all_pairs}, mock.pair: {count: 1}}
	E
	run -0 "$rdmaspec" plan s.yaml
	# 4 * 3 / 2 = 6 pairs, 2 in each of 3 rounds
	[[ $output == *"mock.pair, all_pairs of node-[1-4], 6 pairs in 3 rounds: 6 observations"* ]]
	[ "$(grep -c '^    round [1-3]: node-[1-4]→node-[1-4], node-[1-4]→node-[1-4]$' <<<"$output")" = 3 ]
}

@test "all pairs in both directions: the slow host is found by the median, each pair has its verdict" {
	hosts 5 <<-'E'
		  - id: bw
		    between: {hosts: "node-[1-5]", pattern: all_pairs, directions: both}
		    mock.pair: {slow: [node-3], expect: {bw_average: {within: 10 %, of: median}}}
	E
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	# 5 * 4 = 20 directed pairs; node-3 is in 2 * 4 of them, and the median of 12 times 100 and 8 times 50 is 100
	[ "$(verdicts_by_name | wc -l)" = 20 ]
	[ "$(verdicts_by_name | grep -c ' fail$')" = 8 ]
	[ "$(verdicts_by_name | grep ' fail$' | grep -c 'node-3')" = 8 ]
}

@test "all to one: every client runs while every other does" {
	hosts 4 <<-'E'
		  - id: incast
		    between: {hosts: "node-[1-4]", pattern: all_to_one}
		    repeat: 2
		    mock.pair: {seconds: 1 s, count: 1}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts_by_name | grep -c ' pass$')" = 6 ]
	# Of 6 clients that took a second each, in two runs of three: the last of a run began before its first ended.
	rows | jq -se 'length == 6 and (sort_by(.began) | (.[0:3], .[3:6]) | ([.[].began] | max) < ([.[].ended] | min))'
	nothing_left
}

@test "all to one: a server that never comes up is an error of its pair, and the others go on" {
	{
		echo 'hosts: [{name: "node-[1-3]"}, {name: node-4, connect: {command: ["false"]}}]'
		echo steps:
		echo '  - {id: incast, between: {hosts: "node-[1-4]", pattern: all_to_one}, mock.pair: {count: 1}}'
		echo '  - {id: early, between: {hosts: "node-[1-3]", pattern: all_to_one}, retries: 1, mock.pair: {server: early, count: 1}}'
		echo '  - {id: ring, between: {hosts: "node-[1-3]", pattern: ring}, mock.pair: {count: 1}}'
	} | scenario
	run -2 timeout 60 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts_by_name | grep incast)" = $'incast [node-2→node-1] pass\nincast [node-3→node-1] pass\nincast [node-4→node-1] error' ]
	[ "$(verdicts_by_name | grep -c '^early.* error$')" = 2 ]
	[ "$(verdicts_by_name | grep -c '^ring.* pass$')" = 3 ]
	nothing_left
}

@test "all to one: ended by a signal" {
	hosts 3 <<-'E'
		  - {id: incast, between: {hosts: "node-[1-3]", pattern: all_to_one}, mock.pair: {seconds: 60 s, count: 1}}
		  - {id: next, between: {hosts: "node-[1-3]", pattern: all_to_one}, mock.pair: {seconds: 60 s, count: 1}}
	E
	"$rdmaspec" run -o json=out.json s.yaml >log 2>&1 &
	pid=$!
	until [ "$(left_behind | wc -l)" -ge 6 ]; do read -rt 0.05 <> <(:) || :; done
	kill -TERM $pid
	wait $pid && status=0 || status=$?
	[ $status = 143 ]
	[ "$(verdicts_by_name | grep -c ' skip$')" = 4 ]
	nothing_left
}
