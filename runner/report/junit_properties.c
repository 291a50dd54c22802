/* SPDX-License-Identifier: BSD-2-Clause */
/* The properties of a suite: what it was run with, and the metrics that were measured. */
#include <string.h>

#include "plugin/registry.h"
#include "report/junit_tree.h"
#include "report/metrics.h"
#include "report/waivers.h"

#define WAIVERS_MAX 100

struct list {
	struct junit_tree *tree;
	struct junit_property *items;
	size_t count, capacity;
	size_t metrics, left_out;
};

/* @name is harmless already, but for what it may take from a table; @value is raw. */
static void add(struct list *list, const char *name, const char *value)
{
	AUTO_BUF struct buf words = {0}, line = {0};

	text_words(&words, name);
	text_line(&line, value);
	GROW(list->items, list->count, list->capacity);
	list->items[list->count].name =
		arena_text(&list->tree->arena, words.data ? words.data : "?", words.data ? words.length : 1);
	list->items[list->count++].value = arena_text(&list->tree->arena, line.data ? line.data : "", line.length);
	list->tree->spent += 40 + junit_cost(words.data, words.length) + junit_cost(line.data, line.length);
}

static void add_number(struct list *list, const char *name, size_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu", value);
	add(list, name, text);
}

static void add_run(struct list *list, const struct junit_part *part, struct registry *registry)
{
	const struct rs_plugin *const *plugins = NULL;
	const struct text *text = &part->scenario->text;
	AUTO_BUF struct buf name = {0};
	size_t count = 0;

	add(list, "rdmaspec.version", VERSION);
	if (registry)
		plugins = registry_plugins(registry, &count);
	for (size_t i = 0; i < count; i++) {
		buf_clear(&name);
		buf_printf(&name, "plugin.%s.version", plugins[i]->name);
		add(list, name.data, plugins[i]->version);
	}
	for (size_t i = 0; i < text->nfiles; i++) {
		buf_clear(&name);
		if (i)
			buf_printf(&name, "include.sha256/%s", text->files[i].path);
		else
			buf_puts(&name, "scenario.sha256");
		if (!i)
			add(list, "scenario.file", text->files[i].path);
		add(list, name.data, text->files[i].sha256);
	}
	if (part->result->simulated)
		add(list, "simulated", part->result->simulated);
	add_number(list, "exit_status", (size_t)result_exit_status(part->result));
	if (part->result->signal) {
		buf_clear(&name);
		view_signal(&name, part->result->signal);
		add(list, "signal", name.data);
	}
}

struct case_metrics {
	struct list *list;
	const char *name; /* of the case */
};

static void add_metric(void *user, const struct metric *metric)
{
	const struct case_metrics *of = user;
	struct list *list = of->list;
	AUTO_BUF struct buf key = {0}, text = {0};

	if (list->metrics == JUNIT_PROPERTIES_MAX) {
		list->left_out++;
		return;
	}
	list->metrics++;
	buf_printf(&key, "%s/%s", of->name, metric->fact->name);
	if (metric->row)
		buf_printf(&key, " (%s)", metric->row);
	if (metric->of_all)
		buf_printf(&key, " %s", metric->of_all);
	value_write(&text, value_type_of_fact(metric->fact), metric->value);
	add(list, key.data, text.data);
}

/* Those of the suite's steps that end soon. */
static void add_waivers(struct list *list, const struct junit_part *part)
{
	AUTO_FREE struct waiver_use *uses = NULL;
	size_t count = waivers_of(part->result, &uses);

	for (size_t i = 0; i < count && waiver_is_soon(&uses[i]) && i < WAIVERS_MAX; i++) {
		const struct scenario_step *step = uses[i].step->plan->step;
		AUTO_BUF struct buf name = {0}, value = {0};

		if (uses[i].step->plan->scenario != part->scenario)
			continue;
		buf_printf(&name, "waiver/%s", step->id ? step->id : step->name);
		waiver_days(&value, &uses[i]);
		buf_printf(&value, " (%s): %s", uses[i].waiver->until, uses[i].waiver->reason);
		add(list, name.data, value.data);
	}
}

void junit_properties(struct junit_tree *tree, const struct junit_part *part, struct registry *registry,
		      struct junit_suite *suite)
{
	struct list list = {.tree = tree};
	struct junit_property *items;
	const struct junit_case *item = part->cases;

	add_run(&list, part, registry);
	add_waivers(&list, part);
	for (size_t i = 0; i < part->nsteps; i++)
		for (size_t c = 0; c < part->steps[i]->ncases; c++, item++)
			metrics_of(part->steps[i]->plan, &part->steps[i]->cases[c], add_metric,
				   &(struct case_metrics){&list, item->name});
	if (list.left_out)
		add_number(&list, "metrics_left_out", list.left_out);
	items = arena_alloc(&tree->arena, list.count * sizeof(*items));
	memcpy(items, list.items, list.count * sizeof(*items));
	suite->properties = items;
	suite->nproperties = list.count;
	free(list.items);
}
