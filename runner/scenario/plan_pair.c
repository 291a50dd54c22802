/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe between two hosts: each end has its own values of $(host), $(device) and $(address). */
#include <stdlib.h>

#include "scenario/planner.h"

int bind_pair(struct expansion *expansion, const struct binding *binding, struct part_scope *part,
	      const struct ends *ends, size_t value, struct bound *bound)
{
	const struct scenario_step *step = expansion->step->step;
	struct values client, server = {0};
	int result;

	if (binding_varies(binding))
		bind_scope(part, expansion->text, step, ends->host, value);
	result = bind_values(expansion, binding, part, ends->host, &client);
	/* What is expected of the observation is the client's: it is there that the table is made. */
	bound->spec = client.spec;
	server.params = client.params;
	if (!result && binding_varies(binding)) {
		bind_scope(part, expansion->text, step, ends->server, value);
		result = bind_values(expansion, binding, part, ends->server, &server);
	}
	if (!result)
		bound->observe = plan_observe(expansion->planner, binding->probe, ends, client.params, server.params);
	free(client.own);
	free(server.own);
	return result;
}
