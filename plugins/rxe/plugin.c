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
	{.name = "rxe.link",
	 .summary = "a Soft RoCE device on a network device, for the time of the run",
	 .scope = RS_HOST,
	 .flags = RS_CHANGES,
	 .params = rxe_link_params,
	 .params_size = sizeof(struct rxe_link_params),
	 .probes = &rxe_link_probe,
	 .nprobes = 1,
	 .observe = rxe_link_observe,
	 .undo = rxe_link_undo},
	PERF_SOURCES("rxe"),
};

RS_PLUGIN(.name = "rxe", .version = VERSION, .summary = "Soft RoCE: RDMA in software on a network device",
	  .sources = sources, .nsources = sizeof(sources) / sizeof(sources[0]));
