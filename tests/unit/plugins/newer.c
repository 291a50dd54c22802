/* SPDX-License-Identifier: BSD-2-Clause */
/* Built with a later header of the same major version, whose structs have grown at their ends. */
#include "tables.h"

struct newer_source {
	struct rs_source source;
	const char *added[2];
};

struct newer_plugin {
	struct rs_plugin plugin;
	const char *added;
};

static const struct rs_probe ports[] = {PROBE("newer.ports")};
static const struct rs_probe links[] = {PROBE("newer.links")};
static const struct newer_source sources[] = {
	{SOURCE("newer.ports", ports), {"a", "b"}},
	{SOURCE("newer.links", links), {"c", "d"}},
};

extern const struct newer_plugin rs_plugin_v1;
__attribute__((visibility("default"))) const struct newer_plugin rs_plugin_v1 = {
	.plugin = {.abi = RS_ABI,
		   .size = sizeof(struct newer_plugin),
		   .source_size = sizeof(struct newer_source),
		   .name = "newer",
		   .version = "9",
		   .summary = "of a later header",
		   .sources = (const struct rs_source *)(const void *)sources,
		   .nsources = 2},
	.added = "more",
};
