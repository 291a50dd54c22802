/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/difference.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "judge/row_index.h"

static struct value copy(struct arena *arena, const struct rs_fact *fact, bool element, const struct value *from)
{
	struct value value = *from;
	bool list = fact->flags & RS_F_LIST && !element;

	if (from->state == VALUE_NOT_OBSERVED || from->state == VALUE_UNKNOWN) {
		value.text = from->text ? arena_text(arena, from->text, strlen(from->text)) : NULL;
	} else if (from->state == VALUE_SET && list) {
		struct value *items = arena_alloc(arena, (from->length + 1) * sizeof(*items));

		for (uint32_t i = 0; i < from->length; i++)
			items[i] = copy(arena, fact, true, &from->items[i]);
		value.items = items;
	} else if (from->state == VALUE_SET &&
		   (fact->type == RS_TEXT || fact->type == RS_NUMBER || fact->type == RS_QUANTITY)) {
		value.text = arena_text(arena, from->text, fact->type == RS_TEXT ? from->length : strlen(from->text));
	} else if (from->state == VALUE_SET && (fact->type == RS_GID || fact->type == RS_IP)) {
		value.address = memcpy(arena_alloc(arena, 16), from->address, fact->type == RS_GID ? 16 : from->length);
	}
	return value;
}

static struct value not_observed(const char *why)
{
	return (struct value){.state = VALUE_NOT_OBSERVED, .text = why};
}

/* Is that counter among those that stand at their maximum? */
static bool is_pegged(const struct table *table, const struct value *cells, const char *name)
{
	const struct rs_fact *facts = table->probe->facts;

	for (unsigned i = 0; i < table->columns; i++)
		for (uint32_t j = 0; facts[i].flags & RS_F_PEGGED && cells[i].state == VALUE_SET && j < cells[i].length;
		     j++)
			if (!strcmp(cells[i].items[j].text, name))
				return true;
	return false;
}

static struct value rise(struct arena *arena, const struct value *then, const struct value *now, bool pegged)
{
	if (then->state != VALUE_SET || now->state != VALUE_SET)
		return now->state != VALUE_SET ? *now : *then;
	if (pegged)
		return not_observed(
			arena_printf(arena, "needs a counter below its maximum: it stands at %" PRIu64, now->number));
	if (now->number < then->number)
		return not_observed(arena_printf(
			arena, "needs a counter that nothing else clears: it went down from %" PRIu64 " to %" PRIu64,
			then->number, now->number));
	return (struct value){.state = VALUE_SET, .number = now->number - then->number};
}

/* @then: NULL: the row is new. @gone: @now is what it was. */
static void add_row(struct table *out, const struct table *table, const struct value *then, const struct value *now,
		    bool gone)
{
	const struct rs_fact *facts = table->probe->facts;
	struct value *row = table_add_row(out);

	for (unsigned i = 0; i < table->columns; i++) {
		struct value value = now[i];

		if (facts[i].flags & RS_F_COUNTER && gone)
			value = not_observed("needs a row that is there afterwards, too");
		else if (facts[i].flags & RS_F_COUNTER && !then)
			value = not_observed("needs a row that was there before, too");
		else if (facts[i].flags & RS_F_COUNTER)
			value = rise(&out->arena, &then[i], &now[i], is_pegged(table, now, facts[i].name));
		row[i] = copy(&out->arena, &facts[i], false, &value);
	}
}

static struct table *table_difference(const struct table *before, const struct table *after)
{
	struct table *out = table_new(after->probe);
	AUTO_FREE bool *taken = xcalloc(before->rows + 1, sizeof(*taken));
	struct row_index index;

	row_index_open(&index, before);
	for (size_t row = 0; row < after->rows; row++) {
		size_t found = row_index_find(&index, after, row);
		const struct value *then = found == ROW_NONE || taken[found] ? NULL : table_row(before, found);

		if (then)
			taken[found] = true;
		add_row(out, after, then, table_row(after, row), false);
	}
	for (size_t row = 0; row < before->rows; row++)
		if (!taken[row])
			add_row(out, before, NULL, table_row(before, row), true);
	row_index_close(&index);
	return out;
}

static void take_error(struct observation *out, const struct observation *from, const char *when)
{
	out->error = xasprintf("%s the steps: %s", when, from->error);
	out->reason = from->reason;
	free(out->log);
	out->log = from->log ? xstrdup(from->log) : NULL;
}

static void take_incomplete(struct observation *out, const struct observation *from, const char *when)
{
	char *text;

	if (!from->incomplete)
		return;
	text = xasprintf("%s%s%s the steps: %s", out->incomplete ? out->incomplete : "", out->incomplete ? "; " : "",
			 when, from->incomplete);
	free(out->incomplete);
	out->incomplete = text;
}

struct observation *observation_difference(const struct observation *before, const struct observation *after)
{
	struct observation *out = observation_new(before->source, before->host, before->params);

	out->started = before->started;
	out->seconds = before->seconds + (after ? after->seconds : 0);
	observation_append(out, before, "before: ");
	if (after)
		observation_append(out, after, "after: ");
	if (before->error || after->error) {
		take_error(out, before->error ? before : after, before->error ? "before" : "after");
		return out;
	}
	take_incomplete(out, before, "before");
	take_incomplete(out, after, "after");
	for (size_t i = 0; i < before->source->nprobes; i++)
		if (before->tables[i] && after->tables[i])
			out->tables[i] = table_difference(before->tables[i], after->tables[i]);
	return out;
}
