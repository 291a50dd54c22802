/* SPDX-License-Identifier: BSD-2-Clause */
/* roce.counters: one row a counter: hw_counters of the RDMA port, ethtool and kernel statistics of its netdevs */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce/counters.h"
#include "roce/ethtool.h"
#include "roce/netdev.h"
#include "roce/roce.h"
#include "support/counters.h"
#include "support/port.h"
#include "support/sysfs.h"

enum { DEVICE, PORT, NETDEV, SOURCE, NAME, VALUE, FACTS };
enum { HW_COUNTERS, ETHTOOL, STATISTICS };

static const char *const sources[] = {"hw_counters", "ethtool", "statistics", NULL};

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name of the RDMA device"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	[NETDEV] =
		{.name = "netdev",
		 .type = RS_TEXT,
		 .flags = RS_F_KEY,
		 .doc = "network device that counts: the port's, and of a bond its slaves too; none for hw_counters"},
	[SOURCE] = {.name = "source",
		    .type = RS_ENUM,
		    .flags = RS_F_KEY,
		    .choices = sources,
		    .doc = "hw_counters: folder of that name of the RDMA port; ethtool: the driver's own (ethtool -S); "
			   "statistics: the kernel's (folder statistics of the netdev)"},
	[NAME] = {.name = "name",
		  .type = RS_TEXT,
		  .flags = RS_F_KEY,
		  .doc = "name of the counter, as its source has it"},
	[VALUE] = {.name = "value",
		   .type = RS_UNSIGNED,
		   .flags = RS_F_VOLATILE | RS_F_COUNTER,
		   .doc = "what it stands at; with 'over', by how much it rose",
		   .observed_by = "needs a counter that can be read"},
	[FACTS] = {0},
};

/** struct reading - a counter as it stood before the interval */
struct reading {
	const char *device, *netdev, *name;
	unsigned port;
	int source;
	uint64_t value;
};

/** struct search - @before: what was read before, of @nbefore; @next: where in it the next one probably is */
struct search {
	const struct counters_params *params;
	bool remembering; /* it is read before the interval: no rows yet */
	struct reading *before;
	size_t nbefore, capacity, next;
	struct netdevs netdevs;
	int ports;
	bool *matched; /* by number of the pattern */
};

static bool meant(struct search *search, const char *name)
{
	bool any = !search->params->count;

	for (unsigned i = 0; i < search->params->count; i++)
		if (!strcmp(search->params->names[i], name) || !fnmatch(search->params->names[i], name, 0))
			any = search->matched[i] = true;
	return any;
}

struct place {
	struct rs_ctx *ctx;
	struct search *search;
	const char *device, *netdev;
	unsigned port;
	int source;
};

static const char *keep(struct rs_ctx *ctx, const char *text)
{
	return text ? strcpy(rs_alloc(ctx, strlen(text) + 1), text) : NULL;
}

static void remember(const struct place *place, const char *name, uint64_t value)
{
	struct search *search = place->search;
	struct reading *reading;

	if (search->nbefore == search->capacity) {
		search->capacity = search->capacity ? 2 * search->capacity : 256;
		reading = rs_alloc(place->ctx, search->capacity * sizeof(*reading));
		if (search->nbefore)
			memcpy(reading, search->before, search->nbefore * sizeof(*reading));
		search->before = reading;
	}
	reading = &search->before[search->nbefore++];
	*reading = (struct reading){
		.device = keep(place->ctx, place->device),
		.netdev = keep(place->ctx, place->netdev),
		.name = keep(place->ctx, name),
		.port = place->port,
		.source = place->source,
		.value = value,
	};
}

static bool is_of(const struct reading *reading, const struct place *place, const char *name)
{
	return reading->port == place->port && reading->source == place->source && !strcmp(reading->name, name) &&
	       !strcmp(reading->device, place->device) &&
	       (reading->netdev ? place->netdev && !strcmp(reading->netdev, place->netdev) : !place->netdev);
}

/* They come in the same order again, but for what came or went meanwhile. */
static const struct reading *recall(const struct place *place, const char *name)
{
	struct search *search = place->search;

	for (size_t i = 0; i < search->nbefore; i++) {
		size_t at = (search->next + i) % search->nbefore;

		if (!is_of(&search->before[at], place, name))
			continue;
		search->next = at + 1;
		return &search->before[at];
	}
	return NULL;
}

static void set_rise(const struct place *place, const char *name, uint64_t value)
{
	const struct reading *before = recall(place, name);

	if (before)
		counter_set_rise(place->ctx, VALUE, before->value, value);
	else
		rs_not_observed(place->ctx, VALUE, "needs a counter that was there before, too");
}

static void begin_row(const struct place *place, const char *name)
{
	rs_row_begin(place->ctx, 0);
	rs_set_text(place->ctx, DEVICE, place->device);
	rs_set_integer(place->ctx, PORT, place->port);
	if (place->netdev)
		rs_set_text(place->ctx, NETDEV, place->netdev);
	else
		rs_set_none(place->ctx, NETDEV);
	rs_set_enum(place->ctx, SOURCE, place->source);
	rs_set_text(place->ctx, NAME, name);
}

/* @value: NULL: it could not be read */
static void add_counter(const struct place *place, const char *name, const uint64_t *value)
{
	if (!meant(place->search, name))
		return;
	if (place->search->remembering) {
		if (value)
			remember(place, name, *value);
		return;
	}
	begin_row(place, name);
	if (value && place->search->params->over > 0)
		set_rise(place, name, *value);
	else if (value)
		rs_set_unsigned(place->ctx, VALUE, *value);
}

static void add_value(const char *name, uint64_t value, void *user)
{
	add_counter(user, name, &value);
}

/* Once is enough: the second reading says it. */
static void say_incomplete(const struct place *place, const char *what, int error)
{
	if (!place->search->remembering)
		rs_incomplete(place->ctx, "%s: %s", what, strerror(error));
}

/* lifespan is among them and counts nothing: it is how many milliseconds old they may be */
static void add_hw_counters(struct place *place)
{
	char **names;
	char what[128];
	int count =
		sysfs_list(place->ctx, &names, "class/infiniband/%s/ports/%u/hw_counters", place->device, place->port);

	place->source = HW_COUNTERS;
	place->netdev = NULL;
	if (count < 0 && count != -ENOENT) {
		snprintf(what, sizeof(what), "%s port %u: hw_counters", place->device, place->port);
		say_incomplete(place, what, -count);
	}
	for (int i = 0; i < count; i++) {
		uint64_t value;
		int error;

		if (!strcmp(names[i], "lifespan"))
			continue;
		error = sysfs_number(place->ctx, &value, "class/infiniband/%s/ports/%u/hw_counters/%s", place->device,
				     place->port, names[i]);
		add_counter(place, names[i], error ? NULL : &value);
	}
}

static void add_statistics(struct place *place, const char *netdev)
{
	char **names;
	int count = sysfs_list(place->ctx, &names, "class/net/%s/statistics", netdev);

	place->source = STATISTICS;
	place->netdev = netdev;
	for (int i = 0; i < count; i++) {
		uint64_t value;
		int error = sysfs_number(place->ctx, &value, "class/net/%s/statistics/%s", netdev, names[i]);

		add_counter(place, names[i], error ? NULL : &value);
	}
}

static void add_ethtool(struct place *place, const char *netdev)
{
	char what[128];
	int error;

	if (rs_recorded(place->ctx))
		return;
	place->source = ETHTOOL;
	place->netdev = netdev;
	error = ethtool_statistics(netdev, add_value, place);
	snprintf(what, sizeof(what), "%s: ethtool statistics", netdev);
	if (error && error != -EOPNOTSUPP)
		say_incomplete(place, what, -error);
}

static void add_netdevs(struct place *place, const char *netdev)
{
	char **names;
	int count = netdev_physical(place->ctx, netdev, &names);

	if (count != 1 || strcmp(names[0], netdev)) { /* a bond's own, ahead of its slaves' */
		add_ethtool(place, netdev);
		add_statistics(place, netdev);
	}
	for (int i = 0; i < count; i++) {
		add_ethtool(place, names[i]);
		add_statistics(place, names[i]);
	}
}

static void visit(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	struct search *search = user;
	struct place place = {.ctx = ctx, .search = search, .device = device, .port = port};
	char netdev[IFNAMSIZ];

	if (port_is_infiniband(ctx, device, port))
		return;
	search->ports++;
	add_hw_counters(&place);
	if (netdev_of_port(&search->netdevs, device, port, netdev) > 0)
		add_netdevs(&place, netdev);
}

static int read_before(struct rs_ctx *ctx, struct search *search)
{
	int error;

	if (search->params->over <= 0)
		return 0;
	search->remembering = true;
	error = select_ports(ctx, &search->params->select, visit, search);
	search->remembering = false;
	if (!error && search->ports)
		counters_let_pass(search->params->over);
	search->ports = 0;
	return error;
}

int roce_counters_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	struct search search = {.params = data};
	int error;

	search.matched = rs_alloc(ctx, search.params->count + 1);
	netdevs_read(ctx, &search.netdevs);
	error = read_before(ctx, &search);
	if (!error)
		error = select_ports(ctx, &search.params->select, visit, &search);
	if (!error && !search.ports)
		error = roce_no_port(ctx);
	for (unsigned i = 0; i < search.params->count && !error; i++)
		if (!search.matched[i])
			rs_note(ctx, "no counter is called %s", search.params->names[i]);
	return error;
}

const struct rs_param roce_counters_params[] = {
	RDMA_SELECT_DEVICE,
	RDMA_SELECT_PORT,
	COUNTERS_OVER(struct counters_params),
	{.key = "names",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .min = 1,
	 .max = 128,
	 .offset = offsetof(struct counters_params, names),
	 .count_offset = offsetof(struct counters_params, count),
	 .doc = "counters, or globs (\"*_discards_phy\", \"rx_prio*_pause\"); without it all of them"},
	{0},
};

const struct rs_probe roce_counters_probe = {
	.name = "roce.counters",
	.summary = "counters of RDMA ports on Ethernet and of their network devices: pauses, discards, CNPs, retries",
	.row = "{device} port {port} {netdev|source} {name}",
	.facts = facts,
};
