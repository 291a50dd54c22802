/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/port.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/link.h"
#include "support/sysfs.h"

#define CAPABILITY_SM_DISABLED (1u << 10)
#define CODE_ACTIVE 4
#define CODE_LINK_UP 5

bool port_is_infiniband(struct rs_ctx *ctx, const char *device, unsigned port)
{
	char text[32];
	uint64_t value;
	int length = sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/ports/%u/link_layer", device, port);

	if (length >= 0)
		return !strcmp(text, "InfiniBand");
	return length == -ENOENT &&
	       !sysfs_number(ctx, &value, "class/infiniband/%s/ports/%u/lid_mask_count", device, port);
}

static unsigned read_number(struct rs_ctx *ctx, const char *device, unsigned port, const char *file)
{
	uint64_t value;

	return sysfs_number(ctx, &value, "class/infiniband/%s/ports/%u/%s", device, port, file) ? 0 : (unsigned)value;
}

void port_read(struct rs_ctx *ctx, const char *device, unsigned port, struct port_seen *seen)
{
	uint8_t gid[16];

	*seen = (struct port_seen){.device = device, .port = port};
	seen->infiniband = port_is_infiniband(ctx, device, port);
	seen->state = read_number(ctx, device, port, "state");
	seen->physical = read_number(ctx, device, port, "phys_state");
	seen->lid = (uint16_t)read_number(ctx, device, port, "lid");
	seen->sm_lid = (uint16_t)read_number(ctx, device, port, "sm_lid");
	seen->capability_mask = read_number(ctx, device, port, "cap_mask");
	if (sysfs_gid(ctx, gid, "class/infiniband/%s/ports/%u/gids/0", device, port) < 0)
		return;
	seen->guid_known = true;
	for (int i = 8; i < 16; i++)
		seen->port_guid = seen->port_guid << 8 | gid[i];
}

int port_devices(struct rs_ctx *ctx, char ***devices)
{
	int count = sysfs_list(ctx, devices, "class/infiniband");

	if (count == -ENOENT)
		return rs_error(ctx, RS_UNSUPPORTED, "no RDMA driver is loaded: %s/class/infiniband is not there",
				rs_sysfs(ctx));
	if (count < 0)
		return rs_error(ctx, count == -EACCES ? RS_DENIED : RS_FAILED, "%s/class/infiniband: %s", rs_sysfs(ctx),
				strerror(-count));
	return count;
}

int port_ports(struct rs_ctx *ctx, const char *device, unsigned **ports)
{
	char **names;
	int count = sysfs_list(ctx, &names, "class/infiniband/%s/ports", device), kept = 0;

	if (count < 0)
		return count;
	*ports = rs_alloc(ctx, sizeof(**ports) * (size_t)(count + 1));
	for (int i = 0; i < count; i++) {
		char *end;
		unsigned long port = strtoul(names[i], &end, 10);

		if (isdigit((unsigned char)names[i][0]) && !*end && port <= 255)
			(*ports)[kept++] = (unsigned)port;
	}
	return kept;
}

static int rank(const struct port_seen *seen)
{
	if (seen->state == CODE_ACTIVE)
		return 3;
	return seen->physical == CODE_LINK_UP ? 2 : 1;
}

static bool eligible(const struct port_seen *seen)
{
	return seen->infiniband && !(seen->guid_known && !seen->port_guid) &&
	       !(seen->capability_mask & CAPABILITY_SM_DISABLED);
}

static const char *describe(const struct port_seen *seen)
{
	if (!seen->infiniband)
		return "not InfiniBand";
	if (seen->guid_known && !seen->port_guid)
		return "GUID zero";
	if (seen->capability_mask & CAPABILITY_SM_DISABLED)
		return "takes no SMPs";
	return link_state(seen->state) < 0 ? "state unknown" : link_states[link_state(seen->state)];
}

/* The state of the search: the best port so far, and a list of the others for the message */
struct search {
	struct port_seen best;
	char others[256];
};

static void consider(struct search *search, const struct port_seen *seen)
{
	size_t length = strlen(search->others);

	snprintf(search->others + length, sizeof(search->others) - length, "%s%s port %u (%s)", length ? ", " : "",
		 seen->device, seen->port, describe(seen));
	if (eligible(seen) && (!search->best.device || rank(seen) > rank(&search->best)))
		search->best = *seen;
}

static void choose_on(struct rs_ctx *ctx, const char *device, unsigned port, bool exact, struct search *search)
{
	unsigned *ports;
	struct port_seen seen;
	int count = port_ports(ctx, device, &ports);

	for (int i = 0; i < count; i++) {
		if (port && ports[i] != port)
			continue;
		port_read(ctx, device, ports[i], &seen);
		consider(search, &seen);
		if (port && exact)
			search->best = seen; /* named outright: what is wrong with it is said below */
	}
}

int port_choose(struct rs_ctx *ctx, const char *device, unsigned port, struct port_seen *chosen)
{
	struct search *search = rs_alloc(ctx, sizeof(*search));
	char **devices;
	bool found = false;
	int count = port_devices(ctx, &devices);

	if (count < 0)
		return count;
	for (int i = 0; i < count; i++) {
		if (device && strcmp(device, devices[i]))
			continue;
		found = true;
		choose_on(ctx, devices[i], port, device != NULL, search);
	}
	if (device && !found)
		return rs_error(ctx, RS_ABSENT, "there is no RDMA device %s", device);
	if (!search->best.device && !search->others[0])
		return port ? rs_error(ctx, RS_ABSENT, device ? "%s has no port %u" : "%s has a port %u",
				       device ? device : "no RDMA device", port)
			    : rs_error(ctx, RS_ABSENT, "there is no RDMA port on this host");
	if (!search->best.device)
		return rs_error(ctx, RS_ABSENT, "no port can reach an InfiniBand subnet: %s", search->others);
	*chosen = search->best;
	if (!chosen->infiniband)
		return rs_error(ctx, RS_UNSUPPORTED,
				"%s port %u is not an InfiniBand port: there is no subnet behind it", chosen->device,
				chosen->port);
	if (chosen->physical != CODE_LINK_UP && chosen->state < 2)
		return rs_error(ctx, RS_ABSENT, "%s port %u is %s: no subnet can be reached through it", chosen->device,
				chosen->port, describe(chosen));
	return 0;
}
