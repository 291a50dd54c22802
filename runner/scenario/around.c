/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes with "around": a probe of counters, and nothing that would repeat what it is around. */
#include "scenario/internal.h"

/* The steps that it is around are not repeated with it: another try would compare counters around nothing. */
static void refuse(struct loader *loader, const struct node *map, const char *name, const char *why)
{
	const struct node *key = node_key(map, name);

	if (key)
		diags_error(loader->diags, node_place(loader->text, key), "'%s' has no place beside 'around': %s", name,
			    why);
}

void load_around(struct loader *loader, const struct node *node, struct scenario_step *step)
{
	const struct rs_source *source = step->probe.source;
	const struct rs_param *param = source ? source->params : NULL;

	refuse(loader, node, "retries", "the steps that it is around would not be run again");
	refuse(loader, node, "repeat", "the steps that it is around would not be run again");
	step->retries = 0;
	step->repeat = 1;
	if (source && !(source->flags & RS_COUNTERS))
		diags_error(loader->diags, node_place(loader->text, node_key(node, "around")),
			    "'around' compares counters, which '%s' does not have", step->probe.probe->name);
	for (; param && param->key && step->probe.map; param++)
		if (param->flags & RS_ADDS_TIME)
			refuse(loader, step->probe.map, param->key, "the steps say how long it takes");
}
