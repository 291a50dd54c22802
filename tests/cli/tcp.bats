#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# host.tcp_bandwidth: iperf3 itself over loopback, and a stand-in for it that plays what goes wrong.
load helper

setup_fake() {
	mkdir -p bin out
	ln -s "$RDMASPEC_SOURCE/tests/cli/fake_iperf3.py" bin/iperf3
	export PATH=$PWD/bin:$PATH FAKE_OUT=$PWD/out
}

# pair PARAMETERS: a step between two hosts on this machine
pair() {
	scenario <<-E
		hosts:
		  - {name: a, address: ${address:-127.0.0.1}}
		  - {name: b, address: ${address:-127.0.0.1}}
		defaults: {timeout: ${timeout:-20 s}}
		steps:
		  - id: tcp
		    between: {client: a, server: b}
		    host.tcp_bandwidth: {$1}
	E
}

sentence() {
	jq -r '.scenarios[].steps[].cases[].attempts[-1].sentence' out.json
}

facts() {
	jq -c '.scenarios[].steps[].cases[].attempts[].rows[]?.facts' out.json
}

# printed PATH: a figure in Gb/s, by the digits that iperf3 itself printed in this run's evidence
printed() {
	jq -r '.observations[0].evidence[] | select(.name == "iperf3 stdout").head' out.json >iperf3.json
	python3 - "$1" <<-'E'
		import decimal, json, sys
		at = json.load(open("iperf3.json"), parse_float=decimal.Decimal, parse_int=decimal.Decimal)
		for name in sys.argv[1].split("."):
		    at = at[int(name)] if name.isdigit() else at[name]
		print(at.scaleb(-9))
	E
}

iperf3_or_fail() {
	type iperf3 >/dev/null && return 0
	[ "${RDMASPEC_LABS:-}" = required ] && return 1
	skip "iperf3 is not installed"
}

@test "iperf3 itself: the receiver's figure to its last digit, both ends' evidence, JUnit" {
	iperf3_or_fail
	pair 'duration: 1 s, expect: {bw_average: {min: 0.001 Gb/s}, direction: to_server, streams: 1}, count: 1'
	run -0 "$rdmaspec" run -o json=out.json -o junit=out.xml s.yaml
	[ "$(facts | jq -r .bw_average)" = "$(printed end.sum_received.bits_per_second)" ]
	[ "$(facts | jq -r .bw_sent)" = "$(printed end.sum_sent.bits_per_second)" ]
	[ "$(facts | jq -r .bw_peak)" = "$(printed intervals.0.sum.bits_per_second)" ]
	facts | jq -e '.retransmits >= 0 and .mss > 0 and .path_mtu > 0 and (.rtt_min | tonumber) > 0 and (.congestion | length) > 0'
	jq -e '[.observations[0].evidence[].name] == ["command", "iperf3 stdout", "server: command", "server: iperf3 stdout"]' out.json
	grep -q "$(facts | jq -r .bw_average)" out.xml
}

@test "iperf3 itself: the server sends; both send; several streams; IPv6; a small segment" {
	iperf3_or_fail
	pair 'duration: 1 s, reverse: yes, mss: 1000, expect: {direction: to_client, mss: 1000}, count: 1'
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(facts | jq -r .bw_average)" = "$(printed end.sum_received.bits_per_second)" ]
	facts | jq -e 'has("rtt_min") or has("path_mtu") | not'
	address='"::1"' pair 'duration: 1 s, bidirectional: yes, streams: 2, bind: $(address), expect: {streams: 2}, unique: [direction], count: 2'
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(facts | jq -r 'select(.direction == "to_client").bw_average')" = "$(printed end.sum_received_bidir_reverse.bits_per_second)" ]
	[ "$(facts | jq -r 'select(.direction == "to_server").bw_average')" = "$(printed end.sum_received.bits_per_second)" ]
}

@test "iperf3 itself: an address that is not here, an option it does not know, at either end" {
	iperf3_or_fail
	pair 'duration: 1 s, bind: 203.0.113.7, count: 1'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "the server on b: iperf3: unable to start listener for connections: Cannot assign requested address"* ]]
	pair 'duration: 1 s, arguments: [--frob], count: 1'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "iperf3: unrecognized option '--frob'"* ]]
	pair 'duration: 1 s, server_arguments: [--frob], count: 1'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "the server on b: iperf3: unrecognized option '--frob'"* ]]
}

@test "the figures: rates by their digits, intervals without the omitted, the slowest stream, round trips" {
	setup_fake
	pair 'expect: {bw_average: {min: 3.38 Gb/s}}'
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	# 3380000000.0625 b/s; of two intervals that count 3500000000.25 and 1 b/s; (100 + 101) / 2 us
	facts | jq -e '. == {direction: "to_server", bw_average: "3.3800000000625", bw_sent: "3.390000000", bw_peak: "3.50000000025",
		bw_lowest: "0.000000001", stream_lowest: "1.380000000", received: "1000", duration: "2", retransmits: 7,
		cpu_client: "12.5", cpu_server: "99.75", streams: 2, mss: 1448, path_mtu: 1400, congestion: "cubic",
		rtt_min: "80", rtt_mean: "100.50", rtt_max: "120"}'
	pair 'expect: {bw_average: {min: 3.4 Gb/s}}'
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"bw_average is 3.3800000000625 Gb/s, expected at least 3.4 Gb/s ($(at 9 '{min: 3.4'))" ]]
}

@test "what each end is started with" {
	setup_fake
	pair 'duration: 3 s, omit: 1 s, streams: 4, reverse: yes, mss: 1400, window: 4 MiB, length: 64 KiB, bitrate: 2.5 Gb/s,
		congestion: cubic, traffic_class: 104, no_delay: yes, zero_copy: yes, bind: $(address), ipv6: no,
		arguments: [-i, "0.5"], server_arguments: [--rcv-timeout, "5000"], count: 1'
	run -0 "$rdmaspec" run s.yaml
	port=$(sed -n 's/.* -p \([0-9]*\) .*/\1/p' out/argv | head -n 1)
	# 4 MiB = 4194304, 64 KiB = 65536
	[ "$(cat out/argv)" = "iperf3 -s -1 -p $port -J -B 127.0.0.1 -4 --rcv-timeout 5000
iperf3 -c 127.0.0.1 -p $port -J -B 127.0.0.1 -4 -t 3 -O 1 -P 4 -R -M 1400 -w 4194304 -l 65536 -b 2500000000 -C cubic -S 104 -N -Z -i 0.5" ]
}

@test "what is the probe's own cannot be given, in whatever form" {
	setup_fake
	while IFS='|' read -r settings why; do
		pair "$settings, count: 1"
		run -2 "$rdmaspec" run -o json=out.json s.yaml
		[[ $(sentence) == *"$why"* ]] || { sentence; return 1; }
	done <<-'E'
		arguments: [-J]|arguments: -J cannot be given
		arguments: [-ZN4u]|arguments: -ZN4u cannot be given
		arguments: [--json-stream]|arguments: --json-stream cannot be given
		arguments: [--logf=/etc/passwd]|arguments: --logf=/etc/passwd cannot be given
		server_arguments: [-D]|server_arguments: -D cannot be given
		arguments: [evil.example]|arguments: "evil.example" belongs to no option
		cpus: "7-3"|is no list of CPUs
		numa_node: device|numa_node: "device" is no number
	E
	[ ! -e out/argv ]
	pair 'reverse: yes, bidirectional: yes, count: 1'
	run -3 "$rdmaspec" check s.yaml
	[[ $output == *"reverse"*"bidirectional"* ]]
	pair 'duration: 1.5, count: 1'
	run -3 "$rdmaspec" check s.yaml
	[[ $output == *"unit"* ]]
}

@test "a port that was taken meanwhile is tried again on another" {
	setup_fake
	pair 'count: 1'
	FAKE_SERVER=taken run -0 "$rdmaspec" run -o json=out.json s.yaml
	jq -e '.observations[0].notes | any(startswith("server: port ") and endswith("was taken meanwhile: another one is tried"))' out.json
}

@test "one message for each way to fail; an error in JSON counts whatever the exit status is" {
	setup_fake
	pair 'count: 1'
	while IFS='|' read -r server client out status why; do
		printf '%s' "$out" >out/client.out
		[ -n "$out" ] || rm out/client.out
		FAKE_SERVER=$server FAKE_CLIENT=$client FAKE_STATUS=${status:-0} run -2 "$rdmaspec" run -o json=out.json s.yaml
		[[ $(sentence) == $why\ \(s.yaml:9:* ]] || { sentence; return 1; }
		[ -z "$(facts)" ]
	done <<-'E'
		option||||the server on b: iperf3: unrecognized option '--frob'
		leaves||||the server on b: iperf3 ended before a client came
		unhappy||||the server on b: iperf3: client has unexpectedly closed its connection
		dies||{"error": "error - control socket has closed unexpectedly"}|1|iperf3: control socket has closed unexpectedly; the server on b: iperf3 was ended by signal 9 (Killed)*
		|killed|||iperf3 was ended by signal 11 (Segmentation fault)*
		||{"end": {}, "error": "unable to connect to server: Connection refused"}|0|iperf3: unable to connect to server: Connection refused
		||{"error": 7}|0|iperf3: an error without words
		|| |3|iperf3 ended without a word, with exit status 3
		||iperf3: no json here|0|the output of iperf3 is no JSON: line 1: *
		||{"end": {"sum_received": {"bits_per_second": 33800|0|the output of iperf3 is no JSON: line 1: *
		||[]|0|iperf3's JSON has no figure at end.sum_received.bits_per_second
		||{"end": {"sum_received": {"bits_per_second": null}}}|0|iperf3's JSON has no figure at end.sum_received.bits_per_second
		||{"end": {"sum_received": {"bits_per_second": -1}}}|0|iperf3's JSON has no figure at end.sum_received.bits_per_second
		||{"end": {"sum_received": {"bits_per_second": 0}}}|0|iperf3 measured, and not one byte came to the server
	E
}

@test "bidirectional without the other direction's figures is no result" {
	setup_fake
	pair 'bidirectional: yes, count: {min: 1}'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "iperf3's JSON has no figure at end.sum_received_bidir_reverse.bits_per_second"* ]]
	[ -z "$(facts)" ]
}

@test "an older or a poorer iperf3: what it does not tell is not observed; warnings are notes" {
	setup_fake
	pair 'count: 1'
	echo '{"end": {"sum_received": {"bits_per_second": 12}}}' >out/client.out
	printf 'warning: this system does not seem to support IPv6\n\nwarning: UDP block size\n' >out/client.err
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	facts | jq -e '. == {direction: "to_server", bw_average: "0.000000012", streams: 1}'
	jq -e '.observations[0].notes == ["iperf3: warning: this system does not seem to support IPv6", "iperf3: warning: UDP block size"]' out.json
	pair 'expect: {retransmits: {max: 0}}'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"retransmits"*"needs a sender whose kernel counts them"* ]]
}

@test "iperf3 is not installed" {
	pair 'count: 1'
	mkdir bin
	for tool in /usr/bin/*; do case $tool in */iperf3) ;; *) ln -sf "$tool" bin/ ;; esac; done
	PATH=$PWD/bin run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"this host has no iperf3: the package is iperf3"* ]]
}

@test "a client that does not come to an end: how far it came; nothing is left" {
	setup_fake
	timeout='2 s' pair 'duration: 1 s, count: 1'
	FAKE_CLIENT=hangs run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"iperf3 did not end in time: it is connected to 127.0.0.1 port "*"had no result yet"* ]]
}
