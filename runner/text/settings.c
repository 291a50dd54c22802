/* SPDX-License-Identifier: BSD-2-Clause */
/* --set name=value: values as they are, for the shell that passed them has had its say. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "text/internal.h"

static int check_setting(const char *set, size_t length, struct diags *diags)
{
	if (set[length] != '=')
		diags_error(diags, NO_PLACE, "--set '%s' is not of the form name=value", set);
	else if (!variable_name(set, length))
		diags_error(diags, NO_PLACE, "--set '%s': a name has letters, digits, '_', '-' and '.'", set);
	else if (length == 4 && !strncmp(set, "host", 4))
		diags_error(diags, NO_PLACE, "--set '%s': $(host) is the host's name and cannot be set", set);
	else if (!utf8_valid(set, strlen(set)))
		diags_error(diags, NO_PLACE, "--set '%s' is not UTF-8", set);
	else
		return 0;
	return -EINVAL;
}

static struct variable *find_setting(struct variable *items, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(items[i].name, name))
			return &items[i];
	return NULL;
}

int text_settings(struct text *text, const struct strings *set, struct diags *diags)
{
	size_t count = 0, room = set ? set->count : 0;
	struct variable *items = arena_alloc(&text->arena, room * sizeof(*items)), *known;
	int error = 0;

	for (size_t i = 0; i < room; i++) {
		const char *given = set->items[i];
		size_t length = strcspn(given, "=");
		struct variable one;

		if (check_setting(given, length, diags) < 0) {
			error = -EINVAL;
			continue;
		}
		one = (struct variable){
			.name = arena_text(&text->arena, given, length),
			.value = arena_text(&text->arena, given + length + 1, strlen(given + length + 1))};
		known = find_setting(items, count, one.name);
		if (!known)
			known = &items[count++];
		*known = one; /* as with any option, the last one counts */
	}
	text->settings = (struct scope){.items = items, .count = count};
	return error;
}

static bool uses(const char *text, const char *name, size_t length)
{
	for (const char *dollar = text; (dollar = strchr(dollar, '$'));) {
		if (dollar[1] == '(' && !strncmp(dollar + 2, name, length) && dollar[2 + length] == ')')
			return true;
		dollar += dollar[1] == '$' ? 2 : 1;
	}
	return false;
}

static bool is_used(const struct node *node, const char *name, size_t length)
{
	if (!(node->flags & NODE_VARIABLE))
		return false;
	if (node->kind == NODE_SCALAR)
		return uses(node->text, name, length);
	NODE_EACH (child, node)
		if (is_used(child, name, length))
			return true;
	return false;
}

static void warn_unused(struct text *text, const char *name, const char *const *declared, size_t count,
			struct diags *diags)
{
	const char *hint = suggest(name, declared, count);
	struct place place = {.file = text->files[0].path};

	if (hint)
		diags_warning(diags, place, "--set %s: nothing uses a variable of that name; did you mean '%s'?", name,
			      hint);
	else
		diags_warning(diags, place, "--set %s: nothing uses a variable of that name", name);
}

void text_unused_settings(struct text *text, const struct node *const *others, size_t count, struct diags *diags)
{
	AUTO_FREE const char **declared = NULL;
	size_t ndeclared = 0, capacity = 0;

	if (text->incomplete)
		return;
	for (size_t i = 0; i < count; i++) {
		if (others[i]->kind != NODE_MAP)
			continue;
		NODE_PAIRS (key, value, others[i]) {
			GROW(declared, ndeclared, capacity);
			declared[ndeclared++] = key->text;
		}
	}
	for (size_t i = 0; i < text->settings.count; i++) {
		const char *name = text->settings.items[i].name;
		bool used = false;

		for (size_t j = 0; j < count && !used; j++)
			used = is_used(others[j], name, strlen(name)) || node_get(others[j], name);
		for (size_t j = 0; j < text->ndocuments && !used; j++)
			used = is_used(text->documents[j], name, strlen(name));
		if (!used)
			warn_unused(text, name, declared, ndeclared, diags);
	}
}
