#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Every scenario of scenarios/ on the fabric that scenarios/README.md names for it.

load lab

# on_fabric: FILE FABRIC of each row of the table in scenarios/README.md
on_fabric() {
	sed -nE 's/^\| `([^`]+\.yaml)` \|.*\| `?([^`|]+[^`| ])`? \|$/\1 \2/p' "$scenarios/README.md"
}

# passes FILE FABRIC CASES: with exit status 0, that many cases, and none that is not a pass
passes() {
	run --separate-stderr -0 "$rdmaspec" run --simulate "$scenarios/fabrics/$2" -o json=out.json "$scenarios/$1"
	[ -z "$stderr" ]
	[ -z "$(not_green)" ]
	[ "$(jq -c '[.counts.passed, .exit_status]' out.json)" = "[$3,0]" ]
	"$rdmaspec" check "$scenarios/$1"
}

@test "the table of scenarios/README.md has every scenario and every fabric" {
	[ "$(on_fabric | cut -d' ' -f1 | sort)" = "$(cd "$scenarios" && find . -name '*.yaml' | sed 's|^\./||' | sort)" ]
	[ "$(on_fabric | cut -d' ' -f2 | grep -vx -e any -e hosts | sort -u)" = "$(ls "$scenarios/fabrics")" ]
}

@test "every scenario is what its first lines say: the command there is green" {
	cd "$RDMASPEC_SOURCE"
	local file command count=0
	for file in $(grep -l -e ' --simulate ' scenarios/*.yaml); do
		command=$(sed -nE 's/^# +(rdmaspec run .*)$/\1/p' "$file")
		[[ $command == *" $file" ]]
		run -0 "$rdmaspec" ${command#rdmaspec }
		count=$((count + 1))
	done
	for file in $(grep -L -e ' --simulate ' scenarios/*.yaml); do
		[[ $file == scenarios/*-pair.yaml || $file == scenarios/soft-roce-link.yaml || $file == scenarios/tcp-against-roce.yaml ]]
		"$rdmaspec" check "$file"
		count=$((count + 1))
	done
	[ $count = "$(ls scenarios/*.yaml | wc -l)" ]
}

# Cases by hand: one a host for steps of host probes, one a value of each, one more for unique or same.
@test "subnet manager: two hosts in three steps, and one across them" {
	passes infiniband-subnet-manager.yaml small.net 7
}

@test "links: four steps" {
	passes infiniband-links.yaml two-level.net 4
}

@test "switch ports: six cabled ones and the rest" {
	passes infiniband-switch-ports.yaml two-level.net 7
}

@test "inventory: three steps, two of them with unique, and eight hosts" {
	passes infiniband-inventory.yaml two-level.net 13
}

@test "the whole fabric: 3 included, inventory with unique, switches, 8 hosts, 8 cables, 4 leaves" {
	passes infiniband-fabric.yaml two-level.net 26
}

@test "ports of the hosts: two hosts in five steps, and one across them" {
	# 2 of each, and one more for same
	passes infiniband-ports.yaml small.net 11
}

@test "the probes of the fabric, each by its scenario" {
	passes infiniband-summary.yaml two-level.net 4
	passes infiniband-cabling.yaml two-level.net 2
	passes infiniband-counters.yaml two-level.net 4
	passes infiniband-routes.yaml two-level.net 4
	# 8 hosts, and one step for all else
	passes infiniband-partitions.yaml two-level.net 9
}

@test "subnet managers: a lonely one has no standby" {
	run -1 "$rdmaspec" run --simulate "$scenarios/fabrics/two-level.net" -o json=out.json \
		"$scenarios/infiniband-subnet-managers.yaml"
	[ "$(not_green)" = "fail standby: 0 rows where state is STANDBY, expected at least 1 ($scenarios/infiniband-subnet-managers.yaml:20:14)" ]
	[ "$(jq .counts.passed out.json)" = 3 ]
}

@test "what holds on any subnet" {
	passes common/fabric-health.yaml small.net 3
	passes common/fabric-health.yaml two-level.net 3
	# Whatever the speed is: told by the scenario, not built in. These links are HDR.
	run -1 "$rdmaspec" run --simulate "$scenarios/fabrics/small.net" --set speed=NDR -o json=out.json \
		"$scenarios/common/fabric-health.yaml"
	[ "$(not_green)" = "fail links: leaf-1 port 1 → node-01 port 1: speed is HDR, expected at least NDR ($scenarios/common/fabric-health.yaml:16:79); 2 of 2 rows" ]
}

@test "the inventory of one fabric is not that of another" {
	run -1 "$rdmaspec" run --simulate "$scenarios/fabrics/small.net" -o json=out.json \
		"$scenarios/infiniband-inventory.yaml"
	# node-01 and node-02 are there, the other six are not; 1 switch, 2 CAs; no GUID twice.
	[ "$(verdicts)" = "fail pass fail pass pass fail fail fail fail fail fail pass pass" ]
	[[ $(not_green) == "fail switches: 1 row where type is switch, expected 6 ("*$'\n'* ]]
}

@test "make demo's script: green, then red with both ends of the cable" {
	run -0 "$scenarios/demo" "$RDMASPEC_BUILD"
	[[ $output == *"26 passed in "*" (exit 0)"$'\n'"(exit status 0)"*"23 passed, 3 failed in "*" (exit 1)"$'\n'"(exit status 1)" ]]
	[[ $output == *"leaf-3 port 2: remote_description is none, expected node-06 (scenarios/infiniband-fabric.yaml:38:36)"* ]]
}

@test "four runs side by side, each right, and nothing of them is left" {
	local fabric=$scenarios/fabrics/two-level.net n status pids=() cables=(node-01 node-03 node-06 node-08)
	export TMPDIR=$BATS_TEST_TMPDIR
	for n in 0 1 2 3; do
		"$rdmaspec" run --simulate "$fabric" --simulate-command "Unlink \"${cables[n]}\"[1]" \
			--simulate-sm node-02 -o json=$n.json "$scenarios/infiniband-fabric.yaml" >$n 2>&1 3>&- &
		pids+=($!)
	done
	for n in 0 1 2 3; do
		status=0
		wait ${pids[n]} || status=$?
		# A host whose cable is out cannot sweep: the first CA is the one that asks.
		if [ $n = 0 ]; then
			[ $status = 2 ] || { cat 0; return 1; }
			continue
		fi
		[ $status = 1 ]
		cp $n.json out.json
		[ "$(not_green | sed -n 's/^fail attached \[node=\(.*\)\]:.*/\1/p')" = "${cables[n]}" ]
		[ "$(jq -c '[.counts.passed, .counts.failed]' out.json)" = "[23,3]" ]
	done
	no_directory_left
}

@test "kill -9 of one of three runs: the others do not notice, and nothing of it is left" {
	local fabric=$scenarios/fabrics/two-level.net n pids=()
	export TMPDIR=$BATS_TEST_TMPDIR
	scenario <<-'E'
		steps:
		  - {id: quick, ib.sm: {expect: {state: MASTER}}}
		  - {id: long, needs: [quick], mock.slow: {seconds: 1 s, observe_only: true}}
		  - {id: after, needs: [long], fresh: true, ib.sm: {expect: {state: MASTER}}}
	E
	for n in 0 1 2; do
		"$rdmaspec" run --simulate "$fabric" s.yaml >$n 2>&1 3>&- &
		pids+=($!)
	done
	until grep -q quick 0 && grep -q quick 1 && grep -q quick 2; do kill -0 ${pids[1]}; done
	[ "$(private_directories | wc -l)" = 3 ]
	kill -9 ${pids[1]}
	wait ${pids[0]}
	wait ${pids[2]}
	wait ${pids[1]} || [ $? = 137 ]
	nothing_left
	no_directory_left
}
