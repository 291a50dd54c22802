#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Input that is meant to hurt: one clear message with its place, exit 3, within bounds of time and memory.

load helper

# refuses FILE: "check" ends with 3 within 5 s (a loaded machine) and 100 MB, and says something of that file
refuses() {
	run --separate-stderr -3 python3 - "$rdmaspec" "$@" <<-'E'
		import resource, subprocess, sys
		process = subprocess.run([sys.argv[1], "check"] + sys.argv[2:], stdin=subprocess.DEVNULL, timeout=5)
		peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
		assert peak < 100, f"{peak} MiB"
		sys.exit(process.returncode)
	E
	[ -z "$output" ]
	[[ ${stderr_lines[0]} == "$1:"*"error: "* ]]
}

@test "an alias bomb" {
	{
		echo 'rdmaspec: 1'
		echo 'a: &a [x, x, x, x, x, x, x, x, x]'
		previous=a
		for name in b c d e f g h i; do
			echo "$name: &$name [*$previous, *$previous, *$previous, *$previous, *$previous, *$previous, *$previous]"
			previous=$name
		done
	} >s.yaml
	refuses s.yaml
	[[ $stderr == *"s.yaml:2:4: error: anchors and aliases are refused"* ]]
}

@test "1,000,000 levels deep, in flow and in block style" {
	python3 -c 'print("a: " + "[" * 1000000)' >flow.yaml
	refuses flow.yaml
	[[ $stderr == *"nested deeper than 64 levels"* ]]
	python3 -c 'print("- " * 1000000)' >block.yaml
	refuses block.yaml
	[[ $stderr == *"nested deeper than 64 levels"* ]]
}

@test "100 MB, and a file without end" {
	truncate -s 100M big.yaml
	refuses big.yaml
	[[ $stderr == *"16 MiB"* ]]
	refuses /dev/zero
}

@test "binary rubbish" {
	python3 -c 'import random, sys; random.seed(1); sys.stdout.buffer.write(random.randbytes(100000))' >s.yaml
	refuses s.yaml
	[[ $stderr != *$'\e'* ]]
}

@test "an include cycle, an include that cannot be read, one that is a folder" {
	printf 'rdmaspec: 1\ninclude: [b.yaml]\nsteps: []\n' >a.yaml
	printf 'rdmaspec: 1\ninclude: [a.yaml]\n' >b.yaml
	run --separate-stderr -3 timeout 5 "$rdmaspec" check a.yaml
	[[ ${stderr_lines[0]} == "$(at 2 a.yaml b.yaml): error: "*"'a.yaml'"* ]]
	printf 'rdmaspec: 1\ninclude: [missing.yaml]\n' >c.yaml
	refuses c.yaml
	[[ ${stderr_lines[0]} == "c.yaml:2:11: error: "*"missing.yaml"* ]]
	mkdir folder.yaml
	printf 'rdmaspec: 1\ninclude: [folder.yaml]\n' >d.yaml
	refuses d.yaml
	[[ ${stderr_lines[0]} == "$(at 2 folder d.yaml): error: cannot include 'folder.yaml': it is a directory" ]]
	printf 'rdmaspec: 1\ninclude: [dangling.yaml]\n' >e.yaml
	ln -s nowhere.yaml dangling.yaml
	refuses dangling.yaml
	refuses e.yaml
	[[ ${stderr_lines[0]} == "$(at 2 dangling e.yaml): error: cannot include 'dangling.yaml': No such file or directory" ]]
	refuses folder.yaml
	refuses missing.yaml
}

@test "a FIFO that nobody writes to, as scenario, as include, as a parameter's file" {
	mkfifo fifo
	run --separate-stderr -3 timeout 5 "$rdmaspec" check fifo
	[ "$stderr" = "fifo: error: cannot be read: nobody writes to this pipe" ]
	printf 'rdmaspec: 1\ninclude: [fifo]\nsteps: []\n' >s.yaml
	run --separate-stderr -3 timeout 5 "$rdmaspec" check s.yaml
	[[ ${stderr_lines[0]} == "$(at 2 fifo): error: cannot include 'fifo': nobody writes to this pipe" ]]
	scenario <<-'E'
		steps:
		  - {name: parameter, mock.pass: {file: fifo, count: 2}}
	E
	run --separate-stderr -3 timeout 5 "$rdmaspec" check s.yaml
	[ "$stderr" = "$(at 3 fifo,): error: file: 'fifo' cannot be read: it is no regular file" ]
}

@test "pipes that somebody writes to are scenarios like any other, however slowly" {
	write() {
		printf 'rdmaspec: 1\nsteps:\n'
		read -rt "$1" <> <(:) || :
		echo '  - {name: rows, mock.pass: {count: 2}}'
	}
	"$rdmaspec" check <(write 0)
	# Longer than a FIFO may be without a writer: this one has had one from the start.
	"$rdmaspec" check <(read -rt 2.5 <> <(:) || :; write 0.1)
	write 0.1 | "$rdmaspec" check -
	write 0.1 | "$rdmaspec" check /dev/stdin
	mkfifo fifo
	"$rdmaspec" check fifo >out 2>&1 3>&- &
	write 0.1 >fifo
	wait $!
	run -3 "$rdmaspec" check <(:)
	[[ $output == *"the file is empty" ]]
}

@test "devices and the kernel's own files" {
	local file
	for file in /dev/zero /dev/null /proc/self/mem /dev/full; do
		refuses $file
		printf 'rdmaspec: 1\ninclude: [%s]\nsteps: []\n' $file >s.yaml
		run --separate-stderr -3 timeout 5 "$rdmaspec" check s.yaml
		[[ ${stderr_lines[0]} == *": error: "* ]]
	done
}

@test "an empty file, comments only, a second document" {
	: >s.yaml
	refuses s.yaml
	echo '# nothing' >s.yaml
	refuses s.yaml
	printf 'rdmaspec: 1\n---\nrdmaspec: 1\n' >s.yaml
	refuses s.yaml
	[[ ${stderr_lines[0]} == "s.yaml:2:1: error: "* ]]
}

@test "all problems of a file at once, in order, each with its place" {
	scenario <<-'E'
		hosts:
		  - name: node-[01-02]
		steps:
		  - id: first
		    hosts: node-03
		    mock.pass: {count: 2}
		  - id: first
		    needs: [frist]
		    mock.pass: {expect: {sped: HDR}}
		  - mock.pass: {expect: {speed: FASTT}}
	E
	refuses s.yaml
	[[ $stderr == *"s.yaml:6:12: error: unknown host 'node-03'"*"did you mean 'node-0"* ]]
	[[ $stderr == *"s.yaml:8:9: error: "*"'first'"* ]]
	[[ $stderr == *"s.yaml:9:13: error: "*"did you mean 'first'?"* ]]
	[[ $stderr == *"s.yaml:10:26: error: mock.pass has no fact 'sped'; did you mean 'speed'?"* ]]
	[[ $stderr == *"s.yaml:11:33: error: "*"'FASTT'"* ]]
}

@test "a report never takes the place of what is read" {
	scenario common.yaml <<<'steps: []'
	scenario <<<$'include: [common.yaml]\nsteps: [{mock.pass: {count: 2}}]'
	cp s.yaml kept.yaml
	ln -s s.yaml link.xml
	for target in json=s.yaml junit=./s.yaml tap=link.xml html=common.yaml prometheus="$PWD/s.yaml"; do
		run --separate-stderr -64 "$rdmaspec" run -o "$target" s.yaml
		[[ $stderr == "rdmaspec: report '${target#*=}' would take the place of '"*".yaml', which is read" ]]
		cmp s.yaml kept.yaml
	done
	cp "$scenarios/fabrics/small.net" .
	run --separate-stderr -64 "$rdmaspec" run --simulate small.net -o json=small.net s.yaml
	cmp small.net "$scenarios/fabrics/small.net"
	run -0 "$rdmaspec" run -o json=- s.yaml
}

@test "an empty name of a file is said to be one" {
	run --separate-stderr -64 "$rdmaspec" run ""
	[ "$stderr" = "rdmaspec: the name of a scenario file is empty" ]
}
