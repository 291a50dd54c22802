#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Runs over a simulated fabric, and what becomes of it when they end otherwise than they should.

load lab

fabrics=$RDMASPEC_SOURCE/tests/data/fabrics/simulator

# begin: a run that goes on for long, on a fabric that is up
begin() {
	export TMPDIR=$BATS_TEST_TMPDIR
	scenario <<-'E'
		hosts: [{name: "node-[01-02]"}]
		steps:
		  - {id: quick, ib.sm: {expect: {state: MASTER}}}
		  - {id: long, needs: [quick], timeout: 60 s, mock.hang: {observe_only: true}}
	E
	"$rdmaspec" run --simulate "$fabrics/single-switch.net" -o json=out.json s.yaml >out 2>&1 3>&- &
	pid=$!
	until grep -q quick out; do kill -0 $pid; done
	[ "$(processes '^[0-9]* ibsim')" = 1 ]
	[ "$(processes '^[0-9]* opensm')" = 1 ]
	[ -n "$(private_directories)" ]
}

# ends_with STATUS: of the run that was begun
ends_with() {
	local status=0
	wait $pid || status=$?
	[ $status = "$1" ]
}

@test "one master SM, seen alike from all hosts" {
	export TMPDIR=$BATS_TEST_TMPDIR
	scenario <<-'E'
		hosts: [{name: "node-[01-08]", connect: simulated}]
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER, guid: "0x0002c90000000011"}, same: [lid, guid]}}
	E
	run -0 "$rdmaspec" run --simulate "$fabrics/two-level.net" s.yaml
	# The first CA of that file is another one.
	run -0 "$rdmaspec" run --simulate "$fabrics/discovered.net" --simulate-sm node-01 s.yaml
	no_directory_left
}

@test "without hosts the first CA is the host" {
	run -0 "$rdmaspec" observe --simulate "$fabrics/two-level.net" --json ib.devices
	[ "$(jq -r '.rows[0] | (.facts // .).node_guid' <<<"$output")" = 0x0002c90000000010 ]
}

@test "more observations than ibsim takes clients, on many hosts at once" {
	{
		echo 'hosts: [{name: "node-[01-08]"}]'
		echo steps:
		for i in 1 2 3 4 5 6; do echo "  - {name: sm $i, fresh: true, ib.sm: {expect: {state: MASTER}}}"; done
	} | scenario
	run -0 "$rdmaspec" run -j 8 --simulate "$fabrics/two-level.net" s.yaml
	[[ $output == *"48 passed"* ]]
}

@test "the places of workers that were killed are used again" {
	{
		echo 'hosts: [{name: "node-[01-08]"}]'
		echo steps:
		# No LID 4000 is there: each of these waits for an answer until it is killed.
		for i in 1 2 3; do
			echo "  - {id: k$i, fresh: true, timeout: 150 ms, ib.sm: {lid: 4000, observe_only: true}}"
		done
		echo '  - {id: after, fresh: true, ib.sm: {expect: {state: MASTER}}}'
	} | scenario
	run -2 timeout 60 "$rdmaspec" run --simulate "$fabrics/two-level.net" -o json=out.json s.yaml
	[ "$(jq -c '[.counts.passed, .counts.errors]' out.json)" = "[8,24]" ]
}

@test "commands for ibsim's console are carried out before the first step" {
	scenario <<-'E'
		hosts: [{name: node-01}]
		steps:
		  - {id: ports, ib.ports: {expect: {physical_state: LinkUp}}}
	E
	run -0 "$rdmaspec" run --simulate "$fabrics/single-switch.net" s.yaml
	run -1 "$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-command 'Unlink "node-01"[1]' s.yaml
	run -2 "$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-command 'Unlink "node-09"[1]' s.yaml
	[[ $output == *"ibsim did not carry out 'Unlink \"node-09\"[1]': nodeid \"node-09\""*"not found" ]]
	run -2 "$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-command Quit s.yaml
	[[ $output == *"ibsim ended with status 0, and the simulated fabric with it" ]]
}

@test "several SMs: one is master, the others stand by" {
	scenario <<-'E'
		hosts: [{name: "node-[01-04]"}]
		steps:
		  - {id: master, ib.sm: {expect: {state: MASTER, guid: "0x0002c90000000031", priority: 9}}}
	E
	run -0 "$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-sm node-02:3 --simulate-sm node-03:9 s.yaml
	run -2 "$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-sm node-07 s.yaml
	[[ $output == *"no SM can run on 'node-07': no node of the fabric is called 'node-07'; did you mean"* ]]
	run -2 "$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-sm node-02:99 s.yaml
	[[ $output == *"a priority is a number from 0 to 15, not '99'"* ]]
}

@test "no SM at all" {
	scenario <<-'E'
		hosts: [{name: node-01}]
		steps:
		  - {id: ports, ib.ports: {expect: {state: Initialize, physical_state: LinkUp}}}
	E
	run -0 "$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-sm none s.yaml
}

@test "hosts that the fabric does not have are named before anything runs" {
	scenario <<-'E'
		hosts:
		  - {name: "node-[04-05]"}
		  - {name: elsewhere, simulated_as: node-02}
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}}}
	E
	run ! "$rdmaspec" run --simulate "$fabrics/single-switch.net" s.yaml
	[[ $output == *"host 'node-05' (s.yaml:3:"*"no node of the fabric is called 'node-05'; did you mean 'node-0"* ]]
	[[ $output != *elsewhere* ]]
}

@test "a simulated host takes --simulate" {
	scenario <<-'E'
		hosts: [{name: node-01, connect: simulated}]
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}}}
	E
	run ! "$rdmaspec" run s.yaml
	[[ $output == *"host 'node-01' (s.yaml:2:"*"is on a simulated fabric: it takes --simulate FILE" ]]
}

@test "files that are no topology, or none that ibsim serves" {
	export TMPDIR=$BATS_TEST_TMPDIR
	scenario <<-'E'
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}}}
	E
	while IFS='|' read -r file words; do
		run ! "$rdmaspec" run --simulate "$fabrics/bad/$file" s.yaml
		[[ $output == *"$file$words"* ]] || { echo "$output"; return 1; }
	done <<-'E'
		no-ca.net|: no CA is in this topology
		no-topology.net|: no topology
		header.net|:1:1: a node is written
		no-blank-line.net|:3:1: a blank line is missing
		undefined-peer.net|: ibsim refuses this topology: can't find remote node "node-02"
		port-number.net|:2: ibsim refuses this topology: bad port num 5
		unplugged.net|: no CA has its port 1 connected
		nothing.net|': No such file or directory
	E
	no_directory_left
}

@test "a program that is missing is named, with its package" {
	scenario <<-'E'
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}}}
	E
	PATH=/nonexistent run ! "$rdmaspec" run --simulate "$fabrics/single-switch.net" s.yaml
	[[ $output == *"a simulated fabric needs 'ibsim', which is not installed (Debian package ibsim-utils)" ]]
}

@test "two runs side by side do not meet" {
	scenario <<-'E'
		steps:
		  - {id: sm, fresh: true, repeat: 5, ib.sm: {expect: {guid: "0x0002c90000000011"}}}
	E
	scenario other.yaml <<-'E'
		steps:
		  - {id: sm, fresh: true, repeat: 5, ib.sm: {expect: {guid: "0x0002c90000000031"}}}
	E
	"$rdmaspec" run --simulate "$fabrics/single-switch.net" s.yaml >one 3>&- &
	first=$!
	"$rdmaspec" run --simulate "$fabrics/single-switch.net" --simulate-sm node-03 other.yaml >two 3>&- &
	second=$!
	wait $first
	wait $second
}

@test "SIGTERM and SIGHUP: the fabric ends with the run" {
	begin
	kill -TERM $pid
	ends_with 143
	no_directory_left
	[ "$(verdicts)" = "pass pass skip skip" ]
	begin
	kill -HUP $pid
	ends_with 129
	no_directory_left
}

@test "kill -9 of the runner: the fabric and its files are gone" {
	begin
	kill -9 $pid
	ends_with 137
	nothing_left
	no_directory_left
}

@test "kill -9 of ibsim: what is on the fabric are errors that say so, and the run goes on" {
	export TMPDIR=$BATS_TEST_TMPDIR
	scenario <<-'E'
		hosts: [{name: "node-[01-02]"}]
		steps:
		  - {id: quick, ib.sm: {expect: {state: MASTER}}}
		  - {id: waiting, needs: [quick], hosts: node-01, timeout: 60 s, ib.sm: {lid: 4000, observe_only: true}}
		  - {id: after, needs: [quick], hosts: node-02, retries: 1, delay: 3 s, fresh: true, ib.sm: {expect: {lid: 0}}}
		  - {id: elsewhere, mock.pass: {count: 2}}
	E
	"$rdmaspec" run --simulate "$fabrics/single-switch.net" -o json=out.json s.yaml >out 2>&1 3>&- &
	pid=$!
	until grep -q quick out; do kill -0 $pid; done
	kill -9 "$(left_behind | awk '$2 == "ibsim" { print $1 }')"
	ends_with 2
	[ "$(verdicts)" = "pass pass error error pass pass" ]
	grep -q "ibsim died by signal 9 (Killed), and the simulated fabric with it" out
	nothing_left
	no_directory_left
}

@test "kill -9 of the keeper: the fabric goes with it, and the runner clears up" {
	begin
	kill -9 "$(pgrep -P $pid -x rdmaspec-keeper)"
	until [ "$(processes '^[0-9]* ibsim')" = 0 ]; do :; done
	kill -TERM $pid
	ends_with 143
	nothing_left
	no_directory_left
}

@test "a fabric that does not come up for a subnet manager that dies" {
	export TMPDIR=$BATS_TEST_TMPDIR
	mkdir bin
	printf '#!/bin/sh\necho no licence >&2\nexit 3\n' >bin/opensm
	chmod +x bin/opensm
	scenario <<-'E'
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}}}
	E
	PATH=$PWD/bin:$PATH run -2 "$rdmaspec" run --simulate "$fabrics/single-switch.net" s.yaml
	[[ $output == *"opensm on 'node-01' ended with status 3; it said last: no licence" ]]
	no_directory_left
}
