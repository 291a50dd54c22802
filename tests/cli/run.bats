#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# From a scenario file to an exit status: verdicts, over the mock plugin.

load helper

@test "exit 0: all gating steps passed" {
	scenario <<-'E'
		steps:
		  - name: two rows
		    mock.pass: {count: 2}
	E
	run --separate-stderr -0 "$rdmaspec" run s.yaml
	[[ $output == *"1 passed"* ]]
	[ -z "$stderr" ]
}

@test "exit 1: one failed, and an error beside it does not hide it" {
	scenario <<-'E'
		steps:
		  - name: too few rows
		    mock.pass: {count: 3}
		  - name: it dies
		    mock.crash: {count: 1}
		  - name: two rows
		    mock.pass: {count: 2}
	E
	run -1 "$rdmaspec" run s.yaml
	[[ $output == *"1 passed"* && $output == *"1 failed"* ]]
}

@test "exit 2: none failed, one could not be observed" {
	scenario <<-'E'
		steps:
		  - name: it dies
		    mock.crash: {count: 1}
		  - name: two rows
		    mock.pass: {count: 2}
	E
	run -2 "$rdmaspec" run s.yaml
	[[ $output == *"signal 11"* ]]
}

@test "exit 3: an invalid scenario; nothing is run, every problem is told" {
	scenario <<-'E'
		steps:
		  - name: no such probe
		    mock.pas: {count: 1}
		  - name: no such key
		    mock.pass: {cuont: 1}
		  - name: nothing is expected
		    mock.pass: {}
	E
	run --separate-stderr -3 "$rdmaspec" run s.yaml
	[ -z "$output" ]
	[[ ${stderr_lines[0]} == "s.yaml:4:5: error: "*"did you mean 'mock.pass'"* ]]
	[[ $stderr == *"s.yaml:6:17: error: unknown key 'cuont'; did you mean 'count'?"* ]]
	[[ $stderr == *"s.yaml:8:16: error: "*"observe_only"* ]]
}

@test "exit 3: filters leave nothing to judge" {
	scenario <<-'E'
		steps:
		  - name: two rows
		    tags: [a]
		    mock.pass: {count: 2}
	E
	run -3 "$rdmaspec" run --tags b s.yaml
	run -3 "$rdmaspec" run --skip-tags a s.yaml
	run -3 "$rdmaspec" run --step 'no*' s.yaml
	run -0 "$rdmaspec" run --step 'two*' --tags a s.yaml
}

@test "exit 3: a run of warnings only judged nothing that gates" {
	scenario <<-'E'
		steps:
		  - name: two rows
		    severity: warning
		    mock.pass: {count: 2}
	E
	run -3 "$rdmaspec" run s.yaml
}

@test "exit 3: a run that only observed judged nothing; what it could not observe counts" {
	scenario <<-'E'
		steps: [{name: look, mock.pass: {observe_only: true}}]
	E
	run -3 "$rdmaspec" run s.yaml
	scenario <<-'E'
		steps: [{name: look, mock.crash: {observe_only: true}}]
	E
	run -2 "$rdmaspec" run s.yaml
}

@test "an empty list of steps is refused or judged nothing: never green" {
	printf 'rdmaspec: 1\nsteps: []\n' >s.yaml
	run -3 "$rdmaspec" run s.yaml
}

@test "a step whose need failed is skipped, and counts as not judged" {
	scenario <<-'E'
		steps:
		  - id: broken
		    severity: warning
		    mock.pass: {count: 3}
		  - id: after
		    needs: [broken]
		    mock.pass: {count: 2}
		  - id: other
		    mock.pass: {count: 2}
	E
	run -2 "$rdmaspec" run s.yaml
	[[ $output == *"1 skipped"* ]]
}

@test "a failing warning does not gate" {
	scenario <<-'E'
		steps:
		  - name: soft
		    severity: warning
		    mock.pass: {count: 3}
		  - name: hard
		    mock.pass: {count: 2}
	E
	run -0 "$rdmaspec" run s.yaml
}

@test "a waiver covers a fail until its day, inclusive, and not an error" {
	today=$(date -u +%F)
	yesterday=$(date -u -d yesterday +%F)
	scenario <<-E
		steps:
		  - name: waived
		    waive: {reason: cable ordered, until: $today}
		    mock.pass: {count: 3}
		  - name: hard
		    mock.pass: {count: 2}
	E
	run -0 "$rdmaspec" run s.yaml
	[[ $output == *"cable ordered"* ]]
	scenario <<-E
		steps:
		  - name: no longer waived
		    waive: {reason: cable ordered, until: $yesterday}
		    mock.pass: {count: 3}
	E
	run -1 "$rdmaspec" run s.yaml
	scenario <<-E
		steps:
		  - name: waived, but it dies
		    waive: {reason: cable ordered, until: $today}
		    mock.crash: {count: 1}
	E
	run -2 "$rdmaspec" run s.yaml
}

@test "--set comes before the file's vars" {
	scenario <<-'E'
		vars: {rows: 3}
		steps:
		  - name: rows
		    mock.pass: {count: $(rows)}
	E
	run -1 "$rdmaspec" run s.yaml
	run -0 "$rdmaspec" run --set rows=2 s.yaml
}

@test "JUnit and JSON together, and both say the same" {
	scenario <<-'E'
		steps:
		  - id: good
		    mock.pass: {count: 2}
		  - id: bad
		    mock.pass: {count: 3}
		  - id: ugly
		    mock.crash: {count: 1}
	E
	run -1 "$rdmaspec" run -o junit=out.xml -o json=out.json s.yaml
	[ "$(xmllint --xpath 'string(/testsuites/testsuite/@tests)' out.xml)" = 3 ]
	[ "$(xmllint --xpath 'string(/testsuites/testsuite/@failures)' out.xml)" = 1 ]
	[ "$(xmllint --xpath 'string(/testsuites/testsuite/@errors)' out.xml)" = 1 ]
	xmllint --noout --schema "$RDMASPEC_SOURCE/schemas/junit.xsd" out.xml
	run -0 python3 -m jsonschema -i out.json "$RDMASPEC_SOURCE/schemas/result.schema.json"
	[ "$(jq -r '[.. | objects | select(has("cases")) | .cases[].verdict] | join(" ")' out.json)" = "pass fail error" ]
}

@test "a report on stdout moves the console to stderr" {
	scenario <<-'E'
		steps:
		  - name: two rows
		    mock.pass: {count: 2}
	E
	run --separate-stderr -0 "$rdmaspec" run -o json=- s.yaml
	jq -e . <<<"$output" >/dev/null
	[[ $stderr == *"1 passed"* ]]
}

@test "a report that cannot be written is told before anything runs" {
	scenario <<-'E'
		steps:
		  - name: two rows
		    mock.pass: {count: 2}
	E
	run --separate-stderr -64 "$rdmaspec" run -o junit=no/such/folder/out.xml s.yaml
	[ -z "$output" ]
	[[ $stderr == *"no/such/folder"* ]]
	run -64 "$rdmaspec" run -o junit=. s.yaml
}

@test "a report that does not fit leaves the old one whole, and is no pass" {
	scenario <<-'E'
		steps:
		  - name: two rows
		    mock.pass: {count: 2}
	E
	run -2 "$rdmaspec" run -o junit=/dev/full s.yaml
	echo old >out.xml
	# No file may grow beyond nothing: what a full disk does.
	run -2 bash -o pipefail -c '(ulimit -f 0; exec "$0" run -o junit=out.xml s.yaml 2>&1) | cat' "$rdmaspec"
	[ "$(cat out.xml)" = old ]
	[ "$(ls)" = $'out.xml\ns.yaml' ]
}

@test "stdout that was closed: the reports are written, the status is no pass" {
	scenario <<-'E'
		steps:
		  - name: two rows
		    mock.pass: {count: 2}
	E
	run -2 sh -c '"$0" run -o junit=out.xml s.yaml >/dev/full' "$rdmaspec"
	xmllint --noout out.xml
	run sh -c '"$0" run -o junit=out2.xml s.yaml >&-' "$rdmaspec"
	xmllint --noout out2.xml
}

@test "SIGINT, SIGTERM and SIGHUP: 128+N, the report has what was judged and what was not run" {
	scenario <<-'E'
		steps:
		  - id: first
		    mock.pass: {count: 2}
		  - id: second
		    needs: [first]
		    mock.hang: {count: 1}
		  - id: third
		    needs: [second]
		    mock.pass: {count: 2}
	E
	for signal in INT:130 TERM:143 HUP:129; do
		rm -f out.xml
		# A shell has its background jobs ignore SIGINT.
		env --default-signal=INT "$rdmaspec" run -o junit=out.xml s.yaml >log 2>&1 3>&- &
		pid=$!
		for _ in $(seq 100); do
			grep -q first log && break
			read -rt 0.1 <> <(:) || :
		done
		kill -"${signal%:*}" $pid
		status=0
		wait $pid || status=$?
		[ "$status" = "${signal#*:}" ]
		# The three, and one that says that the run was cut short: no consumer may take it for green.
		[ "$(xmllint --xpath 'count(//testcase)' out.xml)" = 4 ]
		[ "$(xmllint --xpath 'count(//testcase[skipped])' out.xml)" = 2 ]
		[ "$(xmllint --xpath 'count(//testcase[error])' out.xml)" = 1 ]
		nothing_left
	done
}

@test "kill -9 of the runner leaves nothing running" {
	scenario <<-'E'
		steps:
		  - name: it hangs
		    mock.hang: {count: 1, children: true}
	E
	"$rdmaspec" run s.yaml >log 2>&1 3>&- &
	pid=$!
	for _ in $(seq 100); do
		[ "$(left_behind | wc -l)" -ge 5 ] && break
		read -rt 0.1 <> <(:) || :
	done
	[ "$(left_behind | wc -l)" -ge 5 ]
	kill -KILL $pid
	wait $pid || :
	nothing_left
}

@test "a hanging worker ends by its step's timeout; the others run" {
	scenario <<-'E'
		steps:
		  - id: hangs
		    timeout: 300 ms
		    mock.hang: {count: 1, children: true}
		  - id: runs
		    mock.pass: {count: 2}
	E
	run -2 "$rdmaspec" run s.yaml
	[[ $output == *"300 ms"* || $output == *"0.3 s"* ]]
	[[ $output == *"1 passed"* ]]
}

@test "one observation serves all steps that ask for it; fresh asks anew" {
	scenario <<-'E'
		steps:
		  - name: one
		    mock.counter: {observe_only: true}
		  - name: two
		    mock.counter: {count: 1}
		  - name: three
		    fresh: true
		    mock.counter: {count: 1}
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(jq -r '[.. | objects | select(has("worker")) | .worker] | unique | length' out.json)" = 2 ]
}

@test "hostile text reaches no report raw" {
	scenario <<-'E'
		steps:
		  - name: hostile
		    mock.hostile: {count: {min: 1000}}
	E
	run -1 "$rdmaspec" run -v -o junit=out.xml -o json=out.json s.yaml
	printf '%s' "$output" >console
	xmllint --noout --schema "$RDMASPEC_SOURCE/schemas/junit.xsd" out.xml
	jq -e . out.json >/dev/null
	for file in console out.xml out.json; do
		run grep -cP '\x1b|\x00|\x07' $file
		[ "$output" = 0 ]
		iconv -f UTF-8 -t UTF-8 $file >/dev/null
	done
	run grep -c '<script>' out.xml
	[ "$output" = 0 ]
}

@test "a probe that runs commands or changes its host is refused without --allow" {
	scenario <<-'E'
		steps:
		  - name: change
		    mock.change: {count: 1}
	E
	run "$rdmaspec" run s.yaml
	[ "$status" -ne 0 ]
	[[ $output == *"--allow mock.change"* ]]
	run -0 "$rdmaspec" run --allow mock.change s.yaml
}
