#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The command line itself: what it says of itself, and what it refuses.

load helper

@test "no command: usage on stderr, exit 64" {
	run --separate-stderr -64 "$rdmaspec"
	[ -z "$output" ]
	[[ $stderr == *"usage: rdmaspec COMMAND"* ]]
}

@test "--help lists every command on stdout" {
	run --separate-stderr -0 "$rdmaspec" --help
	for command in run check plan probes describe schema observe agent; do
		[[ $output == *"  $command "* ]]
	done
	[[ $output != *"  worker "* ]]
}

@test "--version names the version and the plugin ABI" {
	run -0 "$rdmaspec" --version
	[[ $output =~ ^rdmaspec\ [0-9]+\.[0-9]+\.[0-9]+\ \(plugin\ ABI\ 1\)$ ]]
}

@test "every command has --help and a man page that man can read" {
	for command in run check plan probes describe schema observe agent; do
		run --separate-stderr -0 "$rdmaspec" $command --help
		[[ $output == "usage: rdmaspec $command"* ]]
		run --separate-stderr -0 "$rdmaspec" manual $command
		[[ $output == ".TH RDMASPEC"* ]]
	done
}

@test "an unknown command: did you mean" {
	run -64 "$rdmaspec" rnu
	[ "$output" = "rdmaspec: unknown command 'rnu'; did you mean 'run'?" ]
}

@test "an unknown option: did you mean" {
	run -64 "$rdmaspec" run --simulat x
	# getopt takes a unique beginning, but --simulat begins three options
	[[ $output == *"--simulat"* ]]
	run -64 "$rdmaspec" run --tgas x s.yaml
	[ "$output" = "rdmaspec: unknown option '--tgas'; did you mean '--tags'?" ]
}

@test "an option of another command is unknown" {
	run -64 "$rdmaspec" check --jobs 3 s.yaml
	[[ $output == *"unknown option '--jobs'"* ]]
}

@test "an option without its argument" {
	run -64 "$rdmaspec" run --set
	[ "$output" = "rdmaspec: --set needs an argument; see 'rdmaspec run --help'" ]
}

@test "--jobs takes a number from 1" {
	for bad in 0 -1 x 1x '' 99999999999999999999; do
		run -64 "$rdmaspec" run --jobs "$bad" s.yaml
		[[ $output == *"--jobs takes a number from 1 to 100000, not '$bad'"* ]]
	done
}

@test "--set takes NAME=VALUE" {
	for bad in x =x; do
		run -64 "$rdmaspec" run --set "$bad" s.yaml
		[ "$output" = "rdmaspec: --set takes NAME=VALUE, not '$bad'" ]
	done
}

@test "two reports to the same place are refused" {
	run -64 "$rdmaspec" run -o junit=- -o json=- s.yaml
	[ "$output" = "rdmaspec: reports '-' and '-' go to the same place" ]
}

@test "no scenario file" {
	for command in run check plan; do
		run -64 "$rdmaspec" $command
		[ "$output" = "rdmaspec: no scenario file was named" ]
	done
}

@test "hostile arguments reach the terminal escaped" {
	run -64 "$rdmaspec" $'r\e[31mun'
	[[ $output != *$'\e'* ]]
	[[ $output == *'r\x1b[31mun'* ]]
}

@test "stdout that cannot be written is not a success" {
	run --separate-stderr -2 sh -c '"$0" --help >/dev/full' "$rdmaspec"
	[[ $stderr == *"cannot write to standard output"* ]]
}
