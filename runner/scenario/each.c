/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of a step's "each". */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/internal.h"

static int each_values(struct loader *loader, const struct node *values, struct scenario_each *each)
{
	AUTO_STRINGS struct strings names = {0};
	AUTO_FREE char *wrong = NULL;
	const char **list;

	if (values->kind == NODE_LIST) {
		each->values = load_list(loader, values, &each->count);
		return 0;
	}
	wrong = load_nodeset(loader, values->text, &names);
	if (wrong) {
		diags_error(loader->diags, node_place(loader->text, values), "%s (or write a list)", wrong);
		return -EINVAL;
	}
	list = arena_alloc(loader->arena, names.count * sizeof(*list));
	for (size_t i = 0; i < names.count; i++)
		list[i] = arena_text(loader->arena, names.items[i], strlen(names.items[i]));
	each->values = list;
	each->count = names.count;
	return 0;
}

/* A name that is not used is a typing error that would test the same thing again and again. */
static void check_each(struct loader *loader, const struct node *step, const struct node *key,
		       const struct node *values, const struct scenario_step *read)
{
	const struct scenario_each *each = &read->each[read->neach], *first = &read->each[0];

	if (!strcmp(each->name, "host"))
		diags_error(loader->diags, node_place(loader->text, key),
			    "'each' cannot set $(host): 'hosts' says where the step runs");
	else if (!each->count)
		diags_error(loader->diags, node_place(loader->text, values), "'%s' has no values", each->name);
	else if (each->count != first->count)
		diags_error(loader->diags, node_place(loader->text, values),
			    "'%s' has %zu value%s and '%s' has %zu: they advance together and need as many", each->name,
			    each->count, plural(each->count), first->name, first->count);
	else if (!later_use(step, each->name))
		diags_error(loader->diags, node_place(loader->text, key), "the step does not use $(%s)", each->name);
}

/* Two equal sets of values would be two cases of one name, and the same test. */
static void check_twice(struct loader *loader, const struct node *map, const struct scenario_step *step)
{
	__attribute__((cleanup(names_free))) struct names seen = {0};
	AUTO_ARENA struct arena arena = {0};

	for (size_t i = 0; i < step->each[0].count; i++) {
		AUTO_BUF struct buf text = {0};

		for (size_t j = 0; j < step->neach; j++)
			buf_printf(&text, "%s%s=%s", j ? " " : "", step->each[j].name, step->each[j].values[i]);
		if (names_add(&seen, arena_text(&arena, text.data, text.length), i) == NAMES_NONE)
			continue;
		diags_error(loader->diags, node_place(loader->text, map->first->next), "'%.100s' comes twice",
			    text.data);
		return;
	}
}

void load_each(struct loader *loader, const struct node *node, struct scenario_step *step)
{
	const struct node *map = node_get(node, "each");
	size_t before = loader->diags->errors;

	step->each = arena_alloc(loader->arena, map->length / 2 * sizeof(*step->each));
	NODE_PAIRS (key, values, map) {
		struct scenario_each *each = &step->each[step->neach];

		each->name = key->text;
		if (each_values(loader, values, each) < 0)
			continue;
		check_each(loader, node, key, values, step);
		step->neach++;
	}
	if (step->neach && loader->diags->errors == before)
		check_twice(loader, map, step);
}
