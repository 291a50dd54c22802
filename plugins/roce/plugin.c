/* SPDX-License-Identifier: BSD-2-Clause */
#include "roce/counters.h"
#include "roce/path.h"
#include "roce/roce.h"
#include "support/perf.h"
#include "support/port.h"

int roce_no_port(struct rs_ctx *ctx)
{
	char **devices;
	int count = port_devices(ctx, &devices);

	if (count < 0)
		return count;
	if (!count)
		return rs_error(ctx, RS_ABSENT, "this host has no RDMA device");
	return rs_error(ctx, RS_ABSENT, "none of the RDMA ports that are meant is an Ethernet one");
}

#define SOURCE(word, type, bits, text)                                                                                 \
	{                                                                                                              \
		.name = "roce." #word, .summary = text, .scope = RS_HOST, .flags = bits,                               \
		.params = roce_##word##_params, .params_size = sizeof(type), .probes = &roce_##word##_probe,           \
		.nprobes = 1, .observe = roce_##word##_observe                                                         \
	}

PERF_FUNCTIONS("roce", PERF_ETHERNET)

static const struct rs_source sources[] = {
	SOURCE(devices, struct rdma_select, 0, "RDMA ports on Ethernet with their network devices"),
	SOURCE(gids, struct rdma_select, RS_PARTIAL, "GID tables of RDMA ports on Ethernet"),
	SOURCE(qos, struct rdma_select, 0, "DCB, congestion control and rdma_cm's defaults, by priority"),
	SOURCE(counters, struct counters_params, RS_PARTIAL | RS_COUNTERS,
	       "counters of RDMA ports on Ethernet and their netdevs"),
	SOURCE(path, struct path_params, 0, "the way to each peer: route, gateway, round trip, largest packet"),
	PERF_SOURCES("roce"),
};

RS_PLUGIN(.name = "roce", .version = VERSION, .summary = "RDMA over Converged Ethernet on a host", .sources = sources,
	  .nsources = sizeof(sources) / sizeof(sources[0]));
