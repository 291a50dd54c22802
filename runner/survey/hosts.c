/* SPDX-License-Identifier: BSD-2-Clause */
/* The hosts of a plan, and the ways to them, as a scenario says them. */
#include <string.h>

#include "base/cleanup.h"
#include "survey/internal.h"

static void put(struct emitter *yaml, const char *key, const char *text)
{
	if (!text)
		return;
	emit_text(yaml, key);
	emit_text(yaml, text);
}

static void put_list(struct emitter *yaml, const char *key, const char *const *items)
{
	if (!items)
		return;
	emit_text(yaml, key);
	emit_list(yaml, true);
	for (; *items; items++)
		emit_text(yaml, *items);
	emit_end(yaml);
}

static bool is_plain(const struct scenario_way *way)
{
	return !way->options && !way->path && !way->plugin_dir && !way->user && !way->port && !way->context &&
	       !way->namespace && !way->container && !way->label;
}

static void put_way(struct emitter *yaml, const char *word, const struct scenario_way *way)
{
	AUTO_FREE char *port = way->port ? xasprintf("%u", way->port) : NULL;

	emit_text(yaml, "connect");
	if (is_plain(way)) {
		emit_text(yaml, word);
		return;
	}
	emit_map(yaml, true);
	emit_text(yaml, word);
	emit_map(yaml, true);
	put_list(yaml, "options", way->options);
	put(yaml, "path", way->path);
	put(yaml, "plugin_dir", way->plugin_dir);
	put(yaml, "user", way->user);
	put(yaml, "port", port);
	put(yaml, "context", way->context);
	put(yaml, "namespace", way->namespace);
	put(yaml, "container", way->container);
	put(yaml, "label", way->label);
	emit_end(yaml);
	emit_end(yaml);
}

static void put_connect(struct emitter *yaml, const struct scenario_host *host)
{
	static const char *const words[] = {[CONNECT_LOCAL] = "local",
					    [CONNECT_SIMULATED] = "simulated",
					    [CONNECT_SSH] = "ssh",
					    [CONNECT_SLURM] = "slurm",
					    [CONNECT_KUBECTL] = "kubectl"};

	if (host->connect == CONNECT_LOCAL)
		return;
	if (host->connect != CONNECT_COMMAND) {
		put_way(yaml, words[host->connect], &host->way);
		return;
	}
	emit_text(yaml, "connect");
	emit_map(yaml, true);
	put_list(yaml, "command", host->way.command);
	emit_end(yaml);
}

void hosts_emit(struct emitter *yaml, const struct plan *plan)
{
	emit_text(yaml, "hosts");
	emit_list(yaml, false);
	for (size_t i = 0; i < plan->nhosts; i++) {
		const struct scenario_host *host = plan->hosts[i].host;

		emit_map(yaml, true);
		put(yaml, "name", host->name);
		put_connect(yaml, host);
		if (host->connect_to && strcmp(host->connect_to, host->name) != 0)
			put(yaml, "connect_to", host->connect_to);
		put(yaml, "address", host->address);
		put(yaml, "device", host->device);
		if (host->optional)
			put(yaml, "required", "no");
		emit_end(yaml);
	}
	emit_end(yaml);
}
