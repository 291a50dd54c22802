/* SPDX-License-Identifier: BSD-2-Clause */
/* A cell as the matcher that holds for it and for nothing else. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "survey/internal.h"

static bool scalar_can(struct value_type type, const struct value *value)
{
	AUTO_BUF struct buf text = {0};
	AUTO_ARENA struct arena arena = {0};
	AUTO_FREE char *why = NULL;
	struct value parsed;

	if (value->state != VALUE_SET)
		return false;
	if (type.type == RS_TEXT)
		return emit_able(value->text, value->length);
	value_write(&text, type, value);
	return value_parse(type, text.data, text.length, &arena, &parsed, &why) == 0;
}

static struct value_type element_type(const struct rs_fact *fact)
{
	struct value_type type = value_type_of_fact(fact);

	type.flags &= ~(unsigned)RS_F_LIST;
	return type;
}

bool value_can(const struct rs_fact *fact, const struct value *value)
{
	struct value_type type = element_type(fact);

	if (value->state == VALUE_NONE)
		return true;
	if (value->state != VALUE_SET)
		return false;
	if (!(fact->flags & RS_F_LIST))
		return scalar_can(type, value);
	for (uint32_t i = 0; i < value->length; i++)
		if (!scalar_can(type, &value->items[i]))
			return false;
	return value->length > 0;
}

/* What a matcher would take for something else: a glob, or the word for nothing. */
static bool needs_is(struct value_type type, const char *text)
{
	return type.type == RS_TEXT && (!*text || strpbrk(text, "*?[]\\") || !strcmp(text, "none"));
}

static void emit_scalar(struct emitter *yaml, struct value_type type, const struct value *value)
{
	AUTO_BUF struct buf text = {0};

	value_write(&text, type, value);
	if (!needs_is(type, text.data ? text.data : "")) {
		emit_text(yaml, text.data);
		return;
	}
	emit_map(yaml, true);
	emit_text(yaml, "is");
	emit_text(yaml, text.data ? text.data : "");
	emit_end(yaml);
}

void value_emit(struct emitter *yaml, const struct rs_fact *fact, const struct value *value)
{
	struct value_type type = element_type(fact);

	if (value->state == VALUE_NONE) {
		emit_text(yaml, "none");
		return;
	}
	if (!(fact->flags & RS_F_LIST)) {
		emit_scalar(yaml, type, value);
		return;
	}
	emit_map(yaml, true);
	emit_text(yaml, "all");
	emit_list(yaml, true);
	for (uint32_t i = 0; i < value->length; i++)
		emit_scalar(yaml, type, &value->items[i]);
	emit_end(yaml);
	emit_end(yaml);
}
