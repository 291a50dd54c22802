#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# rdmaspec observe: one table, of this machine or of a recorded tree. What must be in it is what the files of the tree
# say, read here by other means.

load helper

# column FACT: that fact of every row of the JSON on stdin
column() {
	jq -r --arg fact "$1" '.rows[].facts[$fact]'
}

# file TREE PATH: the text of a recorded file
file() {
	cat "$data/sysfs/$1/class/infiniband/$2"
}

@test "a recorded tree: devices as their files say" {
	run -0 "$rdmaspec" observe --sysfs-root "$data/sysfs/mlx5-ib" --json ib.devices
	[ "$(column device <<<"$output" | sort)" = "$(ls "$data/sysfs/mlx5-ib/class/infiniband" | sort)" ]
	for device in $(column device <<<"$output"); do
		row=$(jq -c --arg device $device '.rows[].facts | select(.device == $device)' <<<"$output")
		[ "$(jq -r .firmware <<<"$row")" = "$(file mlx5-ib $device/fw_ver)" ]
		[ "$(jq -r .board_id <<<"$row")" = "$(file mlx5-ib $device/board_id)" ]
		[ "$(jq -r .node_guid <<<"$row")" = "0x$(file mlx5-ib $device/node_guid | tr -d :)" ]
	done
}

@test "a recorded tree: ports as their files say, numbers as numbers" {
	run -0 "$rdmaspec" observe --sysfs-root "$data/sysfs/dual-port" --json ib.ports device=mlx4_0
	[ "$(column port <<<"$output")" = $'1\n2' ]
	for port in 1 2; do
		row=$(jq -c --argjson port $port '.rows[].facts | select(.port == $port)' <<<"$output")
		# "4: ACTIVE", "0x5", "56 Gb/sec (4X FDR)"
		[[ $(file dual-port mlx4_0/ports/$port/state) == "4: ACTIVE" ]]
		[ "$(jq -r .state <<<"$row")" = Active ]
		[ "$(jq -r .lid <<<"$row")" = $(($(file dual-port mlx4_0/ports/$port/lid))) ]
		[ "$(jq -r '"\(.rate) Gb/sec (\(.width) \(.speed))"' <<<"$row")" = "$(file dual-port mlx4_0/ports/$port/rate)" ]
	done
	run -0 "$rdmaspec" observe --sysfs-root "$data/sysfs/dual-port" --json ib.ports device=mlx4_0 port=2
	[ "$(column port <<<"$output")" = 2 ]
}

@test "a recorded tree in a scenario: --sysfs-root of run" {
	scenario <<-'E'
		steps:
		  - {id: up, ib.ports: {where: {link_layer: InfiniBand}, expect: {state: Active, rate: {min: 100 Gb/s}}, count: 3}}
	E
	run -0 "$rdmaspec" run --sysfs-root "$data/sysfs/mlx5-ib" s.yaml
	run -1 "$rdmaspec" run --sysfs-root "$data/sysfs/dual-port" s.yaml
	run -2 "$rdmaspec" run --sysfs-root "$data/sysfs/no-rdma" s.yaml
	[[ $output == *"no RDMA driver is loaded"* ]]
}

@test "a tree without RDMA, and one that is not there: exit 2, nothing on stdout" {
	run --separate-stderr -2 "$rdmaspec" observe --sysfs-root "$data/sysfs/no-rdma" ib.ports
	[ -z "$output" ]
	[ "$stderr" = "rdmaspec: ib.ports: no RDMA driver is loaded: $data/sysfs/no-rdma/class/infiniband is not there" ]
	run --separate-stderr ! "$rdmaspec" observe --sysfs-root nowhere ib.ports
	[ -z "$output" ]
	[[ $stderr == *nowhere* ]]
}

@test "what was not observed is a question mark, with what would observe it; none is a dash" {
	run -0 "$rdmaspec" observe --sysfs-root "$data/sysfs/polling" ib.ports port=1
	[[ ${lines[1]} == "mlx5_0 "*" Down "*" ? "* ]]
	[[ $output == *$'\n? speed: needs an active port'* ]]
	run -0 "$rdmaspec" observe --sysfs-root "$data/sysfs/roce" ib.ports device=mlx5_1
	# A LID is nothing that Ethernet has.
	[[ ${lines[0]} == *" lid "* && ${lines[1]} == *"  -  "* ]]
}

@test "parameters are checked as in a scenario" {
	run --separate-stderr -64 "$rdmaspec" observe ib.ports devise=mlx5_0
	[[ $stderr == *"unknown key 'devise'; did you mean 'device'?"* ]]
	run --separate-stderr -64 "$rdmaspec" observe ib.ports port=0
	[ "$stderr" = "rdmaspec: 'port' must be between 1 and 254, not 0" ]
	run --separate-stderr -64 "$rdmaspec" observe ib.prots
	[[ $stderr == *"did you mean 'ib.ports'?"* ]]
	run --separate-stderr -64 "$rdmaspec" observe ib.ports mlx5_0
	[ "$stderr" = "rdmaspec: a parameter is written KEY=VALUE, not 'mlx5_0'" ]
	run --separate-stderr -64 "$rdmaspec" observe ib.ports expect=x
	[ -n "$stderr" ]
	run --separate-stderr -64 "$rdmaspec" observe --timeout soon ib.ports
	[ "$stderr" = "rdmaspec: --timeout takes a time such as 30 s, not 'soon'" ]
	run --separate-stderr -64 "$rdmaspec" observe
	[ "$stderr" = "rdmaspec: no probe was named; 'rdmaspec probes' lists them" ]
}

@test "a value that YAML would take apart is taken as it is" {
	for text in '[a, b]' '{a: b}' 'a: b' '# no comment' "it's" '"q"' '$(host)' '*' '&a' ''; do
		run --separate-stderr "$rdmaspec" observe --json mock.pass rows=1 "text=$text"
		[ "$status" = 0 ] || { echo "$text: $stderr"; return 1; }
		[ "$(column text <<<"$output")" = "$text" ]
	done
}

@test "a probe that dies, hangs, or lacks something: exit 2, with why" {
	run --separate-stderr -2 "$rdmaspec" observe mock.crash
	[ -z "$output" ]
	[[ ${stderr_lines[0]} == "rdmaspec: mock.crash: the worker was killed by signal 11 (Segmentation fault)" ]]
	run --separate-stderr -2 "$rdmaspec" observe --timeout '200 ms' mock.hang children=true
	[[ ${stderr_lines[0]} == "rdmaspec: mock.hang: the worker did not answer within 200 ms" ]]
	run --separate-stderr -2 "$rdmaspec" observe mock.partial
	[[ $stderr == "rdmaspec: incomplete: "* ]]
	[ -n "$output" ]
}

@test "hostile texts: the table and its JSON are harmless, and a row is a line" {
	harmless() {
		python3 -c 'import sys, unicodedata
text = sys.stdin.buffer.read().decode("utf-8")
bad = {c for c in text if c != "\n" and (unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") or ord(c) & 0xfffe == 0xfffe)}
assert text and not bad, sorted(map(ascii, bad))'
	}
	run -0 "$rdmaspec" observe mock.hostile
	harmless <<<"$output"
	count=${#lines[@]}
	run -0 "$rdmaspec" observe --json mock.hostile
	harmless <<<"$output"
	[ "$(jq '.rows | length' <<<"$output")" = $((count - 1)) ]
}

@test "a probe that changes its host or runs commands takes --allow" {
	run --separate-stderr ! "$rdmaspec" observe mock.change
	[[ $stderr == *"--allow mock.change"* ]]
	run -0 "$rdmaspec" observe --allow mock.change mock.change
}
