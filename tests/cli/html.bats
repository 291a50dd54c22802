#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The HTML report: one file that takes nothing from outside, in which texts stay texts, and that a browser works with.

load helper

check() {
	python3 "$RDMASPEC_SOURCE/tests/browser/page.py" "$@"
}

browser() {
	if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
		[ "${RDMASPEC_LABS:-}" != required ] || return 1
		skip 'chromium and chromedriver are not installed'
	fi
	python3 "$RDMASPEC_SOURCE/tests/browser/$1.py" "${@:2}"
}

mixed() {
	scenario <<-'E'
		name: <b>mixed</b> & "quoted"
		hosts: [{name: "node-[1-3]", address: 127.0.0.1}]
		steps:
		  - {id: texts, tags: [odd], hosts: node-1, mock.hostile: {count: 23}}
		  - id: bad
		    name: <script>alert(2)</script>
		    hosts: node-2
		    mock.table: {rows: [{name: '"><img src=x onerror=alert(3)>', value: 1}], expect: {value: 2}}
		  - id: waived
		    hosts: node-3
		    waive: {reason: <i>ordered</i>}
		    mock.table: {rows: [{name: a, value: 1}], expect: {value: 3}}
		  - id: sizes
		    between: {hosts: "node-[1-3]", pattern: all_pairs, directions: both}
		    mock.sizes: {slow: [node-3], where: {size: {min: 4 KiB}}, expect: {bw_average: {min: 90 Gb/s}}}
	E
}

@test "it is well formed, its policy names its script and style, and nothing in it leads outside" {
	mixed
	run -1 "$rdmaspec" run -o html=out.html s.yaml
	check out.html
}

@test "equal runs make equal reports, apart from times" {
	mixed
	run -1 "$rdmaspec" run -o html=1.html s.yaml
	run -1 "$rdmaspec" run -o html=2.html s.yaml
	for n in 1 2; do sed -E 's|<time[^>]*>[^<]*</time>||g' "$n.html" >"$n.txt"; done
	cmp 1.txt 2.txt
}

@test "in a browser: filtered, searched, opened by keyboard, dark and light, and no text becomes more than text" {
	mixed
	run -1 "$rdmaspec" run -o html=out.html s.yaml
	browser report out.html
}

@test "a table of cables is drawn, with what is wrong in words too; a large one is folded" {
	scenario <<-'E'
		steps:
		  - {id: small, mock.cables: {prefix: "<b>", slow: [<b>3], expect: {speed: HDR}}}
	E
	run -1 "$rdmaspec" run -o html=out.html s.yaml
	check out.html
	grep -F 'cable leaf-2 port 1 – &lt;b&gt;3 port 1' out.html
	[ "$(grep -c 'class="cable wrong"' out.html)" = 1 ]
	scenario <<-'E'
		steps:
		  - {id: large, mock.cables: {leaves: 400, spines: 18, hosts: 18, count: 14400}}
	E
	"$rdmaspec" run -o html=out.html s.yaml
	check out.html
	# At most 48 boxes of each of three levels.
	[ "$(grep -c '<g><rect' out.html)" -le 144 ]
}
