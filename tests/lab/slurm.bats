#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# connect: slurm, through a real Slurm of four nodes that all are this machine.

load ../cli/helper
load slurm

setup_file() {
	slurm_setup
}

teardown() {
	slurm_stop
	nothing_left
}

# from_slurm: the nodes of the allocation as hosts
from_slurm() {
	echo "{from: slurm, connect: {slurm: {path: '$RDMASPEC_BUILD/runner/rdmaspec'}}}"
}

# step_on NODE: the job step that runs there, but for the script's own
step_on() {
	squeue -s -h -o '%i %N' | awk -v node="$1" '$2 == node && $1 !~ /batch|extern/ { print $1 }' | head -1
}

@test "inside an allocation: its nodes are the hosts, each an overlapping step" {
	slurm_start
	scenario <<-E
		hosts: [$(from_slurm)]
		steps:
		  - {id: first, mock.pass: {count: 2}}
		  - {id: second, fresh: true, mock.pass: {count: 2, same: [number]}}
		  - {id: environment, mock.worker: {variable: SLURM_STEP_NUM_TASKS, expect: {variable: "1"}}}
	E
	run -0 timeout 120 salloc -Q -N 3 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(jq -r '[.scenarios[].steps[0].cases[].label] | join(" ")' out.json)" = "node-01 node-02 node-03" ]
	[ "$(verdicts)" = "pass pass pass pass pass pass pass pass pass pass" ]
	[ -z "$(squeue -h -s)" ]
	# What the allocation does not have cannot be had.
	scenario <<-E
		hosts: [{name: node-04, connect: slurm}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -2 timeout 120 salloc -Q -w node-01 "$rdmaspec" run s.yaml
	[[ $output == *"srun ended before an agent had answered, with exit status "*": srun: error: "* ]]
}

@test "without an allocation srun asks for one a host, and a node that is not there is an error of its steps" {
	slurm_start
	scenario <<-E
		hosts: [{name: "node-[01-05]", connect: {slurm: {path: "$RDMASPEC_BUILD/runner/rdmaspec", options: [--partition=lab]}}}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -2 timeout 120 "$rdmaspec" run -o json=out.json s.yaml
	[ "$(verdicts)" = "pass pass pass pass error" ]
	[ "$(sentences node-05)" = "srun ended before an agent had answered, with exit status 1: srun: error: Unable to allocate resources: Invalid node name specified" ]
	# 'from: slurm' has nothing to take.
	scenario <<-E
		hosts: [{from: slurm}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -3 "$rdmaspec" run s.yaml
	[[ $output == "s.yaml:2:16: error: 'from: slurm' takes the nodes of a Slurm allocation: there is none here"* ]]
}

@test "a node without rdmaspec, in the words of Slurm" {
	slurm_start
	scenario <<-E
		hosts: [{name: node-01, connect: {slurm: {path: /nonexistent/rdmaspec}}}]
		steps: [{mock.pass: {count: 2}}]
	E
	run -2 timeout 120 "$rdmaspec" run s.yaml
	[[ $output == *"srun ended before an agent had answered, with exit status 2: "*"execve(): /nonexistent/rdmaspec: No such file or directory ("* ]]
}

@test "inside a batch job; a step that scancel ends is an error of its host, and the others go on" {
	slurm_start
	scenario <<-E
		hosts: [$(from_slurm)]
		steps:
		  - {id: first, mock.pass: {count: 2}}
		  - {id: long, hosts: node-03, needs: [first], timeout: 100 s, mock.hang: {children: true, observe_only: true}}
		  - {id: next, hosts: "node-[01-02,04]", needs: [first], fresh: true, mock.pass: {count: 2}}
	E
	cat >job <<-E
		#!/bin/sh
		"$rdmaspec" run -o json=out.json s.yaml >out 2>&1
		echo \$? >status
	E
	sbatch -Q -N 4 -o job.out job
	# The runner, four agents, the worker with its child and grandchild.
	for i in $(seq 600); do [ "$(left_behind | grep -c rdmaspec)" -ge 8 ] && break; sleep 0.1; done
	grep -q 'pass    first' out
	scancel "$(step_on node-03)"
	for i in $(seq 600); do [ -s status ] && break; sleep 0.1; done
	[ "$(cat status)" = 2 ]
	[ "$(jq -r '[.scenarios[].steps[].cases[] | select(.verdict == "error") | .name] | join(" ")' out.json)" = "long [node-03]" ]
	[ "$(jq -r .counts.passed out.json)" = 7 ]
	[[ "$(jq -r '.scenarios[].steps[] | select(.id == "long") | .cases[0].attempts[-1].findings[0].sentence' out.json)" == "srun "*" CANCELLED AT "* ]]
}

@test "the runner is killed: no step of it is left" {
	slurm_start
	scenario <<-E
		hosts: [{name: "node-[01-04]", connect: {slurm: {path: "$RDMASPEC_BUILD/runner/rdmaspec"}}}]
		steps: [{timeout: 100 s, mock.hang: {children: true, observe_only: true}}]
	E
	"$rdmaspec" run s.yaml >out 2>&1 3>&- &
	pid=$!
	# The agents, their workers, and the children of these.
	until [ "$(left_behind | grep -c 'agent')" -ge 4 ] && [ "$(left_behind | wc -l)" -ge 12 ]; do kill -0 $pid; done
	kill -9 $pid
	wait $pid || :
	for i in $(seq 300); do [ -z "$(left_behind)$(squeue -h)" ] && break; sleep 0.1; done
	[ -z "$(squeue -h)" ]
	[ -z "$(left_behind)" ]
}
