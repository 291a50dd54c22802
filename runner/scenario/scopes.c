/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/internal.h"

const struct scope *scopes_set(struct scopes *scopes, const struct text *text, const struct variable *each,
			       size_t neach, const struct variable *host, size_t nhost)
{
	scopes->vars = (struct scope){.items = text->vars.items, .count = text->vars.count};
	scopes->host = (struct scope){.items = host, .count = nhost, .outer = &scopes->vars};
	scopes->settings =
		(struct scope){.items = text->settings.items, .count = text->settings.count, .outer = &scopes->host};
	scopes->each = (struct scope){.items = each, .count = neach, .outer = &scopes->settings};
	return &scopes->each;
}

static int compare_names(const void *name, const void *variable)
{
	return strcmp(name, ((const struct variable *)variable)->name);
}

bool vars_have(const struct text *text, const char *name)
{
	return text->vars.count &&
	       bsearch(name, text->vars.items, text->vars.count, sizeof(*text->vars.items), compare_names);
}

static bool uses(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (text = strchr(text, '$'); text; text = strchr(text, '$')) {
		if (text[1] == '(' && !strncmp(text + 2, name, length) && text[2 + length] == ')')
			return true;
		text += text[1] == '$' ? 2 : 1; /* "$$" is a dollar sign */
	}
	return false;
}

const struct node *later_use(const struct node *node, const char *name)
{
	if (!(node->flags & NODE_LATER))
		return NULL;
	if (node->kind == NODE_SCALAR)
		return !(node->flags & NODE_WRONG) && (!name || uses(node->text, name)) ? node : NULL;
	NODE_EACH (child, node) {
		const struct node *found = later_use(child, name);

		if (found)
			return found;
	}
	return NULL;
}
