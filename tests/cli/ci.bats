#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The recipes of docs/ci.md and packaging/: they parse, and their commands do what they say, on the simulated fabric.

load helper

# recipe NAME: the block of docs/ci.md behind "<!-- recipe: NAME -->"
recipe() {
	sed -n "/^<!-- recipe: $1 -->\$/,/^\`\`\`\$/p" "$RDMASPEC_SOURCE/docs/ci.md" | sed '1,2d;$d'
}

# The shell lines of a recipe, a job behind the other.
shell_lines() {
	case $1 in
	jenkins) recipe jenkins | sed -n "/sh '''/,/'''\$/p" | sed '1d;$d' ;;
	*) recipe "$1" | python3 -c '
import sys, yaml
recipe = yaml.safe_load(sys.stdin)
for job in (recipe["jobs"] if "jobs" in recipe else recipe).values():
    if isinstance(job, dict):
        print("\n".join(job.get("script", []) + [step["run"] for step in job.get("steps", []) if "run" in step]))
' ;;
	esac
}

# What runs on the cluster's own fabric there runs on the simulated one here; gh only says what it was asked.
run_recipe() {
	mkdir -p bin work
	ln -sfn "$scenarios" work/scenarios
	printf '#!/bin/sh\nfor word; do last=$word; done\ncp "$last" "%s/comment.md"\n' "$PWD" >bin/gh
	printf '#!/bin/bash\nfor word; do [ "$word" != --simulate ] || exec "%s" "$@"; done\n[ "$1" != run ] || set -- "$@" --simulate scenarios/fabrics/two-level.net\nexec "%s" "$@"\n' \
		"$rdmaspec" "$rdmaspec" >bin/rdmaspec
	chmod +x bin/*
	shell_lines "$1" >script
	grep -q 'rdmaspec run' script
	(cd work && PATH=$BATS_TEST_TMPDIR/bin:$PATH GITHUB_STEP_SUMMARY=summary.md PR=1 bash -eu "$2" ../script)
}

@test "the recipes for GitHub, GitLab and Jenkins: their commands make the reports that they hand on" {
	for service in github gitlab jenkins; do
		rm -rf work
		run -0 run_recipe "$service" -x
		[ "$(xmllint --xpath 'count(//testcase[not(*)])' work/reports/fabric.xml)" = 26 ]
		[ -s work/reports/fabric.html ]
		if [ "$service" = github ]; then
			grep -q 'rdmaspec: passed' work/summary.md
			grep -q 'rdmaspec: passed' comment.md
		fi
	done
}

@test "the recipes name only paths that their commands wrote" {
	run_recipe jenkins -x
	for path in $(recipe jenkins | grep -o "reports/fabric[a-z.]*"); do [ -s "work/$path" ]; done
	rm -rf work
	run_recipe gitlab -x
	recipe gitlab | python3 -c 'import sys, yaml; print(yaml.safe_load(sys.stdin)["fabric"]["artifacts"]["reports"]["junit"])' >path
	[ -s "work/$(cat path)" ]
}

@test "the systemd units are valid, and the service's command writes what it says" {
	mkdir units run
	for unit in service timer; do
		sed "s|^ExecStart=rdmaspec |ExecStart=$RDMASPEC_BUILD/runner/rdmaspec |" \
			"$RDMASPEC_SOURCE/packaging/systemd/rdmaspec@.$unit" >"units/rdmaspec@.$unit"
	done
	if command -v systemd-analyze >/dev/null; then
		cp units/rdmaspec@.service units/rdmaspec@nightly.service
		cp units/rdmaspec@.timer units/rdmaspec@nightly.timer
		run -0 env SYSTEMD_UNIT_PATH="$PWD/units:" systemd-analyze verify --man=no units/rdmaspec@nightly.timer units/rdmaspec@nightly.service
		run ! grep rdmaspec <<<"$output"
	fi
	scenario run/nightly.yaml <<<'steps: [{mock.pass: {count: 2}}]'
	command=$(sed -n 's/^ExecStart=//p' units/rdmaspec@.service)
	command=${command//%i/nightly}
	command=${command//\/var\/lib\/prometheus\/node-exporter/.}
	command=${command//\/var\/lib\/rdmaspec/.}
	(cd run && exec $command)
	promtool check metrics <run/rdmaspec-nightly.prom
	[ -s run/nightly.html ]
	[ -s run/nightly.json ]
}

@test "the alert rules fire for what they are named after, on a file that was written here" {
	rules=$RDMASPEC_SOURCE/packaging/prometheus/rdmaspec.rules.yml
	run -0 promtool check rules "$rules"
	scenario <<-E
		name: nightly
		steps:
		  - {id: good, mock.pass: {count: 2}}
		  - {id: bad, mock.pass: {count: 3}}
		  - {id: excused, waive: {reason: x, until: $(date -u -d '5 days' +%F)}, mock.pass: {count: 3}}
	E
	run -1 "$rdmaspec" run -o prometheus=r.prom s.yaml
	# Each series as it was written, for promtool's clock, which begins at 1970.
	python3 - "$rules" r.prom >test.yml <<-'E'
		import json, re, sys
		series = [line.rsplit(" ", 1) for line in open(sys.argv[2]) if not line.startswith("#")]
		def value(name, text):
		    # On that clock the run began now, and the waiver ends in as many seconds as it does.
		    began = float(next(v for n, v in series if n.startswith("rdmaspec_run_start")))
		    return float(text) - began if "_time_seconds" in name else float(text)
		inputs = [{"series": n, "values": f"{value(n, v)}x2000"} for n, v in series]
		def alerts(at, name, *labels):
		    return {"eval_time": at, "alertname": name, "exp_alerts": list(labels)}
		case = {"scenario": "nightly", "host": ""}
		print(json.dumps({"rule_files": [sys.argv[1]], "evaluation_interval": "1m", "tests": [{
		    "interval": "1m", "input_series": inputs,
		    "promql_expr_test": [
		        {"expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}})', "eval_time": at,
		         "exp_samples": [{"labels": "{}", "value": count}] if count else []}
		        for name, at, count in [("RdmaspecCaseFailed", "1m", 1), ("RdmaspecNotJudged", "1m", 0), ("RdmaspecStale", "1m", 0),
		                                ("RdmaspecStale", "27h", 1), ("RdmaspecMissing", "3h", 0), ("RdmaspecWaiverEnds", "1m", 1)]]}]}))
	E
	run -0 promtool test rules test.yml
}
