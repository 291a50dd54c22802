/* SPDX-License-Identifier: BSD-2-Clause */
#include "rxe/rxe.h"
#include "support/perf.h"

PERF_FUNCTIONS("rxe", PERF_SOFT)

static const struct rs_source sources[] = {
	{.name = "rxe.links",
	 .summary = "Soft RoCE devices of a host, from RDMA netlink",
	 .scope = RS_HOST,
	 .params = rxe_links_params,
	 .params_size = sizeof(struct rdma_select),
	 .probes = &rxe_links_probe,
	 .nprobes = 1,
	 .observe = rxe_links_observe},
	PERF_SOURCES("rxe"),
};

RS_PLUGIN(.name = "rxe", .version = VERSION, .summary = "Soft RoCE: RDMA in software on a network device",
	  .sources = sources, .nsources = sizeof(sources) / sizeof(sources[0]));
