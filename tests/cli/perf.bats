#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The performance probes over a stand-in for perftest that plays recorded output: the argument lists of both ends, the
# port, the figures, and one message for each way in which it can fail.

load helper

setup_perf() {
	mkdir -p bin out
	local verb
	for verb in write read send atomic; do
		ln -s "$RDMASPEC_SOURCE/tests/cli/fake_perftest.py" bin/ib_${verb}_bw
		ln -s "$RDMASPEC_SOURCE/tests/cli/fake_perftest.py" bin/ib_${verb}_lat
	done
	export PATH=$PWD/bin:$PATH FAKE_OUT=$PWD/out
}

# pair PROBE PARAMETERS: a step between two hosts on this machine
pair() {
	scenario <<-E
		hosts:
		  - {name: a, address: 127.0.0.1, device: fake0}
		  - {name: b, address: 127.0.0.1, device: fake1}
		defaults: {timeout: ${timeout:-20 s}}
		steps:
		  - id: perf
		    between: {client: a, server: b}
		    $1: {device: \$(device), gid: 3, $2}
	E
}

sentence() {
	jq -r '.scenarios[].steps[].cases[].attempts[-1].sentence' out.json
}

facts() {
	jq -c '.scenarios[].steps[].cases[].attempts[].rows[]?.facts' out.json
}

@test "a bandwidth: figures to the last digit, the connection, the evidence of both ends" {
	setup_perf
	pair ib.bandwidth 'expect: {bw_average: {min: 180 Gb/s}}'
	run -0 "$rdmaspec" run -o json=out.json -o junit=out.xml s.yaml
	[[ $(facts) == *'180.5070'* ]]
	facts | jq -e '.qps == 2 and .gid_index == 3 and .link_type == "Ethernet" and .device == "fake0"'
	jq -e '[.observations[0].evidence[].name] == ["command", "ib_write_bw stdout", "server: command", "server: ib_write_bw stdout"]' out.json
	grep -q '180.507' out.xml
}

@test "a limit above it fails with what was expected, what was seen, the unit and the place" {
	setup_perf
	pair roce.bandwidth 'expect: {bw_average: {min: 181 Gb/s}}'
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"bw_average is 180.5070 Gb/s, expected at least 181 Gb/s ($(at 9 '{min: 181'))" ]]
	pair rxe.latency 'expect: {p99: {max: 3.7 us}}'
	run -1 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"p99 is 3.710 us, expected at most 3.7 us ($(at 9 '{max: 3.7'))" ]]
	pair rxe.latency 'expect: {p99: {max: 3.71 us}}'
	run -0 "$rdmaspec" run -o json=out.json s.yaml
}

@test "both ends get the same arguments, but for device and address" {
	setup_perf
	pair ib.bandwidth 'verb: send, transport: UD, size: 1 KiB, iterations: 700, queue_pairs: 4, tx_depth: 64, rx_depth: 256,
		mtu: 1024, service_level: 3, traffic_class: 106, qp_timeout: 18, bidirectional: yes, ignore_cpu_freq: yes,
		arguments: [-o, "1"], count: 1'
	run -0 "$rdmaspec" run s.yaml
	same='-c UD -x 3 -m 1024 -S 3 --tclass=106 -u 18 -q 4 -t 64 -r 256 -b -F --report_gbits -o 1'
	port=$(sed -n 's/.* -p \([0-9]*\) .*/\1/p' out/argv | head -n 1)
	[ "$(cat out/argv)" = "ib_send_bw -d fake1 -i 1 -p $port -s 1024 -n 700 $same
ib_send_bw -d fake0 -i 1 -p $port -s 1024 -n 700 $same 127.0.0.1" ]
}

@test "an MTU that perftest did not measure with is an error: it goes on with the active one" {
	setup_perf
	pair roce.bandwidth 'mtu: 4096, count: 1'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"ib_write_bw measured with an MTU of 1024 instead of 4096: the active MTU is lower"* ]]
}

@test "-F is given only where it is asked for, and a duration in whole seconds" {
	setup_perf
	pair ib.latency 'duration: 2 s, verb: read, count: 1'
	run -0 "$rdmaspec" run s.yaml
	grep -q '^ib_read_lat .* -D 2 ' out/argv
	run -1 grep -e ' -F\b' -e gbits out/argv
}

@test "a duration is added to the step's time-out, at both ends" {
	setup_perf
	timeout='1 ms'
	pair ib.bandwidth 'duration: 60 s, count: 1'
	run -0 "$rdmaspec" run s.yaml
}

@test "a server that listens late is waited for; a port that was taken is tried again on another" {
	setup_perf
	pair ib.bandwidth 'count: 1'
	FAKE_LATE=0.5 run -0 "$rdmaspec" run s.yaml
	FAKE_SERVER=taken run -0 "$rdmaspec" run -o json=out.json s.yaml
	jq -e '.observations[0].notes | any(startswith("server: port ") and endswith("was taken meanwhile: another one is tried"))' out.json
}

@test "one message for each way to fail" {
	setup_perf
	pair ib.bandwidth 'count: 1'
	FAKE_SERVER=absent run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"the server on b: ib_write_bw: IB device fake0 not found"* ]]
	FAKE_CLIENT=killed run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "ib_write_bw was ended by signal 11 (Segmentation fault): Couldn't allocate MR"* ]]
	# A row and a status that is not 0: no result. The client's words before the server's.
	printf 'ethernet_read_keys: Couldn'"'"'t read remote address\n' >out/client.err
	FAKE_STATUS=1 FAKE_SERVER=dies run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "ib_write_bw: ethernet_read_keys: Couldn't read remote address"*"the server on b: ib_write_bw was ended by signal 9"* ]]
	[ -z "$(facts)" ]
	printf ' Completion with error at client\n Failed status 12: wr_id 0 syndrom 0x81\n' >out/client.err
	FAKE_STATUS=1 FAKE_SERVER=echo run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "ib_write_bw: Failed status 12"*"retry counter exceeded"*"; the server on b: ib_write_bw: ethernet_read_keys"* ]]
}

@test "perftest is not installed" {
	mkdir -p out
	pair ib.bandwidth 'count: 1'
	sed -i 's/device: \$(device)/device: $(device), verb: read/' s.yaml
	# A path with everything but perftest
	mkdir bin
	for tool in /usr/bin/*; do case $tool in */ib_*) ;; *) ln -sf "$tool" bin/ ;; esac; done
	PATH=$PWD/bin run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"has no ib_read_bw: the package is perftest"* ]]
}

@test "a client that does not come to an end: the message says how far it came, and nothing is left" {
	setup_perf
	timeout='12 s' pair ib.bandwidth 'count: 1'
	FAKE_CLIENT=hangs run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"ib_write_bw did not end in time: it is connected to 127.0.0.1 port "*"had no result yet"* ]]
	timeout='3 s' pair ib.bandwidth 'count: 1'
	FAKE_SERVER=deaf run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"ib_write_bw does not listen on port"* ]]
}

@test "zero, NaN, half a row and no row at all are no results" {
	setup_perf
	pair ib.bandwidth 'count: 1'
	header=' #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]'
	while IFS='|' read -r row why; do
		printf '%s\n%b' "$header" "$row" >out/client.out
		run -2 "$rdmaspec" run -o json=out.json s.yaml
		[[ $(sentence) == *"$why"* ]] || { sentence; return 1; }
	done <<-'E'
		 65536 5000 0.00 0.00 0.000\n|a zero where something was to be measured
		 65536 5000 nan nan 0.000\n|a figure that is no number
		 65536 5000 -1.0 -1.0 0.000\n|a negative figure
		 65536 5000 23,12 23,09 0,044\n|not written with digits and a point
		 65536 5000 23.12 2|the output ends in the middle of a row
		|printed no result
	E
}

@test "warnings inside the table are notes; MiB is converted without losing a digit; sweeps have a row a size" {
	setup_perf
	pair ib.bandwidth 'all_sizes: yes, count: 2'
	# 1000.5 MiB/s = 1000.5 * 2^20 * 8 / 10^9 Gb/s = 8.392802304; 0.000001 = 0.000000008388608
	cat >out/client.out <<-'E'
		 #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]
		Conflicting CPU frequency values detected: 2100.000000 != 3800.000000. CPU Frequency is not max.
		 2          5000           0.00               0.000001             0.000001
		 4          5000           1000.5             1000.5               0.02
	E
	run -0 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(facts) == *'0.000000008388608'*'8.3928023040'* ]]
	jq -e '.observations[0].notes | any(contains("Conflicting CPU frequency"))' out.json
	grep -q ' -a ' out/argv
}

@test "with rdma_cm, what fails after the row is a note" {
	setup_perf
	# The stand-in listens on TCP: seen as no listener of rdma_cm, so the rest is in the kernel lab.
	pair ib.bandwidth 'rdma_cm: yes, count: 1'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == *"this kernel does not tell who listens with rdma_cm"* || $(sentence) == *"does not listen"* ]]
}

@test "settings that perftest does not have together" {
	setup_perf
	while IFS='|' read -r settings why; do
		pair ib.bandwidth "$settings, count: 1"
		run -2 "$rdmaspec" run -o json=out.json s.yaml
		[[ $(sentence) == *"$why"* ]] || { sentence; return 1; }
	done <<-'E'
		verb: atomic, size: 8 B|atomic operations are always of 8 bytes
		rx_depth: 12|rx_depth is of verb send
		retry_count: 3|retry_count with rdma_cm only
		arguments: [-p, "1"]|arguments: -p cannot be given
		arguments: [evil.example]|"evil.example" belongs to no option
		cpus: "7-3"|is no list of CPUs
		numa_node: "-1"|is neither a number nor "device"
	E
	pair ib.latency 'duration: 2 s, expect: {p99: {max: 5 us}}'
	run -3 "$rdmaspec" check s.yaml
	[[ $output == *"p99"*"duration"* ]]
	pair ib.bandwidth 'duration: 2 s, iterations: 10, count: 1'
	run -3 "$rdmaspec" check s.yaml
	[[ $output == *"iterations"*"duration"* ]]
}

@test "IPv6 between the ends needs a perftest that has it" {
	setup_perf
	pair ib.bandwidth 'ipv6: yes, count: 1'
	run -2 "$rdmaspec" run -o json=out.json s.yaml
	[[ $(sentence) == "the server on b: this host's perftest connects over IPv4 only: ib_write_bw has no --ipv6-addr"* ]]
	FAKE_HELP='      --ipv6-addr  Use IPv6 address' run -0 "$rdmaspec" run s.yaml
	[ "$(grep -c -e ' --ipv6-addr ' out/argv)" = 2 ]
}

@test "the tool runs on the CPUs that are named" {
	setup_perf
	pair ib.bandwidth 'cpus: "0", count: 1'
	cat >bin/spy <<-'E'
		#!/bin/sh
		grep Cpus_allowed_list /proc/self/status >>"$FAKE_OUT/cpus"
		exec "${0%/*}/real" "$@"
	E
	chmod +x bin/spy
	rm bin/ib_write_bw
	ln -s "$RDMASPEC_SOURCE/tests/cli/fake_perftest.py" bin/real
	ln -s spy bin/ib_write_bw
	run -0 "$rdmaspec" run s.yaml
	[ "$(sort -u out/cpus)" = $'Cpus_allowed_list:\t0' ]
}
