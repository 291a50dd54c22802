/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/cabling.h"
#include "fabric/counters.h"
#include "fabric/ibdiagnet.h"
#include "fabric/partitions.h"
#include "fabric/routes.h"
#include "fabric/rows.h"
#include "fabric/sms.h"
#include "fabric/sweep.h"
#include "support/counters.h"
#include "support/port.h"

struct sweep_params {
	const char *device;
	const int64_t *port;
	struct mad_options mad;
};

/* Every source here begins with a sweep: its parameter struct begins with a struct sweep_params, its table with these
 */
#define SWEEP_PARAMS                                                                                                   \
	{.key = "device",                                                                                              \
	 .type = RS_TEXT,                                                                                              \
	 .offset = offsetof(struct sweep_params, device),                                                              \
	 .doc = "RDMA device to sweep from; without it the one of the first active InfiniBand port"},                  \
		{.key = "port",                                                                                        \
		 .type = RS_INTEGER,                                                                                   \
		 .offset = offsetof(struct sweep_params, port),                                                        \
		 .min = 1,                                                                                             \
		 .max = 254,                                                                                           \
		 .doc = "its port; without it the first active one"},                                                  \
		MAD_PARAMS(struct sweep_params, mad),                                                                  \
	{                                                                                                              \
		.key = "m_key", .type = RS_GUID, .offset = offsetof(struct sweep_params, mad.m_key), .value = "0x0",   \
		.doc = "M_Key of the subnet, 64 bits in hexadecimal; needed where ports protect their attributes "     \
		       "against reading"                                                                               \
	}

static const struct rs_param sweep_params[] = {SWEEP_PARAMS, {0}};

struct counters_params {
	struct sweep_params sweep;
	double over;
};

static const struct rs_param counters_params[] = {
	SWEEP_PARAMS,
	COUNTERS_OVER(struct counters_params),
	{0},
};

struct cabling_params {
	struct sweep_params sweep;
	const char *plan;
};

static const struct rs_param cabling_params[] = {
	SWEEP_PARAMS,
	{.key = "plan",
	 .type = RS_FILE,
	 .flags = RS_REQUIRED,
	 .offset = offsetof(struct cabling_params, plan),
	 .doc = "the plan: CSV (node, port, node, port, and where wanted width and speed; nodes by GUID or name), or a "
		"topology as ibnetdiscover prints it or ibsim reads it, or a recorded run with fabric.links in it",
	 .table = "fabric.links " PLAN_COLUMNS},
	{0},
};

struct partitions_params {
	struct sweep_params sweep;
	struct partitions_wanted wanted;
};

static const struct rs_param partitions_params[] = {
	SWEEP_PARAMS,
	{.key = "through",
	 .type = RS_ENUM,
	 .offset = offsetof(struct partitions_params, wanted.through),
	 .choices = partitions_ways,
	 .value = "sa",
	 .doc = "sa: one question to the subnet administration, and to each port whose table its answer lacks; smp: to "
		"the ports only: what they enforce, whatever the subnet manager has set"},
	{.key = "sm_key",
	 .type = RS_GUID,
	 .offset = offsetof(struct partitions_params, wanted.sm_key),
	 .value = "0x1",
	 .doc = "SM_Key, 64 bits in hexadecimal: a subnet administration tells partition tables only to whom it "
		"trusts; "
		"0x1 is what opensm has unless its sa_key says otherwise"},
	{0},
};

struct routes_params {
	struct sweep_params sweep;
	struct routes_wanted wanted;
};

static const struct rs_param routes_params[] = {
	SWEEP_PARAMS,
	{.key = "from",
	 .type = RS_TEXT,
	 .offset = offsetof(struct routes_params, wanted.from),
	 .value = "*",
	 .doc = "sources: a glob over the descriptions of host adapters, without regard to case"},
	{.key = "to",
	 .type = RS_TEXT,
	 .offset = offsetof(struct routes_params, wanted.to),
	 .value = "*",
	 .doc = "destinations, as from"},
	{.key = "limit",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct routes_params, wanted.limit),
	 .value = "10000",
	 .min = 1,
	 .max = 100000000,
	 .doc = "pairs at most; where there are more, so many are taken, evenly spread"},
	{0},
};

static const struct rs_probe sweep_probes[] = {
	{
		.name = "fabric.nodes",
		.summary = "every node of the subnet: CAs, switches, routers",
		.row = "{description|guid}",
		.facts = fabric_nodes_facts,
	},
	{
		.name = "fabric.links",
		.summary = "every cable of the subnet, once, with both of its ends",
		.row = "{description|guid} port {port} \342\206\222 {remote_description|remote_guid} port "
		       "{remote_port}",
		.facts = fabric_links_facts,
	},
	{
		.name = "fabric.ports",
		.summary = "every port of the subnet, also those that are down",
		.row = "{description|guid} port {port}",
		.facts = fabric_ports_facts,
	},
	{
		.name = "fabric.summary",
		.summary = "counts over the whole subnet: nodes, links, ports, duplicates",
		.row = "the subnet",
		.facts = fabric_summary_facts,
	},
	{
		.name = "fabric.sms",
		.summary = "every subnet manager of the subnet: master, standby, others",
		.row = "SM on {description|guid}",
		.facts = fabric_sms_facts,
	},
};

enum { NODES, LINKS, PORTS, SUMMARY, SMS, SWEEP_PROBES };
_Static_assert(sizeof(sweep_probes) / sizeof(sweep_probes[0]) == SWEEP_PROBES, "each probe has its number");

static void note_sweep(struct rs_ctx *ctx, const struct port_seen *port, const struct mad_port *umad)
{
	const struct mad_statistics *statistics = mad_statistics(umad);

	rs_note(ctx, "swept from %s port %u: %llu SMPs, %llu of them sent again, at most %u in flight", port->device,
		port->port, (unsigned long long)statistics->sent, (unsigned long long)statistics->resent,
		statistics->window_peak);
}

typedef int tables_fn(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, const void *params,
		      uint32_t wanted);

static int observe_subnet(struct rs_ctx *ctx, const struct sweep_params *params, uint32_t wanted, tables_fn *tables)
{
	struct fabric fabric = {0};
	struct port_seen port;
	struct mad_port *umad;
	int error;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "a recorded tree has files only: no subnet can be swept");
	error = port_choose(ctx, params->device, params->port ? (unsigned)*params->port : 0, &port);
	if (error)
		return error;
	umad = mad_open(ctx, port.device, port.port, &params->mad);
	if (!umad)
		return -1;
	error = sweep(ctx, umad, &fabric);
	if (!error) {
		note_sweep(ctx, &port, umad);
		error = tables(ctx, &fabric, umad, params, wanted);
	}
	mad_close(umad);
	fabric_free(&fabric);
	return error;
}

static int sweep_tables(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, const void *params,
			uint32_t wanted)
{
	if (wanted & 1u << NODES)
		fabric_nodes_rows(ctx, NODES, fabric);
	if (wanted & 1u << LINKS)
		fabric_links_rows(ctx, LINKS, fabric);
	if (wanted & 1u << PORTS)
		fabric_ports_rows(ctx, PORTS, fabric);
	if (wanted & 1u << SUMMARY)
		fabric_summary_rows(ctx, SUMMARY, fabric);
	return wanted & 1u << SMS ? fabric_sms_rows(ctx, SMS, fabric, umad) : 0;
}

static int observe_sweep(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return observe_subnet(ctx, params, wanted, sweep_tables);
}

static int counters_tables(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, const void *params,
			   uint32_t wanted)
{
	return fabric_counters_rows(ctx, 0, fabric, umad, ((const struct counters_params *)params)->over);
}

static int observe_counters(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return observe_subnet(ctx, params, wanted, counters_tables);
}

static int partitions_tables(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, const void *params,
			     uint32_t wanted)
{
	return fabric_partitions_rows(ctx, 0, fabric, umad, &((const struct partitions_params *)params)->wanted);
}

static int observe_partitions(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return observe_subnet(ctx, params, wanted, partitions_tables);
}

static const struct rs_probe partitions_probe = {
	.name = "fabric.partitions",
	.summary = "members of every partition of the subnet, full and limited",
	.row = "{description|guid} port {port} in partition {partition}",
	.facts = fabric_partitions_facts,
};

static const struct rs_probe counters_probe = {
	.name = "fabric.counters",
	.summary = "error and traffic counters of every port of the subnet that is up",
	.row = "{description|guid} port {port} \342\206\222 {remote_description} port {remote_port}",
	.facts = fabric_counters_facts,
};

static int cabling_tables(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, const void *params,
			  uint32_t wanted)
{
	struct plan plan;
	int error = plan_read(ctx, ((const struct cabling_params *)params)->plan, &plan);

	if (!error)
		fabric_cabling_rows(ctx, 0, fabric, &plan);
	return error;
}

static int observe_cabling(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return observe_subnet(ctx, params, wanted, cabling_tables);
}

static const struct rs_probe cabling_probe = {
	.name = "fabric.cabling",
	.summary = "a cabling plan against the cables that are there",
	.row = "{description} port {port} \342\206\222 {remote_description} port {remote_port}",
	.facts = fabric_cabling_facts,
};

static int routes_tables(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, const void *params,
			 uint32_t wanted)
{
	struct forwarding forwarding;
	int error = forwarding_read(ctx, fabric, umad, &forwarding);

	if (error)
		return error;
	if (wanted & 1)
		fabric_routes_rows(ctx, 0, &forwarding, &((const struct routes_params *)params)->wanted);
	if (wanted & 2)
		fabric_route_counts_rows(ctx, 1, &forwarding);
	return 0;
}

static int observe_routes(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return observe_subnet(ctx, params, wanted, routes_tables);
}

static const struct rs_probe routes_probes[] = {
	{
		.name = "fabric.routes",
		.summary = "routes between host ports, as the switches' forwarding tables have them",
		.row = "{description|guid} port {port} \342\206\222 {remote_description|remote_guid} port "
		       "{remote_port}",
		.facts = fabric_routes_facts,
	},
	{
		.name = "fabric.route_counts",
		.summary = "how many destinations each switch port is the way to",
		.row = "{description|guid} port {port} \342\206\222 {remote_description|remote_guid}",
		.facts = fabric_route_counts_facts,
	},
};

static const struct rs_probe ibdiagnet_probe = {
	.name = "fabric.ibdiagnet",
	.summary = "ibdiagnet's stages with their errors and warnings",
	.row = "{stage}",
	.facts = fabric_ibdiagnet_facts,
};

#define SOURCE(text, about, word, more, given, probe, count)                                                           \
	{                                                                                                              \
		.name = text, .summary = about, .scope = RS_FABRIC, .flags = RS_PARTIAL | RS_FABRIC_ACCESS | (more),   \
		.params = given##_params, .params_size = sizeof(struct given##_params), .probes = probe,               \
		.nprobes = count, .observe = observe_##word                                                            \
	}

static const struct rs_source sources[] = {
	SOURCE("fabric.sweep", "one sweep of the subnet by directed-route SMPs", sweep, 0, sweep, sweep_probes,
	       SWEEP_PROBES),
	SOURCE("fabric.counters", "PerfMgt counters of every port that is up", counters, RS_COUNTERS, counters,
	       &counters_probe, 1),
	SOURCE("fabric.cabling", "a sweep, held against a cabling plan", cabling, 0, cabling, &cabling_probe, 1),
	SOURCE("fabric.partitions", "partition tables of every CA port and switch", partitions, 0, partitions,
	       &partitions_probe, 1),
	SOURCE("fabric.routing", "the forwarding tables of every switch", routes, RS_PASSING, routes, routes_probes, 2),
	{
		.name = "fabric.ibdiagnet",
		.summary = "a run of ibdiagnet, where it is installed",
		.scope = RS_FABRIC,
		.flags = RS_FABRIC_ACCESS,
		.probes = &ibdiagnet_probe,
		.nprobes = 1,
		.observe = fabric_ibdiagnet_observe,
	},
};

RS_PLUGIN(.name = "fabric", .version = VERSION, .summary = "InfiniBand subnets as a whole", .sources = sources,
	  .nsources = sizeof(sources) / sizeof(sources[0]));
