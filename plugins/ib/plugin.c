/* SPDX-License-Identifier: BSD-2-Clause */
#include "ib/ib.h"
#include "support/perf.h"

/* Under the simulator, sysfs too is the simulator's: reading it takes a place on the fabric as a MAD does */
#define SOURCE(word, type, more, text)                                                                                 \
	{                                                                                                              \
		.name = "ib." #word, .summary = text, .scope = RS_HOST, .flags = RS_FABRIC_ACCESS | (more),            \
		.params = ib_##word##_params, .params_size = sizeof(type), .probes = &ib_##word##_probe, .nprobes = 1, \
		.observe = ib_##word##_observe                                                                         \
	}

PERF_FUNCTIONS("ib", PERF_INFINIBAND)

static const struct rs_source sources[] = {
	SOURCE(devices, struct rdma_select, 0, "RDMA devices of a host, from sysfs"),
	SOURCE(ports, struct rdma_select, 0, "ports of a host's RDMA devices, from sysfs and each port's own PortInfo"),
	SOURCE(pkeys, struct rdma_select, 0, "partition tables of a host's InfiniBand ports, from sysfs"),
	SOURCE(ipoib, struct ib_ipoib_params, 0, "IPoIB network devices of a host, from sysfs and the kernel"),
	SOURCE(counters, struct ib_counters_params, RS_COUNTERS,
	       "port counters, from sysfs or the port's performance management agent"),
	SOURCE(sm, struct ib_sm_params, 0, "SMInfo of a subnet manager, asked from a host's port"),
	PERF_SOURCES("ib"),
};

RS_PLUGIN(.name = "ib", .version = VERSION, .summary = "InfiniBand and RDMA devices of a host", .sources = sources,
	  .nsources = sizeof(sources) / sizeof(sources[0]));
