/* SPDX-License-Identifier: BSD-2-Clause */
/* How a host is reached: "connect" of its map, as a word or as a map of one way to its options. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nodeset.h"
#include "scenario/internal.h"

int load_check_connect(struct loader *loader, const struct node *connect)
{
	size_t known = 0, count = 0;

	if (!connect)
		return 0;
	if (connect->kind == NODE_MAP)
		return schema_check_map(loader->text, connect_schema, connect, false, loader->diags);
	while (connect_names[count])
		count++;
	if (connect->kind == NODE_SCALAR)
		while (known < count && strcmp(connect_names[known], connect->text))
			known++;
	if (connect->kind == NODE_LIST)
		diags_error(loader->diags, node_place(loader->text, connect),
			    "'connect' takes a word, or a map as {ssh: {user: root}} or {command: [argv, ...]}");
	else if (known == count)
		diags_error(loader->diags, node_place(loader->text, connect), "there is no 'connect: %s'%s",
			    connect->text, load_hint(loader, connect->text, connect_names, count));
	else
		return 0;
	return -EINVAL;
}

/* Words of a command line: not empty, and of printable characters. An option is none where a name is wanted. */
static const char *wrong_with_word(const char *word, bool option)
{
	if (!*word)
		return "it is empty";
	if (*word == '-' && !option)
		return "it begins with '-'";
	for (; *word; word++)
		if (iscntrl((unsigned char)*word))
			return "it has a control character";
	return NULL;
}

static const char *read_word(struct loader *loader, const struct node *map, const char *key)
{
	const struct node *value = node_get(map, key);
	const char *wrong = value ? wrong_with_word(value->text, false) : NULL;

	if (wrong)
		diags_error(loader->diags, node_place(loader->text, value), "'%s' cannot be '%s': %s", key, value->text,
			    wrong);
	return value ? value->text : NULL;
}

static const char *const *read_command(struct loader *loader, const struct node *command)
{
	size_t count;
	const char **argv = load_list(loader, command, &count);

	if (!count || !*argv[0])
		diags_error(loader->diags, node_place(loader->text, command), "'command' names no program");
	return argv;
}

static const char *const *read_options(struct loader *loader, const struct node *list)
{
	size_t count;

	if (!list)
		return NULL;
	NODE_EACH (item, list) {
		const char *wrong = wrong_with_word(item->text, true);

		if (wrong)
			diags_error(loader->diags, node_place(loader->text, item), "'options' cannot have '%s': %s",
				    item->text, wrong);
	}
	return load_list(loader, list, &count);
}

static void read_way(struct loader *loader, const struct node *map, struct scenario_way *way)
{
	way->path = read_word(loader, map, "path");
	way->plugin_dir = read_word(loader, map, "plugin_dir");
	way->options = read_options(loader, node_get(map, "options"));
	way->user = read_word(loader, map, "user");
	way->port = (unsigned)schema_integer(map, "port", 0);
	way->context = read_word(loader, map, "context");
	way->namespace = read_word(loader, map, "namespace");
	way->container = read_word(loader, map, "container");
	way->label = read_word(loader, map, "label");
}

static enum connect way_of(const char *word)
{
	int i = 0;

	while (connect_names[i] && strcmp(connect_names[i], word))
		i++;
	return connect_names[i] ? (enum connect)i : CONNECT_COMMAND;
}

/* ssh takes "user@host" and "fe80::1%eth0"; srun and kubectl take a name and nothing else. */
static const char *wrong_with_target(enum connect connect, const char *target)
{
	const char *wrong = connect == CONNECT_SSH ? NULL : host_name_wrong(target);

	for (; !wrong && *target; target++)
		if (!isalnum((unsigned char)*target) && !strchr("._-:@%[]", *target))
			wrong = "only letters, digits, '.', '_', '-', ':', '@', '%', '[' and ']' can be in it";
	return wrong;
}

static void check_target(struct loader *loader, const struct node *item, const struct scenario_host *host)
{
	const struct node *value = node_get(item, "connect_to");
	const char *wrong;

	if (host->connect < CONNECT_SSH || host->connect == CONNECT_COMMAND || !value)
		return;
	wrong = wrong_with_target(host->connect, host->connect_to);
	if (wrong)
		diags_error(loader->diags, node_place(loader->text, value), "'connect_to' cannot be '%s' for %s: %s",
			    host->connect_to, connect_names[host->connect], wrong);
}

void load_connect(struct loader *loader, const struct node *item, struct scenario_host *host)
{
	const struct node *connect = host_value(loader, item, "connect", host->name);
	const struct node *way;

	host->connect = node_get(item, "from") ? CONNECT_SLURM : CONNECT_LOCAL;
	/* What was put in for $(host) is as much to be looked at. */
	if (connect != node_get(item, "connect") && (!connect || load_check_connect(loader, connect) < 0))
		return;
	if (connect && connect->kind == NODE_SCALAR) {
		host->connect = way_of(connect->text);
	} else if (connect) {
		way = connect->first->next;
		host->connect = way_of(connect->first->text);
		if (host->connect == CONNECT_COMMAND)
			host->way.command = read_command(loader, way);
		else
			read_way(loader, way, &host->way);
	}
	check_target(loader, item, host);
}

/* ---- The nodes of an allocation ---- */

char *load_slurm_nodes(struct strings *names)
{
	const char *list = getenv("SLURM_JOB_NODELIST");
	AUTO_FREE char *why = NULL;

	if (!list || !*list)
		return xstrdup("there is none here (SLURM_JOB_NODELIST is not set); 'salloc -N 4 rdmaspec run ...' "
			       "asks for one, and a script of sbatch has one");
	if (nodeset_expand(list, names, &why) < 0)
		return xasprintf("SLURM_JOB_NODELIST is '%.100s': %s", list, why);
	return NULL;
}
