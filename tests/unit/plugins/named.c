/* SPDX-License-Identifier: BSD-2-Clause */
/* Its file is called otherwise. */
#include "tables.h"

static const struct rs_probe ports[] = {PROBE("other.ports")};
static const struct rs_source sources[] = {SOURCE("other.ports", ports)};

RS_PLUGIN(.name = "other", .version = "1", .summary = "not called like its file", .sources = sources, .nsources = 1);
