/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "schema/internal.h"

#define KNOWN_LISTED 12 /* longer lists of keys are no help in one line */

bool node_is(const struct node *node, const char *name)
{
	return node->kind == NODE_SCALAR && !strncmp(name, node->text, node->length) && !name[node->length];
}

struct brief brief(const char *text, size_t length)
{
	struct brief out = {0};
	size_t kept = length;

	if (length > BRIEF_LENGTH) {
		kept = BRIEF_LENGTH;
		while (kept && ((unsigned char)text[kept] & 0xc0) == 0x80) /* not within a character */
			kept--;
	}
	memcpy(out.text, text, kept);
	if (kept < length)
		memcpy(out.text + kept, "...", 4);
	return out;
}

const char *kind_name(const struct node *node)
{
	switch (node->kind) {
	case NODE_LIST:
		return "a list";
	case NODE_MAP:
		return "a map";
	default:
		return no_value(node) ? "nothing" : "one value";
	}
}

void list_choices(struct buf *out, const char *const *choices)
{
	for (size_t i = 0; choices[i]; i++)
		buf_printf(out, "%s%s", i ? ", " : "", choices[i]);
}

void unknown_key(const struct text *text, const struct node *key, const struct strings *known, struct diags *diags)
{
	const char *like = suggest(key->text, (const char *const *)known->items, known->count);
	AUTO_BUF struct buf list = {0};

	if (like) {
		diags_error(diags, node_place(text, key), "unknown key '%s'; did you mean '%s'?", BRIEF(key), like);
		return;
	}
	if (!known->count || known->count > KNOWN_LISTED) {
		diags_error(diags, node_place(text, key), "unknown key '%s'", BRIEF(key));
		return;
	}
	for (size_t i = 0; i < known->count; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", known->items[i]);
	diags_error(diags, node_place(text, key), "unknown key '%s'; there are: %s", BRIEF(key), list.data);
}

char *outside(const char *low, const char *high, const char *written)
{
	if (low && high)
		return xasprintf("must be between %s and %s, not %s", low, high, written);
	if (low)
		return xasprintf("must be at least %s, not %s", low, written);
	return xasprintf("must be at most %s, not %s", high, written);
}
