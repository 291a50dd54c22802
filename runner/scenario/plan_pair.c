/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe between two hosts: each end has its own values of $(host), $(device) and $(address). */
#include <errno.h>
#include <stdlib.h>

#include "scenario/planner.h"

/* A host is an end of many pairs: what there is to know of it is made once. */
static struct end *end_of(struct expansion *expansion, const struct scenario_host *host)
{
	const struct scenario *scenario = expansion->step->scenario;
	uint32_t *place;
	struct end *end;

	if (!expansion->places)
		expansion->places = xcalloc(scenario->nhosts, sizeof(*expansion->places));
	place = &expansion->places[host - scenario->hosts];
	if (*place)
		return &expansion->ends[*place - 1];
	GROW(expansion->ends, expansion->nends, expansion->ends_capacity);
	end = &expansion->ends[expansion->nends++];
	*place = (uint32_t)expansion->nends;
	end->host = plan_host(expansion->planner, host);
	end->values = xcalloc(each_values(expansion->step->step), sizeof(*end->values));
	return end;
}

static const struct values *values_at(struct expansion *expansion, struct part_scope *part, const struct end *end,
				      const struct scenario_host *host, size_t value)
{
	struct end_values *known = &end->values[value];

	if (known->state == END_UNKNOWN) {
		if (binding_varies(&expansion->probe))
			bind_scope(part, expansion->text, expansion->step->step, host, value);
		known->state = bind_values(expansion, &expansion->probe, part, host, &known->values) < 0 ? END_WRONG
													 : END_GOOD;
	}
	return known->state == END_GOOD ? &known->values : NULL;
}

int bind_pair(struct expansion *expansion, struct part_scope *part, const struct part_place *place, struct bound *bound)
{
	const struct values *client, *server;
	struct plan_observe observe = {.source = expansion->probe.probe->source, .at_once = place->at_once};
	struct end *end = end_of(expansion, place->client);

	observe.host = end->host;
	client = values_at(expansion, part, end, place->client, place->client_value);
	end = end_of(expansion, place->server);
	observe.server = end->host;
	server = values_at(expansion, part, end, place->server, place->server_value);
	if (!client || !server)
		return -EINVAL;
	observe.params = client->params;
	observe.server_params = server->params;
	/* What is expected of the observation is the client's: it is there that the table is made. */
	bound->spec = client->spec;
	bound->observe = plan_observe(expansion->planner, expansion->probe.probe, &observe);
	return 0;
}
