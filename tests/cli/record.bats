#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Recordings: what a run observed, judged again without any host.

load helper

# timeless FILE: a JSON report without its times, and a JUnit report likewise
timeless() {
	case $1 in
	*.json) jq 'walk(if type == "object" then del(.started, .seconds) else . end)' "$1" ;;
	*) sed 's/ time="[^"]*"//g; s/ timestamp="[^"]*"//g' "$1" ;;
	esac
}

# same_verdicts STATUS [OPTION...]: the run of s.yaml, and its recording judged, say the same in every report
same_verdicts() {
	local status=$1 kind
	shift
	run "-$status" timeout 60 "$rdmaspec" run "$@" --record rec.json -o json=run.json -o junit=run.xml -o tap=run.tap s.yaml
	# No agent is started where nothing can be: with an empty PATH, and a wrong way to the hosts.
	PATH=/usr/bin:/bin run "-$status" timeout 60 "$rdmaspec" judge --on rec.json -o json=judge.json -o junit=judge.xml -o tap=judge.tap s.yaml
	diff <(timeless run.json) <(timeless judge.json)
	diff <(timeless run.xml) <(timeless judge.xml)
}

valid() {
	python3 -c 'import json, jsonschema, sys
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(json.load(open(sys.argv[2])))' \
		"$RDMASPEC_SOURCE/schemas/recording.schema.json" "$1"
}

@test "a recording is judged as the run was: passes, fails, errors, retries, repeats, conditions" {
	scenario <<-'E'
		hosts: [{name: "node-[1-3]"}]
		steps:
		  - {id: pass, mock.pass: {count: 2, expect: {text: hello}}}
		  - {id: fail, needs: [pass], mock.pass: {expect: {text: bye}}}
		  - {id: skipped, needs: [fail], mock.pass: {count: 2}}
		  - {id: repeated, repeat: 3, mock.pass: {count: 1}}
		  - {id: error, retries: 2, mock.error: {observe_only: true}}
		  - {id: crash, mock.crash: {observe_only: true}}
		  - {id: partial, mock.partial: {count: {min: 1}}}
		  - {id: condition, when: {mock.pass: {where: {text: bye}}}, mock.pass: {count: 2}}
		  - {id: evidence, mock.evidence: {size: 600000 B, observe_only: true}}
		  - {id: hostile, mock.hostile: {observe_only: true}}
		  - {id: same, mock.counter: {same: [time]}}
	E
	same_verdicts 1
	valid rec.json
}

@test "pairs, groups of them, and counters around others" {
	printf 'a 100 5000\n' >counters
	printf 'a 103 9000\n' >after
	scenario <<-E
		hosts: [{name: "node-[1-4]"}]
		steps:
		  - {id: pairs, between: {hosts: "node-[1-4]", pattern: all_pairs, directions: both}, mock.pair: {count: 1}}
		  - {id: incast, between: {hosts: "node-[1-4]", pattern: all_to_one}, mock.pair: {count: 1}}
		  - {id: errors, hosts: node-1, around: [load], mock.counters: {path: $PWD/counters, expect: {errors: {max: 0}}}}
		  - {id: load, hosts: node-1, host.command: {argv: [cp, $PWD/after, $PWD/counters], count: 1}}
	E
	same_verdicts 1 --allow host.command
	valid rec.json
	[ "$(jq -r '[.observations[].phase // empty] | join(" ")' rec.json)" = "before after" ]
}

@test "hosts that were absent then are absent in the recording" {
	scenario <<-'E'
		hosts: [{name: a}, {name: b, connect: {command: ["false"]}}, {name: c, required: no, connect: {command: ["false"]}}]
		steps:
		  - {id: first, mock.pass: {count: 2, same: [text]}}
	E
	same_verdicts 2
	scenario <<-'E'
		hosts: [{name: a}, {name: b, connect: {command: ["false"]}}]
		steps:
		  - {id: first, mock.pass: {count: 2, same: [text]}}
	E
	same_verdicts 0 --min-hosts 1
	same_verdicts 2 --min-hosts 2
}

@test "a recording is compressed where its name says so, and JSON whatever wrote it down again" {
	scenario <<-'E'
		steps:
		  - {mock.rows: {rows: 20000, count: 20000}}
	E
	run -0 "$rdmaspec" run --record rec.json.zst s.yaml
	zstd -qd rec.json.zst -o rec.json
	valid rec.json
	# 1 MB of rows that are much alike
	[ "$(stat -c %s rec.json.zst)" -lt $(($(stat -c %s rec.json) / 4)) ]
	jq -S . rec.json >sorted.json
	for file in rec.json.zst rec.json sorted.json; do
		run -0 "$rdmaspec" judge --on $file s.yaml
		[[ $output == *"20000 rows"* ]]
	done
}

@test "another scenario is judged on it as far as it goes" {
	scenario <<-'E'
		hosts: [{name: "node-[1-2]"}]
		steps:
		  - {id: a, mock.pass: {count: 2}}
		  - {id: b, repeat: 2, mock.pass: {count: 2}}
	E
	run -0 "$rdmaspec" run --record rec.json s.yaml
	scenario t.yaml <<-'E'
		hosts: [{name: "node-[1-3]"}]
		steps:
		  - {id: other, mock.pass: {expect: {text: hello}}}
		  - {id: more, repeat: 3, hosts: node-1, mock.pass: {count: 2}}
		  - {id: params, hosts: node-1, mock.pass: {text: bye, count: 2}}
		  - {id: source, hosts: node-1, mock.nodes: {observe_only: true}}
	E
	run -2 "$rdmaspec" judge --on rec.json -o json=out.json t.yaml
	[ "$(verdicts)" = "pass pass error pass pass error error error" ]
	[[ $output == *"node-3: host 'node-3' is not in recording 'rec.json'"* ]]
	[[ $output == *"this observation of it (attempt 1, run 3) was not recorded in 'rec.json'"* ]]
	[[ $output == *"mock.pass was recorded on node-1 in 'rec.json', but not with these parameters"* ]]
	[[ $output == *"mock.nodes was not recorded on node-1 in 'rec.json'"* ]]
}

@test "facts that were not recorded are not observed; others are passed over" {
	scenario <<-'E'
		steps:
		  - {id: a, mock.pass: {count: 2, expect: {text: hello}}}
	E
	run -0 "$rdmaspec" run --record rec.json s.yaml
	jq '.observations[0].tables[0] |= (.facts[1] = "former" | .rows[0][1] = {"any": [1.5]})' rec.json >other.json
	run -0 "$rdmaspec" judge -v --on other.json <(printf 'rdmaspec: 1\nsteps:\n  - {mock.pass: {count: 2}}\n')
	[[ $output == *"mock.pass: 'former' was recorded, and is no fact of it here"* ]]
	[[ $output == *"mock.pass: 'text' was not recorded"* ]]
	run -2 "$rdmaspec" judge --on other.json s.yaml
	[[ $output == *"text was not observed"* ]]
}

@test "what is no recording: one message each, and no verdict" {
	scenario <<-'E'
		steps:
		  - {mock.pass: {count: 2}}
	E
	run -0 "$rdmaspec" run --record rec.json.zst s.yaml
	zstd -qd rec.json.zst -o rec.json
	refused() {
		run -2 --separate-stderr "$rdmaspec" judge --on "$1" s.yaml
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == *"$2"* ]] || { echo "$stderr" >&2; return 1; }
	}
	refused none.json "cannot read recording 'none.json': No such file or directory"
	refused . "cannot read recording '.': Is a directory"
	: >empty.json
	refused empty.json "this is no recording"
	echo '[]' >list.json
	refused list.json "this is no recording"
	echo '{"format": "rdmaspec.result", "format_version": 1}' >result.json
	refused result.json "line 1: 'format' is not what a recording has there"
	jq '.format_version = 2' rec.json >version.json
	refused version.json "its format is version 2, and this rdmaspec reads version 1"
	jq 'del(.observations)' rec.json >without.json
	refused without.json "it has no 'observations'"
	head -c $(($(stat -c %s rec.json) / 2)) rec.json >short.json
	refused short.json "recording 'short.json', line "
	head -c $(($(stat -c %s rec.json.zst) / 2)) rec.json.zst >short.zst
	refused short.zst "the compressed data is cut short"
	{ head -c 40 rec.json.zst; head -c 200 /dev/urandom; } >torn.zst
	refused torn.zst "cannot read recording 'torn.zst': "
	{ cat rec.json; echo '{}'; } >two.json
	refused two.json "something follows the end of the recording"
	printf '{"format":"rdmaspec.recording","x":%s' "$(printf '%0200d' 0 | tr 0 '[')" >deep.json
	refused deep.json "'x' is not what a recording has there"
	# An observation of which the rows do not fit: an error of that step.
	jq '.observations[0].tables[0].rows[0] += ["one more"]' rec.json >rows.json
	run -2 "$rdmaspec" judge --on rows.json s.yaml
	[[ $output == *"does not match its facts, or was changed"* ]]
	jq '.observations[0].tables[0].rows[0][2] = "seven"' rec.json >cell.json
	run -2 "$rdmaspec" judge --on cell.json s.yaml
	[[ $output == *"does not match its facts, or was changed"* ]]
}

@test "a recording gets to its place whole or not at all, and takes nobody's place by mistake" {
	scenario <<-'E'
		steps:
		  - {mock.pass: {count: 2}}
	E
	run -64 "$rdmaspec" run --record none/rec.json s.yaml
	[[ $output == *"folder 'none': No such file or directory"* ]]
	run -64 "$rdmaspec" run --record s.yaml s.yaml
	[[ $output == *"would take the place of 's.yaml'"* ]]
	run -0 "$rdmaspec" run --record rec.json s.yaml
	run -64 "$rdmaspec" judge --on rec.json -o json=rec.json s.yaml
	[[ $output == *"would take the place of 'rec.json'"* ]]
	run -64 "$rdmaspec" judge s.yaml
	[[ $output == *"it takes --on FILE"* ]]
}

# baseline FILTER: rec.json with that done to the rows of its table, as base.json
baseline() {
	jq ".observations[].tables[0].rows |= ($1)" rec.json >base.json
}

@test "a baseline: the better side always holds, the other one within what is allowed" {
	scenario <<-'E'
		hosts: [{name: "node-[1-2]"}]
		steps:
		  - {id: bw, between: {client: node-1, server: node-2}, mock.sizes: {sizes: 3, expect: {bw_average: {within: 5 %, of: baseline}}}}
		  - {id: time, between: {client: node-1, server: node-2}, mock.sizes: {sizes: 3, expect: {t_avg: {within: 0.1 us, of: baseline}}}}
		  - {id: lax, between: {client: node-2, server: node-1}, mock.sizes: {sizes: 3, expect: {p99: {within: 5 %, of: baseline, missing: pass}}}}
	E
	# Nobody named one: told before anything is observed, all at once.
	run -3 --separate-stderr "$rdmaspec" run s.yaml
	[ "${#stderr_lines[@]}" = 3 ]
	[[ ${stderr_lines[0]} == "$(at 4 '{within'): error: 'of: baseline' compares with a recorded run: --baseline FILE" ]]
	run -0 "$rdmaspec" check s.yaml
	run -0 "$rdmaspec" run --record rec.json <(sed 's/expect: {[^}]*}}/count: 3/' s.yaml)
	run -0 "$rdmaspec" run --baseline rec.json s.yaml
	run -0 "$rdmaspec" judge --on rec.json --baseline rec.json <(sed 's/of: baseline/of: median/; s/within: [^,]*/within: 1000000000000 %/' s.yaml)
	# Columns: size, bw_average, t_avg, p99. A sixth more bandwidth then: 1 / 1.2 is a sixth less now. Half the time then.
	baseline 'map(.[1] = (.[1] | tonumber * 1.2 | tostring))'
	run -1 "$rdmaspec" run --baseline base.json -o json=out.json s.yaml
	[ "$(verdicts)" = "fail pass pass" ]
	# 200 Gb/s * 2 / 4098 is 0.098, and 1.2 times that 0.1176
	[[ $output == *": bw_average is 0.098 Gb/s, expected within 5 % of the baseline 0.1176 Gb/s or higher"*"3 of 3 rows"* ]]
	baseline 'map(.[1] = (.[1] | tonumber * 0.5 | tostring) | .[2] = (.[2] | tonumber * 2 | tostring))'
	run -0 "$rdmaspec" run --baseline base.json s.yaml
	baseline 'map(.[2] = (.[2] | tonumber * 0.5 | tostring))'
	run -1 "$rdmaspec" run --baseline base.json -o json=out.json s.yaml
	[ "$(verdicts)" = "pass fail pass" ]
	# What the baseline does not have: a row, a value, the observation, or all of it.
	baseline '.[:2]'
	run -2 "$rdmaspec" run --baseline base.json -o json=out.json s.yaml
	[ "$(verdicts)" = "error error pass" ]
	[[ $output == *"and the baseline has no such row"*"1 of 3 rows"* ]]
	baseline 'map(.[1] = null)'
	run -2 "$rdmaspec" run --baseline base.json s.yaml
	[[ $output == *"and it was not observed for the baseline"* ]]
	jq '.observations |= map(select(.host != "node-1"))' rec.json >base.json
	run -2 "$rdmaspec" run --baseline base.json s.yaml
	[[ $output == *"and the baseline has no such observation"* ]]
	jq '.observations[].error = "no cable"' rec.json >base.json
	run -2 "$rdmaspec" run --baseline base.json s.yaml
	[[ $output == *"and the baseline could not be observed: no cable"* ]]
	run -2 "$rdmaspec" run --baseline none.json s.yaml
	[[ $output == *"cannot read recording 'none.json': No such file or directory"* ]]
}

@test "a baseline of repeated steps and of counters around others: the run and the difference that it was then" {
	printf 'a 100 5000\n' >counters
	scenario <<-E
		steps:
		  - {id: load, repeat: 2, fresh: true, host.command: {argv: [sh, -c, "echo 'a 103 9000' >$PWD/counters"], count: 1}}
		  - {id: errors, around: [load], mock.counters: {path: $PWD/counters, expect: {errors: {within: 1, of: baseline}}}}
	E
	run -0 "$rdmaspec" run --allow host.command --record rec.json <(sed 's/expect: .*}}}/count: 1}}/' s.yaml)
	printf 'a 100 5000\n' >counters
	run -0 "$rdmaspec" run --allow host.command --baseline rec.json s.yaml
	# 100 to 103 then, 98 to 103 now: a rise of 5 is more than 1 away from a rise of 3
	printf 'a 98 5000\n' >counters
	run -1 "$rdmaspec" run --allow host.command --baseline rec.json s.yaml
	[[ $output == *"errors is 5, expected within 1 of the baseline 3"* ]] || { echo "$output"; false; }
}

# changed FILTER: rec.json with that done to its observations, as other.json
changed() {
	jq ".observations |= ($1)" rec.json >other.json
}

@test "diff: rows added, gone and changed by their keys, what changes by itself apart" {
	scenario <<-'E'
		hosts: [{name: "node-[1-2]"}]
		steps:
		  - {hosts: node-1, mock.cables: {leaves: 2, spines: 1, hosts: 1, count: 4}}
		  - {mock.pass: {count: 2}}
		  - {hosts: node-1, mock.nodes: {count: 3}}
		  - {between: {client: node-1, server: node-2}, mock.sizes: {sizes: 3, count: 3}}
		  - {hosts: node-1, mock.pass: {text: bye, count: 2}}
	E
	run -0 "$rdmaspec" run --record rec.json s.yaml
	run -0 "$rdmaspec" diff rec.json rec.json
	# cables, pass on two hosts, nodes, sizes, pass with another text
	[ "$output" = "no difference in 6 observations" ]
	# Another run: process IDs differ, and nothing else.
	run -0 "$rdmaspec" run --record other.json s.yaml
	run -0 "$rdmaspec" diff rec.json other.json
	[ "$output" = "no difference in 6 observations" ]
	run -0 "$rdmaspec" diff -v rec.json other.json
	[ "$(grep -c '^moved    node-1 mock.nodes: node [1-3]: worker ' <<<"$output")" = 3 ]
	# A cable pulled, another put in, and one that got slower.
	changed 'map(if .source == "mock.cables" then .tables[0].rows |=
		(.[0] as $first | .[1:] + [$first | .[0] = "0x00000000000000aa"] | .[0][8] = "SDR") else . end)'
	run -1 "$rdmaspec" diff rec.json other.json
	[ "${#lines[@]}" = 4 ]
	[[ $output == *"changed  node-1 mock.cables: "*": speed HDR → SDR"* ]]
	[[ $output == *"added    node-1 mock.cables: "* ]]
	[[ $output == *"gone     node-1 mock.cables: "* ]]
	[ "${lines[3]}" = "1 row changed, 1 added, 1 gone; 5 observations the same" ]
	run -1 "$rdmaspec" diff --json rec.json other.json
	[ "$(jq -c '.observations[].tables[] | [.probe, .changed[0].facts.speed.a, .changed[0].facts.speed.b, (.added | length), (.gone | length)]' <<<"$output")" = '["mock.cables","HDR","SDR",1,1]' ]
	# Observations that one side lacks, or could not make.
	changed 'map(select(.source != "mock.cables")) | map(if .source == "mock.sweep" then .error = "no cable" else . end)'
	run -1 "$rdmaspec" diff rec.json other.json
	[[ $output == *"gone     node-1 mock.cables: it was not recorded"* ]]
	[[ $output == *"error    node-1 mock.sweep: no cable"* ]]
	run -1 "$rdmaspec" diff other.json rec.json
	[[ $output == *"added    node-1 mock.cables: it was not recorded before"* ]]
	[[ $output == *"observed node-1 mock.sweep: it could not be observed before"* ]]
	# The same source with other parameters is named with them.
	changed 'map(if .params.text == "bye" then .tables[0].rows[0][1] = "good bye" else . end)'
	run -1 "$rdmaspec" diff rec.json other.json
	[[ $output == *"changed  node-1 mock.pass {"*'"text":"bye"'*"}: row 1: text bye → good bye"* ]]
	# What was measured is no difference by itself: "of: baseline" says how much it may move.
	changed 'map(if .source == "mock.sizes" then .tables[0].rows[0][1] = "7" else . end)'
	run -0 "$rdmaspec" diff rec.json other.json
}

@test "diff: what cannot be read or compared" {
	scenario <<-'E'
		steps:
		  - {mock.pass: {count: 2}}
	E
	run -0 "$rdmaspec" run --record rec.json s.yaml
	run -64 "$rdmaspec" diff rec.json
	run -2 "$rdmaspec" diff rec.json none.json
	[[ $output == *"cannot read recording 'none.json'"* ]]
	changed 'map(.source = "mocc.pass")'
	run -2 "$rdmaspec" diff other.json other.json
	[[ $output == *"mocc.pass was not compared: "* ]]
	run -2 bash -c "'$rdmaspec' diff rec.json rec.json >/dev/full"
}

@test "survey: everything that needs no choice, on every host, kept and compared" {
	# The plugin for tests is only asked where it is named; what is changed, run or needs a choice never is.
	run -0 "$rdmaspec" survey -o s.json
	[[ $output != *mock* && $output != *host.command* && $output != *cabling* ]]
	[[ $output == *"pass    survey.host.limits  "* ]]
	[[ ${lines[-1]} == *" observed, "*" could not be observed in "* ]]
	valid s.json
	run -0 "$rdmaspec" survey --hosts 'node-[1-3]' --connect local --probes 'mock.pass,mock.no*' --record t.json.zst
	[ "$(zstd -dqc t.json.zst | jq -c '[.observations[] | [.host, .source]] | unique')" = \
		'[["node-1","mock.pass"],["node-1","mock.sweep"],["node-2","mock.pass"],["node-3","mock.pass"]]' ]
	run -0 "$rdmaspec" diff t.json.zst t.json.zst
	# The hosts of a file, whose own steps are left aside.
	scenario site.yaml <<-'E'
		vars: {count: 2}
		hosts: [{name: "a[1-2]"}]
		steps:
		  - {mock.error: {observe_only: true}}
	E
	run -0 "$rdmaspec" survey site.yaml --probes mock.pass -o t.json
	[ "$(jq -c '[.observations[] | [.host, .source]] | unique' t.json)" = '[["a1","mock.pass"],["a2","mock.pass"]]' ]
	# A recorded survey is judged as any run.
	scenario <<-'E'
		hosts: [{name: "a[1-2]"}]
		steps:
		  - {mock.pass: {count: 2, expect: {text: hello}}}
	E
	run -0 "$rdmaspec" judge --on t.json s.yaml
}

@test "survey: what it does not take, and where nothing could be observed" {
	run -64 "$rdmaspec" survey --probes 'mocc.*' -o s.json
	[[ $output == *"--probes: 'mocc.*' is no probe that needs no choice"* ]]
	run -64 "$rdmaspec" survey --probes host.command -o s.json
	run -64 "$rdmaspec" survey --hosts 'node-[3-1]' -o s.json
	[[ $output == *"--hosts: 'node-[3-1]': "* ]]
	run -64 "$rdmaspec" survey --hosts a --connect ftp
	run -64 "$rdmaspec" survey -o none/s.json
	[ ! -e s.json ]
	run -2 "$rdmaspec" survey --probes mock.error -o s.json
	[[ $output == *"nothing could be observed"* ]]
	valid s.json
	run -3 "$rdmaspec" survey none.yaml
	[[ $output == *none.yaml* ]]
}

# The plugin's rows of each host: two keyed rows that differ in a number, all else alike.
@test "survey --as-scenario: passes at once, alike rows and hosts in one step, and red where something changed" {
	run -0 "$rdmaspec" survey --hosts 'node-[1-3]' --connect local --probes 'mock.pass,mock.cables' -o rec.json --as-scenario now.yaml
	run -0 "$rdmaspec" check now.yaml
	run -0 "$rdmaspec" run now.yaml
	run -0 "$rdmaspec" judge --on rec.json now.yaml
	# Same on all hosts: said once. The cables of 4 leaves to 2 hosts and 2 spines each are 16.
	[ "$(grep -c 'hosts: node' now.yaml)" = 0 ]
	grep -q "name: 'mock.cables: 16 rows'" now.yaml
	changed 'map(if .host == "node-2" and .source == "mock.cables" then .tables[0].rows[3][8] = "SDR" else . end)'
	run -1 "$rdmaspec" judge --on other.json now.yaml
	[[ $output == *"node-2"*"speed is SDR, expected HDR"* ]] || { echo "$output"; false; }
	# A row gone, one too many, a text that is another.
	changed 'map(if .host == "node-2" and .source == "mock.cables" then .tables[0].rows |= .[1:] else . end)'
	run -1 "$rdmaspec" judge --on other.json now.yaml
	[[ $output == *"15 rows, expected 16"* ]]
	changed 'map(if .host == "node-1" and .source == "mock.cables" then .tables[0].rows |= (. + [.[0] | .[0] = "0x00000000000000aa"]) else . end)'
	run -1 "$rdmaspec" judge --on other.json now.yaml
	[[ $output == *"17 rows, expected 16"* ]]
	changed 'map(if .host == "node-3" and .source == "mock.pass" then .tables[0].rows[1][1] = "bye" else . end)'
	run -1 "$rdmaspec" judge --on other.json now.yaml
	[[ $output == *"node-3"*"text is bye, expected hello"* ]]
	# A host of which something is its own has steps of its own.
	run -0 "$rdmaspec" judge --on other.json <(printf 'rdmaspec: 1\nhosts: [{name: "node-[1-3]"}]\nsteps: [{mock.pass: {count: 2}}]\n')
}
