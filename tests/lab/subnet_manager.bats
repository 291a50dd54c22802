#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Subnet managers that are two, none, silent or dead: which step turns red, and in which words. small.net: two hosts on
# one switch. ibsim gives the HCAs the node GUIDs 0x100000 and 0x100002, and port 1 of each the next number; opensm gives
# its own port LID 1, and the other host's LID 3.

load lab

# on_small OPTION... SCENARIO: exit status in $status, report in out.json
on_small() {
	run timeout 60 "$rdmaspec" run --simulate "$scenarios/fabrics/small.net" -o json=out.json "$@"
}

two_of_them() {
	scenario <<-'E'
		hosts: [{name: "node-[01-02]"}]
		steps:
		  - id: master
		    ib.sm: {expect: {state: MASTER, guid: 0x100003, priority: 9}, same: [lid, guid]}
		  - id: standby
		    hosts: node-01
		    ib.sm: {lid: 3, expect: {state: STANDBY, guid: 0x100001, priority: 3}}
		  - id: mistaken
		    hosts: node-01
		    ib.sm: {lid: 3, expect: {state: MASTER}}
		  - id: nobody
		    hosts: node-01
		    ib.sm: {lid: 2, expect: {state: MASTER}}
	E
}

@test "MASTER and STANDBY are seen from both ends, each at its LID; a LID without one is an error" {
	two_of_them
	on_small --simulate-sm node-01:3 --simulate-sm node-02:9 s.yaml
	[ "$status" = 1 ]
	[ "$(not_green)" = "$(cat <<-E
		fail mistaken [node-01]: SM at LID 3: state is STANDBY, expected MASTER ($(at 11 MASTER))
		error nobody [node-01]: no subnet manager at LID 2: it did not answer when ibsim0 port 1 asked it for SMInfo ($(at 14 "{lid"))
	E
	)" ]
}

@test "of equal priority the lower GUID is master; the scenario that wants the other says so" {
	two_of_them
	on_small --simulate-sm node-01:4 --simulate-sm node-02:4 --step master --step standby s.yaml
	[ "$status" = 1 ]
	[ "$(not_green)" = "$(cat <<-E
		fail master [node-01]: SM at LID 1: guid is 0x0000000000100001, expected 0x0000000000100003 ($(at 5 0x100003))
		fail master [node-02]: SM at LID 1: guid is 0x0000000000100001, expected 0x0000000000100003 ($(at 5 0x100003))
		fail standby [node-01]: SM at LID 3: guid is 0x0000000000100003, expected 0x0000000000100001 ($(at 8 0x100001))
	E
	)" ]
	on_small --simulate-sm node-01:4 --simulate-sm node-02:4 "$scenarios/infiniband-subnet-manager.yaml"
	[ "$status" = 0 ]
}

@test "no subnet manager: ports stay in Initialize, and what needs one is skipped" {
	local file=$scenarios/infiniband-subnet-manager.yaml
	on_small --simulate-sm none "$file"
	[ "$status" = 1 ]
	[ "$(not_green)" = "$(cat <<-E
		fail active [node-01]: ibsim0 port 1: state is Initialize, expected Active ($file:19:16)
		fail active [node-02]: ibsim0 port 1: state is Initialize, expected Active ($file:19:16)
		skip master [node-01]: needs 'active', which failed on node-01
		skip master [node-02]: needs 'active', which failed on node-02
		skip same [node-01]: needs 'active', which failed on node-01
		skip same [node-02]: needs 'active', which failed on node-02
		skip same [all hosts]: needs 'active', which failed on node-01
	E
	)" ]
	scenario <<-'E'
		hosts: [{name: node-01}]
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}}}
		  - {id: nothing, ib.sm: {count: 0}}
		  - {id: links, fabric.links: {expect: {physical_state: LinkUp, state: Initialize}, count: 2}}
	E
	on_small --simulate-sm none s.yaml
	[ "$status" = 1 ]
	[ "$(not_green)" = "fail sm [node-01]: no row: ib.sm is empty ($(at 4 "{expect"))" ]
	[[ $output == *"note: ibsim0 port 1 has no SM LID: no subnet manager has configured it"* ]]
}

@test "a subnet manager whose host has gone silent: an error at the other end, which names its LID" {
	local file=$scenarios/infiniband-subnet-manager.yaml
	on_small --simulate-sm node-01 --simulate-command 'Error "node-01"[1] 100' "$file"
	[ "$status" = 2 ]
	# Both ports are still as it left them. node-01 reaches its own; node-02 gets no answer.
	[ "$(not_green)" = "$(cat <<-E
		error master [node-02]: no subnet manager at LID 1: it did not answer when ibsim0 port 1 asked it for SMInfo ($file:26:7)
		error same [node-02]: no subnet manager at LID 1: it did not answer when ibsim0 port 1 asked it for SMInfo ($file:33:7)
		error same [all hosts]: node-02: no subnet manager at LID 1: it did not answer when ibsim0 port 1 asked it for SMInfo ($file:33:7)
	E
	)" ]
}

@test "two subnets: a cable pulled between two hosts that each have a subnet manager" {
	# node-02 loses its cable to leaf-1: its port is Down, and that is said, not judged over.
	local file=$scenarios/infiniband-subnet-manager.yaml
	on_small --simulate-sm node-01:9 --simulate-sm node-02:3 --simulate-command 'Unlink "node-02"[1]' "$file"
	[ "$status" = 1 ]
	[ "$(not_green)" = "$(cat <<-E
		fail active [node-02]: no row where link_layer is InfiniBand and physical_state is LinkUp, of 1 row ($file:17:7)
		skip master [node-02]: needs 'active', which failed on node-02
		skip same [node-02]: needs 'active', which failed on node-02
	E
	)" ]
}

@test "opensm is killed while the run goes on: every later observation of the fabric is an error that says so" {
	local status=0 pid
	export TMPDIR=$BATS_TEST_TMPDIR
	scenario <<-'E'
		hosts: [{name: "node-[01-02]"}]
		steps:
		  - {id: first, ib.sm: {expect: {state: MASTER}}}
		  - {id: wait, hosts: node-01, needs: [first], mock.slow: {seconds: 1.5 s, observe_only: true}}
		  - {id: after, needs: [wait], fresh: true, ib.sm: {expect: {state: MASTER}}}
		  - {id: elsewhere, needs: [wait], fresh: true, mock.pass: {count: 2}}
	E
	"$rdmaspec" run --simulate "$scenarios/fabrics/small.net" -o json=out.json s.yaml >out 2>&1 3>&- &
	pid=$!
	until grep -q first out; do kill -0 $pid; done
	kill -9 "$(left_behind | awk '$2 ~ /opensm$/ { print $1 }')"
	wait $pid || status=$?
	cat out
	[ $status = 2 ]
	[ "$(not_green)" = "$(cat <<-E
		error after [node-01]: opensm on 'node-01' died by signal 9 (Killed); it said last: SUBNET UP ($(at 6 "{expect"))
		error after [node-02]: opensm on 'node-01' died by signal 9 (Killed); it said last: SUBNET UP ($(at 6 "{expect"))
	E
	)" ]
	no_directory_left
}
