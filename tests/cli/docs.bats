#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Documents that the program makes are what it would make now, and what a page shows of the source is in the source.

load helper

@test "docs/reference, the published schema and the pages with real output are up to date ('make docs')" {
	for tool in ibsim opensm; do
		PATH=$PATH:/usr/sbin type $tool >/dev/null || skip "$tool is not installed"
	done
	"$RDMASPEC_SOURCE/docs/make" --check "$RDMASPEC_BUILD"
}

@test "the plugin of docs/writing-a-plugin.md is the one in docs/example-plugin" {
	run -0 python3 - "$RDMASPEC_SOURCE/docs" <<-'E'
		import re, sys
		page = open(sys.argv[1] + "/writing-a-plugin.md", encoding="utf-8").read()
		source = re.sub(r"\s+", " ", open(sys.argv[1] + "/example-plugin/example.c", encoding="utf-8").read())
		blocks = re.findall(r"```c\n(.*?)```", page, re.S)
		assert len(blocks) >= 4
		for block in blocks:
		    for part in block.split("...\n"):
		        assert re.sub(r"\s+", " ", part).strip() in source, part
	E
}

@test "the plugin of docs/writing-a-plugin.md is built and used as the page says" {
	cc -std=gnu11 -D_GNU_SOURCE -fvisibility=hidden -shared -fPIC -I"$RDMASPEC_SOURCE/plugins/include" -o example.so \
		"$RDMASPEC_SOURCE/docs/example-plugin/example.c"
	run -0 "$rdmaspec" describe --plugin-dir . example.uptime
	[[ $output == *"time since boot: the first field of /proc/uptime"* ]]
	run -0 "$rdmaspec" observe --plugin-dir . --json example.uptime
	# /proc/uptime has gone on a little since.
	python3 - "$output" <<-'E'
		import json, sys
		document = json.loads(sys.argv[1])
		rows = document if isinstance(document, list) else document["rows"]
		facts = rows[0].get("facts", rows[0])
		assert 0 <= float(open("/proc/uptime").read().split()[0]) - float(facts["uptime"]) < 60, facts
	E
	echo '12.5' >uptime
	run -2 "$rdmaspec" run --plugin-dir . /dev/stdin <<-'E'
		rdmaspec: 1
		steps:
		  - {name: idle, example.uptime: {file: uptime, expect: {idle: {min: 1 s}}}}
	E
	[[ $output == *"needs a kernel that writes a second field"* ]]
}
