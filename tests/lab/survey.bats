#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# A survey of a simulated subnet, the scenario that it writes, and what changes then: each red on a step that is meant for
# it, and "rdmaspec diff" says the same in a line. Two hosts on each of two leaves, one spine; ibsim gives HCAs the node
# GUIDs 0x100000, 0x100002, ..., and switches 0x200000, 0x200001, ...

load lab

topology() {
	cat <<-'E'
		width=3
		speed=7
		extspeed=7

		Switch 3 "leaf-1" # "leaf-1"
		[1] "node-1"[1]
		[2] "node-2"[1]
		[3] "spine-1"[1]

		Switch 3 "leaf-2" # "leaf-2"
		[1] "node-3"[1]
		[2] "node-4"[1]
		[3] "spine-1"[2]

		Switch 2 "spine-1" # "spine-1"
		[1] "leaf-1"[3]
		[2] "leaf-2"[3]
	E
	local host
	for host in 1 2 3 4; do
		printf '\nHca 1 "node-%s" # "node-%s mlx5_0"\n[1] "leaf-%s"[%s]\n' $host $host $(((host + 1) / 2)) $((2 - host % 2))
	done
}

probes='fabric.nodes,fabric.links,fabric.sms,ib.*'

survey() {
	run -0 timeout 60 "$rdmaspec" survey --probes "$probes" --simulate "$1" "${@:2}"
}

# Once for all tests: the subnet, its survey, and the scenario that it writes.
surveyed() {
	[ ! -e "$BATS_FILE_TMPDIR/then.yaml" ] || return 0
	topology >"$BATS_FILE_TMPDIR/fabric.net"
	survey "$BATS_FILE_TMPDIR/fabric.net" -o "$BATS_FILE_TMPDIR/then.json" --as-scenario "$BATS_FILE_TMPDIR/then.yaml"
}

# now TOPOLOGY OPTION... ("same": that of the survey): the surveyed scenario over that subnet is red, in out.json; then.json against now is in $output
now() {
	surveyed
	[ "$1" != same ] || set -- "$BATS_FILE_TMPDIR/fabric.net" "${@:2}"
	run -1 timeout 60 "$rdmaspec" run --simulate "$@" -o json=out.json "$BATS_FILE_TMPDIR/then.yaml"
	survey "$@" -o now.json
	run -1 "$rdmaspec" diff "$BATS_FILE_TMPDIR/then.json" now.json
}

# failed TEXT: a sentence of a failed case holds it
failed() {
	jq -r '.scenarios[].steps[].cases[] | select(.verdict == "fail") | .attempts[-1].sentence' out.json | grep -qF -- "$1" ||
		{ jq -r '.scenarios[].steps[].cases[] | select(.verdict == "fail") | "\(.name): \(.attempts[-1].sentence)"' out.json >&2; return 1; }
}

said() {
	grep -qF -- "$1" <<<"$output" || { echo "$output" >&2; return 1; }
}

@test "what a survey writes passes at once, over the same subnet and offline" {
	surveyed
	run -0 timeout 60 "$rdmaspec" run --simulate "$BATS_FILE_TMPDIR/fabric.net" "$BATS_FILE_TMPDIR/then.yaml"
	run -0 "$rdmaspec" judge --on "$BATS_FILE_TMPDIR/then.json" "$BATS_FILE_TMPDIR/then.yaml"
	survey "$BATS_FILE_TMPDIR/fabric.net" -o now.json
	run -0 "$rdmaspec" diff "$BATS_FILE_TMPDIR/then.json" now.json
}

@test "a cable pulled" {
	now same --simulate-command 'Unlink "node-4"[1]'
	# 4 hosts and 2 cables between switches
	failed "5 rows, expected 6"
	said "gone     localhost fabric.links: leaf-2 port 2 → node-4 mlx5_0 port 1"
}

@test "two cables exchanged" {
	topology | sed 's/^\[2\] "node-2"\[1\]/[2] "node-3"[1]/; s/^\[1\] "node-3"\[1\]/[1] "node-2"[1]/
		/^Hca 1 "node-2"/,/^\[1\]/ s/^\[1\].*/[1] "leaf-2"[1]/; /^Hca 1 "node-3"/,/^\[1\]/ s/^\[1\].*/[1] "leaf-1"[2]/' >moved.net
	now moved.net
	failed "leaf-1 port 2 → node-3 mlx5_0 port 1: remote_guid is 0x0000000000100004, expected 0x0000000000100002"
	failed "leaf-2 port 1 → node-2 mlx5_0 port 1: remote_guid is 0x0000000000100002, expected 0x0000000000100004"
	said "changed  localhost fabric.links: leaf-1 port 2 → node-2 mlx5_0 port 1: remote_guid 0x0000000000100002 → 0x0000000000100004"
}

@test "a speed changed" {
	topology | sed 's/^\[1\] "node-1"\[1\]/& e=1/; /^Hca 1 "node-1"/,/^\[1\]/ s/^\[1\].*/& e=1/' >slow.net
	now slow.net
	failed "speed is FDR, expected HDR"
	said "speed HDR → FDR"
}

@test "a host gone, and one that is new" {
	topology | sed '/^\[2\] "node-4"\[1\]/d; /^Hca 1 "node-4"/,/^\[1\]/d' >gone.net
	now gone.net
	# 4 hosts, 3 switches
	failed "6 rows, expected 7"
	said "gone     localhost fabric.nodes: node-4 mlx5_0"
	{
		topology | sed 's/^Switch 2 "spine-1".*/Switch 3 "spine-1" # "spine-1"/; s/^\[2\] "leaf-2"\[3\]/&\n[3] "node-5"[1]/'
		printf '\nHca 1 "node-5" # "node-5 mlx5_0"\n[1] "spine-1"[3]\n'
	} >new.net
	now new.net
	failed "8 rows, expected 7"
	said "added    localhost fabric.nodes: node-5 mlx5_0"
}

@test "another subnet manager" {
	now same --simulate-sm node-3
	# port GUID of the first HCA, of the third
	failed "guid is 0x0000000000100005, expected 0x0000000000100001"
	said "ib.sm: "
}
