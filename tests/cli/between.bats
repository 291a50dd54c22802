#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Steps between two hosts: a server that is ready before its client starts, one verdict a pair, and what comes of it
# where either end fails. Over the mock plugin, whose server really listens on loopback.

load helper

# between: hosts node-1 to node-4, whose addresses are 10.0.0.1 to 10.0.0.4, and the steps on stdin
between() {
	{
		cat <<-'E'
			hosts:
			  - {name: node-1, address: 10.0.0.1}
			  - {name: node-2, address: 10.0.0.2}
			  - {name: node-3, address: 10.0.0.3}
			  - {name: node-4}
			steps:
		E
		cat
	} | scenario
}

# said CASE: its sentence
said() {
	jq -r --arg name "$1" '.scenarios[].steps[].cases[] | select(.name == $name) | .attempts[-1].sentence' out.json
}

rows() {
	jq -c '.scenarios[].steps[].cases[].attempts[].rows[]?.facts' out.json
}

@test "each pair has its verdict, and both ends know of each other" {
	between <<-'E'
		  - id: bw
		    between: {client: "node-[1-3]", server: "node-[2-4]"}
		    mock.pair: {slow: [node-4], expect: {bw_average: {min: 90 Gb/s}}}
	E
	run -1 "$rdmaspec" run -o json=out.json -o junit=out.xml s.yaml
	[ "$(verdicts_by_name)" = $'bw [node-1→node-2] pass\nbw [node-2→node-3] pass\nbw [node-3→node-4] fail' ]
	[[ $(said 'bw [node-3→node-4]') == \
		"node-3 to node-4: bw_average is 50.000 Gb/s, expected at least 90 Gb/s ($(at 10 '{min: 90'))" ]]
	# A host without an address is dialled by its name.
	[ "$(rows | jq -r '"\(.address) \(.peer_address)"' | sort)" = $'10.0.0.1 10.0.0.2\n10.0.0.2 10.0.0.3\n10.0.0.3 node-4' ]
	# The evidence and notes of both ends.
	jq -e '.observations[0] | .host == "node-1" and .server == "node-2" and
		([.evidence[] | "\(.name)=\(.head)"] == ["words=measured\n", "server: words=served\n"]) and
		(.notes == ["server: listens for node-1"])' out.json
	xmllint --noout --schema "$RDMASPEC_SOURCE/schemas/junit.xsd" out.xml
}

@test "no host is in two pairs at once, and disjoint pairs run side by side" {
	between <<-'E'
		  - id: ring
		    between: {client: "node-[1-4]", server: "node-[2-4],node-1"}
		    mock.pair: {seconds: 0.4 s, count: 1}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	# No two rows of one host overlap.
	rows | jq -se '. as $all | all($all[]; . as $a | all($all[]; . == $a or .began >= $a.ended or .ended <= $a.began or
		([.client, .server] - [$a.client, $a.server] | length) == 2))'
	# 4 pairs of a ring are two rounds of two.
	rows | jq -se '. as $all | any($all[]; . as $a | any($all[]; . != $a and .began < $a.ended and .ended > $a.began))'
}

@test "a pair does not overlap with another exclusive probe of either host" {
	between <<-'E'
		  - {hosts: node-2, fresh: true, mock.exclusive: {seconds: 0.4 s, count: 1}}
		  - id: bw
		    between: {client: node-1, server: node-2}
		    mock.pair: {seconds: 0.4 s, count: 1}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	rows | jq -se '.[0].ended <= .[1].began or .[1].ended <= .[0].began'
}

@test "both ends on one host" {
	between <<-'E'
		  - {id: own, between: {client: node-1, server: node-1}, mock.pair: {count: 1}}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts_by_name)" = "own [node-1→node-1] pass" ]
}

@test "either end fails: the client's words come first, the server's are named as such, the others go on" {
	between <<-'E'
		  - {id: c-early, between: {client: node-1, server: node-2}, mock.pair: {client: early, count: 1}}
		  - {id: c-error, between: {client: node-1, server: node-2}, mock.pair: {client: error, count: 1}}
		  - {id: c-crash, between: {client: node-1, server: node-2}, mock.pair: {client: crash, count: 1}}
		  - {id: s-early, between: {client: node-1, server: node-2}, mock.pair: {server: early, count: 1}}
		  - {id: s-error, between: {client: node-1, server: node-2}, mock.pair: {server: error, seconds: 1 s, count: 1}}
		  - {id: s-crash, between: {client: node-1, server: node-2}, mock.pair: {server: crash, client: hang, count: 1}}
		  - {id: s-late, between: {client: node-1, server: node-2}, mock.pair: {server: late, count: 1}}
		  - {id: both, between: {client: node-1, server: node-2}, mock.pair: {server: late, client: error, count: 1}}
		  - {id: fine, between: {client: node-3, server: node-4}, mock.pair: {count: 1}}
	E
	run -2 timeout 60 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(said 'c-early [node-1→node-2]') == "the client has no device mock_0 ("* ]]
	[[ $(said 'c-error [node-1→node-2]') == "the client has no device mock_0 ("* ]]
	[[ $(said 'c-crash [node-1→node-2]') == "the worker was killed by signal 11 (Segmentation fault) ("* ]]
	for step in s-early s-error s-late; do
		[[ $(said "$step [node-1→node-2]") == "the server on node-2: the server has no device mock_0 ("* ]]
	done
	# A client that hangs on a server that is gone is ended long before its own time-out.
	[[ $(said 's-crash [node-1→node-2]') == "the server on node-2: the worker was killed by signal 11 (Segmentation fault) ("* ]]
	[[ $(said 'both [node-1→node-2]') == \
		"the client has no device mock_0; the server on node-2: the server has no device mock_0 ("* ]]
	[ "$(verdicts_by_name | grep -c ' error$')" = 8 ]
	[ "$(verdicts_by_name | grep -c ' pass$')" = 1 ]
	nothing_left
}

@test "time-outs: a server that never listens, a client that never ends; a server that lingers spoils nothing" {
	between <<-'E'
		  - {id: server, timeout: 0.5 s, between: {client: node-1, server: node-2}, mock.pair: {server: hang, count: 1}}
		  - {id: client, timeout: 0.5 s, between: {client: node-1, server: node-2}, mock.pair: {client: hang, count: 1}}
		  - {id: linger, between: {client: node-1, server: node-2}, mock.pair: {server: linger, count: 1}}
	E
	run -2 timeout 60 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(said 'server [node-1→node-2]') == "the server on node-2: the worker did not answer within 500 ms ("* ]]
	[[ $(said 'client [node-1→node-2]') == "the worker did not answer within 500 ms ("* ]]
	[ "$(verdicts_by_name | tail -1)" = "linger [node-1→node-2] pass" ]
	jq -e 'any(.observations[].notes[];
		. == "the server on node-2: the server did not end when there was no client any more")' out.json
	nothing_left
}

@test "a host that cannot be reached: its pairs are errors that name it, the others go on" {
	{
		echo 'hosts: [{name: "node-[1-2]"}, {name: node-3, connect: {command: ["false"]}}]'
		cat <<-'E'
			steps:
			  - {id: server, between: {client: node-1, server: node-3}, mock.pair: {count: 1}}
			  - {id: client, between: {client: node-3, server: node-1}, mock.pair: {count: 1}}
			  - {id: fine, between: {client: node-1, server: node-2}, mock.pair: {count: 1}}
		E
	} | scenario
	run -2 timeout 60 "$rdmaspec" run -o json=out.json s.yaml
	for step in 'server [node-1→node-3]' 'client [node-3→node-1]'; do
		[[ $(said "$step") == *"node-3: the agent ended before it had answered, with exit status 1"* ]]
	done
	[ "$(verdicts_by_name | tail -1)" = "fine [node-1→node-2] pass" ]
}

@test "an agent killed in the middle, at either end: an error of that pair, and nothing left" {
	cat >killed <<-'E'
		#!/bin/bash
		# An agent that is killed as soon as it has a worker that has been there for a moment.
		"$@" &
		agent=$!
		exec >&- <&-
		for tries in {1..400}; do
			pgrep -P $agent >/dev/null && break
			read -rt 0.05 <> <(:)
		done
		read -rt 0.3 <> <(:)
		kill -9 $agent
		wait $agent
	E
	chmod +x killed
	for end in client server; do
		other=$([ $end = client ] && echo server || echo client)
		{
			echo "hosts: [{name: node-1}, {name: node-2, connect: {command: ['$PWD/killed', '$rdmaspec', agent]}}]"
			echo steps:
			echo "  - {id: cut, between: {$end: node-2, $other: node-1}, mock.pair: {seconds: 20 s, count: 1}}"
			echo "  - {id: fine, between: {client: node-1, server: node-1}, mock.pair: {count: 1}}"
		} | scenario
		run -2 timeout 60 "$rdmaspec" run -o json=out.json s.yaml
		[[ $(verdicts_by_name) == "cut "*" error"$'\n'"fine "*" pass" ]]
		nothing_left
	done
}

@test "needs hold for both ends" {
	{
		cat <<-'E'
			hosts: [{name: "node-[1-3]"}]
			steps:
			  - {id: ok, mock.pass: {count: 2}}
			  - {id: bad, hosts: node-2, mock.pass: {count: 7}}
			  - {id: a, needs: [bad], between: {client: node-1, server: node-2}, mock.pair: {count: 1}}
			  - {id: b, needs: [bad], between: {client: node-2, server: node-1}, mock.pair: {count: 1}}
			  - {id: c, needs: [ok], between: {client: node-1, server: node-3}, mock.pair: {count: 1}}
			  - {id: d, needs: [c], hosts: node-3, mock.pass: {count: 2}}
		E
	} | scenario
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts_by_name | tail -4)" = $'a [node-1→node-2] skip\nb [node-2→node-1] skip\nc [node-1→node-3] pass\nd [node-3] pass' ]
}

@test "repeats, retries, medians over all pairs" {
	between <<-'E'
		  - id: within
		    repeat: 2
		    between: {client: "node-1,node-2,node-3", server: "node-2,node-3,node-4"}
		    mock.pair: {slow: [node-4], expect: {bw_average: {within: 10 %, of: median}}}
		  - id: again
		    retries: 2
		    between: {client: node-1, server: node-2}
		    mock.pair: {client: error, count: 1}
	E
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	# Of 100, 100, 50 Gb/s in two runs the median is 100: only the pair with node-4 is not within.
	[ "$(verdicts_by_name | grep within)" = "$(printf 'within [%s run %d] %s\n' \
		'node-1→node-2' 1 pass 'node-1→node-2' 2 pass 'node-2→node-3' 1 pass 'node-2→node-3' 2 pass \
		'node-3→node-4' 1 fail 'node-3→node-4' 2 fail | sed 's/ run \([12]\)\]/] run \1/')" ]
	[ "$(jq '[.scenarios[].steps[] | select(.id == "again").cases[0].attempts[]] | length' out.json)" = 3 ]
}

@test "a signal in the middle of a pair: both ends are ended" {
	between <<-'E'
		  - {id: bw, between: {client: node-1, server: node-2}, mock.pair: {seconds: 200 s, count: 1}, timeout: 300 s}
		  - {id: next, between: {client: node-1, server: node-2}, mock.pair: {seconds: 200 s, count: 1}, timeout: 300 s}
	E
	"$rdmaspec" run -o json=out.json s.yaml >log 2>&1 &
	pid=$!
	# The runner, an agent each, a worker each.
	wait_left_behind 5
	kill -TERM $pid
	wait $pid && status=0 || status=$?
	[ $status = 143 ]
	[ "$(verdicts_by_name)" = $'bw [node-1→node-2] skip\nnext [node-1→node-2] skip' ]
	nothing_left
}
