#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Faults put in through ibsim's console: each is found by the scenario that is meant for it, in the right words, and the
# scenarios that ask something else stay green. Two-level: 8 hosts, 4 leaves, 2 spines, 24 cables.

load lab

fabric=two-level.net

# judge SCENARIO OPTION...: the run's exit status in $status, its report in out.json
judge() {
	local scenario=$1
	shift
	run "$rdmaspec" run --simulate "$scenarios/fabrics/$fabric" -o json=out.json "$@" "$scenarios/infiniband-$scenario.yaml"
}

# faults COMMAND...: what every following run has done to its fabric
faults() {
	options=()
	local command
	for command; do
		options+=(--simulate-command "$command")
	done
}

# finds SCENARIO STATUS LINE...: these lines begin what did not pass, one a case, and nothing else is not green
finds() {
	local scenario=$1 expected=$2 line lines
	shift 2
	judge "$scenario" "${options[@]}"
	[ "$status" = "$expected" ] || { echo "$output"; return 1; }
	mapfile -t lines < <(not_green)
	[ ${#lines[@]} = $# ] || { printf '%s\n' "${lines[@]}"; return 1; }
	for line in "${lines[@]}"; do
		[[ $line == "$1"* ]] || { printf '%s\nis not\n%s\n' "$line" "$1"; return 1; }
		shift
	done
}

# green SCENARIO...: these do not mind
green() {
	local scenario
	for scenario; do
		judge "$scenario" "${options[@]}"
		[ "$status" = 0 ] || { echo "$scenario: $output"; return 1; }
	done
}

@test "bit errors at one port: counters" {
	faults 'PerformanceSet "leaf-2"[1] PortCounters.SymbolErrorCounter=37'
	finds counters 1 'fail bits: leaf-2 port 1 → node-03 port 1: symbol_error is 37, expected 0 ('
	green summary cabling routes partitions links inventory switch-ports fabric
}

@test "a counter that stopped at its maximum: counters, twice" {
	faults 'PerformanceSet "leaf-1"[3] PortCounters.LinkDownedCounter=255'
	finds counters 1 'fail bits: leaf-1 port 3 → spine-1 port 1: link_downed is 255, expected 0 (' \
		'fail pegged: leaf-1 port 3 → spine-1 port 1: pegged is [link_downed], expected none ('
	green summary cabling routes partitions links inventory switch-ports fabric
}

@test "a cable pulled: cabling, links, inventory and whoever counts hosts; not switch-ports of another leaf" {
	faults 'Unlink "node-06"[1]'
	finds cabling 1 'fail planned: leaf-3 port 2 → node-06 port 1: status is missing, expected ok ('
	finds links 1 'fail cables: 23 rows, expected 24 (' \
		'fail host-links: 7 rows where kind is host, expected 8 ('
	finds inventory 1 'fail cas: 7 rows where type is CA and aggregation is false, expected 8 (' \
		'fail attached [node=node-06]: 0 rows where type is CA and description is node-06, expected at least 1 ('
	green counters switch-ports
}

@test "an uplink pulled: its leaf's cables are counted; hosts do not mind" {
	faults 'Unlink "leaf-1"[3]'
	finds fabric 1 'fail uplinks [leaf=leaf-1]: 3 rows where description is leaf-1 and remote_description is spine-*, expected 4 ('
	finds links 1 'fail cables: 23 rows, expected 24 ('
	finds switch-ports 1 \
		'fail plan [port=3 peer=spine-1 peer_port=1]: leaf-1 port 3: physical_state is Polling, expected LinkUp ('
	green inventory counters partitions
}

@test "a cable pulled and put back: green as soon as the subnet manager has seen it" {
	# Until it has, the port is in Initialize, as it should be: the scenarios are told to try again.
	cp -r "$scenarios" patient
	sed -i 's/^rdmaspec: 1$/&\ndefaults: {retries: 600, delay: 100 ms}/' patient/*.yaml patient/common/*.yaml
	scenarios=$PWD/patient
	faults 'Unlink "node-06"[1]' 'ReLink "node-06"[1]'
	green summary cabling counters routes partitions links inventory switch-ports fabric
}

@test "a cable in another port of its leaf: cabling, which says where it is" {
	faults 'Unlink "node-06"[1]' 'Link "node-06"[1] "leaf-3"[7]'
	finds cabling 1 'fail planned: leaf-3 port 2 → node-06 port 1: status is swapped, expected ok ('
	judge cabling "${options[@]}"
	[[ $output == *"note: node-06 port 1 is connected to leaf-3 port 7, planned is leaf-3 port 2"* ]]
	green inventory counters switch-ports
}

@test "two cables changed over: cabling says with which, and counts do not change" {
	faults 'Unlink "node-01"[1]' 'Unlink "node-07"[1]' 'Link "node-01"[1] "leaf-4"[1]' 'Link "node-07"[1] "leaf-1"[1]'
	finds cabling 1 'fail planned: leaf-1 port 1 → node-01 port 1: status is swapped, expected ok ('
	judge cabling "${options[@]}"
	[[ $output == *"note: leaf-1 port 1 is connected to node-07 port 1, planned is node-01 port 1"* ]]
	[[ $output == *"note: node-07 port 1 is connected to leaf-1 port 1, planned is leaf-4 port 1"* ]]
	finds switch-ports 1 'fail plan [port=1 peer=node-01 peer_port=1]: leaf-1 port 1: remote_description is node-07, expected node-01 ('
	green inventory
}

@test "a node that answers no MAD: whoever needs the whole subnet says that it was not seen whole" {
	local silent='the observation is incomplete: leaf-2 port 1: its link is up, but what is behind it did not answer ('
	faults 'Error "node-03"[1] 100'
	finds cabling 2 "error planned: $silent" "error unplanned: $silent"
	finds links 2 "error cables: $silent" "error state: $silent" "error width-and-speed: $silent" \
		"error host-links: $silent"
}

@test "a node that answers no PortCounters: counters, and no other" {
	faults 'Error "node-03"[1] 100 18'
	judge counters "${options[@]}"
	[ "$status" = 2 ]
	[[ $(not_green) == "error bits: the observation is incomplete: node-03 port 1: its counters were not answered"* ]]
	green summary cabling routes partitions links inventory switch-ports
}

@test "a LID that two ports have: summary, and routes that end at the wrong one" {
	faults 'Baselid "node-05"[1] 1'
	finds summary 1 'fail duplicates: the subnet: duplicate_lids is 1, expected 0 ('
	finds routes 1 'fail reachable: node-01 port 1 → node-05 port 1: status is unreachable, expected ok (' \
		"skip balance: needs 'reachable', which failed"
	green cabling partitions links
}

@test "a GUID that two hosts have: summary and inventory" {
	faults 'Guid "node-05" 0x100004'
	finds summary 1 'fail duplicates: the subnet: duplicate_guids is 1, expected 0 ('
	judge inventory "${options[@]}"
	[[ $(not_green) == "fail guids: node-03: duplicate_guid is true, expected false ("* ]]
	green links counters partitions switch-ports
}

@test "two subnet managers of one priority: subnet-managers; of two, none" {
	options=(--simulate-sm node-01:5 --simulate-sm node-08:5)
	judge subnet-managers "${options[@]}"
	[ "$status" = 1 ]
	[[ $(not_green) == "fail priorities"*": SM on node-01 and SM on node-08: priority is 5 in both, expected to be unique ("* ]]
	green summary cabling links
	options=(--simulate-sm node-01:5 --simulate-sm node-08:6)
	green subnet-managers
}
