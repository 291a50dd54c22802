#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# connect: {command: [...]}: whatever starts an agent at its other end, and what is said of what does not.

load helper

# through WORD...: a scenario of one step on a host that is reached by that command, and its run
through() {
	local words
	# JSON is YAML; a dollar sign is written twice.
	words=$(python3 -c 'import json, sys; print(json.dumps([word.replace("$", "$$") for word in sys.argv[1:]]))' "$@")
	scenario <<-E
		hosts: [{name: far, connect: {command: $words}}]
		steps:
		  - {id: there, mock.worker: {variable: FOO, expect: {variable: bar}}}
		  - {id: anywhere, fresh: true, mock.pass: {count: 2}}
	E
	run --separate-stderr timeout 60 "$rdmaspec" run -o json=out.json s.yaml
}

# refused SENTENCE: both steps are errors that say so, exit status 2
refused() {
	[ "$status" = 2 ]
	[ "$(verdicts)" = "error error" ]
	[ "$(jq -r '[.scenarios[].steps[].cases[].attempts[-1].findings[].sentence] | unique | join("|")' out.json)" = "$1" ] ||
		{ jq -r '.scenarios[].steps[].cases[].attempts[-1].findings[].sentence' out.json; return 1; }
}

@test "an agent behind another command, which is no shell: words stay words" {
	through env FOO=bar "$RDMASPEC_BUILD/runner/rdmaspec" agent
	[ "$status" = 0 ]
	[ "$(verdicts)" = "pass pass" ]
	through env 'FOO=bar; $(touch made) `touch made`' "$RDMASPEC_BUILD/runner/rdmaspec" agent
	[ "$status" = 1 ]
	[[ $output == *'row 1: variable is '"'"'bar; $(touch made) `touch made`'"'"', expected bar '* ]]
	[ ! -e made ]
}

@test "the host's keys are put into the command's words" {
	scenario <<-E
		hosts: [{name: "node-[1-2]", connect: {command: [env, "FOO=\$(host)", "$RDMASPEC_BUILD/runner/rdmaspec", agent]}}]
		steps:
		  - {id: there, mock.worker: {variable: FOO, expect: {variable: "\$(host)"}, unique: [variable]}}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "pass pass pass" ]
}

@test "the odd one out of fifteen hosts is named, and a condition is looked at on each of them" {
	scenario <<-E
		hosts:
		  - {name: "node-[01-06,08-15]", connect: {command: [env, FOO=bar, "$RDMASPEC_BUILD/runner/rdmaspec", agent]}}
		  - {name: node-07, connect: {command: [env, FOO=baz, "$RDMASPEC_BUILD/runner/rdmaspec", agent]}}
		steps:
		  - {id: alike, mock.worker: {variable: FOO, same: [variable]}}
		  - {id: others, when: {mock.worker: {variable: FOO, where: {variable: bar}}}, mock.worker: {variable: FOO, same: [variable]}}
	E
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[[ $output == *"all hosts: 14 hosts say variable bar, node-07 says variable baz (s.yaml:"* ]]
	[ "$(jq -r '.scenarios[].steps[] | select(.id == "others") | .cases[] | select(.verdict != "pass") | "\(.name) \(.verdict): \(.reason)"' out.json)" = \
		"others [node-07] skip: its condition does not hold: mock.worker has no such row" ]
	[ "$(jq -c '[.counts.passed, .counts.failed, .counts.skipped]' out.json)" = "[30,1,1]" ]
}

@test "a banner ahead of the agent's hello, and words on its standard error, do no harm" {
	printf '#!/bin/sh\necho "Last login: today"; echo motd >&2\nexport FOO=bar\nexec %s agent\n' \
		"$RDMASPEC_BUILD/runner/rdmaspec" >banner
	chmod +x banner
	through "$PWD/banner"
	[ "$status" = 0 ]
}

@test "what cannot be started is named" {
	through no-such-program agent
	refused "the agent could not be started: 'no-such-program': No such file or directory"
	through /etc/passwd
	refused "the agent could not be started: '/etc/passwd': Permission denied"
}

@test "what ends at once, with its last words" {
	through true
	refused "the agent ended before it had answered, with exit status 0"
	through sh -c 'echo "ssh: Could not resolve hostname far" >&2; exit 255'
	refused "the agent ended before it had answered, with exit status 255: ssh: Could not resolve hostname far"
	through sh -c 'kill -SEGV $$'
	refused "the agent was killed by signal 11 (Segmentation fault)"
}

@test "what is no agent: it prints, floods, or sends back what it is sent" {
	through printf 'Welcome to far\n'
	refused "the agent ended before it had answered, with exit status 0: Welcome to far"
	through yes
	refused "what answers is no agent of rdmaspec: y"
	through cat /dev/zero
	refused "what answers is no agent of rdmaspec"
	# As through a pseudo-terminal whose echo is on.
	through cat
	refused "what answers is no agent of rdmaspec: it sends back what it is sent, as a terminal does"
	through echo '{"rdmaspec":99}'
	refused "the agent and this rdmaspec do not understand each other: it speaks version 99 of the wire format, and version 1 is spoken here"
}

@test "hostile words of what answers reach the console and the reports escaped" {
	through printf '\e]0;title\a]]><script>\n'
	refused $'the agent ended before it had answered, with exit status 0: \e]0;title\a]]><script>'
	grep -qiF '\u001b]0;title\u0007]]\u003e\u003cscript\u003e' out.json
	[[ $output == *'\x1b]0;title\x07]]><script>'* ]]
	[[ $output != *$'\e'* ]]
}

@test "what accepts and says nothing: the others run, and a signal ends it" {
	scenario <<-'E'
		hosts:
		  - {name: silent, connect: {command: [sleep, "1000"]}}
		  - {name: here}
		steps:
		  - {id: here, hosts: here, mock.pass: {count: 2}}
		  - {id: both, mock.pass: {count: 2}}
	E
	"$rdmaspec" run -o json=out.json s.yaml >out 2>&1 3>&- &
	pid=$!
	until grep -q 'pass    here' out && pgrep -P $pid -x sleep >/dev/null; do kill -0 $pid; done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" = 143 ]
	[ "$(jq -r '.scenarios[].steps[].cases[] | select(.label == "silent") | .verdict' out.json)" = skip ]
	nothing_left
}

# workers: how many of this test's processes are workers, or children that these forked
workers() {
	left_behind | while read -r process _; do cat "/proc/$process/comm"; done 2>/dev/null | grep -c worker || :
}

@test "an agent that is killed in the middle: its steps are errors that say so, the other host's are not" {
	scenario <<-E
		hosts:
		  - {name: far, connect: {command: [env, FOO=bar, "$RDMASPEC_BUILD/runner/rdmaspec", agent]}}
		  - {name: here}
		steps:
		  - {id: first, mock.pass: {count: 2}}
		  - {id: long, hosts: far, needs: [first], timeout: 60 s, mock.hang: {children: true, observe_only: true}}
		  - {id: other, hosts: here, needs: [first], mock.pass: {count: 2}}
	E
	"$rdmaspec" run -o json=out.json s.yaml >out 2>&1 3>&- &
	pid=$!
	# The agent's worker, its child and grandchild.
	until [ "$(workers)" -ge 3 ]; do kill -0 $pid; done
	for agent in $(pgrep -P $pid); do
		grep -qz ^FOO=bar "/proc/$agent/environ" && kill -9 "$agent"
	done
	status=0
	wait $pid || status=$?
	[ "$status" = 2 ]
	[ "$(verdicts)" = "pass pass error pass" ]
	grep -qF "the agent was killed by signal 9 (Killed)" out
	nothing_left
}
