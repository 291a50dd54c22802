/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: which CPUs and which memory a tool has: those of the process that starts it */
#pragma once

#include <rdmaspec/plugin.h>

/**
 * struct place - where to run; NULL: anywhere
 * @cpus: "0-7,16"; without it those of @numa_node
 * @numa_node: a number, or "device" where there is a @device
 * @device: an RDMA device; NULL: there is none
 */
struct place {
	const char *cpus, *numa_node, *device;
};

/** place_here - let this process, and what it starts, run there; 0, or what rs_error() returned */
int place_here(struct rs_ctx *ctx, const struct place *place);
