/* SPDX-License-Identifier: BSD-2-Clause */
/* What makes an observation that one, whoever wrote it down. */
#include <jansson.h>
#include <stdlib.h>

#include "agent/wire.h"
#include "base/cleanup.h"
#include "record/internal.h"

const char *const record_phases[] = {
	[RECORD_TABLE] = "table",
	[RECORD_CONDITION] = "condition",
	[RECORD_BEFORE] = "before",
	[RECORD_AFTER] = "after",
	NULL,
};

void record_key(struct buf *out, const char *host, const char *server, const char *source, const char *params,
		const char *server_params, uint32_t at_once)
{
	wire_string(out, host);
	wire_string(out, server ? server : "");
	buf_printf(out, "%s %u ", source, at_once);
	buf_puts(out, params);
	if (server_params)
		buf_puts(out, server_params);
}

char *json_sorted(const char *text, size_t length)
{
	json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	char *sorted = json ? json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT) : NULL;

	json_decref(json);
	return sorted;
}
