/* SPDX-License-Identifier: BSD-2-Clause */
/* ib.counters: one row an InfiniBand port, from sysfs, or by PerfMgt where sysfs has none */
#include "support/counters.h"

#include <string.h>

#include "ib/ib.h"
#include "support/mad.h"
#include "support/mad_packet.h"
#include "support/port.h"
#include "support/sysfs.h"

enum { DEVICE, PORT, SOURCE, COUNTERS_AT, FACTS = COUNTERS_AT + COUNTERS + 1 };

static const char *const sources[] = {"sysfs", "PerfMgt", NULL};

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name in /sys/class/infiniband"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number; RoCE ports have no row"},
	[SOURCE] = {.name = "source",
		    .type = RS_ENUM,
		    .choices = sources,
		    .doc = "sysfs: the files in ports/N/counters; PerfMgt: the port's own performance management agent",
		    .observed_by = "needs an active port, or a driver with counters in sysfs"},
	COUNTER_FACTS,
	[FACTS] = {0},
};

struct reading {
	const char *device;
	unsigned port;
	int source; /* index into sources; -1: none */
	struct counters now, before;
};

/* "N/A (no PMA)" and empty files are no numbers: such a counter is not observed */
static bool read_files(struct rs_ctx *ctx, const struct reading *reading, struct counters *counters)
{
	for (unsigned counter = 0; counter < COUNTERS; counter++) {
		uint64_t value;

		if (sysfs_number(ctx, &value, "class/infiniband/%s/ports/%u/counters/%s", reading->device,
				 reading->port, counter_file(counter)))
			continue;
		counter_put(counters, counter, value);
		if (value > UINT32_MAX)
			counters->wide |= 1u << counter;
	}
	return counters->seen;
}

static bool ask(struct mad_port *umad, uint16_t lid, uint16_t attribute, uint8_t port, struct mad_answer *answer)
{
	const uint8_t select[2] = {0, port};
	const struct mad_request request = {.klass = MAD_CLASS_PERF,
					    .attribute = attribute,
					    .lid = lid,
					    .qp = 1,
					    .data = select,
					    .data_offset = MAD_DATA,
					    .data_length = attribute == ATTRIBUTE_CLASS_PORT_INFO ? 0 : sizeof(select)};

	return !mad_query(umad, &request, answer) && answer->outcome == MAD_ANSWERED;
}

static bool ask_agent(struct rs_ctx *ctx, const struct reading *reading, struct counters *counters)
{
	static const struct mad_options options = {.window = 1, .window_max = 1, .retries = 2, .mad_timeout = 0.5};
	struct mad_answer answer;
	struct port_seen seen;
	struct mad_port *umad;
	uint16_t capability;
	int error;

	port_read(ctx, reading->device, reading->port, &seen);
	if (!seen.lid || seen.state != 4)
		return false;
	umad = mad_try_open(ctx, reading->device, reading->port, &options, &error);
	if (!umad)
		return false;
	if (ask(umad, seen.lid, ATTRIBUTE_CLASS_PORT_INFO, 0, &answer)) {
		capability = get16(answer.mad + MAD_DATA + 2);
		if (capability & (PERF_EXTENDED | PERF_EXTENDED_NO_IETF) &&
		    ask(umad, seen.lid, ATTRIBUTE_PORT_COUNTERS_EXTENDED, (uint8_t)reading->port, &answer))
			counters_extended(counters, answer.mad + MAD_DATA, !(capability & PERF_EXTENDED_NO_IETF));
		if (ask(umad, seen.lid, ATTRIBUTE_PORT_COUNTERS, (uint8_t)reading->port, &answer))
			counters_port_counters(counters, answer.mad + MAD_DATA, capability & PERF_XMIT_WAIT);
	}
	mad_close(umad);
	return counters->seen;
}

static void read_once(struct rs_ctx *ctx, struct reading *reading, struct counters *counters)
{
	if (reading->source != 1 && read_files(ctx, reading, counters))
		reading->source = 0;
	else if (reading->source != 0 && !rs_recorded(ctx) && ask_agent(ctx, reading, counters))
		reading->source = 1;
}

struct list {
	struct reading *readings;
	unsigned count;
};

static void count(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	((struct list *)user)->count += port_is_infiniband(ctx, device, port);
}

static void collect(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	struct list *list = user;

	if (port_is_infiniband(ctx, device, port))
		list->readings[list->count++] = (struct reading){.device = device, .port = port, .source = -1};
}

static void set_row(struct rs_ctx *ctx, const struct reading *reading, bool difference)
{
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, DEVICE, reading->device);
	rs_set_integer(ctx, PORT, reading->port);
	if (reading->source >= 0)
		rs_set_enum(ctx, SOURCE, reading->source);
	counters_set(ctx, COUNTERS_AT, difference ? &reading->before : NULL, &reading->now);
}

int ib_counters_observe(struct rs_ctx *ctx, const void *bound, uint32_t wanted)
{
	const struct ib_counters_params *params = bound;
	struct list list = {0};
	int error = select_ports(ctx, &params->select, count, &list);

	if (error)
		return error;
	list.readings = rs_alloc(ctx, (list.count + 1) * sizeof(*list.readings));
	list.count = 0;
	select_ports(ctx, &params->select, collect, &list);
	if (params->over > 0 && rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED,
				"a recorded tree stands still: there is no interval to count over");
	if (params->over > 0) {
		for (unsigned i = 0; i < list.count; i++)
			read_once(ctx, &list.readings[i], &list.readings[i].before);
		counters_let_pass(params->over);
	}
	for (unsigned i = 0; i < list.count; i++) {
		read_once(ctx, &list.readings[i], &list.readings[i].now);
		set_row(ctx, &list.readings[i], params->over > 0);
	}
	return 0;
}

const struct rs_param ib_counters_params[] = {
	RDMA_SELECT_DEVICE,
	RDMA_SELECT_PORT,
	COUNTERS_OVER(struct ib_counters_params),
	{0},
};

const struct rs_probe ib_counters_probe = {
	.name = "ib.counters",
	.summary = "error and traffic counters of a host's InfiniBand ports",
	.row = "{device} port {port}",
	.facts = facts,
};
