/* SPDX-License-Identifier: BSD-2-Clause */
/* What makes an observation that one, whoever wrote it down. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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

const struct recorded *recording_last(const struct recording *recording, const struct recorded *like)
{
	AUTO_BUF struct buf key = {0};
	const struct recorded *last = NULL;

	record_key(&key, like->host, like->server, like->source, like->params, like->server_params, like->at_once);
	for (size_t i = names_find(&recording->keys, key.data); i != SIZE_MAX; i = recording->items[i].next)
		if (recording->items[i].phase == RECORD_TABLE)
			last = &recording->items[i];
	return last;
}

void record_asked(struct buf *out, const struct recorded *item)
{
	wire_string(out, item->host);
	wire_string(out, item->server ? item->server : "");
	buf_puts(out, item->source);
}

bool recording_asks_otherwise(const struct recording *recording, const struct recorded *item)
{
	AUTO_BUF struct buf asked = {0};
	size_t first;

	record_asked(&asked, item);
	first = names_find(&recording->asked, asked.data);
	return first != NAMES_NONE &&
	       (recording->items[first].varies || strcmp(recording->items[first].params, item->params) != 0);
}

const char *recording_absence(const struct recording *recording, const char *host)
{
	size_t index = names_find(&recording->absent, host);

	return index == NAMES_NONE ? NULL : recording->reasons[index];
}
