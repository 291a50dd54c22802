/* SPDX-License-Identifier: BSD-2-Clause */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "support/port.h"
#include "support/select.h"

static const char *join(struct rs_ctx *ctx, char *const *names)
{
	size_t size = 1;
	char *text;

	for (char *const *name = names; *name; name++)
		size += strlen(*name) + 2;
	text = rs_alloc(ctx, size);
	for (char *const *name = names; *name; name++) {
		strcat(text, name == names ? "" : ", ");
		strcat(text, *name);
	}
	return text;
}

/* A name with brackets or stars in it means itself first */
static bool named_outright(char *const *names, const char *pattern)
{
	for (; *names; names++)
		if (!strcmp(*names, pattern))
			return true;
	return false;
}

int select_devices(struct rs_ctx *ctx, const struct rdma_select *select, char ***devices)
{
	char **all;
	int count = port_devices(ctx, &all), kept = 0;
	bool outright;

	if (count < 0)
		return count;
	if (!select->device) {
		*devices = all;
		return count;
	}
	*devices = rs_alloc(ctx, (size_t)(count + 1) * sizeof(**devices));
	outright = named_outright(all, select->device);
	for (int i = 0; i < count; i++)
		if (outright ? !strcmp(all[i], select->device) : !fnmatch(select->device, all[i], 0))
			(*devices)[kept++] = all[i];
	if (!kept && !count)
		return rs_error(ctx, RS_ABSENT, "there is no RDMA device %s, nor any other", select->device);
	if (!kept)
		return rs_error(ctx, RS_ABSENT, "there is no RDMA device %s; there is %s", select->device,
				join(ctx, all));
	return kept;
}

int select_ports(struct rs_ctx *ctx, const struct rdma_select *select,
		 void (*visit)(struct rs_ctx *ctx, const char *device, unsigned port, void *user), void *user)
{
	char **devices;
	int count = select_devices(ctx, select, &devices);
	bool visited = false;

	if (count < 0)
		return count;
	for (int i = 0; i < count; i++) {
		unsigned *ports;
		int nports = port_ports(ctx, devices[i], &ports);

		if (nports < 0)
			rs_note(ctx, "%s: its ports cannot be read: %s", devices[i], strerror(-nports));
		for (int j = 0; j < nports; j++) {
			if (select->port && ports[j] != *select->port)
				continue;
			visited = true;
			visit(ctx, devices[i], ports[j], user);
		}
	}
	if (select->port && !visited)
		return select->device
			       ? rs_error(ctx, RS_ABSENT, "%s has no port %d", select->device, (int)*select->port)
			       : rs_error(ctx, RS_ABSENT, "no RDMA device of this host has a port %d",
					  (int)*select->port);
	return 0;
}
