#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Node descriptions that mean harm to terminals, XML, HTML and parsers, on a subnet that carries them in its MADs: they
# reach every report as text, escaped or as \xNN, and none of them raw.

load lab

# name N: the description of the CA at port N; also what the reports must give back, byte for byte
names=(
	$'\e[5mblink\e[0m\a\b\x7f'       # terminal escapes, a bell, a backspace, DEL
	$'\e]0;title\e\\'                # a terminal's title
	'say "two" # three'              # what ibnetdiscover's parsers stumble over
	"]]>&amp;<!-- '--><?pi?>"        # ends of CDATA, comment and processing instruction
	'<script>alert(1)</script>'      # HTML
	$'\xff\xfe\xc0\xaf\xed\xa0\x80'  # no UTF-8: stray bytes, overlong, a surrogate
	$'no\xef\xbf\xbe\xef\xbf\xbfchar' # U+FFFE, U+FFFF: valid UTF-8, not allowed in XML
	$'a\xe2\x80\xaeb\xc2\x9bc'       # right-to-left override; CSI as one character
	$'back\\slash \\x1b %s %n $(host)' # looks escaped already; formats; a variable
	$'\xc3\xa4\xe8\xb7\xaf'          # what is harmless stays readable
)

topology() {
	local i count=${#names[@]}
	printf 'Switch %d "sw" # "sw"\n' $((count + 2))
	for ((i = 0; i < count; i++)); do printf '[%d] "n%d"[1]\n' $((i + 1)) $((i + 1)); done
	printf '[%d] ""[1]\n' $((count + 1))
	for ((i = 0; i < count; i++)); do
		# ibsim takes what is between the first two quotes, or what has none around it.
		case ${names[i]} in
		*'"'*) printf '\nCa 1 "n%d" # %s\n[1] "sw"[%d]\n' $((i + 1)) "${names[i]}" $((i + 1)) ;;
		*) printf '\nCa 1 "n%d" # "%s"\n[1] "sw"[%d]\n' $((i + 1)) "${names[i]}" $((i + 1)) ;;
		esac
	done
	printf '\nCa 1 ""\n[1] "sw"[%d]\n' $((count + 1))
}

# harmless FILE: valid UTF-8 without a control character but newline and tab, nor one that XML forbids or that turns
# text round
harmless() {
	python3 - "$1" <<-'E'
		import sys, unicodedata
		text = open(sys.argv[1], "rb").read().decode("utf-8")
		bad = {c for c in text if c not in "\n\t" and (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")
		       or ord(c) & 0xfffe == 0xfffe)}
		assert text and not bad, sorted(map(ascii, bad))
	E
}

setup_topology() {
	topology >hostile.net
	scenario <<-'E'
		steps:
		  - {id: nodes, name: every node is called node-*, fabric.nodes: {where: {type: CA}, expect: {description: node-*}}}
		  - {id: links, fabric.links: {expect: {state: Down}, count: 99}}
		  - {id: ports, fabric.ports: {where: {description: sw}, expect: {remote_description: nobody}}}
		  - {id: same, fabric.nodes: {same: [description], unique: [type]}}
		  - {id: good, fabric.nodes: {where: {type: switch}, expect: {description: sw}}}
	E
}

@test "console, JUnit and JSON: nothing raw, every report valid" {
	setup_topology
	run --separate-stderr -1 "$rdmaspec" run -v --simulate hostile.net --simulate-sm n3 -o junit=out.xml \
		-o junit+positions=positions.xml -o json=out.json s.yaml
	[ "$(verdicts)" = "fail fail fail pass fail pass" ]
	printf '%s\n' "$output" >console
	harmless console
	harmless out.json
	harmless out.xml
	xmllint --noout --schema "$RDMASPEC_SOURCE/schemas/junit.xsd" out.xml
	harmless positions.xml
	xmllint --noout positions.xml
	run -1 grep -F -e '<script>' -e '<?pi' -e '<!--' -e '<![CDATA[' out.xml
	python3 -m jsonschema -i out.json "$RDMASPEC_SOURCE/schemas/result.schema.json"
	grep -qF '\x1b[5mblink\x1b[0m\x07\x08\x7f' console
	grep -qF '<script>alert(1)</script>' console # a terminal takes no harm of it
	grep -qF 'ä路' console
}

@test "JSON gives the descriptions back byte for byte" {
	setup_topology
	run -1 "$rdmaspec" run --simulate hostile.net --simulate-sm n3 -o json=out.json s.yaml
	printf '%s\0' "${names[@]}" >names
	python3 - <<-'E'
		import json, re
		names = open("names", "rb").read().split(b"\0")[:-1] + [b""]
		report = json.load(open("out.json", encoding="utf-8"))
		rows = report["scenarios"][0]["steps"][0]["cases"][0]["attempts"][0]["rows"]
		def data(text): # \xNN is a byte, a doubled backslash one
		    return re.sub(rb"\\(\\|x([0-9a-f]{2}))", lambda m: bytes([int(m[2], 16)]) if m[2] else b"\\", text.encode())
		seen = sorted(data(row["facts"]["description"]) for row in rows)
		assert seen == sorted(names), (seen, names)
	E
}

@test "a table on the terminal, and one as JSON" {
	setup_topology
	run -0 "$rdmaspec" observe --simulate hostile.net --simulate-sm n3 fabric.nodes
	printf '%s\n' "$output" >table
	harmless table
	# A row a node and the heading: no description adds a line.
	[ ${#lines[@]} = $((${#names[@]} + 3)) ] || { cat table; return 1; }
	run -0 "$rdmaspec" observe --simulate hostile.net --simulate-sm n3 --json fabric.links
	printf '%s\n' "$output" >table
	harmless table
	jq -e '.rows | length == 11' table
}

@test "a real terminal gets no sequence but our own" {
	setup_topology
	python3 - "$rdmaspec" <<-'E'
		import os, pty, re, sys
		seen = bytearray()
		def read(fd):
		    data = os.read(fd, 65536)
		    seen.extend(data)
		    return data if not data else b""
		status = pty.spawn([sys.argv[1], "run", "-v", "--simulate", "hostile.net", "--simulate-sm", "n3", "s.yaml"],
		                   lambda fd: (seen.extend(d := os.read(fd, 65536)), d)[1], lambda fd: b"")
		assert os.waitstatus_to_exitcode(status) == 1, status
		text = bytes(seen).decode("utf-8")
		assert "blink" in text and "\x1b[" in text
		left = re.sub(r"\x1b\[[0-9;]*[mKAJ]|\x1b\[\?25[lh]", "", text.replace("\x1b[5m", "(raw)").replace("\x1b]0", "(raw)"))
		assert "(raw)" not in left and not re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\u202e]", left), ascii(left)
	E
}

@test "hosts that are named as such nodes cannot be named, and the nodes still are found by id" {
	setup_topology
	scenario <<-'E'
		hosts: [{name: here, simulated_as: n1}, {name: there, simulated_as: n6}]
		steps:
		  - {id: sm, ib.sm: {expect: {state: MASTER}, same: [lid, guid]}}
		  - {id: devices, ib.devices: {observe_only: true}}
	E
	run -0 "$rdmaspec" run -v --simulate hostile.net --simulate-sm n3 -o json=out.json -o junit=out.xml s.yaml
	printf '%s\n' "$output" >console
	harmless console
	harmless out.json
	harmless out.xml
}
