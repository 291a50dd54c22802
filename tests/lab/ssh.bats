#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# connect: ssh, through a real sshd: eight hosts that all are this machine, and all that can be wrong with one.

load ../cli/helper
load sshd

setup_file() {
	ssh_setup
}

teardown() {
	sshd_stop
	nothing_left
}

# What sshd starts has not the environment of the test: the agents there are known by what their environment is given.
# remote TEXT...: a program on the "host" that does these lines, and then what the runner wanted of rdmaspec
remote() {
	mkdir -p bin
	{
		echo '#!/bin/sh'
		echo "export RDMASPEC_TEST_MARK='$BATS_TEST_TMPDIR'"
		printf '%s\n' "$@"
		echo "exec '$RDMASPEC_BUILD/runner/rdmaspec' \"\$@\""
	} >bin/rdmaspec
	chmod +x bin/rdmaspec
}

# hosts NAMES [KEY=VALUE...]: a host's map, reached by ssh; the keys are the way's
by_ssh() {
	local keys
	keys=$(IFS=,; echo "${*:2}")
	echo "{name: \"$1\", connect_to: 127.0.0.1, connect: {ssh: {port: $port, user: $(id -un), options: $ssh_options${keys:+, $keys}}}}"
}

# one_bad: the hosts here-1 and here-2 are fine, the one of stdin is not; the steps of all three
one_bad() {
	{
		echo "hosts:"
		echo "  - $(by_ssh 'here-[1-2]' "path: $PWD/bin/rdmaspec")"
		echo "  - $(cat)"
		echo "steps:"
		echo "  - {id: there, mock.pass: {count: 2}}"
		echo "  - {id: again, fresh: true, mock.pass: {count: 2}}"
	} | scenario
	run timeout 120 "$rdmaspec" run -o json=out.json "$@" s.yaml
}

@test "eight hosts over ssh: one connection each for the whole run, and none of it left" {
	sshd_start
	remote
	scenario <<-E
		hosts: [$(by_ssh 'node-[1-8]' "path: $PWD/bin/rdmaspec")]
		steps:
		  - {id: first, mock.pass: {count: 2}}
		  - {id: second, fresh: true, mock.pass: {count: 2}}
		  - {id: third, fresh: true, mock.pass: {count: 2, same: [number]}}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(jq -c .counts.passed out.json)" = 25 ]
	[ "$(grep -c 'Accepted publickey' ssh/log)" = 8 ]
}

@test "the user's own configuration does not put a master into the background, or ask anything" {
	sshd_start
	remote
	printf 'Host *\nControlMaster auto\nControlPath %s/ssh/c-%%C\nControlPersist 600\nBatchMode no\n' "$PWD" >ssh/mine
	ssh_options=${ssh_options/none/$PWD/ssh/mine}
	scenario <<-E
		hosts: [$(by_ssh node-1 "path: $PWD/bin/rdmaspec")]
		steps: [{mock.pass: {count: 2}}]
	E
	run -0 "$rdmaspec" run s.yaml
	! ls ssh/c-* 2>/dev/null
}

@test "a path with blanks and quotes is one word for the shell over there" {
	sshd_start
	remote
	mkdir "it's here"
	mv bin/rdmaspec "it's here/\$HOME; x"
	scenario <<-E
		hosts: [$(by_ssh node-1 "path: \"$PWD/it's here/\$\$HOME; x\"")]
		steps: [{mock.pass: {count: 2}}]
	E
	run -0 "$rdmaspec" run s.yaml
}

@test "a host whose key is another one is refused, and the others go on" {
	sshd_start
	remote
	ssh-keygen -q -t ed25519 -N '' -f ssh/other
	echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 ssh/other.pub)" >ssh/wrong
	good=$ssh_options
	ssh_options=${ssh_options/ssh\/known/ssh\/wrong}
	bad=$(by_ssh bad "path: $PWD/bin/rdmaspec")
	ssh_options=$good
	one_bad <<<"$bad"
	[ "$status" = 2 ]
	[ "$(verdicts)" = "pass pass error pass pass error" ]
	[ "$(sentences bad)" = "ssh ended before an agent had answered, with exit status 255: Host key verification failed." ]
	# One that nobody knows yet is not taken either.
	: >ssh/wrong
	one_bad <<<"$bad"
	[ "$status" = 2 ]
	[ "$(sentences bad)" = "ssh ended before an agent had answered, with exit status 255: Host key verification failed." ]
}

@test "no way in: nobody listens, a key that is not taken; ssh's own words" {
	sshd_start
	remote
	# Nobody listens on the discard port of this machine's loopback.
	one_bad <<<"{name: bad, connect_to: 127.0.0.1, connect: {ssh: {port: 9}}}"
	[ "$status" = 2 ]
	[ "$(verdicts)" = "pass pass error pass pass error" ]
	[ "$(sentences bad)" = "ssh ended before an agent had answered, with exit status 255: ssh: connect to host 127.0.0.1 port 9: Connection refused" ]
	ssh-keygen -q -t ed25519 -N '' -f ssh/stranger
	good=$ssh_options
	ssh_options=${ssh_options/ssh\/user/ssh\/stranger}
	bad=$(by_ssh bad)
	ssh_options=$good
	one_bad <<<"$bad"
	[ "$status" = 2 ]
	[[ "$(sentences bad)" == "ssh ended before an agent had answered, with exit status 255: "*"Permission denied (publickey)." ]]
}

@test "a host without rdmaspec, and one whose file cannot be executed" {
	sshd_start
	remote
	one_bad <<<"$(by_ssh bad "path: /nonexistent/rdmaspec")"
	[ "$status" = 2 ]
	[ "$(verdicts)" = "pass pass error pass pass error" ]
	[[ "$(sentences bad)" == "ssh did not find the program '/nonexistent/rdmaspec' on the host (exit status 127): "* ]]
	one_bad <<<"$(by_ssh bad "path: /etc/passwd")"
	[[ "$(sentences bad)" == "ssh did not find the program '/etc/passwd' on the host, or cannot execute it (exit status 126): "*"ermission denied"* ]]
}

@test "a login banner on standard output does no harm; one without end is no agent" {
	sshd_start "ForceCommand echo 'Welcome to the cluster'; seq 500; exec \$SSH_ORIGINAL_COMMAND"
	remote
	scenario <<-E
		hosts: [$(by_ssh 'node-[1-2]' "path: $PWD/bin/rdmaspec")]
		steps: [{mock.pass: {count: 2}}]
	E
	run -0 "$rdmaspec" run s.yaml
	sshd_stop
	rm -r ssh
	sshd_start "ForceCommand yes 'Your password expires soon'"
	scenario <<-E
		hosts: [$(by_ssh node-1)]
		steps: [{mock.pass: {count: 2}}]
	E
	run -2 "$rdmaspec" run s.yaml
	[[ $output == *"what answers is no agent of rdmaspec: Your password expires soon"* ]]
}

@test "a host that accepts and says nothing: its time is over, the others go on" {
	sshd_start
	remote
	mkdir silent
	printf '#!/bin/sh\nexec sleep 1000\n' >silent/rdmaspec
	chmod +x silent/rdmaspec
	bad=$(by_ssh bad "path: $PWD/silent/rdmaspec")
	one_bad <<<"{connect_timeout: 5 s, ${bad#\{}"
	[ "$status" = 2 ]
	[ "$(verdicts)" = "pass pass error pass pass error" ]
	[ "$(sentences bad)" = "the agent did not answer within 5 s" ]
}

@test "a port that accepts and never speaks ssh" {
	sshd_start
	remote
	python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True); time.sleep(1000)' >mute 3>&- &
	mute=$!
	until [ -s mute ]; do kill -0 $mute; done
	one_bad <<<"{name: bad, connect_timeout: 5 s, connect_to: 127.0.0.1, connect: {ssh: {port: $(cat mute)}}}"
	kill $mute
	[ "$status" = 2 ]
	[ "$(verdicts)" = "pass pass error pass pass error" ]
	# Whichever of the two clocks is first.
	[[ "$(sentences bad)" == *"did not answer within 5 s" || "$(sentences bad)" == *"timed out"* ]]
}

# agents PROGRAM: processes of that remote program
agents_of() {
	grep -lzxF "RDMASPEC_HOST=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
}

@test "a host killed during a step: its steps are errors that say so, the others are judged" {
	sshd_start
	remote 'export RDMASPEC_HOST=$RANDOM_HOST'
	for host in a b c; do
		remote "export RDMASPEC_HOST=$BATS_TEST_TMPDIR/$host"
		mv bin/rdmaspec "bin/$host"
	done
	scenario <<-E
		hosts:
		  - $(by_ssh a "path: $PWD/bin/a")
		  - $(by_ssh b "path: $PWD/bin/b")
		  - $(by_ssh c "path: $PWD/bin/c")
		steps:
		  - {id: first, mock.pass: {count: 2}}
		  - {id: long, hosts: b, needs: [first], timeout: 100 s, mock.hang: {children: true, observe_only: true}}
		  - {id: next, needs: [first], fresh: true, mock.pass: {count: 2}}
	E
	"$rdmaspec" run -o json=out.json s.yaml >out 2>&1 3>&- &
	pid=$!
	# The agent there, its worker, its child and grandchild.
	until [ "$(agents_of "$BATS_TEST_TMPDIR/b" | wc -l)" -ge 4 ]; do kill -0 $pid; done
	# As of a host that loses its power: the connection's end over there goes, and nothing is said.
	agent=$(for p in $(agents_of "$BATS_TEST_TMPDIR/b"); do grep -qz '^agent$' /proc/$p/cmdline && echo $p; done | sort -n | head -1)
	kill -9 "$(ps -o ppid= -p "$agent" | tr -d ' ')"
	status=0
	wait $pid || status=$?
	[ "$status" = 2 ]
	[ "$(jq -r '[.scenarios[].steps[].cases[] | select(.label != "b") | .verdict] | unique | join(" ")' out.json)" = pass ]
	jq -e '.scenarios[].steps[] | select(.id == "long") | .cases[0].verdict == "error"' out.json
	[[ "$(sentences b)" == *"ssh ended, with exit status 255: "*"closed by remote host"* ]]
	# The agent there ends with its connection, and all that it had started.
	for tries in $(seq 100); do [ -z "$(agents_of "$BATS_TEST_TMPDIR/b")" ] && break; sleep 0.1; done
	[ -z "$(agents_of "$BATS_TEST_TMPDIR/b")" ]
}

@test "the runner is killed: what it started on the hosts ends" {
	sshd_start
	remote "export RDMASPEC_HOST=$BATS_TEST_TMPDIR/all"
	scenario <<-E
		hosts: [$(by_ssh 'node-[1-3]' "path: $PWD/bin/rdmaspec")]
		steps: [{timeout: 100 s, mock.hang: {children: true, observe_only: true}}]
	E
	"$rdmaspec" run s.yaml >out 2>&1 3>&- &
	pid=$!
	until [ "$(agents_of "$BATS_TEST_TMPDIR/all" | wc -l)" -ge 12 ]; do kill -0 $pid; done
	kill -9 $pid
	wait $pid || :
	for tries in $(seq 100); do [ -z "$(agents_of "$BATS_TEST_TMPDIR/all")" ] && break; sleep 0.1; done
	[ -z "$(agents_of "$BATS_TEST_TMPDIR/all")" ]
}

@test "a host with older plugins: named, and what it observes is judged" {
	sshd_start
	remote
	one_bad <<<"$(by_ssh old "path: $PWD/bin/rdmaspec" "plugin_dir: $RDMASPEC_BUILD/tests/lab/older")"
	[ "$status" = 0 ]
	[ "$(verdicts)" = "pass pass pass pass pass pass" ]
	jq -e '[.. | strings | select(test("0\\.0\\.9"))] | length > 0' out.json
	run -0 "$rdmaspec" run -v s.yaml
	[[ $output == *0.0.9* ]]
}

@test "expected absences: required: false, and --min-hosts" {
	sshd_start
	remote
	one_bad <<<"{name: bad, required: false, connect_to: 127.0.0.1, connect: {ssh: {port: 9}}}"
	[ "$status" = 0 ]
	[ "$(verdicts)" = "pass pass skip pass pass skip" ]
	[[ "$(sentences bad)" == "bad could not be reached, which is allowed: ssh ended before an agent had answered, with exit status 255: "*refused ]]
	[[ $output == *"1 of 3 hosts could not be reached, which is allowed: bad"* ]]
	one_bad --min-hosts 2 <<<"{name: bad, connect_to: 127.0.0.1, connect: {ssh: {port: 9}}}"
	[ "$status" = 0 ]
	[ "$(verdicts)" = "pass pass skip pass pass skip" ]
	one_bad --min-hosts 3 <<<"{name: bad, connect_to: 127.0.0.1, connect: {ssh: {port: 9}}}"
	[ "$status" = 2 ]
	[ "$(verdicts)" = "error error error error error error" ]
	[ "$(sentences here-1)" = "only 2 of 3 hosts could be reached, and --min-hosts asks for 3: nothing was observed" ]
	[[ $output == *"bad could not be reached: ssh ended before"*refused* ]]
}
