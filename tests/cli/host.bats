#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The host plugin as a user meets it.
load helper

@test "a command is refused without permission" {
	scenario <<-END
		steps:
		  - host.command: {argv: ["true"], where: {metric: exit_status}, expect: {value: 0}}
	END
	run -2 "$rdmaspec" run s.yaml
	[[ $output == *"--allow"* ]]
}

@test "metrics of a command: every match a row, the exit status another" {
	scenario <<-'END'
		steps:
		  - host.command:
		      argv: [sh, -c, 'echo rtt 1.25 ms; echo rtt 2.50 ms; echo loss 0 >&2; exit 3']
		      metrics:
		        - {name: rtt, pattern: "^rtt ([0-9.]+) ms$", unit: ms}
		        - {name: loss, pattern: "loss ([0-9]+)"}
		      where: {metric: rtt}
		      expect: {value: {max: 2.50}, unit: ms}
		      count: 2
		  - host.command:
		      argv: [sh, -c, 'echo rtt 1.25 ms; echo rtt 2.50 ms; echo loss 0 >&2; exit 3']
		      metrics: [{name: loss, pattern: "loss ([0-9]+)"}]
		      where: {metric: [loss, exit_status]}
		      expect: {value: [0, 3]}
		      count: 2
	END
	"$rdmaspec" run --allow host.command s.yaml
}

@test "arguments reach the program as they are" {
	scenario <<-'END'
		steps:
		  - host.command:
		      argv: [printf, '[%s]', '$$(id); * "', "a  b"]
		      metrics: [{name: text, pattern: '(.*)'}]
		      where: {metric: text}
		      expect: {text: {is: '[$$(id); * "][a  b]'}}
	END
	"$rdmaspec" run --allow host.command s.yaml
}

@test "a metric that is not there is an error, never a pass" {
	scenario <<-'END'
		steps:
		  - host.command:
		      argv: [echo, nothing]
		      metrics: [{name: bw, pattern: "bw ([0-9]+)"}]
		      where: {metric: bw}
		      expect: {value: {min: 1}}
	END
	run -2 "$rdmaspec" run --allow host.command s.yaml
	[[ $output == *"matches nothing"* ]]
}

@test "a command that is not there, that hangs, that is killed; a pattern that is wrong" {
	run -2 "$rdmaspec" observe --allow host.command host.command argv=/no/such/program
	[[ $output == *"cannot run /no/such/program: No such file"* ]]
	run -2 "$rdmaspec" observe --allow host.command --timeout 2s host.command argv=sh argv=-c argv='echo waiting >&2; sleep 600'
	[[ $output == *"still running at the deadline"*"waiting"* ]]
	run -0 "$rdmaspec" observe --allow host.command host.command argv=sh argv=-c argv='kill -KILL $$'
	[[ $output == *"ended by signal 9"* ]]
	scenario <<-'END'
		steps:
		  - host.command: {argv: ["true"], metrics: [{name: a, pattern: "("}], observe_only: true}
	END
	run -2 "$rdmaspec" run --allow host.command s.yaml
	[[ $output == *'a: the pattern "("'* ]]
}

@test "modules of a recorded tree" {
	run -0 "$rdmaspec" observe --sysfs-root "$data/sysfs/modules" host.modules names=mlx5_ib names=rdma_rxe
	[[ $output == *"mlx5_ib   true"* && $output == *"rdma_rxe  false"* ]]
}
