#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# What "meson install" puts where, and that it is enough: for a user, for a host that is only observed, for a plugin's author.

load helper

setup_file() {
	export ROOT=$BATS_FILE_TMPDIR/root
	DESTDIR=$ROOT meson install -C "$RDMASPEC_BUILD" --no-rebuild --quiet
}

# there NAME: the one installed file of that name
there() {
	local found
	found=$(find "$ROOT" -name "$1" -type f)
	[ "$(grep -c . <<<"$found")" = 1 ] && echo "$found"
}

@test "the program, its plugins, the JUnit module, the header, a man page a command; nothing of the tests" {
	[ -x "$(there rdmaspec)" ]
	for plugin in "$RDMASPEC_SOURCE"/plugins/*/plugin.c; do
		plugin=$(basename "$(dirname "$plugin")")
		[ "$plugin" = mock ] || [ -f "$(there "$plugin.so")" ]
	done
	[ -z "$(find "$ROOT" -name '*mock*' -o -name '*.a' -o -name 'test-*')" ]
	[ -f "$(there report_junit.so)" ]
	[ -f "$(there plugin.h)" ]
	for command in $("$rdmaspec" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		[ -f "$(there "rdmaspec-$command.1")" ]
	done
	[ -f "$(there rdmaspec.1)" ]
}

@test "the installed program checks and describes over the installed plugins" {
	local plugins
	plugins=$(dirname "$(there ib.so)")
	"$(there rdmaspec)" check --plugin-dir "$plugins" "$scenarios/infiniband-fabric.yaml"
	run -0 "$(there rdmaspec)" probes --plugin-dir "$plugins"
	[[ $output == *"fabric.links"* && $output != *mock.* ]]
	run -0 "$(there rdmaspec)" observe --plugin-dir "$plugins" --sysfs-root "$data/sysfs/mlx5-ib" ib.devices
	[ ${#lines[@]} = 4 ]
	run ! "$(there rdmaspec)" probes --plugin-dir "$ROOT/nowhere"
	[[ $output == *"the plugin directory '$ROOT/nowhere' cannot be read: No such file or directory" ]]
}

@test "a plugin builds against the installed header alone, and exports one symbol" {
	local include
	include=$(dirname "$(dirname "$(there plugin.h)")")
	cc -std=gnu11 -Wall -Wextra -Werror -Wno-missing-field-initializers -D_GNU_SOURCE -fvisibility=hidden -shared -fPIC \
		-I"$include" -o example.so "$RDMASPEC_SOURCE/docs/example-plugin/example.c"
	run -0 nm -D --defined-only example.so
	[[ $output =~ ^[0-9a-f]+\ [A-Z]\ rs_plugin_v1$ ]]
}
