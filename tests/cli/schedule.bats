#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# What runs when, how often, and what a step comes to: the scheduler, over the mock plugin.

load helper

# facts PROBE: the rows of all steps of that probe
facts() {
	jq -c "[.scenarios[].steps[] | select(.probe | startswith(\"$1\")) | .cases[].attempts[].rows[]?.facts]" out.json
}

# at_once: how many of the rows on stdin (began, ended) were under way at the busiest moment
at_once() {
	jq '. as $all | map(.began as $t | $all | map(select(.began <= $t and $t < .ended)) | length) | max'
}

# attempts: how many there were of each case
attempts() {
	jq -r '[.scenarios[].steps[].cases[].attempts | length | tostring] | join(" ")' out.json
}

names() {
	jq -r '.scenarios[].steps[].cases[].name' out.json
}

# slow_steps COUNT PROBE
slow_steps() {
	local i
	for ((i = 0; i < $1; i++)); do
		printf '  - {name: "%s %d", fresh: true, %s: {seconds: 0.2 s, count: {min: 1}}}\n' "$2" "$i" "$2"
	done
}

# in_a_moment MS: a time of the monotonic clock, as mock.counter says it
in_a_moment() {
	python3 -c "import time; print(time.monotonic_ns() + $1 * 1000000)"
}

@test "--jobs bounds what runs at once on a host, and is made use of" {
	{ echo steps:; slow_steps 6 mock.slow; } | scenario
	run -0 "$rdmaspec" run -j 2 -o json=out.json s.yaml
	[ "$(facts mock.slow | at_once)" = 2 ]
	run -0 "$rdmaspec" run -j 6 -o json=out.json s.yaml
	[ "$(facts mock.slow | at_once)" -gt 2 ]
}

@test "exclusive probes do not overlap on a host, and nothing else waits for them" {
	{ echo steps:; slow_steps 3 mock.exclusive; slow_steps 1 mock.slow; } | scenario
	run -0 "$rdmaspec" run -j 1 -o json=out.json s.yaml
	[ "$(facts mock.exclusive | jq length)" = 3 ]
	[ "$(facts mock.exclusive | at_once)" = 1 ]
	[ "$(facts mock. | at_once)" = 2 ]
}

@test "exclusive probes of two hosts run side by side" {
	scenario <<-'E'
		hosts: [{name: "node-[1-2]"}]
		steps:
		  - mock.exclusive: {seconds: 0.3 s, count: {min: 1}}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(facts mock.exclusive | at_once)" = 2 ]
}

@test "retries repeat what failed until it holds; every attempt is reported" {
	scenario <<-E
		steps:
		  - {name: later, retries: 4, delay: 200 ms, mock.counter: {expect: {time: {min: $(in_a_moment 500)}}}}
		  - {name: never, retries: 2, mock.counter: {expect: {time: 0}}}
		  - {name: at once, retries: 3, mock.counter: {expect: {time: {min: 1}}}}
	E
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "pass fail pass" ]
	[[ $(attempts) =~ ^[3-5]\ 3\ 1$ ]]
	# Each one anew: no two attempts saw the same worker.
	jq -e '[.scenarios[].steps[].cases[] | [.attempts[].rows[].facts.time] | (unique | length) == length] | all' out.json
}

@test "retries repeat only the hosts concerned, or all where they are held against each other" {
	scenario <<-E
		hosts: [{name: "node-[1-2]"}]
		steps:
		  - {name: apart, retries: 1, mock.worker: {variable: HOME, expect: {pid: 0}}}
		  - {name: together, retries: 1, mock.counter: {same: [time]}}
		  - {id: one, hosts: node-1, mock.counter: {expect: {time: 0}}}
	E
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "fail fail pass pass fail fail" ]
	[ "$(attempts)" = "2 2 2 2 1 1" ]
	scenario <<-'E'
		hosts:
		  - {name: good}
		  - {name: bad, connect: {command: [/nonexistent/agent]}}
		steps:
		  - {name: apart, retries: 1, mock.pass: {expect: {speed: HDR}}}
	E
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "pass error" ]
	[ "$(attempts)" = "1 2" ]
}

@test "repeat: runs one after another, each a case of its own and observed anew" {
	scenario <<-'E'
		hosts: [{name: "node-[1-2]"}]
		steps:
		  - {id: often, repeat: 3, mock.slow: {seconds: 0.1 s, expect: {time_left: {min: 0}}, unique: [began]}}
	E
	run "$rdmaspec" run -o json=out.json s.yaml
	[ "$(names)" = "$(printf '%s\n' 'often [node-1] run 1' 'often [node-1] run 2' 'often [node-1] run 3' \
		'often [node-2] run 1' 'often [node-2] run 2' 'often [node-2] run 3' \
		'often [all hosts] run 1' 'often [all hosts] run 2' 'often [all hosts] run 3')" ]
	jq '[.scenarios[].steps[].cases[] | select(.label == "node-1") | .attempts[].rows[].facts]' out.json >one
	[ "$(jq length one)" = 3 ]
	[ "$(at_once <one)" = 1 ]
}

@test "a condition that does not hold skips, without a gap in the verdict; one that cannot be judged is an error" {
	scenario <<-'E'
		steps:
		  - {name: a, when: {mock.pass: {where: {speed: NDR}}}, mock.pass: {expect: {speed: NDR}}}
		  - {name: b, when: {mock.pass: {where: {speed: HDR}}}, mock.pass: {expect: {speed: HDR}}}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "skip pass" ]
	scenario <<-'E'
		steps:
		  - {name: a, retries: 1, when: {mock.crash: {}}, mock.pass: {expect: {speed: HDR}}}
	E
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = error ]
	[ "$(attempts)" = 2 ]
	[[ $output == *"condition"*"signal 11"* ]]
}

@test "when every step is skipped by its condition, nothing was judged" {
	scenario <<-'E'
		steps:
		  - {name: a, when: {mock.pass: {where: {speed: NDR}}}, mock.pass: {expect: {speed: NDR}}}
	E
	run -3 "$rdmaspec" run s.yaml
}

@test "a need is judged host by host where both steps run there, else as a whole" {
	scenario <<-'E'
		hosts:
		  - {name: good}
		  - {name: bad, connect: {command: [/bin/false]}}
		  - {name: other}
		steps:
		  - {id: first, hosts: "good,bad", mock.pass: {expect: {speed: HDR}}}
		  - {id: then, hosts: "good,bad,other", needs: [first], mock.pass: {expect: {speed: HDR}}}
	E
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "pass error pass skip skip" ]
	[ "$(jq -r '.scenarios[].steps[1].cases[].reason' out.json)" = "$(printf '%s\n' null \
		"needs 'first', which could not be judged on bad" "needs 'first', which could not be judged")" ]
}

@test "a need that is not met goes down a long chain" {
	{
		echo steps:
		echo '  - {id: s0, mock.pass: {expect: {speed: NDR}}}'
		for ((i = 1; i <= 2000; i++)); do
			echo "  - {id: s$i, needs: [s$((i - 1))], mock.pass: {expect: {speed: HDR}}}"
		done
	} | scenario
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(jq -c '[.counts.failed, .counts.skipped]' out.json)" = "[1,2000]" ]
}

@test "steps of one name have cases of different names" {
	scenario <<-'E'
		steps:
		  - {name: twice, mock.pass: {count: 2}}
		  - {name: twice, mock.pass: {count: 2}}
		  - {name: "twice #2", mock.pass: {count: 2}}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(names)" = "$(printf '%s\n' 'twice' 'twice #2' 'twice #2 #2')" ]
}

@test "a host that cannot be connected: its steps are errors with the words, the others run" {
	cat >agent <<-'E'
		#!/bin/sh
		echo "ssh: connect to host bad port 22: No route to host" >&2
		exit 255
	E
	chmod +x agent
	scenario <<-E
		hosts:
		  - {name: bad, connect: {command: [$PWD/agent]}}
		  - {name: good}
		steps:
		  - {id: a, mock.pass: {expect: {speed: HDR}}}
		  - {id: b, needs: [a], mock.pass: {expect: {speed: HDR}}}
	E
	run -2 "$rdmaspec" run --fanout 1 -o json=out.json s.yaml
	[ "$(verdicts)" = "error pass skip pass" ]
	[[ $output == *"No route to host"* ]]
}

@test "what was kept of a host ends when a step changes it" {
	scenario <<-'E'
		steps:
		  - {id: before, mock.counter: {count: {min: 1}}}
		  - {id: again, needs: [before], mock.counter: {count: {min: 1}}}
		  - {id: change, needs: [again], mock.change: {count: {min: 1}}}
		  - {id: after, needs: [change], mock.counter: {count: {min: 1}}}
	E
	run -0 "$rdmaspec" run --allow mock.change -o json=out.json s.yaml
	[ "$(facts mock.counter | jq -c '[.[0].time == .[1].time, .[1].time == .[2].time]')" = "[true,false]" ]
}

@test "all steps that lack --allow are named before anything runs" {
	scenario <<-'E'
		steps:
		  - {id: one, mock.change: {observe_only: true}}
		  - {id: two, mock.command: {observe_only: true}}
		  - {id: three, when: {mock.command: {}}, mock.pass: {count: 2}}
	E
	run ! "$rdmaspec" run --allow mock.pass s.yaml
	[[ $output == *"'one' (s.yaml:3:5) uses mock.change, which changes its host: it takes --allow mock.change"* ]]
	[[ $output == *"'two' (s.yaml:4:5) uses mock.command, which runs commands of the scenario"* ]]
	[[ $output == *"'three'"* ]]
}

@test "a signal while a step waits for its next try: what it came to so far counts" {
	scenario <<-'E'
		steps:
		  - {id: trying, retries: 5, delay: 60 s, mock.pass: {expect: {speed: NDR}}}
		  - {id: then, needs: [trying], mock.pass: {expect: {speed: HDR}}}
	E
	run timeout --preserve-status -s TERM 1 "$rdmaspec" run -o json=out.json s.yaml
	[ "$status" = 143 ]
	[ "$(verdicts)" = "fail skip" ]
	[ "$(jq -r '.scenarios[].steps[1].cases[].reason' out.json)" = "not run: interrupted by signal 15 (Terminated)" ]
}

@test "a second signal ends the run at once, and nothing is left" {
	scenario <<-'E'
		steps:
		  - {id: hangs, mock.hang: {observe_only: true}}
	E
	mkfifo ready
	"$rdmaspec" run s.yaml >out 2>&1 3>&- &
	pid=$!
	until pgrep -P "$(pgrep -P $pid)" >/dev/null; do :; done # the agent's worker is there
	kill -TERM $pid
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" = 143 ]
	nothing_left
}

@test "a signal that was ignored stays ignored, as under nohup" {
	{ echo steps:; slow_steps 1 mock.slow; } | scenario
	trap '' HUP
	"$rdmaspec" run s.yaml >out 3>&- &
	pid=$!
	for _ in $(seq 100); do
		pgrep -P $pid >/dev/null && break
		read -rt 0.05 <> <(:) || :
	done
	kill -HUP $pid
	wait $pid
}

@test "same and unique of a single observation are a case over all rows" {
	scenario <<-'E'
		steps:
		  - {id: one, mock.pass: {unique: [row]}}
	E
	run "$rdmaspec" run -o json=out.json s.yaml
	[ "$(names)" = "$(printf '%s\n' 'one' 'one [all rows]')" ]
}
