/* SPDX-License-Identifier: BSD-2-Clause */
/* More symbols than the one: loaded all the same, but no plugin of ours may look like this. */
#include "tables.h"

static const struct rs_probe ports[] = {PROBE("extra.ports")};
static const struct rs_source sources[] = {SOURCE("extra.ports", ports)};

RS_PLUGIN(.name = "extra", .version = "1", .summary = "one symbol too many", .sources = sources, .nsources = 1);

__attribute__((visibility("default"))) int leaked_symbol = 1;
