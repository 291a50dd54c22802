/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "judge/matcher_tree.h"

enum key { IS, MIN, MAX, NOT, MATCHES, WITHIN, OF, MISSING, EXISTS, ALL, KEYS };

static const char *const keys[KEYS] = {"is",	 "min", "max",	   "not",    "matches",
				       "within", "of",	"missing", "exists", "all"};

static const struct matcher *compile(struct compiling *compiling, const struct node *node, bool element);

void compile_error(struct compiling *compiling, const struct node *node, const char *format, ...)
{
	AUTO_BUF struct buf text = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	diags_error(compiling->diags, node_place(compiling->text, node), "%s: %s", compiling->column->fact->name,
		    text.data);
	compiling->failed = true;
}

struct matcher *compile_new(struct compiling *compiling, enum matcher_op op)
{
	struct matcher *matcher = arena_alloc(compiling->arena, sizeof(*matcher));

	matcher->op = (uint8_t)op;
	matcher->column = compiling->column;
	return matcher;
}

static const struct matcher *joined(struct compiling *compiling, enum matcher_op op, const struct matcher **items,
				    size_t count)
{
	struct matcher *matcher;
	size_t i;

	if (count == 1)
		return items[0];
	matcher = compile_new(compiling, op);
	matcher->items = items;
	matcher->count = count;
	for (i = 0; i < count; i++) {
		matcher->median |= items[i]->median;
		matcher->baseline |= items[i]->baseline;
	}
	return matcher;
}

static const struct matcher *wrapped(struct compiling *compiling, enum matcher_op op, const struct matcher *inner)
{
	struct matcher *matcher;

	if (!inner)
		return NULL;
	matcher = compile_new(compiling, op);
	matcher->inner = inner;
	matcher->median = inner->median;
	matcher->baseline = inner->baseline;
	return matcher;
}

/* A leaf looks at one value: of a list, at each element until one matches. */
static const struct matcher *for_cell(struct compiling *compiling, const struct matcher *leaf, bool element)
{
	if (!compiling->column->list || element)
		return leaf;
	return wrapped(compiling, MATCHER_SOME, leaf);
}

static bool has_choice(const struct column *column, const char *text)
{
	for (uint64_t i = 0; i < column->choices; i++)
		if (!strcasecmp(column->type.choices[i], text))
			return true;
	return false;
}

static const struct matcher *compile_plain(struct compiling *compiling, const struct node *node, bool element)
{
	const struct matcher **items;

	if (!node->length && !(node->flags & NODE_QUOTED)) {
		compile_error(compiling, node, "a value is missing%s",
			      compiling->column->type.type == RS_TEXT ? " (an empty text is written '')" : "");
		return NULL;
	}
	if (strcmp(node->text, "none") || compiling->count || node->flags & NODE_LATER)
		return for_cell(compiling, leaf_plain(compiling, node), element);
	if (!has_choice(compiling->column, "none"))
		return compile_new(compiling, MATCHER_NONE);
	/* Some enums have a choice of that name: both are meant. */
	items = arena_alloc(compiling->arena, 2 * sizeof(const struct matcher *));
	items[0] = compile_new(compiling, MATCHER_NONE);
	items[1] = for_cell(compiling, leaf_is(compiling, node), element);
	return joined(compiling, MATCHER_ANY, items, 2);
}

/* Several choices of an enum are one set: one test instead of many. */
static const struct matcher *folded(struct compiling *compiling, const struct matcher *any)
{
	struct matcher *matcher;
	uint64_t choices = 0;

	if (any->op != MATCHER_ANY)
		return any;
	for (size_t i = 0; i < any->count; i++) {
		if (any->items[i]->op != MATCHER_CHOICES)
			return any;
		choices |= any->items[i]->choices;
	}
	matcher = compile_new(compiling, MATCHER_CHOICES);
	matcher->choices = choices;
	matcher->written = any;
	return matcher;
}

static const struct matcher *compile_list(struct compiling *compiling, const struct node *node, bool element)
{
	const struct matcher **items;
	size_t count = 0;
	bool good = true;

	if (!node->length) {
		compile_error(compiling, node, "an empty list matches nothing");
		return NULL;
	}
	items = arena_alloc(compiling->arena, node->length * sizeof(const struct matcher *));
	NODE_EACH (child, node) {
		items[count] = compile(compiling, child, element);
		good &= items[count] != NULL;
		count++;
	}
	return good ? folded(compiling, joined(compiling, MATCHER_ANY, items, count)) : NULL;
}

static const struct matcher *compile_exists(struct compiling *compiling, const struct node *node, bool element)
{
	struct value_type boolean = {.type = RS_BOOLEAN};
	AUTO_FREE char *why = NULL;
	struct matcher *matcher;
	struct value value;

	if (compiling->count || element) {
		compile_error(compiling, node, "'exists' asks for a fact, not for %s",
			      compiling->count ? "a number of rows" : "an element of its list");
		return NULL;
	}
	if (node->kind != NODE_SCALAR) {
		compile_error(compiling, node, "'exists' is true or false");
		return NULL;
	}
	if (node->flags & NODE_LATER)
		return compile_new(compiling, MATCHER_LATER);
	if (value_parse(boolean, node->text, node->length, compiling->arena, &value, &why)) {
		compile_error(compiling, node, "'exists': %s", why);
		return NULL;
	}
	matcher = compile_new(compiling, MATCHER_EXISTS);
	matcher->flag = value.integer;
	return matcher;
}

static const struct matcher *compile_all(struct compiling *compiling, const struct node *node, bool element)
{
	if (!compiling->column->list || element) {
		compile_error(compiling, node, "'all' is for the elements of a list, this %s none",
			      element && compiling->column->list ? "element is" : "is");
		return NULL;
	}
	return wrapped(compiling, MATCHER_EACH, compile(compiling, node, true));
}

/* The keys of a map, by number; false where one is unknown. */
static bool find_keys(struct compiling *compiling, const struct node *map, const struct node **key_nodes,
		      const struct node **found)
{
	bool good = true;

	NODE_PAIRS (key, value, map) {
		const char *near;
		int i;

		for (i = 0; i < KEYS && strcmp(keys[i], key->text) != 0; i++)
			;
		if (i < KEYS) {
			key_nodes[i] = key;
			found[i] = value;
			continue;
		}
		good = false;
		near = suggest(key->text, keys, KEYS);
		if (near)
			compile_error(compiling, key, "unknown matcher '%s'; did you mean '%s'?", key->text, near);
		else
			compile_error(compiling, key,
				      "unknown matcher '%s' (known are is, min, max, not, matches, within with of, "
				      "exists, all)",
				      key->text);
	}
	return good;
}

/* What contradicts or lacks another key. */
static bool check_keys(struct compiling *compiling, const struct node *const *key_nodes,
		       const struct node *const *found)
{
	size_t others = 0;
	bool good = true;

	if (found[WITHIN] && !found[OF]) {
		compile_error(compiling, key_nodes[WITHIN], "'within' needs 'of': a value, median or baseline");
		good = false;
	}
	for (int i = OF; i <= MISSING; i++) {
		if (found[i] && !found[WITHIN]) {
			compile_error(compiling, key_nodes[i], "'%s' needs 'within'", keys[i]);
			good = false;
		}
	}
	for (int i = 0; i < KEYS; i++)
		others += i != EXISTS && found[i];
	if (found[EXISTS] && others && found[EXISTS]->kind == NODE_SCALAR) {
		static const char *const no[] = {"false", "no", "off"};

		for (int i = 0; i < 3; i++) {
			if (strcasecmp(found[EXISTS]->text, no[i]) != 0)
				continue;
			compile_error(compiling, key_nodes[EXISTS],
				      "'exists: %s' contradicts the other keys: what was not observed has no value",
				      found[EXISTS]->text);
			good = false;
		}
	}
	return good;
}

/* The keys that look at one value: on a list fact, one element has to satisfy all of them. */
static const struct matcher *compile_leaves(struct compiling *compiling, const struct node *const *found, bool *good)
{
	const struct matcher **items = arena_alloc(compiling->arena, 4 * sizeof(const struct matcher *));
	size_t count = 0;

	if (found[IS])
		items[count++] = leaf_is(compiling, found[IS]);
	if (found[MIN] || found[MAX])
		items[count++] = leaf_range(compiling, found[MIN], found[MAX]);
	if (found[MATCHES])
		items[count++] = leaf_pattern(compiling, found[MATCHES]);
	if (found[WITHIN])
		items[count++] = leaf_within(compiling, found[WITHIN], found[OF], found[MISSING]);
	for (size_t i = 0; i < count; i++)
		*good &= items[i] != NULL;
	return *good && count ? joined(compiling, MATCHER_BOTH, items, count) : NULL;
}

static const struct matcher *compile_map(struct compiling *compiling, const struct node *map, bool element)
{
	const struct node *key_nodes[KEYS] = {0}, *found[KEYS] = {0};
	const struct matcher **items = arena_alloc(compiling->arena, 4 * sizeof(const struct matcher *));
	const struct matcher *leaves;
	size_t count = 0;
	bool good;

	if (!map->length) {
		compile_error(compiling, map, "an empty map matches nothing");
		return NULL;
	}
	good = find_keys(compiling, map, key_nodes, found);
	good &= check_keys(compiling, key_nodes, found);
	if (!good)
		return NULL;
	leaves = compile_leaves(compiling, found, &good);
	if (leaves)
		items[count++] = for_cell(compiling, leaves, element);
	if (found[EXISTS])
		items[count++] = compile_exists(compiling, found[EXISTS], element);
	if (found[NOT])
		items[count++] = wrapped(compiling, MATCHER_NOT, compile(compiling, found[NOT], element));
	if (found[ALL])
		items[count++] = compile_all(compiling, found[ALL], element);
	for (size_t i = 0; i < count; i++)
		good &= items[i] != NULL;
	return good ? joined(compiling, MATCHER_BOTH, items, count) : NULL;
}

static const struct matcher *compile(struct compiling *compiling, const struct node *node, bool element)
{
	switch (node->kind) {
	case NODE_SCALAR:
		return compile_plain(compiling, node, element);
	case NODE_LIST:
		return compile_list(compiling, node, element);
	default:
		return compile_map(compiling, node, element);
	}
}

static const struct column *column_new(struct arena *arena, const struct rs_fact *fact)
{
	struct column *column = arena_alloc(arena, sizeof(*column));

	*column = column_of(fact);
	return column;
}

const struct matcher *matcher_compile(struct text *text, struct arena *arena, const struct rs_fact *fact,
				      const struct node *node, struct diags *diags)
{
	struct compiling compiling = {.text = text, .arena = arena, .column = column_new(arena, fact), .diags = diags};
	const struct matcher *matcher = compile(&compiling, node, false);

	return compiling.failed ? NULL : matcher;
}

const struct matcher *matcher_compile_count(struct text *text, struct arena *arena, const struct node *node,
					    struct diags *diags)
{
	static const struct rs_fact rows = {.name = "count", .type = RS_UNSIGNED};
	struct compiling compiling = {
		.text = text, .arena = arena, .column = column_new(arena, &rows), .diags = diags, .count = true};
	const struct matcher *matcher = compile(&compiling, node, false);

	return compiling.failed ? NULL : matcher;
}

bool matcher_needs_median(const struct matcher *matcher)
{
	return matcher->median;
}

bool matcher_needs_baseline(const struct matcher *matcher)
{
	return matcher->baseline;
}
