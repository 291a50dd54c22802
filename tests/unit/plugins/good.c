/* SPDX-License-Identifier: BSD-2-Clause */
#include "tables.h"

static const struct rs_probe ports[] = {PROBE("good.ports")};
static const struct rs_probe sweep[] = {PROBE("good.nodes"), PROBE("good.links")};
static const struct rs_source sources[] = {SOURCE("good.ports", ports), SOURCE("good.sweep", sweep)};

RS_PLUGIN(.name = "good", .version = "1.2", .summary = "a good one", .sources = sources, .nsources = 2);
