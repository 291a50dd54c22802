/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/internal.h"

#define NAME_LONGEST 253 /* of a DNS name: RFC 1035, without the dot at its end */

const char *host_name_wrong(const char *name)
{
	if (!*name)
		return "it is empty";
	if (*name == '-')
		return "it begins with '-'";
	if (strlen(name) > NAME_LONGEST)
		return "it is longer than 253 bytes";
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("._-:", *name))
			return "only letters, digits, '.', '_', '-' and ':' can be in it";
	return NULL;
}

/* What is dialled may be more than a name (user@host, fe80::1%eth0), but no option and not several words. */
static const char *wrong_with_address(const char *address)
{
	if (!*address)
		return "it is empty";
	if (*address == '-')
		return "it begins with '-'";
	if (strlen(address) > NAME_LONGEST)
		return "it is longer than 253 bytes";
	for (; *address; address++)
		if (!isgraph((unsigned char)*address))
			return "only printable ASCII characters without blanks can be in it";
	return NULL;
}

const struct node *host_value(struct loader *loader, const struct node *item, const char *key, const char *name)
{
	const struct variable host = {.name = "host", .value = name};
	const struct node *value = node_get(item, key);
	struct scopes scopes;

	if (!value || !(value->flags & NODE_LATER) || !later_use(value, NULL))
		return value;
	return text_resolve(loader->text, NULL, value, scopes_set(&scopes, loader->text, NULL, 0, &host, 1),
			    loader->diags);
}

static const char *host_text(struct loader *loader, const struct node *item, const char *key, const char *name)
{
	const struct node *value = host_value(loader, item, key, name);

	return value && value->kind == NODE_SCALAR ? value->text : NULL;
}

static const char *host_address(struct loader *loader, const struct node *item, const char *key, const char *name)
{
	const char *address = host_text(loader, item, key, name);
	const char *wrong = address ? wrong_with_address(address) : NULL;

	if (wrong)
		diags_error(loader->diags, node_place(loader->text, node_get(item, key)), "'%s' cannot be '%s': %s",
			    key, address, wrong);
	return address;
}

static void add_host(struct loader *loader, const struct node *item, const char *name, struct place place, bool connect)
{
	struct scenario *scenario = loader->scenario;
	struct scenario_host host = {.name = arena_text(loader->arena, name, strlen(name)), .place = place};
	size_t before = names_add(&loader->host_names, host.name, scenario->nhosts);

	if (before != NAMES_NONE) {
		const struct place first = scenario->hosts[before].place;

		diags_error(loader->diags, place, "host '%s' is defined twice; first at %s:%u:%u", name, first.file,
			    first.line, first.column);
		return;
	}
	host.connect_to = host_address(loader, item, "connect_to", name);
	host.address = host_address(loader, item, "address", name);
	host.device = host_text(loader, item, "device", name);
	host.simulated_as = host_text(loader, item, "simulated_as", name);
	if (!host.connect_to)
		host.connect_to = host.name;
	if (!host.simulated_as)
		host.simulated_as = host.name;
	host.timeout_ms = schema_milliseconds(item, "connect_timeout", 0);
	host.optional = !schema_boolean(item, "required", true);
	if (connect)
		load_connect(loader, item, &host);
	GROW(scenario->hosts, scenario->nhosts, loader->hosts_capacity);
	scenario->hosts[scenario->nhosts++] = host;
}

static int add_names(struct loader *loader, const struct node *item, const struct strings *names, struct place place,
		     bool connect)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *wrong = host_name_wrong(names->items[i]);

		if (!wrong) {
			add_host(loader, item, names->items[i], place, connect);
			continue;
		}
		diags_error(loader->diags, place, "'%s' cannot be the name of a host: %s", names->items[i], wrong);
		return -EINVAL;
	}
	return 0;
}

static int add_named(struct loader *loader, const struct node *item, const struct node *name, bool connect)
{
	const struct place place = node_place(loader->text, name);
	AUTO_STRINGS struct strings names = {0};
	AUTO_FREE char *why = NULL;

	if (name->flags & NODE_LATER) {
		diags_error(loader->diags, place, "a host's name cannot use $(host)");
		return -EINVAL;
	}
	why = load_nodeset(loader, name->text, &names);
	if (!why)
		return add_names(loader, item, &names, place, connect);
	diags_error(loader->diags, place, "%s", why);
	return -EINVAL;
}

/* "from: slurm" */
static int add_allocated(struct loader *loader, const struct node *item, const struct node *from, bool connect)
{
	const struct place place = node_place(loader->text, from);
	AUTO_STRINGS struct strings names = {0};
	AUTO_FREE char *why = load_slurm_nodes(&names);

	if (!why)
		return add_names(loader, item, &names, place, connect);
	diags_error(loader->diags, place, "'from: slurm' takes the nodes of a Slurm allocation: %s", why);
	return -EINVAL;
}

static bool is_word(const struct node *node)
{
	return node && node->kind == NODE_SCALAR && *node->text && !(node->flags & NODE_WRONG);
}

static int load_host(struct loader *loader, const struct node *item)
{
	static const struct variable later = {.name = "host"};
	struct scopes scopes;
	const struct node *name, *from;
	bool connect;

	if (item->kind != NODE_MAP) {
		diags_error(loader->diags, node_place(loader->text, item), "a host is a map, as in '- name: node-01'");
		return -EINVAL;
	}
	item = text_resolve(loader->text, NULL, item, scopes_set(&scopes, loader->text, NULL, 0, &later, 1),
			    loader->diags);
	if (!item)
		return -EINVAL;
	schema_check_map(loader->text, host_schema, item, false, loader->diags);
	connect = load_check_connect(loader, node_get(item, "connect")) == 0;
	name = node_get(item, "name");
	from = node_get(item, "from");
	if (is_word(name))
		return add_named(loader, item, name, connect);
	return is_word(from) && !strcmp(from->text, "slurm") ? add_allocated(loader, item, from, connect) : -EINVAL;
}

void load_hosts(struct loader *loader, const struct node *list)
{
	if (list->kind != NODE_LIST) {
		diags_error(loader->diags, node_place(loader->text, list),
			    "'hosts' is a list of maps, each beginning as '- name: node-01'");
		loader->all_hosts = false;
		return;
	}
	NODE_EACH (item, list)
		if (load_host(loader, item) < 0)
			loader->all_hosts = false;
}
