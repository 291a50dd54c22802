/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the probes of this plugin, one file each; plugin.c lists them */
#pragma once

#include <rdmaspec/plugin.h>

#include "support/select.h"

/** roce_no_port - the error where no port that is meant is an Ethernet one; returns what rs_error() returned */
int roce_no_port(struct rs_ctx *ctx);

extern const struct rs_param roce_devices_params[], roce_gids_params[], roce_qos_params[], roce_counters_params[],
	roce_path_params[];
extern const struct rs_probe roce_devices_probe, roce_gids_probe, roce_qos_probe, roce_counters_probe, roce_path_probe;
int roce_devices_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int roce_gids_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int roce_qos_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int roce_counters_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int roce_path_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
