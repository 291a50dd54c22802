/* SPDX-License-Identifier: BSD-2-Clause */
/* From the judging keys of a probe's map to a struct judge_spec. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "judge/judge.h"
#include "judge/matcher.h"

const char *const judge_keys[] = {"where", "expect", "count", "unique", "same", "observe_only", "allow_partial", NULL};

struct compiling {
	struct text *text;
	struct arena *arena;
	const struct rs_probe *probe;
	const struct node *map;
	struct diags *diags;
};

static void error_at(struct compiling *compiling, const struct node *node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void error_at(struct compiling *compiling, const struct node *node, const char *format, ...)
{
	AUTO_BUF struct buf text = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	diags_error(compiling->diags, node_place(compiling->text, node), "%s", text.data);
}

/* The node of a key itself: what a message about the key as a whole points at. */
static const struct node *key_node(const struct node *map, const char *name)
{
	NODE_PAIRS (key, value, map) {
		if (!strcmp(key->text, name))
			return key;
	}
	return map;
}

/* The column of the fact that @node names; -1 with an error where it is none. */
static int find_fact(struct compiling *compiling, const struct node *node)
{
	const char *names[64];
	const char *near;
	size_t count;
	int column = probe_fact(compiling->probe, node->text);

	if (column >= 0)
		return column;
	for (count = 0; count < 64 && compiling->probe->facts[count].name; count++)
		names[count] = compiling->probe->facts[count].name;
	near = suggest(node->text, names, count);
	if (near)
		error_at(compiling, node, "%s has no fact '%s'; did you mean '%s'?", compiling->probe->name, node->text,
			 near);
	else
		error_at(compiling, node, "%s has no fact '%s'", compiling->probe->name, node->text);
	return -1;
}

/* The facts of "where" or "expect", with their matchers. */
static void compile_facts(struct compiling *compiling, const char *key, const struct expectation **out, size_t *count)
{
	const struct node *map = node_get(compiling->map, key);
	struct expectation *expectations;

	if (!map)
		return;
	if (map->kind != NODE_MAP || !map->length) {
		error_at(compiling, map, "'%s' takes facts and what each has to match, such as {%s: ...}", key,
			 compiling->probe->facts[0].name);
		return;
	}
	expectations = arena_alloc(compiling->arena, map->length / 2 * sizeof(*expectations));
	*out = expectations;
	NODE_PAIRS (fact, value, map) {
		int column = fact->flags & NODE_LATER ? -1 : find_fact(compiling, fact);
		const struct matcher *matcher;

		if (column < 0)
			continue;
		matcher = matcher_compile(compiling->text, compiling->arena, &compiling->probe->facts[column], value,
					  compiling->diags);
		if (!matcher)
			continue;
		expectations[*count] = (struct expectation){
			.column = (unsigned)column, .matcher = matcher, .place = node_place(compiling->text, value)};
		++*count;
	}
}

static void add_fact(struct compiling *compiling, const char *key, const struct node *node, struct fact_list *list)
{
	int column;

	if (node->kind != NODE_SCALAR) {
		error_at(compiling, node, "'%s' takes the names of facts", key);
		return;
	}
	if (node->flags & NODE_WRONG)
		return;
	if (node->flags & NODE_LATER) {
		error_at(compiling, node, "'%s' compares all hosts: its facts cannot differ from host to host", key);
		return;
	}
	column = find_fact(compiling, node);
	if (column < 0)
		return;
	for (unsigned i = 0; i < list->count; i++) {
		if (list->columns[i] == column) {
			error_at(compiling, node, "'%s' names '%s' twice", key, node->text);
			return;
		}
	}
	list->columns[list->count++] = (uint8_t)column;
}

/* The facts of "unique" or "same": one name or a list. */
static void compile_fact_list(struct compiling *compiling, const char *key, struct fact_list *list)
{
	const struct node *node = node_get(compiling->map, key);

	if (!node)
		return;
	list->place = node_place(compiling->text, key_node(compiling->map, key));
	if (node->kind != NODE_LIST) {
		add_fact(compiling, key, node, list);
		return;
	}
	if (!node->length)
		error_at(compiling, node, "'%s' takes the names of facts, and there is none", key);
	NODE_EACH (child, node) {
		add_fact(compiling, key, child, list);
	}
}

static void compile_count(struct compiling *compiling, struct judge_spec *spec)
{
	const struct node *node = node_get(compiling->map, "count");

	if (!node)
		return;
	spec->count_place = node_place(compiling->text, node);
	spec->count = matcher_compile_count(compiling->text, compiling->arena, node, compiling->diags);
}

/* False also where the value comes later. */
static bool read_boolean(struct compiling *compiling, const char *key)
{
	const struct node *node = node_get(compiling->map, key);
	struct value_type boolean = {.type = RS_BOOLEAN};
	AUTO_FREE char *why = NULL;
	struct value value;

	if (!node || (node->kind == NODE_SCALAR && node->flags & NODE_LATER))
		return false;
	if (node->kind != NODE_SCALAR) {
		error_at(compiling, node, "'%s' is true or false", key);
		return false;
	}
	if (value_parse(boolean, node->text, node->length, compiling->arena, &value, &why)) {
		error_at(compiling, node, "'%s': %s", key, why);
		return false;
	}
	return value.integer;
}

static void compile_where(struct compiling *compiling, struct judge_spec *spec)
{
	compile_facts(compiling, "where", &spec->where, &spec->nwhere);
	for (size_t i = 0; i < spec->nwhere; i++) {
		const char *name = compiling->probe->facts[spec->where[i].column].name;

		if (matcher_needs_median(spec->where[i].matcher))
			diags_error(compiling->diags, spec->where[i].place,
				    "%s: 'of: median' has no place in 'where': it is the median of the rows that "
				    "'where' keeps",
				    name);
		if (matcher_needs_baseline(spec->where[i].matcher))
			diags_error(
				compiling->diags, spec->where[i].place,
				"%s: 'of: baseline' has no place in 'where': what is held against a recorded run is "
				"the rows that 'where' keeps",
				name);
	}
}

static void compile_partial(struct compiling *compiling, const struct rs_source *source, struct judge_spec *spec)
{
	if (!node_get(compiling->map, "allow_partial"))
		return;
	spec->allow_partial = read_boolean(compiling, "allow_partial");
	if (!(source->flags & RS_PARTIAL))
		error_at(compiling, key_node(compiling->map, "allow_partial"),
			 "'allow_partial' is for probes that can be incomplete; %s is whole or an error",
			 compiling->probe->name);
}

/* A step that expects nothing would always pass: it has to say so. */
static void check_purpose(struct compiling *compiling, const struct judge_spec *spec)
{
	static const char *const gates[] = {"expect", "count", "unique", "same"};
	const struct node *only = node_get(compiling->map, "observe_only");
	const struct node *gate = NULL;

	for (size_t i = 0; i < 4 && !gate; i++)
		if (node_get(compiling->map, gates[i]))
			gate = key_node(compiling->map, gates[i]);
	if (spec->observe_only && gate)
		error_at(compiling, gate, "'%s' contradicts 'observe_only: true'", gate->text);
	else if (!spec->observe_only && !gate && !(only && only->flags & NODE_LATER))
		error_at(compiling, compiling->map,
			 "%s: nothing is expected: add expect, count, unique or same, or say 'observe_only: true'",
			 compiling->probe->name);
}

int judge_compile(struct text *text, struct arena *arena, const struct rs_source *source, const struct rs_probe *probe,
		  const struct node *map, struct judge_spec *spec, struct diags *diags)
{
	struct compiling compiling = {.text = text, .arena = arena, .probe = probe, .map = map, .diags = diags};
	size_t before = diags->errors;

	*spec = (struct judge_spec){.probe = probe, .place = node_place(text, map)};
	compile_where(&compiling, spec);
	compile_facts(&compiling, "expect", &spec->expect, &spec->nexpect);
	compile_count(&compiling, spec);
	compile_fact_list(&compiling, "unique", &spec->unique);
	compile_fact_list(&compiling, "same", &spec->same);
	spec->observe_only = read_boolean(&compiling, "observe_only");
	compile_partial(&compiling, source, spec);
	check_purpose(&compiling, spec);
	return diags->errors == before ? 0 : -EINVAL;
}

int judge_compile_when(struct text *text, struct arena *arena, const struct rs_source *source,
		       const struct rs_probe *probe, const struct node *map, struct judge_spec *spec,
		       struct diags *diags)
{
	struct compiling compiling = {.text = text, .arena = arena, .probe = probe, .map = map, .diags = diags};
	static const char *const others[] = {"expect", "count", "unique", "same", "observe_only"};
	size_t before = diags->errors;

	*spec = (struct judge_spec){.probe = probe, .place = node_place(text, map)};
	compile_where(&compiling, spec);
	compile_partial(&compiling, source, spec);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (node_get(map, others[i]))
			error_at(&compiling, key_node(map, others[i]),
				 "'%s' has no place in 'when', which asks whether 'where' keeps a row", others[i]);
	return diags->errors == before ? 0 : -EINVAL;
}
