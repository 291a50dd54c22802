/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the probes of this plugin, one file each; plugin.c lists them */
#pragma once

#include <rdmaspec/plugin.h>

/** struct host_names - which ones are meant; none given: all */
struct host_names {
	const char *const *names;
	unsigned count;
};

extern const struct rs_param host_modules_params[], host_tools_params[], host_processes_params[], host_limits_params[],
	host_command_params[], host_tcp_bandwidth_params[];
extern const struct rs_probe host_modules_probe, host_tools_probe, host_processes_probe, host_limits_probe,
	host_command_probe, host_tcp_bandwidth_probe;
int host_modules_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int host_tools_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int host_processes_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int host_limits_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int host_command_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int host_tcp_bandwidth_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int host_tcp_bandwidth_serve(struct rs_ctx *ctx, const void *params);
