/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/internal.h"

const char **load_list(struct loader *loader, const struct node *node, size_t *count)
{
	const char **list;

	*count = 0;
	if (!node)
		return NULL;
	list = arena_alloc(loader->arena, (node->kind == NODE_LIST ? node->length + 1 : 2) * sizeof(*list));
	if (node->kind == NODE_SCALAR)
		list[(*count)++] = node->text;
	if (node->kind != NODE_LIST)
		return list;
	NODE_EACH (item, node)
		if (item->kind == NODE_SCALAR)
			list[(*count)++] = item->text;
	return list;
}

const char *load_hint(struct loader *loader, const char *text, const char *const *candidates, size_t count)
{
	const char *like;

	if (count > loader->comparisons)
		return "";
	loader->comparisons -= count;
	like = suggest(text, candidates, count);
	return like ? arena_printf(loader->arena, "; did you mean '%s'?", like) : "";
}

void load_step_defaults(const struct node *map, const struct scenario_step *fallback, struct scenario_step *step)
{
	step->timeout_ms = schema_milliseconds(map, "timeout", fallback->timeout_ms);
	step->retries = (unsigned)schema_integer(map, "retries", fallback->retries);
	step->delay_ms = schema_milliseconds(map, "delay", fallback->delay_ms);
	step->repeat = (unsigned)schema_integer(map, "repeat", fallback->repeat);
	step->warning = !strcmp(schema_text(map, "severity", fallback->warning ? "warning" : "error"), "warning");
}

/* A step with every variable in place that has one value for the whole scenario. */
static const struct node *resolve_step(struct loader *loader, const struct node *node)
{
	static const struct variable host[] = {{.name = "host"}, {.name = "address"}, {.name = "device"}};
	const struct node *each = node_get(node, "each");
	struct variable *later = NULL;
	struct scopes scopes;
	size_t count = 0;

	if (!(node->flags & NODE_VARIABLE))
		return node;
	if (each && each->kind == NODE_MAP && each->length) {
		later = arena_alloc(loader->arena, each->length / 2 * sizeof(*later));
		NODE_PAIRS (key, value, each)
			later[count++].name = key->text;
	}
	return text_resolve(loader->text, NULL, node, scopes_set(&scopes, loader->text, later, count, host, 3),
			    loader->diags);
}

/* What is one for all hosts and all values of "each" cannot hang on them. */
static bool check_later(struct loader *loader, const struct node *step)
{
	bool good = true;

	if (!(step->flags & NODE_LATER))
		return true;
	NODE_PAIRS (key, value, step) {
		const struct node *use = later_use(value, NULL);

		if (!use || strchr(key->text, '.') || !strcmp(key->text, "when"))
			continue;
		good = false;
		diags_error(loader->diags, node_place(loader->text, use),
			    "'%s' is one for all hosts and all values of 'each': it cannot be '%s'", key->text,
			    use->text);
	}
	return good;
}

/* $(device) where no host has a device: said before a plan is made. */
static void check_host_keys(struct loader *loader, const struct node *step)
{
	static const char *const keys[] = {"address", "device"};

	if (!(step->flags & NODE_LATER) || !loader->all_hosts)
		return;
	for (size_t i = 0; i < 2; i++) {
		const struct node *use = loader->given[i] ? NULL : later_use(step, keys[i]);
		const struct node *each = use ? node_get(step, "each") : NULL;

		if (use && !node_get(each, keys[i]))
			diags_error(loader->diags, node_place(loader->text, use),
				    "$(%s) has no value: no host has the key '%s', and no variable is called so",
				    keys[i], keys[i]);
	}
}

static void load_id(struct loader *loader, const struct node *node, struct scenario_step *step)
{
	const struct node *id = node_get(node, "id");
	size_t before;

	if (!id)
		return;
	if (id->kind != NODE_SCALAR) {
		loader->all_ids = false;
		return;
	}
	step->id = id->text;
	before = names_add(&loader->ids, step->id, (size_t)(step - loader->scenario->steps));
	if (before != NAMES_NONE) {
		const struct place first = loader->scenario->steps[before].place;

		diags_error(loader->diags, node_place(loader->text, id),
			    "the id '%s' is given twice; first to the step at %s:%u:%u", step->id, first.file,
			    first.line, first.column);
	}
}

static void load_waiver(struct loader *loader, const struct node *map, struct scenario_step *step)
{
	struct scenario_waiver *waiver;

	if (!map)
		return;
	waiver = arena_alloc(loader->arena, sizeof(*waiver));
	waiver->reason = schema_text(map, "reason", "");
	waiver->until = schema_text(map, "until", NULL);
	step->waive = waiver;
}

static void note_ids(struct loader *loader, const struct node *ids, const struct scenario_step *step, bool around)
{
	if (!ids || ids->kind == NODE_MAP)
		return;
	GROW(loader->needs, loader->nneeds, loader->needs_capacity);
	loader->needs[loader->nneeds++] =
		(struct load_need){.step = (size_t)(step - loader->scenario->steps), .ids = ids, .around = around};
}

/* What can be read; @good: all of it. What is wrong with one key hides nothing of the others. */
static void load_keys(struct loader *loader, const struct node *node, bool good, const struct scenario_step *defaults,
		      struct scenario_step *step)
{
	step->name = schema_text(node, "name", NULL);
	step->doc = schema_text(node, "doc", NULL);
	load_step_defaults(node, defaults, step);
	step->fresh = schema_boolean(node, "fresh", false);
	step->tags = load_list(loader, node_get(node, "tags"), &step->ntags);
	load_waiver(loader, node_get(node, "waive"), step);
	note_ids(loader, node_get(node, "needs"), step, false);
	note_ids(loader, node_get(node, "around"), step, true);
	step->hosts = node_get(node, "hosts");
	if (step->hosts && step->hosts->kind == NODE_SCALAR && !(step->hosts->flags & NODE_LATER))
		step->where = load_where(loader, step->hosts);
	if (node_get(node, "between"))
		load_between(loader, node, step);
	if (good && node_get(node, "each"))
		load_each(loader, node, step);
}

void load_step(struct loader *loader, const struct node *node, const struct scenario_step *defaults,
	       struct scenario_step *step)
{
	bool good;

	*step = *defaults;
	step->place = node_place(loader->text, node);
	if (node->kind != NODE_MAP) {
		diags_error(loader->diags, step->place, "a step is a map of keys such as 'name', and one probe");
		loader->all_ids = false;
		return;
	}
	node = resolve_step(loader, node);
	if (!node)
		return;
	load_id(loader, node, step);
	good = schema_check_map(loader->text, step_schema, node, true, loader->diags) == 0;
	good = check_later(loader, node) && good;
	load_keys(loader, node, good, defaults, step);
	check_host_keys(loader, node);
	load_probe(loader, node, &step->probe);
	load_check_ends(loader, node, step);
	if (node_get(node, "around"))
		load_around(loader, node, step);
	if (node_get(node, "when"))
		step->when = load_when(loader, node_get(node, "when"));
	if (step->name && *step->name)
		return;
	if (step->id)
		step->name = step->id;
	else if (step->probe.probe)
		step->name = arena_printf(loader->arena, "%s (line %u)", step->probe.probe->name, step->place.line);
}
