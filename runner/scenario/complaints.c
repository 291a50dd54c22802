/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with a step on some hosts, said once for all of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nodeset.h"
#include "scenario/planner.h"

static bool same_diag(const struct diag *a, const struct diag *b)
{
	return a->place.line == b->place.line && a->place.column == b->place.column && a->level == b->level &&
	       a->place.file && b->place.file && !strcmp(a->place.file, b->place.file) && !strcmp(a->text, b->text);
}

/* Warnings that were given when the file was read come again with every host. */
static bool said_before(const struct diags *diags, const struct diag *diag)
{
	for (size_t i = 0; i < diags->count; i++)
		if (same_diag(&diags->items[i], diag))
			return true;
	return false;
}

static void add(struct complaints *complaints, struct diag *diag, const char *host)
{
	struct strings *hosts;
	size_t i = 0;

	while (i < complaints->count && !same_diag(&complaints->items[i].diag, diag))
		i++;
	if (i == COMPLAINTS_KEPT)
		return;
	if (i == complaints->count) {
		complaints->items[complaints->count++].diag = *diag;
		*diag = (struct diag){0};
	}
	hosts = &complaints->items[i].hosts;
	if (!hosts->count || strcmp(hosts->items[hosts->count - 1], host))
		strings_add(hosts, host);
}

int complaints_take(struct complaints *complaints, struct diags *found, const char *host, const struct diags *before)
{
	int result = found->errors ? -EINVAL : 0;

	for (size_t i = 0; i < found->count; i++)
		if (!said_before(before, &found->items[i]))
			add(complaints, &found->items[i], host);
	diags_free(found);
	return result;
}

void complaints_report(struct complaints *complaints, bool name_hosts, struct diags *diags)
{
	for (size_t i = 0; i < complaints->count; i++) {
		const struct complaint *complaint = &complaints->items[i];
		struct diag diag = {.level = complaint->diag.level, .place = complaint->diag.place};
		AUTO_BUF struct buf text = {0};

		buf_puts(&text, complaint->diag.text);
		if (name_hosts) {
			buf_puts(&text, " (on ");
			nodeset_fold(&text, (const char *const *)complaint->hosts.items, complaint->hosts.count);
			buf_puts(&text, ")");
		}
		diag.text = buf_take(&text);
		diags_add(diags, &diag);
	}
}

void complaints_free(struct complaints *complaints)
{
	for (size_t i = 0; i < complaints->count; i++) {
		diag_free(&complaints->items[i].diag);
		strings_free(&complaints->items[i].hosts);
	}
	complaints->count = 0;
}
