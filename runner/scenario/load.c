/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/internal.h"

#define IMPLIED_HOST "localhost"
#define COMPARISONS 2000000 /* for all suggestions of a scenario; about a second */

static bool is_main(const struct node *root)
{
	return root->file == 0;
}

/* Those keys of a document that are read whole; its hosts and steps are looked at one by one. */
static bool read_whole(const char *name)
{
	const struct schema_key *key = scenario_schema;

	while (key->name && strcmp(key->name, name))
		key++;
	return !key->name || (key->kind != SCHEMA_LIST && strcmp(name, "rdmaspec"));
}

/* A document with its variables in place, but for those of its hosts and steps, which have more. */
static const struct node *resolve_root(struct loader *loader, const struct node *root)
{
	struct node *copy, *children;
	struct scopes scopes;
	const struct scope *scope = scopes_set(&scopes, loader->text, NULL, 0, NULL, 0);
	size_t count = 0;

	copy = arena_alloc(loader->arena, sizeof(*copy));
	children = arena_alloc(loader->arena, (root->length + 1) * sizeof(*children));
	*copy = *root;
	copy->first = root->first ? children : NULL;
	NODE_PAIRS (key, value, root) {
		const struct node *resolved = value;

		if (read_whole(key->text) && value->flags & NODE_VARIABLE)
			resolved = text_resolve(loader->text, NULL, value, scope, loader->diags);
		children[count] = *key;
		children[count + 1] = resolved ? *resolved : *value;
		children[count].next = &children[count + 1];
		children[count + 1].next = value->next ? &children[count + 2] : NULL;
		count += 2;
	}
	return copy;
}

static void check_root(struct loader *loader, const struct node *root)
{
	struct schema_key keys[16] = {0};

	for (size_t i = 0; scenario_schema[i].name; i++) {
		keys[i] = scenario_schema[i];
		if (!read_whole(keys[i].name))
			keys[i].kind = SCHEMA_OTHER;
		keys[i].required = false;
	}
	schema_check_map(loader->text, keys, root, false, loader->diags);
}

static void check_version(struct loader *loader, const struct node *root)
{
	const struct node *version = node_get(root, "rdmaspec");
	AUTO_FREE char *written = xasprintf("%d", FORMAT_VERSION);

	if (!version && is_main(root))
		diags_error(loader->diags, node_place(loader->text, root),
			    "the file does not say which version of the format it is in: 'rdmaspec: %d' is missing",
			    FORMAT_VERSION);
	else if (version && (version->kind != NODE_SCALAR || !*version->text))
		diags_error(loader->diags, node_place(loader->text, version),
			    "'rdmaspec' takes the version of the format: %d", FORMAT_VERSION);
	else if (version && strcmp(version->text, written))
		diags_error(loader->diags, node_place(loader->text, version),
			    "version '%s' of the format is not supported: this is a reader of version %d",
			    version->text, FORMAT_VERSION);
}

/* The defaults of the tables themselves, read as if a file said them. */
static struct scenario_step table_defaults(void)
{
	struct node nodes[2 * 8 + 1] = {{.kind = NODE_MAP}}, *last = NULL;
	struct scenario_step step = {0};

	for (const struct schema_key *key = defaults_schema; key->name; key++) {
		struct node *name = &nodes[nodes[0].length + 1], *value = name + 1;

		*name = (struct node){.kind = NODE_SCALAR, .text = key->name, .length = (uint32_t)strlen(key->name)};
		*value = (struct node){.kind = NODE_SCALAR, .text = key->value, .length = (uint32_t)strlen(key->value)};
		name->next = value;
		if (last)
			last->next = name;
		else
			nodes[0].first = name;
		last = value;
		nodes[0].length += 2;
	}
	load_step_defaults(&nodes[0], &step, &step);
	return step;
}

static void load_document_steps(struct loader *loader, const struct node *root)
{
	const struct node *steps = node_get(root, "steps"), *defaults = node_get(root, "defaults");
	struct scenario *scenario = loader->scenario;
	struct scenario_step tables = table_defaults(), document = {0};

	load_step_defaults(defaults, &tables, &document);
	if (!steps || steps->kind != NODE_LIST)
		return;
	NODE_EACH (step, steps)
		load_step(loader, step, &document, &scenario->steps[scenario->nsteps++]);
}

/* While they are read, the hosts are on the heap, where they can grow. */
static void keep_hosts(struct loader *loader)
{
	static const char *const keys[] = {"address", "device"};
	struct scenario *scenario = loader->scenario;
	struct scenario_host *hosts;

	if (!scenario->nhosts) {
		scenario->hosts_implied = true;
		names_add(&loader->host_names, IMPLIED_HOST, 0);
		GROW(scenario->hosts, scenario->nhosts, loader->hosts_capacity);
		scenario->hosts[scenario->nhosts++] = (struct scenario_host){
			.name = IMPLIED_HOST, .connect_to = IMPLIED_HOST, .simulated_as = IMPLIED_HOST};
	}
	hosts = arena_alloc(loader->arena, scenario->nhosts * sizeof(*hosts));
	memcpy(hosts, scenario->hosts, scenario->nhosts * sizeof(*hosts));
	free(scenario->hosts);
	scenario->hosts = hosts;
	for (size_t i = 0; i < scenario->nhosts; i++) {
		loader->given[0] |= hosts[i].address != NULL;
		loader->given[1] |= hosts[i].device != NULL;
	}
	for (size_t i = 0; i < 2; i++)
		loader->given[i] |= vars_have(loader->text, keys[i]);
}

static void load_documents(struct loader *loader)
{
	struct text *text = loader->text;
	AUTO_FREE const struct node **roots = xcalloc(text->ndocuments, sizeof(*roots));
	struct scenario *scenario = loader->scenario;
	size_t steps = 0;

	for (size_t i = 0; i < text->ndocuments; i++) {
		const struct node *root = roots[i] = resolve_root(loader, text->documents[i]);
		const struct node *hosts = node_get(root, "hosts"), *list = node_get(root, "steps");

		check_version(loader, root);
		check_root(loader, root);
		if (hosts)
			load_hosts(loader, hosts);
		if (list && list->kind != NODE_LIST)
			diags_error(loader->diags, node_place(text, list), "'steps' is a list of maps, one a step");
		else if (list)
			steps += list->length;
		if (is_main(root))
			scenario->name = schema_text(root, "name", scenario->name);
	}
	keep_hosts(loader);
	scenario->steps = arena_alloc(loader->arena, steps * sizeof(*scenario->steps));
	for (size_t i = 0; i < text->ndocuments; i++)
		load_document_steps(loader, roots[i]);
	load_needs(loader);
}

static void loader_free(struct loader *loader)
{
	names_free(&loader->host_names);
	names_free(&loader->ids);
	names_free(&loader->nodesets);
	names_free(&loader->probe_names);
	names_free(&loader->missing);
	free(loader->wheres);
	free(loader->probes);
	free(loader->needs);
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

int scenario_load(struct scenario *scenario, const char *path, const struct strings *set, struct registry *registry,
		  struct diags *diags)
{
	size_t before = diags->errors;
	__attribute__((cleanup(loader_free))) struct loader loader = {
		.scenario = scenario,
		.text = &scenario->text,
		.arena = &scenario->text.arena,
		.registry = registry,
		.diags = diags,
		.comparisons = COMPARISONS,
	};

	*scenario = (struct scenario){0};
	scenario->name = arena_text(loader.arena, file_name(path), strlen(file_name(path)));
	text_load(&scenario->text, path, set, diags);
	if (!scenario->text.ndocuments)
		return -EINVAL;
	loader.all_hosts = loader.all_ids = !scenario->text.incomplete;
	load_documents(&loader);
	if (!scenario->nsteps && diags->errors == before)
		diags_warning(diags, node_place(loader.text, scenario->text.documents[scenario->text.ndocuments - 1]),
			      "there are no steps: nothing would be judged");
	return diags->errors > before ? -EINVAL : 0;
}

void scenario_free(struct scenario *scenario)
{
	text_free(&scenario->text);
	*scenario = (struct scenario){0};
}
