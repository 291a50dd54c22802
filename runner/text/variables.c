/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vars of all files are resolved before anything else, each once, whatever the order they were
 * written in; those that hang on a host become patterns, which text_resolve() fills in where the host is known.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "text/internal.h"

#define CHAIN_MAX 64 /* of variables that refer to one another */

/* What a host says of itself. The last two may have a fallback in "vars". */
static const struct variable host_keys[] = {{.name = "host"}, {.name = "address"}, {.name = "device"}};
#define HOST_KEYS (sizeof(host_keys) / sizeof(host_keys[0]))

static bool is_host_key(const char *name)
{
	for (size_t i = 0; i < HOST_KEYS; i++)
		if (!strcmp(host_keys[i].name, name))
			return true;
	return false;
}

enum state { NEW, ENTERED, DONE, WRONG };

struct definition {
	const char *name;
	const struct node *key, *value;
	size_t order;
	enum state state;
};

struct vars {
	struct text *text;
	struct diags *diags;
	struct definition *items;   /* sorted by name */
	struct variable *variables; /* the same, resolved */
	size_t count, capacity;
	size_t chain[CHAIN_MAX]; /* entered, outermost first */
	size_t depth;
	bool failed;
};

#define REFUSE(vars, node, ...)                                                                                        \
	do {                                                                                                           \
		(vars)->failed = true;                                                                                 \
		diags_error((vars)->diags, node_place((vars)->text, (node)), __VA_ARGS__);                             \
	} while (0)

static void define(struct vars *vars, const struct node *key, const struct node *value)
{
	enum state state = NEW;

	if (!variable_name(key->text, key->length)) {
		REFUSE(vars, key, "'%s' is no name of a variable: it has letters, digits, '_', '-' and '.'", key->text);
		return;
	}
	if (!strcmp(key->text, "host")) {
		REFUSE(vars, key, "$(host) is the host's name and cannot be set");
		return;
	}
	if (value->kind != NODE_SCALAR) {
		REFUSE(vars, value, "the variable '%s' is a %s: a variable is a scalar", key->text,
		       value->kind == NODE_LIST ? "list" : "map");
		state = WRONG;
	} else if (value->flags & NODE_WRONG) {
		state = WRONG;
	}
	GROW(vars->items, vars->count, vars->capacity);
	vars->items[vars->count] = (struct definition){
		.name = key->text, .key = key, .value = value, .order = vars->count, .state = state};
	vars->count++;
}

static int compare_definitions(const void *left, const void *right)
{
	const struct definition *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

/* The last one of a name is of the file that includes the others'. */
static void drop_weaker(struct vars *vars)
{
	size_t kept = 0;

	if (vars->count)
		qsort(vars->items, vars->count, sizeof(*vars->items), compare_definitions);
	for (size_t i = 0; i < vars->count; i++) {
		if (kept && !strcmp(vars->items[kept - 1].name, vars->items[i].name))
			kept--;
		vars->items[kept++] = vars->items[i];
	}
	vars->count = kept;
}

static int compare_name(const void *name, const void *definition)
{
	return strcmp(name, ((const struct definition *)definition)->name);
}

static struct definition *find_definition(const struct vars *vars, const char *name)
{
	if (!vars->count)
		return NULL;
	return bsearch(name, vars->items, vars->count, sizeof(*vars->items), compare_name);
}

static void refuse_cycle(struct vars *vars, size_t index)
{
	AUTO_BUF struct buf chain = {0};
	size_t from = 0;

	while (vars->chain[from] != index)
		from++;
	for (size_t i = from; i < vars->depth; i++) {
		buf_printf(&chain, "%s → ", vars->items[vars->chain[i]].name);
		vars->items[vars->chain[i]].state = WRONG;
	}
	REFUSE(vars, vars->items[index].value, "variables refer to themselves: %s%s", chain.data,
	       vars->items[index].name);
}

static void resolve_definition(struct vars *vars, size_t index);

static enum found find_var(struct expander *expander, const char *name, const char **value)
{
	struct vars *vars = expander->user;
	struct definition *definition = find_definition(vars, name);
	bool host_key = is_host_key(name);
	const struct variable *variable = host_key ? NULL : scope_find(vars->text, &vars->text->settings, name);

	if (variable) {
		*value = variable->value;
		return FOUND_VALUE;
	}
	if (!definition && !host_key) {
		expand_unknown(expander, name, &vars->text->settings, vars->variables, vars->count);
		return FOUND_WRONG;
	}
	if (definition)
		resolve_definition(vars, (size_t)(definition - vars->items));
	if (definition && definition->state != DONE)
		return FOUND_WRONG;
	if (host_key)
		return FOUND_LATER;
	variable = &vars->variables[definition - vars->items];
	*value = variable->value ? variable->value : variable->pattern;
	return variable->value ? FOUND_VALUE : FOUND_PATTERN;
}

static void expand_definition(struct vars *vars, size_t index)
{
	struct definition *definition = &vars->items[index];
	struct variable *variable = &vars->variables[index];
	struct expander expander = {
		.text = vars->text,
		.diags = vars->diags,
		.place = node_place(vars->text, definition->value),
		.find = find_var,
		.user = vars,
	};
	AUTO_BUF struct buf out = {0};
	enum found found;

	found = expand(&expander, definition->value->text, &out);
	if (found == FOUND_WRONG || definition->state == WRONG) {
		definition->state = WRONG;
		vars->failed = true;
		return;
	}
	definition->state = text_may_grow(vars->text, vars->diags, expander.place, out.length) ? DONE : WRONG;
	if (found == FOUND_VALUE)
		variable->value = arena_text(&vars->text->arena, out.data, out.length);
	else
		variable->pattern = arena_text(&vars->text->arena, out.data, out.length);
}

static void resolve_definition(struct vars *vars, size_t index)
{
	struct definition *definition = &vars->items[index];

	if (definition->state == ENTERED) {
		refuse_cycle(vars, index);
		return;
	}
	if (definition->state != NEW)
		return;
	if (vars->depth == CHAIN_MAX) {
		REFUSE(vars, definition->value, "variables refer to one another more than %d deep", CHAIN_MAX);
		definition->state = WRONG;
		return;
	}
	if (!(definition->value->flags & NODE_VARIABLE)) {
		definition->state = DONE;
		vars->variables[index].value = definition->value->text;
		return;
	}
	definition->state = ENTERED;
	vars->chain[vars->depth++] = index;
	expand_definition(vars, index);
	vars->depth--;
}

/* What --set replaces need not make sense by itself. */
static bool is_replaced(const struct vars *vars, const char *name)
{
	return scope_find(vars->text, &vars->text->settings, name);
}

static void keep_resolved(struct vars *vars)
{
	size_t kept = 0;

	for (size_t i = 0; i < vars->count; i++) {
		/* One that went wrong stays known: that was said, and its uses wait for a value. */
		if (!is_replaced(vars, vars->items[i].name) || vars->variables[i].value || vars->variables[i].pattern)
			vars->variables[kept++] = vars->variables[i];
	}
	vars->text->vars = (struct scope){.items = vars->variables, .count = kept};
}

int text_vars(struct text *text, const struct node *const *maps, size_t count, struct diags *diags)
{
	struct vars vars = {.text = text, .diags = diags};

	for (size_t i = 0; i < count; i++)
		NODE_PAIRS (key, value, maps[i])
			define(&vars, key, value);
	drop_weaker(&vars);
	vars.variables = arena_alloc(&text->arena, vars.count * sizeof(*vars.variables));
	for (size_t i = 0; i < vars.count; i++)
		vars.variables[i].name = vars.items[i].name;
	for (size_t i = 0; i < vars.count; i++)
		if (!is_replaced(&vars, vars.items[i].name))
			resolve_definition(&vars, i);
	keep_resolved(&vars);
	free(vars.items);
	return vars.failed ? -EINVAL : 0;
}
