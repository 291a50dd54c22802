/* SPDX-License-Identifier: BSD-2-Clause */
#include "../sample_tables.h"

RS_PLUGIN(.name = "sample", .version = "1", .summary = "a parameter of every kind", .sources = &sample_source,
	  .nsources = 1);
