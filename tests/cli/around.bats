#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Counters around other steps: read before the first of them and after the last, and judged by what they rose.
# mock.counters has them from a file, which the steps between change.

load helper

# around: the steps on stdin, COUNTERS for the probe's parameter, LOAD FILE for a step that makes FILE the counters
around() {
	{
		echo steps:
		sed "s|COUNTERS|path: $PWD/counters|; s|LOAD \([a-z]*\)|host.command: {argv: [cp, $PWD/\1, $PWD/counters], count: 1}|"
	} | scenario
}

counters() {
	cat >"$1"
}

runs() {
	run "$1" --separate-stderr "$rdmaspec" run --allow host.command -o json=out.json s.yaml
}

said() {
	jq -r --arg id "$1" '.scenarios[].steps[] | select(.id == $id).cases[0] | .reason // .attempts[-1].sentence' out.json
}

# verdicts: of all steps, by their ids
verdicts() {
	jq -r '.scenarios[].steps[] | "\(.id) \(.cases[0].verdict)"' out.json | sort
}

@test "the table is the difference: what was there before does not count" {
	counters counters <<<$'a 100 5000\nb 7 1'
	counters after <<<$'b 7 1\na 103 9000'
	around <<-'E'
		  - {id: errors, around: [load], mock.counters: {COUNTERS, expect: {errors: {max: 0}}}}
		  - {id: packets, around: load, mock.counters: {COUNTERS, where: {name: a}, expect: {packets: {min: 4000}}}}
		  - {id: load, LOAD after}
	E
	runs -1
	[ "$(verdicts)" = $'errors fail\nload pass\npackets pass' ]
	# 103 - 100
	[[ $(said errors) == "port a: errors is 3, expected at most 0 ($(at 3 '{max: 0')); 1 of 2 rows" ]]
	[ "$(jq -c '[.scenarios[].steps[] | select(.id == "errors").cases[0].attempts[0].rows[].facts | [.name, .errors, .packets]]' out.json)" = \
		'[["b","0","0"],["a","3","4000"]]' ]
}

@test "read before the first, and after the last, of several; what they need comes before all" {
	counters counters <<<'a 1 0'
	counters zero <<<'a 10 0'
	counters one <<<'a 12 0'
	counters two <<<'a 15 0'
	around <<-'E'
		  - {id: second, needs: [first], LOAD two}
		  - {id: errors, needs: [before], around: [first, second], mock.counters: {COUNTERS, expect: {errors: 5}}}
		  - {id: first, LOAD one}
		  - {id: before, LOAD zero}
	E
	runs -0
	# From 10, as 'before' left it, over 12 to 15.
	[ "$(verdicts)" = $'before pass\nerrors pass\nfirst pass\nsecond pass' ]
}

@test "a counter that stands at its maximum, went down, or has nothing to be compared with is an error" {
	counters counters <<<$'low 5 0\nmax 60000 0\ncleared 9 0\ngone 1 0'
	counters after <<<$'low 5 0\nmax 65535 0\ncleared 3 0\nnew 1 0'
	around <<-'E'
		  - {id: low, around: load, mock.counters: {COUNTERS, where: {name: low}, expect: {errors: 0}}}
		  - {id: max, around: load, mock.counters: {COUNTERS, where: {name: max}, expect: {errors: {max: 9}}}}
		  - {id: cleared, around: load, mock.counters: {COUNTERS, where: {name: cleared}, expect: {errors: 0}}}
		  - {id: gone, around: load, mock.counters: {COUNTERS, where: {name: gone}, expect: {errors: 0}}}
		  - {id: new, around: load, mock.counters: {COUNTERS, where: {name: new}, expect: {errors: 0}}}
		  - {id: load, LOAD after}
	E
	runs -2
	[ "$(verdicts)" = $'cleared error\ngone error\nload pass\nlow pass\nmax error\nnew error' ]
	[[ $(said max) == *"needs a counter below its maximum: it stands at 65535"* ]]
	[[ $(said cleared) == *"needs a counter that nothing else clears: it went down from 9 to 3"* ]]
	[[ $(said gone) == *"needs a row that is there afterwards, too"* ]]
	[[ $(said new) == *"needs a row that was there before, too"* ]]
}

@test "counters that cannot be read, before or after" {
	counters after <<<'a 1 0'
	around <<-'E'
		  - {id: errors, around: load, mock.counters: {COUNTERS, expect: {errors: 0}}}
		  - {id: load, LOAD after}
	E
	runs -2
	[ "$(verdicts)" = $'errors error\nload pass' ]
	[[ $(said errors) == "before the steps: $PWD/counters: No such file or directory ("* ]]
	{
		echo steps:
		echo "  - {id: errors, around: load, mock.counters: {path: $PWD/counters, expect: {errors: 0}}}"
		echo "  - {id: load, host.command: {argv: [rm, $PWD/counters], count: 1}}"
	} | scenario
	runs -2
	[[ $(said errors) == "after the steps: $PWD/counters: No such file or directory ("* ]]
}

@test "a step that did not run leaves nothing to compare; one that failed did run" {
	counters counters <<<'a 1 0'
	counters after <<<'a 2 0'
	around <<-'E'
		  - {id: bad, mock.pass: {count: 77}}
		  - {id: skipped, needs: [bad], LOAD after}
		  - {id: around-skipped, around: [skipped], mock.counters: {COUNTERS, expect: {errors: 0}}}
		  - {id: failed, mock.pass: {count: 77}}
		  - {id: around-failed, around: [failed], mock.counters: {COUNTERS, expect: {errors: 0}}}
		  - {id: around-both, around: [failed, skipped], mock.counters: {COUNTERS, expect: {errors: 0}}}
	E
	runs -1
	[ "$(verdicts)" = $'around-both skip\naround-failed pass\naround-skipped skip\nbad fail\nfailed fail\nskipped skip' ]
	[ "$(said around-skipped)" = "around 'skipped', which did not run" ]
	# It could not be judged, and gates as such.
	jq -e '[.scenarios[].steps[] | select(.id == "around-skipped").cases[0].gating] == [true]' out.json
}

@test "needs and conditions hold for it as for any step; what it is around runs all the same" {
	counters counters <<<'a 1 0'
	counters after <<<'a 2 0'
	around <<-'E'
		  - {id: bad, mock.pass: {count: 77}}
		  - {id: needy, needs: [bad], around: [load], mock.counters: {COUNTERS, expect: {errors: 0}}}
		  - {id: conditional, around: [load], when: {mock.pass: {where: {text: never}}}, mock.counters: {COUNTERS, expect: {errors: 0}}}
		  - {id: load, LOAD after}
	E
	runs -1
	[ "$(verdicts)" = $'bad fail\nconditional skip\nload pass\nneedy skip' ]
}

@test "selecting it selects what it is around" {
	counters counters <<<'a 1 0'
	counters after <<<'a 2 0'
	around <<-'E'
		  - {id: errors, around: [load], mock.counters: {COUNTERS, expect: {errors: 1}}}
		  - {id: load, LOAD after}
		  - {id: other, mock.pass: {count: 77}}
	E
	run -0 "$rdmaspec" run --allow host.command --step errors -o json=out.json s.yaml
	[ "$(verdicts)" = $'errors pass\nload pass' ]
	run -0 "$rdmaspec" plan --step errors s.yaml
	[[ $output == *"counters around step "* ]]
	[[ $output == *"(not selected, but needed)"* ]]
}

@test "a signal while the steps between run: nothing is judged, nothing hangs" {
	counters counters <<<'a 1 0'
	{
		echo steps:
		echo "  - {id: errors, around: load, mock.counters: {path: $PWD/counters, expect: {errors: 0}}}"
		echo "  - {id: load, timeout: 300 s, mock.slow: {seconds: 200 s, count: 1}}"
	} | scenario
	"$rdmaspec" run -o json=out.json s.yaml >log 2>&1 &
	pid=$!
	# The runner, its agent, and the worker of the one step that takes its time.
	wait_left_behind 3
	kill -TERM $pid
	wait $pid && status=0 || status=$?
	[ $status = 143 ]
	[ "$(verdicts)" = $'errors skip\nload skip' ]
}

@test "an intended duration is added to the time-out" {
	counters counters <<<'a 1 0'
	around <<-'E'
		  - {id: over, timeout: 10 s, mock.counters: {COUNTERS, over: 20 s, expect: {time_left: {min: 20000}}}}
	E
	runs -0
}

# roce_tree: a copy of the recorded tree whose files may be changed
roce_tree() {
	cp -r "$data/sysfs/mlx5-bond" tree
	hw=$PWD/tree/class/infiniband/mlx5_bond_0/ports/1/hw_counters
}

@test "roce.counters around steps: what rose is told, what did not is 0" {
	roce_tree
	counter=$(find "$hw" -type f ! -name lifespan | sort | head -1)
	name=$(basename "$counter")
	echo $(($(cat "$counter") + 7)) >risen
	# A recorded tree runs no commands: another host does.
	{
		echo "hosts: [{name: recorded, connect: {command: ['$rdmaspec', agent, --sysfs-root, '$PWD/tree']}}, {name: here}]"
		echo steps:
		echo "  - {id: one, hosts: recorded, around: load, roce.counters: {device: mlx5_bond_0, names: $name, where: {source: hw_counters}, expect: {value: 7}, count: 1}}"
		echo "  - {id: others, hosts: recorded, around: load, roce.counters: {device: mlx5_bond_0, where: {name: {not: $name}}, expect: {value: 0}}}"
		echo "  - {id: load, hosts: here, host.command: {argv: [cp, $PWD/risen, $counter], count: 1}}"
	} | scenario
	run -0 "$rdmaspec" run --allow host.command -o json=out.json s.yaml
	[ "$(verdicts)" = $'load pass\none pass\nothers pass' ]
}

@test "roce.counters over an interval: as many rows as without, and where nothing counts all of them 0" {
	roce_tree
	run -0 --separate-stderr "$rdmaspec" observe --json --sysfs-root "$PWD/tree" roce.counters device=mlx5_bond_0
	rows=$(jq '.rows | length' <<<"$output")
	[ "$rows" -gt 3 ]
	run -0 --separate-stderr "$rdmaspec" observe --json --sysfs-root "$PWD/tree" roce.counters device=mlx5_bond_0 over='10 ms'
	jq -e --argjson rows "$rows" '(.rows | length) == $rows and all(.rows[]; (.facts.value // .value) == "0")' <<<"$output"
}
