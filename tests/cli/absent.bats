#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Hosts that cannot be reached and need not be: required: false, --min-hosts.

load helper

reasons() {
	jq -r '[.scenarios[].steps[].cases[] | select(.verdict == "skip") | .reason] | unique | join("|")' out.json
}

gone='connect: {command: ["false"]}'
words="could not be reached, which is allowed: the agent ended before it had answered, with exit status 1"

@test "a host that is not required: its cases are skipped, and what needs them goes on elsewhere" {
	scenario <<-E
		hosts: [{name: a}, {name: b, required: no, $gone}, {name: c}]
		steps:
		  - {id: first, mock.pass: {count: 2, same: [text]}}
		  - {id: second, needs: [first], repeat: 2, fresh: true, mock.pass: {count: 2}}
		  - {id: third, needs: [second], when: {mock.pass: {}}, retries: 1, mock.pass: {count: 2}}
	E
	run -0 timeout 60 "$rdmaspec" run -o json=out.json -o junit=out.xml s.yaml
	[ "$(verdicts)" = "pass skip pass pass pass pass skip skip pass pass pass skip pass" ]
	[ "$(reasons)" = "b $words" ]
	[[ $output == *"note    1 of 3 hosts could not be reached, which is allowed: b"* ]]
	# A pair with such an end, and a step of that host alone.
	scenario <<-E
		hosts: [{name: a}, {name: b, required: no, $gone}, {name: c}]
		steps:
		  - {id: pair, between: {client: "a,c,b", server: "b,a,c"}, mock.pair: {observe_only: true}}
		  - {id: alone, hosts: b, mock.pass: {count: 2}}
		  - {id: good, hosts: a, mock.pass: {count: 2}}
	E
	run -0 timeout 60 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "skip pass skip skip pass" ]
	[ "$(reasons)" = "b $words" ]
}

@test "nothing but absent hosts is no pass" {
	scenario <<-E
		hosts: [{name: b, required: no, $gone}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -3 timeout 60 "$rdmaspec" run s.yaml
}

@test "what is the same in the whole fabric is asked of a host that must be there" {
	scenario <<-E
		hosts: [{name: b, required: no, $gone}, {name: a}]
		steps: [{id: one, mock.nodes: {count: {min: 0}}}, {id: two, mock.pass: {count: 2}}]
	E
	run -0 timeout 60 "$rdmaspec" plan s.yaml
	[[ $output == *"mock.nodes on a: 1 observation"* ]]
}

@test "--min-hosts: with enough of them the others are absent; with too few nothing is observed" {
	scenario <<-E
		hosts: [{name: "a[1-3]"}, {name: "b[1-2]", $gone}]
		steps:
		  - {id: all, mock.pass: {count: 2}}
		  - {id: some, hosts: "b[1-2]", mock.pass: {count: 2}}
	E
	# The second step was judged nowhere: that is no green run.
	run -2 timeout 60 "$rdmaspec" run --min-hosts 3 -o json=out.json s.yaml
	[ "$(verdicts)" = "pass pass pass skip skip skip skip" ]
	[ "$(jq -c '[.scenarios[].steps[] | [.cases[] | .gating]]' out.json)" = "[[true,true,true,false,false],[true,true]]" ]
	[[ $output == *"note    2 of 5 hosts could not be reached, which is allowed: b[1-2]"* ]]
	run -0 timeout 60 "$rdmaspec" run --min-hosts 3 --step all s.yaml
	run -2 timeout 60 "$rdmaspec" run --min-hosts 4 -o json=out.json -o junit=out.xml s.yaml
	[ "$(verdicts)" = "error error error error error error error" ]
	[[ $output == *"note    only 3 of 5 hosts could be reached, and --min-hosts asks for 4: nothing was observed"* ]]
	[[ $output == *"note    b1 could not be reached: the agent ended before it had answered, with exit status 1"* ]]
	[ "$(jq '[.. | objects | select(.rows_kept? > 0)] | length' out.json)" = 0 ]
	run -2 "$rdmaspec" run --min-hosts 6 s.yaml
	[[ $output == *"--min-hosts asks for 6 hosts, and the run has 5" ]]
	run -64 "$rdmaspec" run --min-hosts none s.yaml
}

@test "--min-hosts with a host that says nothing: the step begins when its time is over" {
	scenario <<-'E'
		hosts: [{name: a}, {name: b, connect_timeout: 300 ms, connect: {command: [sleep, "1000"]}}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -0 timeout 60 "$rdmaspec" run --min-hosts 1 -o json=out.json s.yaml
	[ "$(reasons)" = "b could not be reached, which is allowed: the agent did not answer within 0.3 s" ]
	run -64 "$rdmaspec" run --connect-timeout 30 s.yaml
	[[ $output == *"--connect-timeout takes a time such as 30 s, not '30'"* ]]
}

@test "one that was there and is lost is not excused" {
	scenario <<-E
		hosts: [{name: a}, {name: b, required: no, connect: {command: [bash, -c, "exec 4<&0; \"$RDMASPEC_BUILD/runner/rdmaspec\" agent <&4 & read -rt 1 <> <(:); kill -9 \$\$!; exit 1"]}}]
		steps: [{hosts: b, timeout: 60 s, mock.hang: {observe_only: true}}, {hosts: a, mock.pass: {count: 2}}]
	E
	run -2 timeout 60 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "error pass" ]
}
