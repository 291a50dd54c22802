#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Reports as those read them who they are made for: prove and a TAP parser, a Markdown renderer, promtool.

load helper

# A run with every verdict; its exit status is 1.
all_verdicts() {
	scenario <<-'E'
		name: "rack #12 \\ a"
		steps:
		  - id: rows
		    mock.pass: {count: 2}
		  - id: few
		    name: "port #3 # SKIP not \\# TODO really"
		    mock.pass: {expect: {text: other}}
		  - id: dies
		    mock.crash: {count: 1}
		  - id: after
		    needs: [few]
		    mock.pass: {count: 2}
		  - id: soft
		    severity: warning
		    mock.pass: {count: 3}
		  - id: soft-pass
		    severity: warning
		    mock.pass: {count: 2}
		  - id: waived
		    waive: {reason: "cable #7 ordered", until: 2999-01-31}
		    mock.pass: {count: 3}
		  - id: waiver-can-go
		    waive: {reason: cable ordered}
		    mock.pass: {count: 2}
	E
}

# What a TAP parser makes of a file, a line a point: whether it is ok, its directive and its description.
tap_points() {
	perl -MTAP::Parser -CS -e '
		open my $file, "<:encoding(UTF-8)", shift or die;
		my $parser = TAP::Parser->new({tap => do { local $/; <$file> }});
		while (my $result = $parser->next) {
			die "not TAP: ", $result->raw if $result->is_unknown;
			print $result->is_actual_ok ? "ok" : "not ok", "|", $result->directive, "|", $result->description, "|",
				$result->explanation, "\n" if $result->is_test;
			print "bail out|", $result->explanation, "\n" if $result->is_bailout;
		}
		die join "\n", $parser->parse_errors if $parser->parse_errors;
		printf "version %s, plan %s, %s\n", $parser->version, $parser->plan, $parser->has_problems ? "problems" : "good";
	' "$1"
}

# The YAML blocks of a file, as one JSON list.
tap_blocks() {
	python3 - "$1" <<-'E'
		import json, re, sys, yaml
		text = open(sys.argv[1], encoding="utf-8").read()
		print(json.dumps([yaml.safe_load(block) for block in re.findall(r"^  ---\n(.*?)^  \.\.\.$", text, re.S | re.M)]))
	E
}

@test "TAP: a point a case; skipped, waived and warnings as consumers take them" {
	all_verdicts
	run -1 "$rdmaspec" run -o tap=r.tap s.yaml
	run -0 tap_points r.tap
	[ "${lines[0]}" = "ok||- rows|" ]
	# The parser keeps the backslashes, and takes none of the rest for a directive.
	[[ ${lines[1]} == "not ok||- few|" ]]
	[[ ${lines[2]} == "not ok||- dies|" ]]
	[[ ${lines[3]} == "ok|SKIP|- after|"*few* ]]
	[[ ${lines[4]} == "not ok|TODO|- soft|a warning: "*"expected 3"* ]]
	[ "${lines[5]}" = "ok||- soft-pass|" ]
	[[ ${lines[6]} == "not ok|TODO|- waived|waived: cable "*"7 ordered (until 2999-01-31)" ]]
	[[ ${lines[7]} == "ok|TODO|- waiver-can-go|the waiver can go: the step passes" ]]
	[ "${lines[8]}" = "version 13, plan 1..8, problems" ]
}

@test "TAP: prove fails where the run failed, passes where it passed, and says what passed against its TODO" {
	all_verdicts
	run -1 "$rdmaspec" run -o tap=r.tap s.yaml
	run -1 prove -e cat r.tap
	[[ $output == *"Failed tests:  2-3"* && $output == *"TODO passed:   8"* && $output == *"Failed 2/8 subtests"* ]]
	run -0 "$rdmaspec" run -s 'soft*' -s rows -o tap=r.tap s.yaml
	run -0 prove -e cat r.tap
	[[ $output == *"Result: PASS"* ]]
}

@test "TAP: diagnostics hold what was expected, observed, and where it is written" {
	all_verdicts
	run -1 "$rdmaspec" run -o tap=r.tap s.yaml
	tap_blocks r.tap >blocks.json
	run -0 jq -r 'length, .[0].severity, .[0].probe, (.[0].findings | length), .[0].findings[0].expected, .[0].findings[0].fact, .[0].findings[0].place, .[0].place' blocks.json
	[ "${lines[0]}" = 4 ]
	[ "${lines[1]}" = fail ]
	[ "${lines[2]}" = mock.pass ]
	[ "${lines[3]}" = 2 ]
	[ "${lines[4]}" = other ]
	[ "${lines[5]}" = text ]
	[ "${lines[6]}" = "$(at 8 other)" ]
	[[ ${lines[7]} == s.yaml:6:* ]]
	[ "$(jq -r '.[1].severity, (.[1].message | contains("signal 11"))' blocks.json | tr '\n' ' ')" = "error true " ]
	[ "$(jq -c 'map(.severity)' blocks.json)" = '["fail","error","warning","waived"]' ]
}

@test "TAP: nothing judged, and gating steps that were only skipped, are not green" {
	scenario <<-'E'
		steps:
		  - mock.pass: {observe_only: true}
	E
	run -3 "$rdmaspec" run -o tap=r.tap s.yaml
	run -1 prove -e cat r.tap
	run -3 "$rdmaspec" run -s none -o tap=r.tap s.yaml
	run -1 prove -e cat r.tap

	scenario <<-'E'
		steps:
		  - id: soft
		    severity: warning
		    mock.pass: {count: 3}
		  - needs: [soft]
		    mock.pass: {count: 2}
		  - mock.pass: {count: 2}
	E
	run -2 "$rdmaspec" run -o tap=r.tap -o junit=r.xml s.yaml
	run -1 prove -e cat r.tap
	[[ $output == *"Failed test:  4"* ]]
	# Neither is the JUnit file.
	[ "$(xmllint --xpath 'string(//testcase[@name="the run as a whole"]/error/@type)' r.xml)" = not_judged ]
}

@test "TAP: a run that was interrupted bails out" {
	scenario <<-'E'
		steps:
		  - id: hangs
		    mock.hang: {count: 1}
	E
	"$rdmaspec" run -o tap=r.tap s.yaml >out &
	pid=$!
	for _ in {1..200}; do left_behind | grep -qv "^$pid " && break; sleep 0.05; done
	kill -TERM "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 143 ]
	run tap_points r.tap
	[[ $output == *"bail out|the run was ended by SIGTERM"* ]]
	run ! prove -e cat r.tap
	[[ $output == *"Bailout called.  Further testing stopped:  the run was ended by SIGTERM"* ]]
}

@test "TAP: two scenarios in one file, each named" {
	scenario a.yaml <<<$'name: first\nsteps: [{id: x, mock.pass: {count: 2}}]'
	scenario b.yaml <<<$'name: second\nsteps: [{id: x, mock.pass: {count: 2}}]'
	run -0 "$rdmaspec" run -o tap=- a.yaml b.yaml
	[[ $output == *"ok 1 - first: x"* && $output == *"ok 2 - second: x"* ]]
}

# sample FILE NAME LABEL...: the value of the one series that has these labels ("step=rows"), by a parser of the format
sample() {
	python3 - "$@" <<-'E'
		import re, sys
		found = []
		for line in open(sys.argv[1], encoding="utf-8"):
		    if line.startswith("#"):
		        continue
		    name, labels, value = re.fullmatch(r'(\w+)\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (\S+)\n', line).groups()
		    pairs = {k: re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], v)
		             for k, v in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels)}
		    if name == sys.argv[2] and all(pairs.get(l.split("=", 1)[0]) == l.split("=", 1)[1] for l in sys.argv[3:]):
		        found.append(value)
		assert len(found) == 1, found
		print(float(found[0]) if "." in found[0] else found[0])
	E
}

@test "Prometheus: promtool takes it; each case, the counts, the run and the waivers" {
	all_verdicts
	begun=$(date +%s)
	run -1 "$rdmaspec" run -o prometheus=r.prom s.yaml
	run -0 promtool check metrics <r.prom
	[ -z "$output" ]
	# The folder holds nothing that a collector could take for another file.
	[ "$(ls -A | tr '\n' ' ')" = "r.prom s.yaml " ]
	for case in rows:pass few:fail dies:error after:skip soft:warning soft-pass:pass waived:waived waiver-can-go:pass; do
		[ "$(sample r.prom rdmaspec_case_verdict "step=${case%:*}" "verdict=${case#*:}" 'scenario=rack #12 \ a')" = 1 ]
	done
	[ "$(sample r.prom rdmaspec_case_verdict step=soft severity=warning)" = 1 ]
	for count in pass:3 fail:1 error:1 skip:1 warning:1 waived:1; do
		[ "$(sample r.prom rdmaspec_cases "verdict=${count%:*}")" = "${count#*:}" ]
	done
	[ "$(sample r.prom rdmaspec_run_exit_status)" = 1 ]
	started=$(sample r.prom rdmaspec_run_start_time_seconds)
	(( ${started%.*} >= begun && ${started%.*} <= $(date +%s) ))
	[ "$(sample r.prom rdmaspec_waiver_end_time_seconds step=waived)" = "$(date -u -d 2999-02-01T00:00:00Z +%s)" ]
	[ "$(sample r.prom rdmaspec_waiver_end_time_seconds step=waiver-can-go)" = +Inf ]
	[ "$(sample r.prom rdmaspec_waivers_ending_soon)" = 0 ]
	run ! grep -nE '^[^#].*\} [^ ]+ ' r.prom # no timestamps
}

@test "Prometheus: what was measured, in base units" {
	# mock.pass observes a bandwidth of 179.9 Gb/s, a latency of 1.07 us and a size of 64 KiB.
	scenario <<<'steps: [{id: one, mock.pass: {rows: 1, expect: {bandwidth: {min: 100 Gb/s}}}}, {id: two, mock.pass: {expect: {latency: {max: 2 us}}}}, {id: many, mock.pass: {rows: 17, expect: {integer: {min: -7}}}}]'
	run -0 "$rdmaspec" run -o prometheus=r.prom s.yaml
	run -0 promtool check metrics <r.prom
	[ "$(sample r.prom rdmaspec_fact_bytes_per_second step=one fact=bandwidth)" = 22487500000 ] # 179.9e9 / 8
	[ "$(sample r.prom rdmaspec_fact_seconds step=one fact=latency)" = 1.07e-06 ]
	[ "$(sample r.prom rdmaspec_fact_bytes step=one fact=size)" = 65536 ]
	[ "$(sample r.prom rdmaspec_fact_seconds step=two fact=latency 'row=row 2')" = 1.07e-06 ]
	# Of many rows the least and the greatest: -7, and 16 more.
	[ "$(sample r.prom rdmaspec_fact_value step=many of_all=min)" = -7 ]
	[ "$(sample r.prom rdmaspec_fact_value step=many of_all=max)" = 9 ]
}

@test "Prometheus: series are bounded, what did not pass comes first, and no two are the same" {
	scenario <<-'E'
		name: many
		steps:
		  - {name: same, mock.pass: {count: 2}}
		  - {name: same, mock.pass: {count: 2}}
		  - {name: same, each: {v: "v[1-5000]"}, mock.pass: {rows: 1, expect: {integer: -7, text: {not: $(v)}}}}
		  - {id: last, mock.pass: {count: 3}}
	E
	run -1 "$rdmaspec" run -o prometheus=r.prom s.yaml
	promtool check metrics <r.prom
	[ "$(grep -c ^rdmaspec_case_verdict r.prom)" = 5000 ]
	[ "$(sample r.prom rdmaspec_series_left_out of=cases)" = 3 ] # of 5003
	[ "$(sample r.prom rdmaspec_cases verdict=pass)" = 5002 ]
	[ "$(sample r.prom rdmaspec_case_verdict step=last verdict=fail)" = 1 ]
	[ "$(sample r.prom rdmaspec_case_verdict 'step=same (2)')" = 1 ]
	[ -z "$(grep -v '^#' r.prom | sed 's/ [^ ]*$//' | sort | uniq -d)" ]
	(( $(grep -c ^rdmaspec_fact r.prom) <= 5000 ))
}

# What a Markdown renderer (GitHub's own) makes of a file, as a well-formed document: FILE XPATH
markdown() {
	cmark-gfm --unsafe -e table -e autolink -e strikethrough "$1" >page.html
	{ echo '<html>'; sed 's/<br>/<br\/>/g' page.html; echo '</html>'; } >page.xml
	xmllint --xpath "$2" page.xml
}

@test "Markdown: what did not pass on top, the rest folded" {
	all_verdicts
	run -1 "$rdmaspec" run -o markdown=r.md s.yaml
	[ "$(markdown r.md 'string(//h3)')" = 'rdmaspec: failed' ]
	[[ "$(markdown r.md 'string(//h3/following-sibling::p)')" == "3 passed, 1 failed, 1 could not be judged, 1 warning, 1 waived, 1 skipped in "*" s (exit 1)" ]]
	row='//h4[.="What did not pass"]/following-sibling::table[1]/tbody/tr'
	[ "$(markdown r.md "count($row)")" = 4 ] # two rows of few, dies, soft
	[ "$(markdown r.md "string($row[1]/td[1])")" = fail ]
	[ "$(markdown r.md "string($row[1]/td[3])")" = 'row 1: text' ]
	[ "$(markdown r.md "string($row[1]/td[4])")" = other ]
	[ "$(markdown r.md "string($row[1]/td[5])")" = hello ]
	[ "$(markdown r.md "string($row[1]/td[6])")" = "$(at 8 other)" ]
	[ "$(markdown r.md "string($row[3]/td[1])")" = error ]
	[ "$(markdown r.md "string($row[4]/td[1])")" = warning ]
	[ "$(markdown r.md 'count(//details/table/tbody/tr)')" = 5 ]
	[ "$(markdown r.md 'string(//details/summary)')" = '5 other steps' ]
	[[ "$(markdown r.md 'string(//details//tr[td[1]="waived"]/td[4])')" == "cable #7 ordered (until 2999-01-31)" ]]
	# A run where all passed has nothing on top.
	run -0 "$rdmaspec" run -s rows -o markdown=r.md s.yaml
	[ "$(markdown r.md 'string(//h3)')" = 'rdmaspec: passed' ]
	[ "$(markdown r.md 'count(//h4)')" = 0 ]
}

@test "Markdown: hostile text stays text" {
	cat >s.yaml <<-'E'
		rdmaspec: 1
		name: "@team <b>x</b> | `y` [l](http://e.example)"
		steps:
		  - id: h
		    name: "</code></table><script>alert(1)</script>\n\n# head @everyone `tick` ``` | pipe \\| http://e.example www.e.example a@b.example #12 :tada: $x$ ~~s~~ **b** _i_ ![i](u) <!-- &amp;"
		    mock.pass: {text: "a|b `c` @d </td>\n\n<img src=x>\e[31m\u202e https://e.example", expect: {text: "x`|@y"}}
	E
	run -1 "$rdmaspec" run -o markdown=r.md -o tap=r.tap -o prometheus=r.prom s.yaml
	# No element but those of the report, no attribute but colspan: all that was hostile is text in <code>.
	[ "$(markdown r.md 'count(//*[not(self::html or self::h3 or self::h4 or self::p or self::br or self::code or self::table or self::thead or self::tbody or self::tr or self::th or self::td or self::details or self::summary)])')" = 0 ]
	[ "$(markdown r.md 'count(//@*[name() != "colspan"])')" = 0 ]
	[ "$(markdown r.md 'count(//text()[contains(., "@") or contains(., "http") or contains(., "`")][not(parent::code)])')" = 0 ]
	[[ "$(markdown r.md 'string(//tbody/tr[1]/td[5])')" == 'a|b `c` @d </td>'*'<img src=x>\x1b[31m\xe2\x80\xae https://e.example' ]]
	[ "$(markdown r.md 'string(//tbody/tr[1]/td[4])')" = 'x`|@y' ]
	[[ "$(markdown r.md 'string(//tbody/tr[1]/td[2])')" == 'h — </code></table><script>alert(1)</script> # head @everyone `tick`'* ]]
	# The other two: a parser finds the same text again.
	run tap_points r.tap
	[ "${#lines[@]}" = 2 ]
	[[ "$(tap_blocks r.tap | jq -r '.[0].findings[0].observed')" == 'a|b `c` @d </td>'*'<img src=x>\x1b[31m\xe2\x80\xae https://e.example' ]]
	promtool check metrics <r.prom
	[ "$(sample r.prom rdmaspec_case_verdict 'scenario=@team <b>x</b> | `y` [l](http://e.example)')" = 1 ]
}

@test "Markdown: what is too long for a comment is cut, and the page says how much is not there" {
	{
		printf 'rdmaspec: 1\nname: long\nsteps:\n'
		for n in {1..400}; do printf '  - {name: "fail %d %0200d", mock.pass: {expect: {text: other}}}\n' $n 0; done
		for n in {1..400}; do printf '  - {name: "pass %d %0200d", mock.pass: {count: 2}}\n' $n 0; done
	} >s.yaml
	run -1 "$rdmaspec" run -o markdown=r.md s.yaml
	(( $(wc -m <r.md) <= 65536 && $(wc -c <r.md) > 50000 ))
	markdown r.md 'count(//table)' >/dev/null
	# 400 steps of two rows each are shown or counted, and so are the 400 that passed.
	shown=$(markdown r.md 'count(//h4/following-sibling::table[1]/tbody/tr)')
	[[ "$(markdown r.md 'string(//h4/following-sibling::p[1])')" =~ ^([0-9]+)\ more\ rows\ of\ this\ table\ are\ left\ out,\ ([0-9]+)\ cases ]]
	(( shown + BASH_REMATCH[1] == 800 && BASH_REMATCH[2] + (shown + 1) / 2 == 400 ))
	shown=$(markdown r.md 'count(//details/table/tbody/tr)')
	[[ "$(markdown r.md 'string(//details/p)')" =~ ^([0-9]+)\ more\ steps\ are\ left\ out ]]
	(( shown + BASH_REMATCH[1] == 400 ))
}

@test "waivers that end soon are told in every report, what ends first first" {
	day() { date -u -d "$1" +%F; }
	past=$(day '3 days ago') soon=$(day '12 days') late=$(day '31 days')
	scenario <<-E
		steps:
		  - {id: late, waive: {reason: a new switch, until: $late}, mock.pass: {count: 3}}
		  - {id: soon, waive: {reason: cable ordered, until: $soon}, mock.pass: {count: 3}}
		  - {id: past, waive: {reason: firmware, until: $past}, mock.pass: {count: 3}}
		  - {id: none, waive: {reason: for ever}, mock.pass: {count: 2}}
	E
	run -1 "$rdmaspec" run -o json=r.json -o junit=r.xml -o markdown=r.md -o prometheus=r.prom -o html=r.html s.yaml
	run -0 grep '^waiver' <<<"$output"
	[ "${#lines[@]}" = 2 ]
	[ "${lines[0]}" = "waiver  ended 3 days ago ($past): past: firmware" ]
	[ "${lines[1]}" = "waiver  ends in 12 days ($soon): soon: cable ordered" ]
	[ "$(jq -c '.waivers[] | [.step, .days_left, .ends_soon, .state]' r.json | tr '\n' ' ')" = \
		'["past",-3,true,"ended"] ["soon",12,true,"needed"] ["late",31,false,"needed"] ["none",null,false,"can_go"] ' ]
	row='//h4[.="Waivers that end soon"]/following-sibling::table[1]/tbody/tr'
	[ "$(markdown r.md "count($row)")" = 2 ]
	[ "$(markdown r.md "string($row[2])")" = "sooncable orderedends in 12 days ($soon)" ]
	[ "$(sample r.prom rdmaspec_waivers_ending_soon)" = 2 ]
	[ "$(sample r.prom rdmaspec_waiver_end_time_seconds step=soon)" = "$(date -u -d "$soon + 1 day" +%s)" ]
	[ "$(xmllint --xpath 'string(//property[@name="waiver/soon"]/@value)' r.xml)" = "ends in 12 days ($soon): cable ordered" ]
	[ "$(xmllint --xpath 'count(//property[starts-with(@name, "waiver/")])' r.xml)" = 2 ]
	grep -q 'ends in 12 days' r.html
}

@test "timeout(1), which signals twice, costs no report" {
	scenario <<-'E'
		steps:
		  - {id: hangs, mock.hang: {count: 1}}
	E
	"$rdmaspec" run -o tap=r.tap -o junit=r.xml s.yaml >out &
	pid=$!
	for _ in {1..200}; do left_behind | grep -qv "^$pid " && break; sleep 0.05; done
	# The second comes while the first is being handled.
	perl -e 'kill TERM => $ARGV[0]; select undef, undef, undef, 0.003; kill TERM => $ARGV[0]' "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 143 ]
	grep -q '^Bail out! the run was ended by SIGTERM' r.tap
	[ "$(xmllint --xpath 'string(//testcase[@name="the run as a whole"]/error/@type)' r.xml)" = interrupted ]
}

@test "a run that cannot start leaves an earlier report as it is, and no other file" {
	scenario <<<'steps: [{mock.pass: {count: 2}}]'
	for kind in tap markdown prometheus json junit html; do "$rdmaspec" run -o "$kind=r.$kind" s.yaml; done
	mkdir kept
	cp r.* kept
	scenario <<<'steps: [{mock.pas: {count: 2}}]'
	for kind in tap markdown prometheus json junit html; do
		run -3 "$rdmaspec" run -o "$kind=r.$kind" s.yaml
		cmp "r.$kind" "kept/r.$kind"
	done
	[ "$(ls -A | tr '\n' ' ')" = "kept r.html r.json r.junit r.markdown r.prometheus r.tap s.yaml " ]
}

@test "a report for which there is no room: said, exit status 2, and an old one stays" {
	scenario <<<'steps: [{mock.pass: {count: 2}}]'
	for kind in tap markdown prometheus; do
		run --separate-stderr -2 "$rdmaspec" run -o "$kind=/dev/full" s.yaml
		[ "$stderr" = "rdmaspec: cannot write report '/dev/full': No space left on device" ]
		"$rdmaspec" run -o "$kind=old" s.yaml
		cp old kept
		run -2 bash -c 'set -o pipefail; (ulimit -f 0; trap "" XFSZ; exec "$@" 2>&1) | cat' - "$rdmaspec" run -o "$kind=old" s.yaml
		[[ $output == *"rdmaspec: cannot write report 'old': File too large" ]]
		cmp old kept
		[ -z "$(find . -name '.*tmp')" ]
	done
}
