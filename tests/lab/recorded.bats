#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Recorded runs of a simulated fabric: judged again, and as the plan that its cables are held against.

load lab

fabric=$RDMASPEC_SOURCE/scenarios/fabrics/two-level.net

record_links() {
	scenario links.yaml <<-'E'
		steps:
		  - fabric.links: {count: 24}
	E
	run -0 "$rdmaspec" run --simulate "$fabric" --record "$1" links.yaml
}

plan() {
	scenario plan.yaml <<-'E'
		steps:
		  - {id: cabling, fabric.cabling: {plan: $(plan), expect: {status: ok}, count: 24}}
	E
}

@test "a recorded run is a plan, compressed or not, and whatever wrote it down again" {
	record_links links.json
	zstd -q links.json -o links.zst
	jq -S . links.json >sorted.json
	plan
	for file in links.json links.zst sorted.json; do
		run -0 "$rdmaspec" run --simulate "$fabric" --set plan=$file plan.yaml
		[[ $output == *"24 rows"* ]]
	done
	# What is handed over is the plan alone: the names of its columns and a line a cable.
	run -0 "$rdmaspec" run --simulate "$fabric" --set plan=links.zst --record cabling.json plan.yaml
	[ "$(jq -r '.observations[0].params.plan | split("\n") | map(select(. != "")) | length' cabling.json)" = 25 ]
	[ "$(jq -r '.observations[0].params.plan | split("\n")[1] | split(",") | length' cabling.json)" = 8 ]
}

@test "cables that were pulled or changed over since the recording are told by the names they had" {
	record_links links.zst
	plan
	run -1 "$rdmaspec" run --simulate "$fabric" --set plan=links.zst -o json=out.json plan.yaml \
		--simulate-command 'Unlink "node-02"[1]' --simulate-command 'Unlink "node-07"[1]' --simulate-command 'Unlink "node-05"[1]' \
		--simulate-command 'Link "node-02"[1] "leaf-4"[1]' --simulate-command 'Link "node-07"[1] "leaf-1"[2]'
	run -0 jq -r '.scenarios[0].steps[0].cases[0].attempts[0].rows[].facts | select(.status != "ok") |
		"\(.status) \([.description, .remote_description] | sort | join(" "))"' out.json
	# By the commands above: 02 and 07 sit where the other one was, 05 nowhere.
	diff <(sort <<<"$output") - <<-'F'
		missing leaf-3 node-05
		swapped leaf-1 node-02
		swapped leaf-4 node-07
	F
}

@test "an adapter that was replaced since is found by its name" {
	record_links links.zst
	plan
	run -0 "$rdmaspec" run --simulate "$fabric" --set plan=links.zst -o json=out.json --simulate-command 'Guid "node-05" 0x1234' plan.yaml
	run -0 jq -c '[.scenarios[0].steps[0].cases[0].attempts[0].rows[].facts | select(.remote_description == "node-05") | [.status, .remote_guid]]' out.json
	[ "$output" = '[["ok","0x0000000000001234"]]' ]
}

@test "what is no plan is refused before anything starts, with its place" {
	plan
	scenario nodes.yaml <<-'E'
		steps:
		  - fabric.nodes: {count: {min: 1}}
	E
	run -0 "$rdmaspec" run --simulate "$fabric" --record nodes.json nodes.yaml
	run -3 "$rdmaspec" check --set plan=nodes.json plan.yaml
	[[ $output == *"plan.yaml:3:"*"plan: 'nodes.json' is a recorded run without fabric.links"* ]]
	record_links links.zst
	head -c 600 links.zst >cut.zst
	run -3 "$rdmaspec" check --set plan=cut.zst plan.yaml
	[[ $output == *"plan: 'cut.zst' cannot be read: "*"cut short"* ]]
	record_links links.json
	jq '.observations += [.observations[0] | .host = "other"]' links.json >two.json
	run -3 "$rdmaspec" check --set plan=two.json plan.yaml
	[[ $output == *"plan: 'two.json' holds more than one fabric.links: on localhost with {"*"and on other with {"* ]]
	jq '.observations[0].tables[0].rows[0] = 1' links.json >changed.json
	run -3 "$rdmaspec" check --set plan=changed.json plan.yaml
	[[ $output == *"'changed.json' is a recorded run whose fabric.links does not match its facts, or was changed"* ]]
}

@test "a recorded run of the fabric comes to the same verdicts" {
	scenario <<-'E'
		hosts: [{name: "node-[01-03]"}]
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}, same: [lid, guid]}}
		  - {id: ports, ib.ports: {expect: {state: Active}}}
		  - {id: links, needs: [sm], fabric.links: {expect: {width: 4X, speed: NDR}}}
		  - {id: nodes, fabric.nodes: {where: {type: switch}, count: 6, unique: [guid]}}
	E
	run -1 "$rdmaspec" run --simulate "$fabric" --record rec.zst -o json=run.json -o tap=run.tap s.yaml
	run -1 "$rdmaspec" judge --on rec.zst -o json=judge.json -o tap=judge.tap s.yaml
	diff <(jq 'walk(if type == "object" then del(.started, .seconds) else . end)' run.json) \
		<(jq 'walk(if type == "object" then del(.started, .seconds) else . end)' judge.json)
}
