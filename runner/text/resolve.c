/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "text/internal.h"

#define SUBSTITUTED_MAX ((size_t)64 * 1024 * 1024) /* in all scalars of a scenario */

static int compare_names(const void *name, const void *variable)
{
	return strcmp(name, ((const struct variable *)variable)->name);
}

const struct variable *scope_find(const struct text *text, const struct scope *scope, const char *name)
{
	for (; scope; scope = scope->outer) {
		if (scope->count && scope->items == text->vars.items) {
			const struct variable *found =
				bsearch(name, scope->items, scope->count, sizeof(*found), compare_names);

			if (found)
				return found;
			continue;
		}
		for (size_t i = 0; i < scope->count; i++)
			if (!strcmp(scope->items[i].name, name))
				return &scope->items[i];
	}
	return NULL;
}

static void add_names(const char ***names, size_t *count, size_t *capacity, const struct variable *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		GROW(*names, *count, *capacity);
		(*names)[(*count)++] = items[i].name;
	}
}

void expand_unknown(struct expander *expander, const char *name, const struct scope *scope, const struct variable *more,
		    size_t count)
{
	AUTO_FREE const char **names = NULL;
	size_t known = 0, capacity = 0;
	const char *hint;

	if (expander->text->incomplete)
		return;
	add_names(&names, &known, &capacity, more, count);
	for (; scope; scope = scope->outer)
		add_names(&names, &known, &capacity, scope->items, scope->count);
	/* The rest of what was said is counted only: no need to look for names. */
	hint = expander->diags->count < DIAGS_KEPT ? suggest(name, names, known) : NULL;
	diags_error(expander->diags, expander->place,
		    hint ? "unknown variable '%s'; did you mean '%s'?" : "unknown variable '%s'", name, hint);
}

static enum found find_in_scope(struct expander *expander, const char *name, const char **value)
{
	const struct variable *variable = scope_find(expander->text, expander->user, name);

	if (!variable) {
		expand_unknown(expander, name, expander->user, NULL, 0);
		return FOUND_WRONG;
	}
	*value = variable->value ? variable->value : variable->pattern;
	return variable->value ? FOUND_VALUE : variable->pattern ? FOUND_PATTERN : FOUND_LATER;
}

struct resolver {
	struct text *text;
	struct arena *arena; /* NULL: the text's, and its size is bounded */
	const struct scope *scope;
	struct diags *diags;
	struct buf buf;
};

static struct node *copy_node(struct resolver *resolver, const struct node *node)
{
	struct node *copy = arena_alloc(resolver->arena ? resolver->arena : &resolver->text->arena, sizeof(*copy));

	*copy = *node;
	return copy;
}

bool text_may_grow(struct text *text, struct diags *diags, struct place place, size_t length)
{
	if (text->substituted + length <= SUBSTITUTED_MAX) {
		text->substituted += length;
		return true;
	}
	if (text->substituted <= SUBSTITUTED_MAX) /* said once */
		diags_error(diags, place, "with its variables replaced the scenario is longer than 64 MiB");
	text->substituted = SUBSTITUTED_MAX + 1;
	return false;
}

static const struct node *resolve_scalar(struct resolver *resolver, const struct node *node)
{
	struct expander expander = {
		.text = resolver->text,
		.diags = resolver->diags,
		.place = node_place(resolver->text, node),
		.find = find_in_scope,
		.user = (void *)resolver->scope,
	};
	struct node *copy = copy_node(resolver, node);
	enum found found;

	buf_clear(&resolver->buf);
	found = expand(&expander, node->text, &resolver->buf);
	copy->flags &= (uint8_t) ~(NODE_VARIABLE | NODE_LATER | NODE_WRONG);
	if (found != FOUND_WRONG && !resolver->arena &&
	    !text_may_grow(resolver->text, resolver->diags, expander.place, resolver->buf.length))
		found = FOUND_WRONG;
	if (found == FOUND_WRONG) {
		copy->flags |= NODE_LATER | NODE_WRONG;
		return copy;
	}
	if (found == FOUND_LATER)
		copy->flags |= NODE_VARIABLE | NODE_LATER;
	if (!resolver->buf.length)
		copy->flags |= NODE_QUOTED; /* empty, but given: no null */
	copy->text = arena_text(resolver->arena ? resolver->arena : &resolver->text->arena, resolver->buf.data,
				resolver->buf.length);
	copy->length = (uint32_t)resolver->buf.length;
	return copy;
}

static const struct node *resolve_node(struct resolver *resolver, const struct node *node);

/* The children are linked through themselves: where one changes, all are copied, and share what is below them. */
static const struct node *resolve_children(struct resolver *resolver, const struct node *node)
{
	struct node *parent = copy_node(resolver, node);
	const struct node **tail = &parent->first;
	bool key = node->kind == NODE_MAP, keys_changed = false;
	const uint8_t passed_on = NODE_VARIABLE | NODE_LATER;

	parent->flags &= (uint8_t)~passed_on;
	NODE_EACH (child, node) {
		const struct node *resolved = resolve_node(resolver, child);
		struct node *copy = resolved == child ? copy_node(resolver, child) : (struct node *)resolved;

		keys_changed |= key && resolved != child;
		key = node->kind == NODE_MAP && !key;
		parent->flags |= copy->flags & passed_on;
		copy->next = NULL;
		*tail = copy;
		tail = &copy->next;
	}
	if (keys_changed)
		check_keys(resolver->text, parent, resolver->diags);
	return parent;
}

/* As deep as the tree, which is bounded. */
static const struct node *resolve_node(struct resolver *resolver, const struct node *node)
{
	if (!(node->flags & NODE_VARIABLE))
		return node;
	return node->kind == NODE_SCALAR ? resolve_scalar(resolver, node) : resolve_children(resolver, node);
}

const struct node *text_resolve(struct text *text, struct arena *arena, const struct node *node,
				const struct scope *scope, struct diags *diags)
{
	struct resolver resolver = {.text = text, .arena = arena, .scope = scope, .diags = diags};

	node = resolve_node(&resolver, node);
	buf_free(&resolver.buf);
	return node;
}
