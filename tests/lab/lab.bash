# SPDX-License-Identifier: BSD-2-Clause
# What every test over a simulated fabric begins with: the command line's helper, a look whether ibsim and opensm are
# there, private temporary folders that nothing may be left in, and what a run came to.

load ../cli/helper

setup_file() {
	local program
	for program in ibsim opensm sminfo; do
		PATH=$PATH:/usr/sbin type $program >/dev/null && continue
		[ "$RDMASPEC_LABS" = required ] && return 1
		skip "$program is not installed"
	done
	:
}

# The private directories of this test's runs.
private_directories() {
	find "$BATS_TEST_TMPDIR" -maxdepth 1 -name 'rdmaspec-*'
}

no_directory_left() {
	local tries
	for tries in 1 2 3 4 5 6 7 8 9 10; do
		[ -z "$(private_directories)" ] && return 0
		read -rt 0.2 <> <(:) || :
	done
	private_directories >&2
	return 1
}

# not_green: "VERDICT NAME: SENTENCE" of every case that did not pass, as in the scenario
not_green() {
	jq -r '.scenarios[].steps[].cases[] | select(.verdict != "pass") |
		"\(.verdict) \(.name): \(.attempts[-1].sentence // .reason)"' out.json
}

# processes NAME: how many of this test's run under that name
processes() {
	left_behind | grep -c "$1" || :
}
